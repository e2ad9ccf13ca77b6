/**
 * A failure that can be expected: bad input, a missing file, a limit. It is data from the place where it happens to the
 * caller, and crosses worker and process borders as plain JSON. Anything that is not a `Failure` is a bug and is
 * answered as `internal`.
 *
 * Message grammar: `Cannot <verb> "<what>": <state>`; the hint says the next move. No path outside the roots and no
 * target of a link may stand in either.
 */
import type { FailureCode, FailureData, Retry } from "../calls/index.ts";

export type { FailureCode, FailureData, Retry } from "../calls/index.ts";

/** What a failure says beside its message; each has a default by its code. */
export interface FailureExtra {
  readonly hint?: string;
  readonly retry?: Retry;
  readonly candidates?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Thrown across files; pure code returns a union instead.
 *
 * @example throw new Failure("not_found", `Cannot read "a.ts": no such file`, { hint: "List the directory first." });
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly data: FailureData;

  constructor(code: FailureCode, message: string, extra: FailureExtra = {}) {
    const [hint, retry] = DEFAULTS[code];
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.data = {
      code,
      message,
      hint: extra.hint ?? hint,
      retry: extra.retry ?? retry,
      ...(extra.candidates?.length ? { candidates: extra.candidates } : {}),
      ...(extra.details ? { details: extra.details } : {}),
    };
  }
}

/** Rebuilds a failure that crossed a worker or file as JSON. */
export function failureFromData(data: FailureData): Failure {
  return new Failure(data.code, data.message, data);
}

/** The one line a person or a model reads: `<code>: <message>. <hint>`. */
export function failureText(data: FailureData): string {
  return `${data.code}: ${failureSentences(data)}`;
}

/** What a person reads where the code says nothing more: `<message>. <hint>`. */
export function failureSentences({ message, hint }: Pick<FailureData, "message" | "hint">): string {
  const stop = /[.!?]$/.test(message) ? "" : ".";
  return `${message}${stop}${hint ? ` ${hint}` : ""}`;
}

/** Turns whatever was thrown into a failure; a bug keeps its cause for the record and shows only an id. */
export function toFailure(thrown: unknown, bugId: () => string): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("internal", `Cannot finish the call: an internal error (${bugId()})`, { cause: thrown });
}

/** For each code the hint and the retry of a failure that says nothing else. */
const DEFAULTS: Readonly<Record<FailureCode, readonly [hint: string, retry: Retry]>> = {
  invalid_input: ["Correct the arguments and call again.", "changed"],
  not_found: ["List the parent directory to see what is there.", "changed"],
  already_exists: ["Choose another name, or pass overwrite: true.", "changed"],
  outside_scope: ["Only paths inside the roots can be reached; system_info lists them.", "never"],
  denied: ["Do not try it another way; tell the person what you need it for.", "never"],
  needs_approval: ["A person has to approve this first.", "later"],
  not_text: ["", "changed"],
  too_large: ["Ask for a smaller part.", "changed"],
  no_match: ["Read the file again and copy the text exactly.", "changed"],
  ambiguous: ["Add surrounding lines until the text is unique.", "changed"],
  stale: ["Read the file again, then make the change again.", "changed"],
  conflict: ["Look at the current state, then try again.", "changed"],
  busy: ["Try again in a moment.", "later"],
  timed_out: ["Ask for less in one call.", "changed"],
  cancelled: ["", "never"],
  command_failed: ["", "changed"],
  unsupported: ["", "never"],
  disk_full: ["Free some space, then try again.", "later"],
  over_budget: ["Ask for less.", "changed"],
  internal: ["The details are on stderr and in the record under this id.", "never"],
};

/** Every code that a caller can meet, closed and pinned by a test; callers branch on these. */
export const FAILURE_CODES: readonly FailureCode[] = Object.keys(DEFAULTS) as FailureCode[];
