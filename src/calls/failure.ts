/**
 * A failed call as data, with codes that programs branch on, and where it comes from: the host, the protocol, or the caller
 * who gave it up. Each side makes an error of its own from it.
 */

/** Every code that a call can fail with, closed; programs branch on these. */
export type FailureCode =
  | "invalid_input"
  | "not_found"
  | "already_exists"
  | "outside_scope"
  | "denied"
  | "needs_approval"
  | "not_text"
  | "too_large"
  | "no_match"
  | "ambiguous"
  | "stale"
  | "conflict"
  | "busy"
  | "timed_out"
  | "cancelled"
  | "command_failed"
  | "unsupported"
  | "disk_full"
  | "over_budget"
  | "internal";

/** `never`: the same call cannot succeed; `changed`: with other arguments; `later`: the same call after a while. */
export type Retry = "never" | "changed" | "later";

/** Why a call failed. On the wire `_meta["dev.ringfence/failure"]` has it, but for words that the text of the result has. */
export interface FailureData {
  readonly code: FailureCode;
  /** `Cannot <verb> "<what>": <state>` */
  readonly message: string;
  /** The next move; may be empty. */
  readonly hint: string;
  readonly retry: Retry;
  /** What may have been meant, when something was not found or is ambiguous. */
  readonly candidates?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** JSON-RPC code of every failure of an extension method; the failure itself is the data. */
const METHOD_FAILED = 1;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** An error of the protocol is the caller's mistake, as a tool that there is not, or a bug. */
export function failureOfRpc({ code, message, data }: RpcProblem): FailureData {
  if (code === METHOD_FAILED) return data as FailureData;
  const { tool, candidates } = (data ?? {}) as { tool?: string; candidates?: readonly string[] };
  if (tool !== undefined)
    return {
      code: "not_found",
      message: `Cannot call "${tool}": there is no such tool`,
      hint: candidates?.length ? `Did you mean ${candidates.join(", ")}?` : "listTools names them all.",
      retry: "changed",
      ...(candidates?.length ? { candidates } : {}),
    };
  const isMistake = code === INVALID_PARAMS || code === METHOD_NOT_FOUND;
  return { code: isMistake ? "invalid_input" : "internal", message, hint: "", retry: "never" };
}

export interface RpcProblem {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The failure of a call that its caller gave up. */
export function stoppedFailure(
  why: "cancelled" | "timed_out",
  method: string,
  { name }: Readonly<Record<string, unknown>>,
): FailureData {
  const what = typeof name === "string" ? `the call of "${name}"` : method;
  return why === "cancelled"
    ? { code: "cancelled", message: `Cannot finish ${what}: it was cancelled`, hint: "", retry: "never" }
    : {
        code: "timed_out",
        message: `Cannot finish ${what}: the time limit of its caller was reached`,
        hint: "Ask for less, or give a longer timeoutMs.",
        retry: "changed",
      };
}
