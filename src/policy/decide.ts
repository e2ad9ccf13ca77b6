/**
 * Allow, ask or deny one concrete call. Pure: the same facts give the same decision, with the reason and the rule that
 * made it, which go into the record and the answer.
 *
 * Usual mistake: to decide on the tool's name. The decision is on what the call would touch.
 */
import { mergeExact } from "./exact-call.ts";
import type { Risk } from "./risk.ts";

/**
 * `default`: reads run, changes are proposed · `accept_edits`: ordinary changes apply at once · `plan`: changes can only
 * be proposed · `bypass`: everything but R5.
 */
export type Mode = "default" | "accept_edits" | "plan" | "bypass";

export const MODES: readonly Mode[] = ["default", "accept_edits", "plan", "bypass"];

export interface Decision {
  readonly type: "allow" | "ask" | "deny";
  readonly reason: string;
  /** Where the rule stands: `mode`, a file and line, or a grant. */
  readonly source: string;
  readonly rule: string;
  readonly risk: Risk;
  /** The rule that would settle an ask, and nothing but this call. */
  readonly suggested_rule?: string;
  /**
   * The suggestion settles the question only as a grant of a person; as a rule it would be no more specific than the
   * one that asks.
   */
  readonly only_as_grant?: true;
}

export function decide(risk: Risk, mode: Mode): Decision {
  const made = (type: Decision["type"], reason: string): Decision => ({
    type,
    reason,
    source: "mode",
    rule: mode,
    risk,
  });
  if (risk === "R5") return made("deny", "this is never allowed");
  if (risk === "R0" || risk === "R1") return made("allow", "reading inside the roots is allowed");
  if (mode === "bypass") return made("allow", "this host was started to apply everything at once");
  if (mode === "accept_edits" && risk === "R2") return made("allow", "this host was started to apply edits at once");
  return made(
    "ask",
    mode === "accept_edits" ? "this change is more than an ordinary edit" : "changes are proposed before they are made",
  );
}

/** A caller may ask for a narrower mode for one call, never for a wider one. */
export function narrowMode(mode: Mode, asked: unknown): Mode {
  return asked === "plan" || (asked === "default" && mode !== "plan") ? asked : mode;
}

/** Where no rule would settle it. */
export function withoutSuggestion(decision: Decision): Decision {
  const { type, reason, source, rule, risk } = decision;
  return { type, reason, source, rule, risk };
}

/** The rules that settle, together, what these decisions ask; none when something of it cannot be settled. */
export function settlingRules(decisions: readonly Decision[]): readonly string[] {
  const rules: string[] = [];
  for (const { type, suggested_rule } of decisions) {
    if (type !== "ask") continue;
    if (suggested_rule === undefined) return [];
    rules.push(suggested_rule);
  }
  return mergeExact(rules);
}
