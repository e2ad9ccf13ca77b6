/**
 * What is said of a change for whoever approves it. Of a file that it makes, replaces or takes: kind, size, mode, encoding,
 * and the diff of its bytes before and after; content that is no text has no diff. Of a move, a copy or a delete: what goes
 * along, and what would be lost, because an undo would not bring it back, another mount cannot take it or a copy skips it.
 * Nothing is lost that was not said here.
 */
import { type BigIntStats, readlinkSync } from "node:fs";
import type { FileChange, ObjectFacts } from "../../approval/index.ts";
import { Failure, limits } from "../../base/index.ts";
import { holdsMount, type Located, quotable, type Scope, showName } from "../../scope/index.ts";
import { nameFromBytes } from "../../sys/index.ts";
import { type DecodedText, decodeText, formatBytes, type LegacyEncoding, unifiedDiff } from "../../text/index.ts";
import { isMark } from "../fingerprint.ts";
import { inspect, mountAbove } from "../inspect.ts";
import type { Before, TreeMembers } from "../model.ts";
import { sharedNames, type SharedName } from "../hard-links.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { walkTree } from "../tree-copy/tree.ts";
import { type ChangeTarget, type HideKeys, type Preparing, refusal } from "./context.ts";

interface DescribeOptions {
  readonly legacy?: LegacyEncoding | undefined;
  /** Unchanged lines around a change. */
  readonly context?: number | undefined;
  /** The size of its diff; default: what an answer holds. */
  readonly maxBytes?: number | undefined;
  /** As the context of a preparing has it. */
  readonly hideKeys?: HideKeys | undefined;
}

type Described = Pick<
  FileChange,
  "diff" | "told_diff" | "diff_truncated" | "diff_whole" | "added" | "removed" | "size_before" | "size_after"
>;

interface DescribedBytes {
  readonly described: Described;
  /** "binary" for content that is not text; absent where there was nothing. */
  readonly before?: NonNullable<ObjectFacts["encoding"]>;
  readonly after: NonNullable<ObjectFacts["encoding"]>;
}

export function describeContent(...given: Parameters<typeof describeBytes>): Described {
  return describeBytes(...given).described;
}

/** Each text is decoded one time. @param before absent where there was no file */
export function describeBytes(
  { path }: { readonly path: string },
  before: Uint8Array | undefined,
  after: Uint8Array,
  { legacy, context, maxBytes = limits.MAX_DIFF_BYTES, hideKeys }: DescribeOptions,
): DescribedBytes {
  const options = legacy === undefined ? {} : { legacy };
  const [old, now] = [before && decodeText(before, options), decodeText(after, options)];
  const sizes = { ...(before ? { size_before: before.length } : {}), size_after: after.length };
  const encodings = {
    ...(before?.length && old ? { before: encodingOf(old) } : {}),
    after: encodingOf(now),
  };
  if (now.kind !== "text" || (old && old.kind !== "text"))
    return { described: { added: 0, removed: 0, ...sizes }, ...encodings };
  const shown = {
    path,
    maxBytes,
    ...(before === undefined ? { missingBefore: true } : {}),
    ...(context === undefined ? {} : { context }),
  };
  const { text, truncated, isWhole, added, removed } = unifiedDiff(old?.text ?? "", now.text, shown);
  // The diff of a new file has all of it.
  const [was, is] = old && hideKeys ? hideKeys(path, old.text, now.text) : [old?.text, now.text];
  const isSame = was === old?.text && is === now.text;
  const told = isSame ? text : unifiedDiff(was ?? "", is, shown).text;
  const cut = { ...(truncated ? { diff_truncated: true } : {}), ...(isWhole ? { diff_whole: true } : {}) };
  const other = told === text ? {} : { told_diff: told };
  return { described: { diff: text, ...other, ...cut, added, removed, ...sizes }, ...encodings };
}

function encodingOf(decoded: DecodedText): NonNullable<ObjectFacts["encoding"]> {
  return decoded.kind === "text" ? decoded.encoding : "binary";
}

/**
 * What a file that is moved or copied makes of the one that it replaces, as a diff for whoever approves it. Nobody has asked
 * to read either of them, so an answer to a caller has no such diff.
 */
export function replacedDiff(
  ctx: Preparing,
  source: ChangeTarget,
  target: ChangeTarget,
): { readonly replaced_diff?: string } {
  if (!ctx.forPeople || source.before.kind !== "file" || target.before.kind !== "file") return {};
  const [before, after] = [contentOf(ctx, target), contentOf(ctx, source)];
  if (!before || !after) return {};
  const { legacyEncoding: legacy, diffContext: context } = ctx;
  const shown = { path: ctx.scope.show(target.at) };
  const { diff } = describeContent(shown, before, after, { legacy, context, maxBytes: Infinity });
  return diff === undefined ? {} : { replaced_diff: diff };
}

