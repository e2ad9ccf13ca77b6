/**
 * What is said of a file that a change makes, replaces or takes: kind, size, mode, encoding, and the diff of its bytes before
 * and after. Whoever approves it reads the diff; what is no text has none, and its bytes are shown.
 */
import { readlinkSync } from "node:fs";
import type { FileChange, ObjectFacts } from "../../approval/index.ts";
import { limits } from "../../base/index.ts";
import { type Located, type Scope } from "../../scope/index.ts";
import { nameFromBytes } from "../../sys/index.ts";
import { decodeText, unifiedDiff, type DecodedText, type LegacyEncoding } from "../../text/index.ts";
import { inspect } from "../inspect.ts";
import type { Before } from "../model.ts";
import type { Preparing, ChangeTarget } from "./context.ts";

export interface DescribeOptions {
  readonly legacy?: LegacyEncoding | undefined;
  /** Unchanged lines around a change. */
  readonly context?: number | undefined;
  /** The size of its diff; default: what an answer holds. */
  readonly maxBytes?: number | undefined;
}

type Described = Pick<
  FileChange,
  "diff" | "diff_truncated" | "diff_whole" | "added" | "removed" | "size_before" | "size_after"
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
  { legacy, context, maxBytes = limits.MAX_DIFF_BYTES }: DescribeOptions,
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
  const { text, truncated, isWhole, added, removed } = unifiedDiff(old?.text ?? "", now.text, {
    path,
    maxBytes,
    ...(before === undefined ? { missingBefore: true } : {}),
    ...(context === undefined ? {} : { context }),
  });
  const cut = { ...(truncated ? { diff_truncated: true } : {}), ...(isWhole ? { diff_whole: true } : {}) };
  return { described: { diff: text, ...cut, added, removed, ...sizes }, ...encodings };
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
