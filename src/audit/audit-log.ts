/**
 * The record: one JSON line an event, in the state folder, written when it happens. Never file contents, only what was
 * asked, decided and done. `ensureWritten` is called before every change, so that a change is on record before it happens.
 *
 * Every line is in the kernel's hands when `record` returns: the end of this process, however it comes, loses none of
 * them. What is signed lags behind by a moment; a signature costs more than a line.
 */
import { Failure, isoTime, logLine, nowMs } from "../base/index.ts";
import { lineId, previousHeads, pruneSegments, Segment, type AuditFolders } from "./segment.ts";
import { openSigningKey } from "./signing-key.ts";

export type AuditFields = Readonly<Record<string, unknown>>;

export interface AuditLog extends Disposable {
  /** @returns the id of the line, `segment:number`; "" when it could not be written */
  record(event: string, fields: AuditFields): string;
  /** Signs what is written. */
  flush(): void;
  /** @throws Failure `denied` when the record cannot be written: what is not on record must not happen */
  ensureWritten(): void;
  /** Told of every event that is recorded from now on, with its time and name. */
  listen(listener: (entry: AuditFields) => void): void;
}

export interface AuditOptions extends AuditFolders {
  readonly keys: string;
  /** Changes are made even if the record cannot be written. */
  readonly isBestEffort?: boolean;
}

const SIGN_AFTER_MS = 50;

export function openAuditLog(options: AuditOptions): AuditLog {
  return new SegmentedLog(options);
}

class SegmentedLog implements AuditLog {
  readonly #options: AuditOptions;
  #segment: Segment | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBroken = false;
  readonly #listeners: ((entry: AuditFields) => void)[] = [];

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  record(event: string, fields: AuditFields): string {
    const entry = entryOf(event, fields);
    for (const listener of this.#listeners) listener(entry);
    return this.#write(entry);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#segment?.sign();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  ensureWritten(): void {
    if (this.#segment?.isGone === true) this.#fail(new Error("its file was removed"));
    if (this.#isBroken) this.#write(entryOf("record_again", {}));
    this.flush();
    if (!this.#isBroken || this.#options.isBestEffort) return;
    throw new Failure("denied", "Cannot change anything: the record cannot be written", {
      hint: "If the state folder is full, free some space in it; if it was removed, start the host again.",
      retry: "later",
    });
  }

  listen(listener: (entry: AuditFields) => void): void {
    this.#listeners.push(listener);
  }

  [Symbol.dispose](): void {
    this.flush();
    this.#segment?.close();
    this.#segment = undefined;
  }

  #write(entry: AuditFields): string {
    try {
      const segment = this.#current();
      const seq = segment.write(membersOf(entry));
      this.#isBroken = false;
      this.#timer ??= setTimeout(() => this.flush(), SIGN_AFTER_MS);
      return lineId(segment.id, seq);
    } catch (thrown) {
      this.#fail(thrown);
      return "";
    }
  }

  /** The one that is written to, or the next: when it is full, and after a failure, because a line in it may be torn. */
  #current(): Segment {
    const full = this.#segment;
    if (full && !full.isFull) return full;
    if (full) {
      full.write(membersOf(entryOf("segment_end", {})));
      full.sign();
      full.close();
      this.#segment = undefined;
    }
    const { keys, ...folders } = this.#options;
    const pruned = pruneSegments(folders);
    const previous = previousHeads(folders);
    const fresh = new Segment(folders, openSigningKey(keys));
    this.#segment = fresh;
    const begin = { pid: process.pid, previous, ...(pruned.length > 0 ? { pruned } : {}) };
    fresh.write(membersOf(entryOf("segment", begin)));
    fresh.sign();
    return fresh;
  }

  #fail(thrown: unknown): void {
    if (!this.#isBroken)
      logLine(`cannot write the record: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    this.#isBroken = true;
    this.#segment?.close();
    this.#segment = undefined;
  }
}

function entryOf(event: string, fields: AuditFields): AuditFields {
  return { time: isoTime(nowMs()), event, ...fields };
}

/** `JSON.stringify` keeps a line on one line. */
function membersOf(entry: AuditFields): string {
  return JSON.stringify(entry).slice(1, -1);
}
