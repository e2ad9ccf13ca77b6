/**
 * The rule that would settle what is asked about a call, and nothing but that call, proven by asking again with it. It is
 * data, compared exactly: no pattern is made of what a caller wrote.
 *
 * Where a rule of the configuration asks about just the same, another rule would only be alike, and then ask wins. There
 * it is said that a person can grant it.
 */
import type { Decision } from "./decide.ts";
import { exactText, type AskedCall } from "./exact-call.ts";
import { parseRule, type Rule } from "./rule.ts";

type Suggestion = Pick<Decision, "suggested_rule" | "only_as_grant">;

/** A longer one nobody reads, and every answer would carry it. */
const MAX_CHARS = 4096;

/** @param isSettledBy whether the call would be allowed with these besides what there is */
export function suggestRule(
  asked: AskedCall | undefined,
  { risk }: Decision,
  isSettledBy: (added: { readonly rules?: readonly Rule[]; readonly grants?: readonly Rule[] }) => boolean,
): Suggestion {
  if (!asked || asked.acts.length === 0 || risk === "R5") return {};
  const text = exactText({ tool: asked.tool, [asked.part]: { risk, acts: asked.acts } });
  if (text.length > MAX_CHARS) return {};
  const rule = parseRule({ allow: text });
  if (isSettledBy({ rules: [rule] })) return { suggested_rule: text };
  return isSettledBy({ grants: [rule] }) ? { suggested_rule: text, only_as_grant: true } : {};
}
