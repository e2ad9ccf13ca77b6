/**
 * One form to the person at the client, in the way of its era, on record before it goes out and when it is answered. The
 * time in which a person thinks is not the call's.
 */
import { canElicit, type Retry } from "../mcp/index.ts";
import type { Call, Work } from "./call.ts";
import type { Services } from "./services.ts";
import { createForm, type PersonForm } from "./person-form.ts";

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
export function noteMayAsk(
  host: Services,
  call: Call,
  work?: Pick<Work, "decision" | "changes" | "mode">,
): void {
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

function answeredState(retry: Retry | undefined): AnsweredState | undefined {
  if (!retry || !Object.hasOwn(retry.responses, KEY)) return undefined;
  return retry.state ?? {};
}
