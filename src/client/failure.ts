/**
 * What can go wrong for a program that drives a host: a call that failed, with what the host said of it, and a host that
 * cannot be started or is gone. Both are errors with data; nothing has to be read out of a message.
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

/** A failure as it stands under `_meta["dev.ringfence/failure"]`. */
export interface FailureData {
  readonly code: FailureCode;
  /** `Cannot <verb> "<what>": <state>` */
  readonly message: string;
  /** The next move; may be empty. */
  readonly hint: string;
  /** `never`: the same call cannot succeed; `changed`: with other arguments; `later`: the same call after a while. */
  readonly retry: "never" | "changed" | "later";
  /** Of what was not found or is ambiguous: what may have been meant. */
  readonly candidates?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * A call that failed.
 *
 * @example
 * try {
 *   await client.call("read_file", { path: "reprot.txt" });
 * } catch (error) {
 *   if (error instanceof CallError && error.code === "not_found") console.log(error.candidates);
 * }
 */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly code: FailureCode;
  /** The next move; may be empty. */
  readonly hint: string;
  readonly retry: FailureData["retry"];
  /** Of what was not found or is ambiguous: what may have been meant. */
  readonly candidates: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  /** All of it, as the host sent it. */
  readonly data: FailureData;

  constructor(data: FailureData) {
    super(data.message);
    this.data = data;
    this.code = data.code;
    this.hint = data.hint;
    this.retry = data.retry;
    this.candidates = data.candidates ?? [];
    this.details = data.details ?? {};
  }
}

/** How a host ended. */
export interface HostEnd {
  /** `null` when a signal ended it, or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last 8 KiB of what it wrote to stderr. */
  readonly stderr: string;
}

/** There is no host to talk to: it cannot be started, has died, or was closed. */
export class ConnectionError extends Error implements HostEnd {
  override readonly name = "ConnectionError";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;

  constructor(message: string, { exitCode, signal, stderr }: HostEnd, cause?: unknown) {
    const said = stderr.trim();
    super(said === "" ? message : `${message}\nIts stderr ends with:\n${said}`, { cause });
    this.exitCode = exitCode;
    this.signal = signal;
    this.stderr = stderr;
  }
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

/** Of a call that its caller gave up. */
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
