/**
 * The segments of the record. A segment is a file that one process writes from its first line to its last, so that two hosts
 * on one state folder never write into the same chain. Its name sorts by the time when it was begun. The process holds a lock
 * on it as long as it writes; whoever tidies up leaves locked segments alone.
 *
 * The lines are read in the order of their times, over all segments. Lines that cannot be read are left out here; `verify`
 * complains about them.
 */
import { closeSync, constants, fstatSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isoTime, limits, newId, nowMs } from "../base/index.ts";
import { readRange } from "../files/index.ts";
import { listNames, tryLock, withOpen } from "../state/index.ts";
import { chainLine, checkpointPath, CheckpointWriter, firstHash, readCheckpoint, type SigningKey } from "./chain.ts";

export interface AuditFolders {
  readonly audit: string;
  readonly checkpoints: string;
}

/** As a later segment names an earlier one: it must still have at least these lines, and this one last of them. */
export interface Head {
  readonly segment: string;
  readonly count: number;
  readonly head: string;
}

export const SUFFIX = ".jsonl";

export class Segment {
  readonly id: string;
  readonly begunMs: number;
  readonly #folders: AuditFolders;
  readonly #fd: number;
  readonly #checkpoint: CheckpointWriter;
  #head: string;
  #bytes = 0;
  /** What is added and not written: the members of each line. */
  #added: (() => string)[] = [];
  #signed = 0;
  /** How many lines are in the chain. */
  #seq = 0;

