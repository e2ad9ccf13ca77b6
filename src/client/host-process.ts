/**
 * The process of a host: started without a shell, its lines in and out, the end of its stderr, and its end, which may come
 * at any time. With it what can go wrong for a program that drives a host: errors with data, so that nothing has to be read out
 * of a message. Plain Node, so that a program needs no Bun.
 *
 * Usual mistake: to take `exit` for the end. What it wrote last is still in the pipe then.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
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

export interface ProcessOptions {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly onLine: (line: string) => void;
  readonly onStderr: ((text: string) => void) | undefined;
  /** Called once; nothing comes after it. */
  readonly onEnd: (end: HostEnd, startError: Error | undefined) => void;
}

const STDERR_CHARS = 8 * 1024;
/** Something that it started may hold its pipes open for longer than it lives. */
const LAST_LINES_MS = 1000;

export class HostProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: ProcessOptions;
  readonly ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  #stderr = "";
  #isOver = false;
  /** The beginning of the line that is not whole yet. */
  #parts: string[] = [];

  /** @throws ConnectionError for arguments that no process can have */
  constructor(options: ProcessOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const { binary, args, cwd, env } = options;
    try {
      this.#child = spawn(binary, args, {
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      });
    } catch (thrown) {
      throw startFailure(binary, cwd, thrown as Error);
    }
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get binary(): string {
    return this.#options.binary;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** One JSON text. To a host that is gone: nothing happens, its end is told elsewhere. */
  send(line: string): void {
    if (!this.#isOver && this.#child.stdin.writable) this.#child.stdin.write(`${line}\n`);
  }

  /** The end of its input, which ends it; after a grace a signal, after another the end. */
  async close(graceMs: number): Promise<void> {
    if (this.#isOver) return;
    this.#child.stdin.end();
    const terminate = setTimeout(() => this.#child.kill("SIGTERM"), graceMs);
    const kill = setTimeout(() => this.kill(), 2 * graceMs);
    await this.ended;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #listen(): void {
    const child = this.#child;
    // A host that is gone breaks its pipe; that it is gone is told by its end.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      if (child.pid === undefined) this.#end(null, null, error);
    });
    child.on("close", (code, signal) => this.#end(code, signal));
    child.on("exit", (code, signal) => setTimeout(() => this.#end(code, signal), LAST_LINES_MS).unref());
    const [out, err] = [new StringDecoder("utf8"), new StringDecoder("utf8")];
    child.stdout.on("data", (chunk: Buffer) => this.#take(out.write(chunk)));
    child.stderr.on("data", (chunk: Buffer) => {
      const text = err.write(chunk);
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS);
      this.#options.onStderr?.(text);
    });
  }

  #take(text: string): void {
    const lines = text.split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      const whole = this.#parts.join("") + line;
      this.#parts = [];
      if (whole.trim() !== "") this.#options.onLine(whole);
    }
    if (rest !== "") this.#parts.push(rest);
  }

  #end(exitCode: number | null, signal: string | null, startError?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#child.stdin.destroy();
    const { binary, cwd, onEnd } = this.#options;
    onEnd({ exitCode, signal, stderr: this.#stderr }, startError && startFailure(binary, cwd, startError));
    this.#resolveEnded();
  }
}

function startFailure(binary: string, cwd: string | undefined, cause: Error): ConnectionError {
  const { code } = cause as NodeJS.ErrnoException;
  const why =
    code === "ENOENT"
      ? `there is no such program${cwd === undefined ? "" : `, or no directory "${cwd}"`}; give its path as the option \`binary\``
      : code === "EACCES"
        ? "it may not be executed"
        : cause.message;
  return new ConnectionError(`Cannot start "${binary}": ${why}`, { exitCode: null, signal: null, stderr: "" }, cause);
}
