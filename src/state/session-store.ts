/**
 * What a session keeps of its own, beside the record: with `keep_calls`, its calls with their whole arguments, one JSON line each,
 * so that they can be made again. The record has digests of the arguments, and proves with them that a kept call is the one that
 * was made.
 *
 * Invariant: nothing that protects a change is here. Proposals, journals, undo, first answers and the record have homes of their
 * own, and deleting a session leaves them alone.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../base/index.ts";

/** One call with all that is needed to make it again and to see whether it ends as it did. */
export interface KeptCall {
  /** The audit id. */
  readonly call: string;
  readonly name: string;
  /** Absent where they hold a secret, or are too large to be kept. */
  readonly arguments?: unknown;
  readonly withheld?: "secret" | "size";
  /** The job that was done in the place of the tool. */
  readonly as?: string;
  readonly dry?: true;
  /** What of the caller's `_meta` decides. */
  readonly meta?: Readonly<Record<string, string>>;
  readonly decision?: string;
  readonly code?: string;
  /** Hash of the answer without what is new each time: ids, times, where the roots lie. */
  readonly answer?: string;
  /** Hash of the files that it changed or would change, and how. */
  readonly changed?: string;
  /** The ids in its answer, in their order: later calls name what they stand for. */
  readonly ids?: readonly string[];
}

const SUFFIX = ".jsonl";

export class SessionStore {
  readonly #folder: string;
  /** Bytes of the file that this process writes. */
  #written = 0;

  /** @param stateDir the state folder, opened before */
  constructor(stateDir: string) {
    this.#folder = join(stateDir, "sessions");
  }

  /** @param session an id of the form that the record gives. @throws the system's error */
  append(session: string, kept: KeptCall): void {
    if (this.#written === 0) this.#sweep();
    const { arguments: given, ...rest } = kept;
    let line = JSON.stringify(kept);
    if (line.length > limits.MAX_KEPT_CALL_CHARS && given !== undefined)
      line = JSON.stringify({ ...rest, withheld: "size" } satisfies KeptCall);
    this.#written += line.length;
    if (this.#written > limits.MAX_KEPT_SESSION_CHARS) return;
    appendFileSync(this.#path(session), `${line}\n`, { mode: 0o600 });
  }

  /** Every call that can be read, by its audit id; what is damaged is left out. */
  read(session: string): ReadonlyMap<string, KeptCall> {
    const kept = new Map<string, KeptCall>();
    for (const line of this.#text(session).split("\n")) {
      const call = parseKept(line);
      if (call) kept.set(call.call, call);
    }
    return kept;
  }

  /** How much is kept, in bytes. */
  size(session: string): number {
    return statSync(this.#path(session), { throwIfNoEntry: false })?.size ?? 0;
  }

  remove(session: string): void {
    rmSync(this.#path(session), { force: true });
  }

  #text(session: string): string {
    try {
      return readFileSync(this.#path(session), "utf8");
    } catch {
      return "";
    }
  }

  /** Removes the oldest where all together are too much. The names sort by time. */
  #sweep(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    let left = limits.MAX_KEPT_CALLS_BYTES;
    for (const name of readdirSync(this.#folder).sort().reverse()) {
      const path = join(this.#folder, name);
      left -= statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (left < 0) rmSync(path, { force: true });
    }
  }

  #path(session: string): string {
    return join(this.#folder, `${session}${SUFFIX}`);
  }
}

function parseKept(line: string): KeptCall | undefined {
  try {
    const read: unknown = JSON.parse(line);
    const { call, name } = Object(read) as Partial<Record<keyof KeptCall, unknown>>;
    return typeof call === "string" && typeof name === "string" ? (read as KeptCall) : undefined;
  } catch {
    return undefined;
  }
}
