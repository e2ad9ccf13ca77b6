/**
 * A failure that can be expected: bad input, a missing file, a limit. It is data from the place where it happens to the
 * caller, and crosses worker and process borders as plain JSON. Anything that is not a `Failure` is a bug and is
 * answered as `internal`.
 *
 * Message grammar: `Cannot <verb> "<what>": <state>`; the hint says the next move. No path outside the roots and no
 * target of a link may stand in either.
 */

/** Every code that a caller can meet, closed and pinned by a test; callers branch on these. */
export const FAILURE_CODES = [
  "invalid_input",
  "not_found",
  "already_exists",
  "outside_scope",
  "denied",
  "needs_approval",
  "not_text",
  "too_large",
  "no_match",
  "ambiguous",
  "stale",
  "conflict",
  "busy",
  "timed_out",
  "cancelled",
  "command_failed",
  "unsupported",
  "disk_full",
  "over_budget",
  "internal",
] as const;

/** One of `FAILURE_CODES`. */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** `never`: the same call cannot succeed; `changed`: with other arguments; `later`: the same call after a while. */
export type Retry = "never" | "changed" | "later";

/** A failure as data. On the wire `_meta["dev.ringfence/failure"]` has it, but for words that the text of the result has. */
export interface FailureData {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
  readonly candidates?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

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
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.data = {
      code,
      message,
      hint: extra.hint ?? DEFAULT_HINTS[code],
      retry: extra.retry ?? DEFAULT_RETRY[code],
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
  const stop = /[.!?]$/.test(data.message) ? "" : ".";
  return `${data.code}: ${data.message}${stop}${data.hint ? ` ${data.hint}` : ""}`;
}

/** Turns whatever was thrown into a failure; a bug keeps its cause for the record and shows only an id. */
export function toFailure(thrown: unknown, bugId: () => string): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("internal", `Cannot finish the call: an internal error (${bugId()})`, { cause: thrown });
}

const DEFAULT_HINTS: Readonly<Record<FailureCode, string>> = {
  invalid_input: "Correct the arguments and call again.",
  not_found: "List the parent directory to see what is there.",
  already_exists: "Choose another name, or pass overwrite: true.",
  outside_scope: "Only paths inside the roots can be reached; system_info lists them.",
  denied: "This is not allowed here; system_info shows what is.",
  needs_approval: "A person has to approve this first.",
  not_text: "",
  too_large: "Ask for a smaller part.",
  no_match: "Read the file again and copy the text exactly.",
  ambiguous: "Add surrounding lines until the text is unique.",
  stale: "Read the file again, then make the change again.",
  conflict: "Look at the current state, then try again.",
  busy: "Try again in a moment.",
  timed_out: "Ask for less in one call.",
  cancelled: "",
  command_failed: "",
  unsupported: "",
  disk_full: "Free some space, then try again.",
  over_budget: "Ask for less.",
  internal: "The details are on stderr and in the record under this id.",
};

const DEFAULT_RETRY: Readonly<Record<FailureCode, Retry>> = {
  invalid_input: "changed",
  not_found: "changed",
  already_exists: "changed",
  outside_scope: "never",
  denied: "never",
  needs_approval: "later",
  not_text: "changed",
  too_large: "changed",
  no_match: "changed",
  ambiguous: "changed",
  stale: "changed",
  conflict: "changed",
  busy: "later",
  timed_out: "changed",
  cancelled: "never",
  command_failed: "changed",
  unsupported: "never",
  disk_full: "later",
  over_budget: "changed",
  internal: "never",
};
