/**
 * The program as its own person: a function answers what a host asks in the middle of a call, with the same words and choices
 * that a client would show in a form. An answer that is none, an exception and silence beyond its time decide nothing: the
 * change waits, and a call that would need a yes is not made.
 */
import { Failure, limits, logLine } from "../base/index.ts";

/** What a host asks in the middle of a call. */
export interface PersonQuestion {
  /** All that there is to see, as a person reads it: the change with its diff, or the call with its arguments. */
  readonly message: string;
  /** The first is the default: `apply`, `allow`, `apply_and_remember`, `allow_and_remember`, `wait` or `reject`. */
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  /** The files of a change of which some can be left out; absent where there is no such choice. */
  readonly files?: readonly string[];
  /** Aborted when the call is given up and when the time for the answer is over. */
  readonly signal: AbortSignal;
}

/** One of the choices, alone or with more. `undefined` decides nothing. */
export type PersonAnswer =
  | string
  | {
      readonly decision: string;
      /** For a rejection: why, so that the next attempt is a better one. */
      readonly reason?: string | undefined;
      /** Only these of the files. */
      readonly files?: readonly string[] | undefined;
    }
  | undefined;

/** A function of the program that answers as its person. */
export type Ask = (question: PersonQuestion) => PersonAnswer | Promise<PersonAnswer>;

type Members = Readonly<Record<string, unknown>>;

interface ElicitResult {
  readonly action: "accept" | "cancel";
  readonly content?: Members;
}

/** Answers one form. Never rejects. */
export type Person = (params: Members, signal: AbortSignal) => Promise<ElicitResult>;

/** How long a person may think, as over a pipe. */
const ANSWER_MS: number = 10 * 60 * 1000;

/** @throws Failure `invalid_input` for a time that is none */
export function createPerson(ask: Ask | undefined, timeoutMs: number = ANSWER_MS): Person | undefined {
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= ANSWER_MS))
    throw new Failure("invalid_input", `Cannot start: askTimeoutMs cannot be ${timeoutMs}`, {
      hint: `It is a number of milliseconds from 1 to ${ANSWER_MS}.`,
    });
  if (!ask) return undefined;
  return async (params, signal) => {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    inTime.addEventListener("abort", () => resolve(undefined));
    try {
      return resultOf(await Promise.race([ask(questionOf(params, inTime)), late]));
    } catch (thrown) {
      logLine(`the question was not answered: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return { action: "cancel" };
    }
  };
}

interface Form {
  readonly message?: string;
  readonly requestedSchema?: {
    readonly properties?: {
      readonly decision?: { readonly oneOf?: readonly { readonly const: string; readonly title: string }[] };
      readonly files?: { readonly items?: { readonly enum?: readonly string[] } };
    };
  };
}

function questionOf(params: Members, signal: AbortSignal): PersonQuestion {
  const { message = "", requestedSchema } = params as Form;
  const { decision, files } = requestedSchema?.properties ?? {};
  return {
    message,
    choices: (decision?.oneOf ?? []).map(({ const: value, title }) => ({ value, title })),
    ...(files?.items?.enum ? { files: files.items.enum } : {}),
    signal,
  };
}

function resultOf(answer: PersonAnswer): ElicitResult {
  if (answer === undefined) return { action: "cancel" };
  const { decision, reason, files } = typeof answer === "string" ? { decision: answer } : answer;
  const said = reason === undefined ? {} : { reason: reason.slice(0, limits.MAX_REASON_CHARS) };
  return { action: "accept", content: { decision, ...said, ...(files ? { files } : {}) } };
}