/** @returns nothing for content that cannot be read; the file is described all the same */
function contentOf(ctx: Preparing, { at, origin }: ChangeTarget): Uint8Array | undefined {
  const standing = origin ? undefined : ctx.overlay.nearest(at)?.standing;
  if (standing?.kind === "file") return standing.bytes;
  try {
    const options = { cancel: ctx.cancel, maxBytes: limits.MAX_EDIT_FILE_BYTES };
    return inspect(ctx.scope, origin ?? at, "show", options).bytes;
  } catch {
    return undefined;
  }
}

/** @returns nothing for what is not there */
export function factsOf(before: Before): ObjectFacts | undefined {
  if (before.kind === "absent") return undefined;
  const { kind, size, mode } = before;
  return { kind, mode, ...(kind === "file" ? { size } : {}) };
}

/** The facts with what lies in a directory, and where a link leads. @param inside what lies in the directory */
export function lookedFacts(
  { before, origin }: ChangeTarget,
  scope: Scope,
  inside: { readonly entries: number; readonly bytes: number },
): ObjectFacts | undefined {
  const facts = factsOf(before);
  if (facts?.kind === "directory") return { ...facts, entries: inside.entries, size: inside.bytes };
  if (facts?.kind !== "symlink" || !origin) return facts;
  const target = linkTarget(scope, origin);
  return target === undefined ? facts : { ...facts, target };
}

function linkTarget(scope: Scope, at: Located): string | undefined {
  try {
    using place = scope.place(at, "look at");
    return nameFromBytes(readlinkSync(place.entry, { encoding: "buffer" }));
  } catch {
    // The link was replaced meanwhile; the commit will refuse it.
    return undefined;
  }
}

/** The mode that the system gives a new file of this process. */
export function newFileMode(): number {
  return 0o666 & ~process.umask();
}

export function newDirectory(): ObjectFacts {
  return { kind: "directory", mode: 0o777 & ~process.umask() };
}

/** What lies in a directory that is taken as one, or the size of a file. */
export interface TreeContents {
  readonly entries: number;
  readonly bytes: number;
  /** Paths below it of FIFOs, sockets and devices. */
  readonly special: readonly string[];
  /** Something in it belongs to another user. */
  readonly hasOthers: boolean;
  /** Every name in it, so that rules can decide about names. */
  readonly tree: TreeMembers;
  readonly size: { readonly size_before?: number };
}

/** Looks at what the target holds after the earlier changes of the set. */
export function contentsOf(ctx: Preparing, target: ChangeTarget): TreeContents {
  const { before } = target;
  const [below, shared, special]: [string[], SharedName[], string[]] = [[], [], []];
  let [bytes, hasOthers] = [before.kind === "file" ? before.size : 0, false];
  if (before.kind === "directory") {
    const me = BigInt(process.getuid?.() ?? 0);
    for (const { below: path, stat, origin, ...entry } of walkView(ctx, target)) {
      bytes += entry.bytes;
      below.push(path);
      if (!stat) continue;
      shared.push(...sharedNames(ctx.scope, origin, stat));
      if (!stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) special.push(path);
      if (stat.uid !== me) hasOthers = true;
    }
  }
  const hasSize = before.kind === "file" || before.kind === "directory";
  const size = hasSize ? { size_before: bytes } : {};
  return { entries: below.length, bytes, special, hasOthers, tree: { below, shared }, size };
}

/** What is removed or replaced is kept by a rename or a second name; to another mount, only by a copy. */
export function keepingLosses(ctx: Preparing, target: ChangeTarget, inside: TreeContents): string[] {
  const { before, origin } = target;
  if (!origin || before.kind === "absent" || ctx.undoMount === undefined) return [];
  if (mountAbove(ctx.scope, origin) === ctx.undoMount) return [];
  if (inside.bytes > limits.MAX_KEPT_COPY_BYTES)
    return [notKept(`more than ${formatBytes(limits.MAX_KEPT_COPY_BYTES)} (it has ${formatBytes(inside.bytes)})`)];
  if (before.kind === "other") return [notKept("a FIFO, socket or device")];
  if (before.kind === "file" && isMark(before.hash)) return [notKept("a file that may not be read")];
  return inside.special.length === 0
    ? []
    : [`${SPECIAL} in it are not kept, and an undo does not bring them back: ${named(inside.special)}.`];
}

function notKept(what: string): string {
  return `It lies on another mount than the state folder, where ${what} is not kept: it cannot be brought back.`;
}

