/**
 * What differs between two states: first the list of files with their sizes, then the patches of those that the tool may see,
 * as many as an answer has room for. git is asked for patches by the exact names of open files, so the content of a closed one
 * never comes out of it.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { readable, runGit, type GitContext, type Repository } from "./repository.ts";

export const CHANGE_FLAGS: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

export interface GitChange {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  readonly binary?: boolean;
  readonly patch?: string;
}

export interface Changes {
  readonly files: readonly GitChange[];
  /** As callers name them. */
  readonly leftOut: readonly string[];
  readonly totals: { readonly files: number; readonly added: number; readonly removed: number };
  /** Where to go on: the file, and the line of its patch. */
  readonly next?: { readonly offset: number; readonly line?: number };
  /** The list of files is not whole. */
  readonly isCut: boolean;
  /** A patch is larger than git is asked for, and its end cannot be shown. */
  readonly isPatchCut: boolean;
}

export interface ChangesWanted {
  /** The verb and what is compared. */
  readonly verb: readonly string[];
  readonly patches: boolean;
  readonly context: number;
  readonly offset: number;
  /** Lines of the first patch to pass over. */
  readonly line: number;
  readonly room: number;
  /** The files are changed, and not only shown. */
  readonly writes?: boolean;
}

type Optional<T extends z.ZodType> = z.ZodOptional<T>;

export const changeFields = (): Readonly<Record<"stat", Optional<z.ZodBoolean>>> &
  Readonly<Record<"context" | "offset" | "line", Optional<z.ZodNumber>>> => ({
  stat: z.boolean().optional().describe("Only the files and how many lines differ, without the patches."),
  context: z.number().int().min(0).max(100).optional().describe("Lines around each change. Default 3."),
  offset: z.number().int().min(0).optional().describe("Files to pass over."),
  line: z.number().int().min(0).optional().describe("Lines of the first patch to pass over."),
});

export const changesResult = (): {
  readonly files: z.ZodArray<z.ZodObject>;
  readonly left_out: z.ZodOptional<z.ZodArray<z.ZodString>>;
} => ({
  files: z.array(z.looseObject({ path: z.string(), status: z.string(), added: z.number(), removed: z.number() })),
  left_out: z.array(z.string()).optional(),
});

interface RawFile extends GitChange {
  readonly size: number;
}

export async function readChanges(
  ctx: GitContext,
  repository: Repository,
  { verb, patches, context, offset, line, room, writes = false }: ChangesWanted,
): Promise<Changes> {
  const { place, only } = repository;
  const flags = [...verb, ...CHANGE_FLAGS];
  const { text, cut } = await runGit(
    ctx,
    repository,
    [...flags, "--raw", "--numstat", "-z", ...only],
    limits.MAX_GIT_BYTES,
  );
  const all = parseChanges(text);
  const absolute = (name: string): string => `${place.top}/${name}`;
  const closed = await ctx.git.closed([...new Set(all.flatMap(namesIn).map(absolute))], writes);
  const isClosed = (file: RawFile): boolean => namesIn(file).some((name) => closed.has(absolute(name)));
  const open = all.filter((file) => !isClosed(file));
  const shut = all.filter(isClosed).flatMap(namesIn);
  const listed = open.slice(offset, offset + MAX_FILES);
  const isAskable = (name: string): boolean =>
    // An argument of a program is text here; and a name means everything below it too.
    name.isWellFormed() && !shut.some((other) => other.startsWith(`${name}/`));
  const askable = listed.filter((file) => namesIn(file).every(isAskable));
  const {
    texts,
    next,
    isCut: isPatchCut,
  } = patches
    ? await readPatches(ctx, repository, {
        flags: [...flags, "--patch", `--unified=${context}`],
        files: askable,
        line,
        room,
      })
    : { texts: new Map<string, string>(), next: undefined, isCut: false };
  const stopped = next === undefined ? undefined : listed.findIndex(({ path }) => path === next.path) + offset;
  const end = stopped ?? offset + listed.length;
  const shownFiles = listed.slice(0, stopped === undefined ? undefined : stopped - offset + (next?.line ? 1 : 0));
  const show = (name: string): string => ctx.git.show(absolute(name));
  return {
    files: shownFiles.map(({ size: _size, path, from, ...file }) => ({
      path: show(path),
      ...(from === undefined ? {} : { from: show(from) }),
      ...file,
      ...(texts.has(path) ? { patch: texts.get(path) ?? "" } : {}),
    })),
    leftOut: all.filter(isClosed).map(({ path }) => show(path)),
    totals: {
      files: open.length,
      added: open.reduce((sum, { added }) => sum + added, 0),
      removed: open.reduce((sum, { removed }) => sum + removed, 0),
    },
    ...(end < open.length ? { next: { offset: end, ...(next?.line ? { line: next.line } : {}) } } : {}),
    isCut: cut,
    isPatchCut,
  };
}

function namesIn({ path, from }: GitChange): string[] {
  return from === undefined ? [path] : [path, from];
}

