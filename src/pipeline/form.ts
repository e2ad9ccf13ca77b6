/**
 * One form to the person at the client: what is asked, the decisions there are, room for a reason. It is flat, with plain
 * fields, as the protocol wants forms, and put in the way of the client's era. The record has it before it goes out and when
 * it is answered; the answer is unchecked, and what does not fit decides nothing. The time in which a person thinks is not
 * the call's.
 */
import { shortenMiddle } from "../approval/index.ts";
import { Failure, limits } from "../base/index.ts";
import { canElicit, type RetriedRequest } from "../mcp/index.ts";
import type { RuleWords } from "../policy/index.ts";
import { escapeControls } from "../text/index.ts";
import type { Call, Work } from "./call.ts";
import type { Services } from "./services.ts";

export interface FormQuestion<Answer> {
  readonly form: PersonForm;
  /** What it is about, for the record. */
  readonly about: Readonly<Record<string, unknown>>;
  /** What comes back with the answer in the modern era. */
  readonly state: object;
  /** @param answer an `ElicitResult`, unchecked; `undefined` when none came */
  readonly read: (answer: unknown) => Answer;
}

const KEY = "approval";

/** Whether the client said that it can show forms to a person, and this host puts its questions there. */
export function canAsk({ config }: Pick<Services, "config">, { context }: Call): boolean {
  return config.ask !== "terminal" && context !== undefined && canElicit(context.client.capabilities);
}

/** @param work absent: nothing is decided yet */
export function noteMayAsk(host: Services, call: Call, work?: Pick<Work, "decision" | "changes" | "mode">): void {
  const { context } = call;
  if (!context) return;
  // What is allowed may come out as a proposal all the same, when its change is looked at more closely.
  const isAsked = !work || (work.mode !== "plan" && (work.changes || work.decision.type === "ask"));
  context.mayAsk = isAsked && context.retry === undefined && canAsk(host, call);
}

/** @throws InputRequired in the modern era */
export async function askForm<Answer extends { readonly action: string }>(
  host: Services,
  { call: { context, request }, record }: Pick<Work, "call" | "record">,
  { form, about, state, read }: FormQuestion<Answer>,
): Promise<Answer> {
  if (!context) return read(undefined);
  const line = { call: record.id, request, ...about };
  const before = answeredState(context.retry);
  if (!before) host.audit.record("asked", line);
  const params = createForm(form, context.client.version);
  const begun = host.clock.monotonicMs();
  const { askedAtMs = begun } = before ?? {};
  try {
    const answers = await context.requestInput(
      { [KEY]: { method: "elicitation/create", params } },
      { ...state, askedAtMs },
    );
    const answer = read(answers[KEY]);
    const ms = Math.round(host.clock.monotonicMs() - askedAtMs);
    host.audit.record("answered", { ...line, answer: answer.action, ms });
    return answer;
  } finally {
    record.askedMs += host.clock.monotonicMs() - begun;
  }
}

/** What a modern call has brought back with it. */
export function answerIn({ context }: Call): unknown {
  return context?.retry?.responses[KEY];
}

/** In the modern era the question was put by an earlier request, at a time of this process's own clock. */
interface AnsweredState {
  readonly askedAtMs?: number;
}

function answeredState(retry: RetriedRequest | undefined): AnsweredState | undefined {
  if (!retry || !Object.hasOwn(retry.responses, KEY)) return undefined;
  return retry.state ?? {};
}

/** For a call or change that a person rejected. @param said what else the person said, in lines */
export function rejected(cannot: string, reason: string | undefined, said: readonly string[] = []): Failure {
  return new Failure("denied", `${cannot}: a person rejected it${reason === undefined ? "" : `: ${reason}`}`, {
    hint: [...said, "Do not try the same again."].join("\n"),
    retry: "changed",
  });
}

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
export function rememberChoice(value: string, rules: readonly RuleWords[]): [[value: string, title: string]] | [] {
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
  if (typeof decision !== "string" || !choices.some(([value]) => value === decision)) return { action: "wait" };
  if (decision !== REJECT[0]) return { action: "accept", decision, content: content as Members };
  // A no stays a no, however much is said about it.
  const said = typeof reason === "string" ? reason.slice(0, limits.MAX_REASON_CHARS).toWellFormed() : "";
  return { action: "reject", reason: said === "" ? undefined : said };
}
