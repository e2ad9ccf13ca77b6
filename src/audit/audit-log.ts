/**
 * The record: one JSON line an event, in the state folder. Never file contents, only what was asked, decided and done.
 * Lines are gathered for a moment and written together; `flush` writes them now, and is called before every change, so
 * that a change is on record before it happens.
 */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure, isoTime, logLine, nowMs } from "../base/index.ts";

export interface AuditLog extends Disposable {
  record(event: string, fields: Readonly<Record<string, unknown>>): void;
  /** Tells of every record from now on. */
  listen(listener: (record: Readonly<Record<string, unknown>>) => void): void;
  flush(): void;
  /** @throws Failure `denied` when the record cannot be written: what is not on record must not happen */
  ensureWritten(): void;
}

const FLUSH_AFTER_MS = 50;
const FLUSH_CHARS = 256 * 1024;
/** The current file is put aside above this; four old ones are kept. */
const ROTATE_BYTES: number = 32 * 1024 * 1024;
const KEPT_FILES = 4;

export function openAuditLog(folder: string): AuditLog {
  const path = join(folder, "audit.jsonl");
  let gathered = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let broken = false;
  const listeners: ((record: Readonly<Record<string, unknown>>) => void)[] = [];

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    if (text === "") return;
    gathered = "";
    try {
      appendFileSync(path, text, { mode: 0o600 });
      rotate(path);
      broken = false;
    } catch (thrown) {
      if (!broken)
        logLine(`cannot write the record: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      broken = true;
      // Kept for the next try, within a bound.
      gathered = (text + gathered).slice(-FLUSH_CHARS);
    }
  }

  return {
    record(event, fields) {
      const record = { time: isoTime(nowMs()), event, ...fields };
      gathered += `${JSON.stringify(record)}\n`;
      for (const listener of listeners) listener(record);
      if (gathered.length > FLUSH_CHARS) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    },
    listen: (listener) => void listeners.push(listener),
    flush,
    ensureWritten() {
      flush();
      if (broken)
        throw new Failure("denied", "Cannot change anything: the record cannot be written", {
          hint: "If the state folder is full, free some space in it; if it was removed, start the host again.",
          retry: "later",
        });
    },
    [Symbol.dispose]: flush,
  };
}

function rotate(path: string): void {
  if (statSync(path).size < ROTATE_BYTES) return;
  for (let index = KEPT_FILES - 1; index >= 1; index--) {
    try {
      renameSync(`${path}.${index}`, `${path}.${index + 1}`);
    } catch {
      // There are fewer old files than may be kept.
    }
  }
  renameSync(path, `${path}.1`);
}
