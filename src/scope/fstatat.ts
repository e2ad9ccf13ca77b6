/**
 * What is known of one name in an open directory, without opening it: fstatat(3) on the directory's descriptor. A search
 * asks it a hundred thousand times, and the way by `/proc/self/fd` costs the kernel three times as much.
 * https://man7.org/linux/man-pages/man3/fstatat.3p.html
 */
import { ptr, type Pointer } from "bun:ffi";
import { errnoName, limits, openLibc } from "../base/index.ts";
import { errnoError } from "./backend.ts";
import type { EntryStat } from "./entry-stat.ts";
import { nameToBytes } from "./names.ts";
import { PATH_BYTES, writePath } from "./path-buffer.ts";

export interface Fstatat {
  /** @returns `undefined` when there is no such name. @throws the system's error */
  one(directoryFd: number, name: string): EntryStat | undefined;
  /** In their order, `undefined` where there is none or it cannot be looked at. */
  many(directoryFd: number, names: readonly string[]): (EntryStat | undefined)[];
}

const AT_SYMLINK_NOFOLLOW = 0x100;
/** The largest struct stat. */
const STAT_BYTES = 144;
/** Looked at with one write of all names and one copy of all answers; as many as fit when each is as long as it may be. */
const NAMES_AT_ONCE = 256;
const NAME_BYTES: number = limits.MAX_NAME_BYTES + 1;

interface Layout {
  readonly nlinkAt: number;
  readonly modeAt: number;
}

/** Where struct stat of the C library keeps what; both have times and sizes at the same places. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  x64: { nlinkAt: 16, modeAt: 24 },
  arm64: { nlinkAt: 20, modeAt: 16 },
};

/** `undefined` where the C library does not offer it. */
export function loadFstatat(): Fstatat | undefined {
  const layout = process.platform === "linux" ? LAYOUTS[process.arch] : undefined;
  const libc = layout && openLibc(SYMBOLS);
  if (!libc) return undefined;
  const { fstatat: call, __errno_location } = libc;
  const path = Buffer.alloc(PATH_BYTES);
  const answer = Buffer.alloc(STAT_BYTES);
  const copy = Buffer.alloc(STAT_BYTES);
  const [pathAt, answerAt] = [ptr(path), ptr(answer)];
  const one: Fstatat["one"] = (directoryFd, name) => {
    writePath(path, name);
    if (call(directoryFd, pathAt, answerAt, AT_SYMLINK_NOFOLLOW) === 0) {
      // A copy, made by a native call: the optimising compiler does not know that the foreign call writes this memory,
      // and takes what it read before the call for what is there now (seen on Bun 1.4.5, also through a new view).
      answer.copy(copy);
      return parse(copy, 0, layout);
    }
    const code = errnoName(__errno_location());
    if (code === "ENOENT") return undefined;
    throw errnoError(code);
  };
  return { one, many: createMany(call, one, layout) };
}

type Call = (fd: number, path: Pointer, answer: Pointer, flags: number) => number;

/** Its memory is taken with the first call: most hosts never list a large directory. */
function createMany(call: Call, one: Fstatat["one"], layout: Layout): Fstatat["many"] {
  let memory: Memory | undefined;
  return (directoryFd, names) => {
    memory ??= {
      names: Buffer.alloc(NAMES_AT_ONCE * NAME_BYTES),
      answers: Buffer.alloc(NAMES_AT_ONCE * STAT_BYTES),
      copy: Buffer.alloc(NAMES_AT_ONCE * STAT_BYTES),
    };
    const stats: (EntryStat | undefined)[] = [];
    for (let first = 0; first < names.length; first += NAMES_AT_ONCE) {
      const some = names.slice(first, first + NAMES_AT_ONCE);
      const bytes = nameToBytes(`${some.join("\0")}\0`);
      // Some file systems count characters, not bytes.
      if (bytes.length > memory.names.length)
        for (const name of some) stats.push(orNone(() => one(directoryFd, name)));
      else lookAtAll(call, directoryFd, { bytes, count: some.length, memory, layout }, stats);
    }
    return stats;
  };
}

interface Memory {
  readonly names: Buffer;
  readonly answers: Buffer;
  readonly copy: Buffer;
}

interface Some {
  /** Of the names, each with a NUL. */
  readonly bytes: Buffer;
  readonly count: number;
  readonly memory: Memory;
  readonly layout: Layout;
}

/** As in `one`, the names go into the memory by one native call, and the answers are read from a copy. */
function lookAtAll(
  call: Call,
  directoryFd: number,
  { bytes, count, memory: { names, answers, copy }, layout }: Some,
  into: (EntryStat | undefined)[],
): void {
  const [namesAt, answersAt] = [ptr(names), ptr(answers)];
  const found: boolean[] = [];
  bytes.copy(names);
  for (let at = 0, start = 0; at < count; at++, start = bytes.indexOf(0, start) + 1)
    found.push(
      call(directoryFd, behind(namesAt, start), behind(answersAt, at * STAT_BYTES), AT_SYMLINK_NOFOLLOW) ===
        0,
    );
  answers.copy(copy);
  for (let at = 0; at < count; at++) into.push(found[at] ? parse(copy, at * STAT_BYTES, layout) : undefined);
}

function behind(pointer: Pointer, bytes: number): Pointer {
  return (pointer + bytes) as Pointer;
}

function orNone(look: () => EntryStat | undefined): EntryStat | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** dev at 0, ino 8, size 48, blocks 64, mtime 88. @param at where it begins */
function parse(bytes: Buffer, at: number, { nlinkAt, modeAt }: Layout): EntryStat {
  const nlink = bytes.readUInt32LE(at + nlinkAt);
  return {
    nlink,
    mode: bytes.readUInt32LE(at + modeAt),
    size: readInt64(bytes, at + 48),
    blocks: readInt64(bytes, at + 64),
    mtimeMs: readInt64(bytes, at + 88) * 1000 + bytes.readUInt32LE(at + 96) / 1e6,
    identity: nlink > 1 ? bytes.toString("latin1", at, at + 16) : "",
  };
}

/** Exact up to 2^53. */
function readInt64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * 2 ** 32;
}

const SYMBOLS = {
  fstatat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  __errno_location: { args: [], returns: "ptr" },
} as const;