/** What a move loses that a rename cannot make. @throws Failure `denied` for what cannot be copied */
export function crossingLosses(
  ctx: Preparing,
  source: ChangeTarget,
  target: ChangeTarget,
  inside: TreeContents,
): string[] {
  const from = source.origin ?? source.at;
  const [here, there] = [mountAbove(ctx.scope, from), mountAbove(ctx.scope, target.at)];
  if (here === there) return [];
  const { before } = source;
  const { special, hasOthers } = inside;
  if (before.kind === "other" || special.length > 0) {
    const what = special.length === 0 ? "it is a FIFO, socket or device" : `it holds ${named(special)}`;
    const shown = quotable(ctx.scope.show(source.at));
    throw new Failure("denied", `Cannot move "${shown}" to another mount: ${what}, which cannot be copied`);
  }
  const losses = ["It goes to another mount: it is copied there, and then removed here."];
  if (deviceOf(here) !== deviceOf(there))
    losses.push("What the file system there cannot hold of owner, mode and attributes is lost.");
  if (before.kind === "file" && before.links > 1)
    losses.push(`${before.links} names share this file; the one that is moved becomes a file of its own.`);
  if (hasOthers && process.getuid?.() !== 0)
    losses.push("Some of what is in it belongs to other users, and would become yours.");
  return before.kind === "file" ? [...losses, ...lossesAt(ctx.scope, from)] : losses;
}

function deviceOf(mount: string | undefined): string | undefined {
  return mount?.split(":")[0];
}

/** What a copy skips, because reading a FIFO is not copying it, and what it takes from the file that it replaces. */
export function copyLosses(ctx: Preparing, source: ChangeTarget, target: ChangeTarget, inside: TreeContents): string[] {
  const { special } = inside;
  const skipped = special.length === 0 ? [] : [`${SPECIAL} in it are left out: ${named(special)}.`];
  const isReplaced = source.before.kind === "file" && target.before.kind === "file";
  return isReplaced ? [...skipped, ...lossesAt(ctx.scope, target.at)] : skipped;
}

const SPECIAL = "FIFOs, sockets and devices";
const MAX_NAMED = 5;

function named(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => `"${quotable(showName(path))}"`);
  const left = paths.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** A mount would move along into the history, and be emptied when the history drops the tree. */
export function refuseMounted(ctx: Preparing, { before, origin }: ChangeTarget, path: string, verb: string): void {
  if (before.kind !== "directory" || !origin || !holdsMount(ctx.scope.absolute(origin))) return;
  throw refusal("denied", verb, path, "something is mounted there or in it", {
    hint: "What is mounted would go with it. The person who runs this host can unmount it first.",
  });
}

interface ViewEntry {
  /** Path below the top. */
  readonly below: string;
  /** The size of a file; 0 for anything else. */
  readonly bytes: number;
  /** Known for what lies on the disk. */
  readonly stat?: BigIntStats;
  readonly origin?: Located;
}

/**
 * Walks what lies below a directory after the earlier changes: the disk's entries, without those that a change has taken
 * away or covered, and with those that one has made or brought there.
 * @throws Failure `too_large`, `denied` as `walkTree` does, also for what is covered
 */
export function* walkView(ctx: Preparing, top: ChangeTarget): Generator<ViewEntry> {
  const prefix = `${ctx.scope.absolute(top.at)}/`;
  if (top.origin) yield* walkDisk(ctx, top.origin, top.at, prefix);
  for (const { at, standing } of ctx.overlay.below(top.at)) {
    if (standing.kind === "absent") continue;
    const below = ctx.scope.absolute(at).slice(prefix.length);
    if (standing.kind !== "disk") {
      yield { below, bytes: standing.kind === "file" ? standing.bytes.length : 0 };
      continue;
    }
    const stat = ctx.scope.lstat(standing.from, "walk");
    yield { below, bytes: stat.isFile() ? Number(stat.size) : 0, stat, origin: standing.from };
    if (stat.isDirectory()) yield* walkDisk(ctx, standing.from, at, prefix);
  }
}

/** What lies on the disk below `origin`, as it will be found below `at`. */
function* walkDisk(ctx: Preparing, origin: Located, at: Located, prefix: string): Generator<ViewEntry> {
  const own = ctx.overlay.nearest(at);
  for (const { below, stat, at: found } of walkTree(ctx.scope, origin, ctx.cancel)) {
    const there = { ...at, rel: at.rel === "" ? below : `${at.rel}/${below}` };
    if (ctx.overlay.nearest(there) !== own) continue;
    const shown = ctx.scope.absolute(there).slice(prefix.length);
    yield { below: shown, bytes: stat.isFile() ? Number(stat.size) : 0, stat, origin: found };
  }
}
