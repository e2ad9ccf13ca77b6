/**
 * A form for a person: what is asked, the decisions there are, room for a reason. Flat, with plain fields, as the protocol
 * wants forms; what comes back is unchecked, and what does not fit decides nothing.
 */
import { shortenMiddle } from "../approval/index.ts";
import { limits } from "../base/index.ts";
import type { RuleWords } from "../policy/index.ts";
import { escapeControls } from "../text/index.ts";

type Members = Readonly<Record<string, unknown>>;

export interface PersonForm {
  readonly message: string;
  /** The first is the default. */
  readonly choices: readonly (readonly [value: string, title: string])[];
  /** Besides the decision, by name: schemas as forms may have them. */
  readonly fields?: Members;
}

export const WAIT: readonly [value: string, title: string] = ["wait", "Leave it waiting"];
/** What the model is told of a question that the client declined. */
export const DECLINED = "The client declined the question";
export const REJECT: readonly [value: string, title: string] = ["reject", "Reject"];

/**
 * What the client answered. Only what was chosen in the form is a person's word: a client without a person declines or
 * closes every question by itself. `wait`: nothing that decides. `decline`: the client declined the question as a whole.
 */
export type Said =
  | { readonly action: "wait" | "decline" }
  | { readonly action: "reject"; readonly reason: string | undefined }
  | { readonly action: "accept"; readonly decision: string; readonly content: Members };

/** What a dialog can show at all of a rule; one that is longer, or that signs hide in, is not offered: nobody could read it. */
const MAX_RULES_CHARS = 300;
/** Some clients cut a label here. */
const LABEL_CHARS = 48;
const ALWAYS = "Always: ";

/**
 * The choice that grants rules too; none when there are no rules to grant. What is allowed stands at the beginning of its
 * label, and whole after it where it is too long for that.
 */
export function rememberChoice(
  value: string,
  rules: readonly RuleWords[],
): [[value: string, title: string]] | [] {
  const wholes = [...new Set(rules.map(({ whole }) => whole))];
  const named = wholes.join(" and ");
  if (named === "" || named.length > MAX_RULES_CHARS || hidesSigns(named)) return [];
  const most = LABEL_CHARS - ALWAYS.length;
  const until = "now and without asking until the host ends";
  if (named.length <= most) return [[value, `${ALWAYS}${named}, ${until}`]];
  return [[value, `${ALWAYS}${pointOf(rules, wholes.length, most)}, that is ${named}, ${until}`]];
}

function pointOf([rule]: readonly RuleWords[], count: number, most: number): string {
  if (!rule) return "";
  const end = `${rule.more ? ", …" : ""})${count > 1 ? ` and ${count - 1} more` : ""}`;
  const begin = `${rule.tool}(`;
  return begin + shortenMiddle(rule.what, Math.max(1, most - begin.length - end.length)) + end;
}

function hidesSigns(text: string): boolean {
  return text.includes("\n") || text !== escapeControls(text);
}

/**
 * The params of `elicitation/create`. What a model wrote is part of the message, and must not repaint the screen that it
 * is judged on.
 *
 * @param version of the protocol
 */
export function createForm({ message, choices, fields }: PersonForm, version: string): Members {
  const isOld = !hasLists(version);
  const properties = {
    decision: {
      type: "string",
      title: "Decision",
      description: "What to do",
      ...(isOld
        ? { enum: choices.map(([value]) => value), enumNames: choices.map(([, title]) => title) }
        : {
            oneOf: choices.map(([value, title]) => ({ const: value, title })),
            default: choices[0]?.[0],
          }),
    },
    ...fields,
    reason: {
      type: "string",
      title: "Reason",
      description: "For a rejection: why, so that the next attempt is a better one",
      maxLength: limits.MAX_REASON_CHARS,
    },
  };
  const form = {
    message: escapeControls(message),
    requestedSchema: { type: "object", properties, required: ["decision"] },
  };
  return isOld ? form : { mode: "form", ...form };
}

/** Clients of 2025-06-18 know neither lists nor titles of choices. */
export function hasLists(version: string): boolean {
  return version !== "2025-06-18";
}

/** @param answer an `ElicitResult`, unchecked; `undefined` when none came */
export function readForm(answer: unknown, { choices }: Pick<PersonForm, "choices">): Said {
  if (typeof answer !== "object" || answer === null) return { action: "wait" };
  const { action, content } = answer as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { action: "decline" };
  if (action !== "accept" || typeof content !== "object" || content === null) return { action: "wait" };
  const { decision, reason } = content as Members;
  if (typeof decision !== "string" || !choices.some(([value]) => value === decision))
    return { action: "wait" };
  if (decision !== REJECT[0]) return { action: "accept", decision, content: content as Members };
  // A no stays a no, however much is said about it.
  const said = typeof reason === "string" ? reason.slice(0, limits.MAX_REASON_CHARS).toWellFormed() : "";
  return { action: "reject", reason: said === "" ? undefined : said };
}