/** An answer lists no more of them. */
const MAX_FILES = 300;
/** One run of git is asked for so many patches, and so much of them. */
const BATCH = 40;
const MAX_PATCH_BYTES: number = 2 * 1024 * 1024;

interface PatchesWanted {
  readonly flags: readonly string[];
  readonly files: readonly RawFile[];
  readonly line: number;
  readonly room: number;
}

interface Patches {
  readonly texts: ReadonlyMap<string, string>;
  /** The file that had no room, and the line of its patch that comes next. */
  readonly next?: { readonly path: string; readonly line: number } | undefined;
  readonly isCut: boolean;
}

async function readPatches(
  ctx: GitContext,
  repository: Repository,
  { flags, files, line, room }: PatchesWanted,
): Promise<Patches> {
  const texts = new Map<string, string>();
  let left = room;
  let skip = line;
  let isCut = false;
  for (let at = 0; at < files.length;) {
    // What is large goes alone: nothing of the others may be lost behind it.
    const batch = batchOf(files, at);
    const names = batch.flatMap(namesIn);
    const { text, cut } = await runGit(ctx, repository, [...flags, "--", ...names], MAX_PATCH_BYTES);
    isCut ||= cut;
    const sections = sectionsOf(text, batch);
    for (const [index, file] of batch.entries()) {
      const section = sections[index] ?? "";
      const lines = section.split("\n").slice(skip);
      const rest = lines.join("\n");
      if (Buffer.byteLength(rest) <= left) {
        texts.set(file.path, rest);
        left -= Buffer.byteLength(rest);
        skip = 0;
        continue;
      }
      const fitting = linesThatFit(lines, left);
      // A patch is begun where it is the first: a whole one is easier to read.
      if (texts.size > 0) return { texts, next: { path: file.path, line: 0 }, isCut };
      const count = Math.max(1, fitting);
      texts.set(file.path, readable(lines.slice(0, count).join("\n").slice(0, room)));
      return { texts, next: { path: file.path, line: skip + count }, isCut };
    }
    at += batch.length;
  }
  return { texts, isCut };
}

function batchOf(files: readonly RawFile[], at: number): readonly RawFile[] {
  const large = (file: RawFile | undefined): boolean => (file?.size ?? 0) > MAX_LINES_TOGETHER;
  if (large(files[at])) return files.slice(at, at + 1);
  const rest = files.slice(at, at + BATCH);
  const end = rest.findIndex(large);
  return end < 0 ? rest : rest.slice(0, end);
}

const MAX_LINES_TOGETHER = 500;

function linesThatFit(lines: readonly string[], bytes: number): number {
  let used = 0;
  const end = lines.findIndex((line) => (used += Buffer.byteLength(line) + 1) > bytes);
  return end < 0 ? lines.length : end;
}

/** Every line of a patch but its first begins with another sign, and the files come in the order of the list. */
function sectionsOf(text: string, files: readonly RawFile[]): readonly string[] {
  const sections = readable(text)
    .split(/^(?=diff --(?:git|cc|combined) |\* Unmerged path )/m)
    .filter((part) => part !== "");
  // A file that became a link is removed and made.
  let at = 0;
  return files.map(({ status }) => {
    const count = status === "type changed" ? 2 : 1;
    const section = sections.slice(at, at + count).join("");
    at += count;
    return section.replace(/\n$/, "");
  });
}

const STATUS: Readonly<Record<string, string>> = {
  A: "added",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type changed",
  U: "conflict",
};

/** @param text of `--raw --numstat -z`: every part ends with a NUL */
export function parseChanges(text: string): readonly RawFile[] {
  const parts = text.split("\0");
  const files = new Map<string, RawFile>();
  let at = 0;
  for (; parts[at]?.replace(/^\n/, "").startsWith(":");) {
    const letter = /(\w)\d*$/.exec(parts[at] ?? "")?.[1] ?? "";
    const hasTwo = letter === "R" || letter === "C";
    const [first = "", second = ""] = [parts[at + 1], parts[at + 2]];
    const path = hasTwo ? second : first;
    const status = STATUS[letter] ?? letter;
    // A conflict stands twice, with one of its sides.
    if (files.get(path)?.status !== "conflict")
      files.set(path, { path, ...(hasTwo ? { from: first } : {}), status, added: 0, removed: 0, size: 0 });
    at += hasTwo ? 3 : 2;
  }
  for (; at < parts.length; at++) {
    const [, added, removed, name = ""] = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[at] ?? "") ?? [];
    if (added === undefined) continue;
    const path = name === "" ? (parts[(at += 2)] ?? "") : name;
    const file = files.get(path);
    if (!file) continue;
    const isBinary = added === "-";
    const [more, less] = isBinary ? [0, 0] : [Number(added), Number(removed)];
    files.set(path, { ...file, added: more, removed: less, size: more + less, ...(isBinary ? { binary: true } : {}) });
  }
  return [...files.values()];
}