  /**
   * @param openKey called when the segment is there: where there is a key, a record was begun
   * @throws the system's error
   */
  constructor(folders: AuditFolders, openKey: () => SigningKey) {
    this.#folders = folders;
    this.begunMs = nowMs();
    this.id = `${isoTime(this.begunMs).replaceAll(/[-:.]/g, "")}-${newId("s").slice(2, 10)}`;
    this.#head = firstHash(this.id);
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
    const path = join(folders.audit, this.id + SUFFIX);
    this.#fd = openSync(path, flags, 0o600);
    lockOwn(this.#fd);
    try {
      this.#checkpoint = new CheckpointWriter(folders.checkpoints, this.id, openKey());
    } catch (thrown) {
      closeSync(this.#fd);
      rmSync(path, { force: true });
      throw thrown;
    }
  }

  get isFull(): boolean {
    return this.#bytes >= limits.MAX_AUDIT_SEGMENT_BYTES || nowMs() - this.begunMs >= limits.MAX_AUDIT_SEGMENT_MS;
  }

  /** Somebody has removed it, and what is written is lost. */
  get isGone(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  /** One line more, which the next `write` writes. @param members without braces, not empty; asked for then. @returns its number */
  add(members: () => string): number {
    return this.#seq + this.#added.push(members);
  }

  /** @throws the system's error; a line may be torn then, and nothing more can be written here */
  write(): void {
    if (this.#added.length === 0) return;
    const bytes = Buffer.from(this.#chain());
    const written = writeSync(this.#fd, bytes);
    if (written !== bytes.length) throw new Error("the line was written in part");
    this.#bytes += written;
  }

  /** What is added, as lines in the chain. */
  #chain(): string {
    const added = this.#added;
    this.#added = [];
    let lines = "";
    for (const members of added) {
      this.#seq += 1;
      const { text, hash } = chainLine(this.#head, `{"seq":${this.#seq},${members()}}`);
      this.#head = hash;
      lines += `${text}\n`;
    }
    return lines;
  }

  /** Writes what is added so far, and signs it. @throws as `write` */
  sign(): void {
    this.write();
    if (this.#signed === this.#seq) return;
    this.#checkpoint.write(this.#seq, this.#head);
    this.#signed = this.#seq;
  }

  /** One that could not be begun, as on a full disk, goes again. The only one stays: a key without segments says that one was removed. */
  close(): void {
    this.#checkpoint.close();
    closeSync(this.#fd);
    const { audit } = this.#folders;
    if (this.#signed === 0 && listSegments(audit).length > 1) removeSegment(this.#folders, this.id);
  }
}

function removeSegment({ audit, checkpoints }: AuditFolders, segment: string): void {
  rmSync(join(audit, segment + SUFFIX), { force: true });
  rmSync(checkpointPath(checkpoints, segment), { force: true });
}

/** Whoever looks whether a segment is still written holds its lock for a moment. */
function lockOwn(fd: number): void {
  for (let tries = 0; tries < LOCK_TRIES && !tryLock(fd); tries++) Bun.sleepSync(1);
}

const LOCK_TRIES = 50;

/** The id of one line. All ids have the same length, so that answers differ in nothing else. */
export function lineId(segment: string, seq: number): string {
  return `${segment}:${String(seq).padStart(9, "0")}`;
}

/** Oldest first. */
export function listSegments(folder: string): string[] {
  return listNames(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();
}

/** What stands before a new segment, as far as it is signed; the newest only. @param segments all that there are */
export function previousHeads({ checkpoints }: AuditFolders, segments: readonly string[]): Head[] {
  return segments.slice(-limits.AUDIT_SEGMENTS_NAMED).flatMap((segment) => {
    const known = readCheckpoint(checkpoints, segment);
    return known ? [{ segment, count: known.count, head: known.head }] : [];
  });
}

interface FoundSegment {
  readonly segment: string;
  readonly path: string;
  readonly size: number;
  readonly ageMs: number;
}

/**
 * Removes what is too old or too much, and returns it, so that it can be put on record.
 * @param names all segments that there are, oldest first
 * @param looksAtSizes whether they may be too much together; asked of each file, which keeps the first call of a host waiting
 */
export function pruneSegments(folders: AuditFolders, names: readonly string[], looksAtSizes: boolean): Head[] {
  const { audit, checkpoints } = folders;
  const lookAt = (segment: string): FoundSegment => {
    const path = join(audit, segment + SUFFIX);
    const stat = statSync(path, { throwIfNoEntry: false });
    return { segment, path, size: stat?.size ?? 0, ageMs: nowMs() - (stat?.mtimeMs ?? nowMs()) };
  };
  const oldest = names.slice(0, Math.max(1, names.length - limits.MAX_AUDIT_SEGMENTS)).map(lookAt);
  const isOld = oldest.some(({ ageMs }) => ageMs >= limits.MAX_AUDIT_AGE_MS);
  const segments = looksAtSizes || isOld ? names.map(lookAt) : oldest;
  let left = segments.reduce((sum, { size }) => sum + size, 0);
  const pruned: Head[] = [];
  for (const { segment, path, size, ageMs } of segments) {
    const isTooMuch = left > limits.MAX_AUDIT_BYTES || names.length - pruned.length > limits.MAX_AUDIT_SEGMENTS;
    if (!isTooMuch && ageMs < limits.MAX_AUDIT_AGE_MS) continue;
    if (withOpen(path, constants.O_RDONLY, (fd) => !tryLock(fd))) continue;
    const { count = 0, head = "" } = readCheckpoint(checkpoints, segment) ?? {};
    removeSegment(folders, segment);
    left -= size;
    pruned.push({ segment, count, head });
  }
  return pruned;
}

export interface AuditLine extends Readonly<Record<string, unknown>> {
  /** `segment:number` */
  readonly id: string;
  readonly time: string;
  readonly event: string;
}

export interface AuditFilter {
  readonly events?: readonly string[] | undefined;
  readonly tool?: string | undefined;
  /** ISO 8601, or the beginning of one. */
  readonly since?: string | undefined;
  readonly call?: string | undefined;
}

export function readAudit(folder: string, filter: AuditFilter): AuditLine[] {
  return new AuditReader(folder).next(filter);
}

/** Reads on where it was, in the segments that it knows and in those that came since. */
export class AuditReader {
  readonly #folder: string;
  /** Bytes that were read, by segment: whole lines only, because the last one may still be in the making. */
  readonly #read = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  next(filter: AuditFilter): AuditLine[] {
    const segments = listSegments(this.#folder);
    // Segments that were tidied away are forgotten.
    for (const known of this.#read.keys()) if (!segments.includes(known)) this.#read.delete(known);
    return segments
      .flatMap((segment) => this.#linesOf(segment))
      .filter((line) => isWanted(line, filter))
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  }

  #linesOf(segment: string): AuditLine[] {
    const from = this.#read.get(segment) ?? 0;
    const bytes = readFrom(join(this.#folder, segment + SUFFIX), from);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#read.set(segment, from + end);
    const text = bytes.toString("utf8", 0, end);
    return text === "" ? [] : text.split("\n").flatMap((line) => parseLine(segment, line));
  }
}

function readFrom(path: string, from: number): Buffer {
  try {
    return withOpen(path, constants.O_RDONLY, (fd) => readRange(fd, from, Math.max(0, fstatSync(fd).size - from)));
  } catch (thrown) {
    // The segment was tidied away after it was listed.
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw thrown;
  }
}

function parseLine(segment: string, line: string): AuditLine[] {
  try {
    const { hash: _, ...fields } = JSON.parse(line) as AuditLine & { seq: number; hash: string };
    return [{ ...fields, id: lineId(segment, fields.seq) }];
  } catch {
    return [];
  }
}

function isWanted(line: AuditLine, { events, tool, since, call }: AuditFilter): boolean {
  return (
    (!events || events.length === 0 || events.includes(line.event)) &&
    (tool === undefined || line["tool"] === tool) &&
    (since === undefined || line.time >= since) &&
    (call === undefined || line.id === call || line["call"] === call)
  );
}
