/**
 * What can go wrong for a program that drives a host: a call that failed, with what the host said of it, and a host that
 * cannot be started or is gone. Both are errors with data; nothing has to be read out of a message.
 */
import type { FailureCode, FailureData } from "../calls/index.ts";

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
  /** What may have been meant, when something was not found or is ambiguous. */
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
