/**
 * The record: one JSON line an event, in the state folder, written before it can be seen. Never file contents, only what was
 * asked, decided and done. `ensureWritten` is called before every change, so that a change is on record before it happens.
 *
 * Every line is in the kernel's hands before anybody can notice what it tells of. `record` writes at once. What is announced
 * waits for company, and whoever sends something away, to a worker that changes, a client or the launcher, or hands control to
 * code that is not ours, calls `write` first. A worker that reads begins while its lines are made and written. So the end of
 * this process, however it comes, loses no line of anything that could be noticed, and many calls at once share a write. What
 * is signed lags behind by a moment; a signature costs more than a line.
 */
import { hasSigningKey, openSigningKey } from "./chain.ts";
import { type AuditFolders, lineId, listSegments, previousHeads, pruneSegments, Segment } from "./segment.ts";
import { Failure, isoTime, logLine, nowMs } from "../base/index.ts";

export type AuditFields = Readonly<Record<string, unknown>>;

export interface AuditLog extends Disposable {
  /** The id of this run of a host: the name of its first segment; "" before the first line. */
  readonly session: string;
  /** @returns the id of the line, `segment:number`; "" when it could not be written */
  record(event: string, fields: AuditFields): string;
  /**
   * Records a line about something that nobody can notice yet: it is written with the next line, by `write`, and at the
   * latest on `process.nextTick`, after the microtasks of this turn.
   */
  announce(event: string, fields: AuditFields): string;
  /** What was announced is written when it returns. */
  write(): void;
  /** Signs what is written. */
  flush(): void;
  /** @throws Failure `denied` when the record cannot be written: what is not on record must not happen */
  ensureWritten(): void;
  /** Told of every event that is recorded from now on, with its time, its name and its id. */
  listen(listener: (entry: AuditFields) => void): void;
  /** Somebody listens. */
  readonly isHeard: boolean;
  /** Tells those who listen, and puts nothing on record: what is told so often proves nothing later. */
  tell(event: string, fields: AuditFields): void;
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
  session = "";
  #segment: Segment | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBroken = false;
  /** What a person can do about that. */
  #remedy = USUAL_REMEDY;
  /** Something is announced and not written yet. */
  #isWaiting = false;
  readonly #listeners: ((entry: AuditFields) => void)[] = [];

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  record(event: string, fields: AuditFields): string {
    const id = this.#add(event, fields);
    return this.#write() ? id : "";
  }

  announce(event: string, fields: AuditFields): string {
    // Not a microtask: a call has a dozen of them between two of its lines.
    if (!this.#isWaiting) process.nextTick(() => this.write());
    this.#isWaiting = true;
    return this.#add(event, fields);
  }

  write(): void {
    if (this.#isWaiting) this.#write();
  }

  #add(event: string, fields: AuditFields): string {
    const time = isoTime(nowMs());
    let id = "";
    try {
      const segment = this.#current();
      id = lineId(
        segment.id,
        segment.add(() => membersOf(time, event, fields)),
      );
    } catch (thrown) {
      this.#fail(thrown);
    }
    for (const listener of this.#listeners) listener({ time, event, id, ...fields });
    return id;
  }

  get isHeard(): boolean {
    return this.#listeners.length > 0;
  }

  tell(event: string, fields: AuditFields): void {
    for (const listener of this.#listeners) listener({ time: isoTime(nowMs()), event, ...fields });
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
    if (this.#isBroken) this.record("record_again", {});
    this.flush();
    if (!this.#isBroken || this.#options.isBestEffort) return;
    throw new Failure("denied", "Cannot change anything: the record cannot be written", {
      hint: this.#remedy,
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

  /** @returns whether all that was announced is written now */
  #write(): boolean {
    this.#isWaiting = false;
    if (!this.#segment) return false;
    try {
      this.#segment.write();
      this.#isBroken = false;
      this.#timer ??= setTimeout(() => this.flush(), SIGN_AFTER_MS);
      return true;
    } catch (thrown) {
      this.#fail(thrown);
      return false;
    }
  }

  /** The open segment. A new one is begun when it is full, and after a write error, which may have torn its last line. */
  #current(): Segment {
    const full = this.#segment;
    if (full && !full.isFull) return full;
    if (full) {
      full.add(() => membersOf(isoTime(nowMs()), "segment_end", {}));
      full.sign();
      full.close();
      this.#segment = undefined;
    }
    const { keys, ...folders } = this.#options;
    // In this order: whoever makes the key has made a segment before it.
    const hasKey = hasSigningKey(keys);
    const segments = listSegments(folders.audit);
    const isEmptied = hasKey && segments.length === 0;
    // Most segments are small. Whoever fills one looks at them all, and of those that come anew one in eight does.
    const pruned = pruneSegments(folders, segments, full !== undefined || nowMs() % 8 === 0);
    const gone = new Set(pruned.map(({ segment }) => segment));
    const previous = previousHeads(
      folders,
      segments.filter((segment) => !gone.has(segment)),
    );
    const fresh = new Segment(folders, () => openSigningKey(keys));
    this.#segment = fresh;
    const begin = {
      pid: process.pid,
      ...(this.session === "" ? {} : { session: this.session }),
      previous,
      ...(pruned.length > 0 ? { pruned } : {}),
      ...(isEmptied ? { emptied: true } : {}),
    };
    if (isEmptied && !this.#isBroken)
      logLine("the record was removed: nothing but its key is left, and a new one is begun");
    fresh.add(() => membersOf(isoTime(nowMs()), "segment", begin));
    fresh.sign();
    if (this.session === "") this.session = fresh.id;
    return fresh;
  }

  #fail(thrown: unknown): void {
    if (!this.#isBroken)
      logLine(`cannot write the record: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    this.#isBroken = true;
    this.#remedy = (thrown instanceof Failure ? thrown.data.hint : undefined) ?? USUAL_REMEDY;
    this.#segment?.close();
    this.#segment = undefined;
  }
}

const USUAL_REMEDY = "If the state folder is full, free some space in it; if it was removed, start the host again.";

/** `JSON.stringify` keeps a line on one line. @param event a plain word */
function membersOf(time: string, event: string, fields: AuditFields): string {
  const more = JSON.stringify(fields).slice(1, -1);
  return `"time":"${time}","event":"${event}"${more === "" ? "" : `,${more}`}`;
}
