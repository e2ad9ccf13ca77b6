/**
 * What of a file's description comes from its bytes before and after: sizes, encodings and the diff. Whoever approves it reads the
 * diff; of what is no text there is none, and its bytes are shown.
 */
import type { FileChange, ObjectFacts } from "../approval/index.ts";
import { limits } from "../base/index.ts";
import { decodeText, unifiedDiff, type EncodingName, type LegacyEncoding } from "../text/index.ts";

export interface Shown {
  readonly path: string;
  readonly absolute: string;
}

export interface DescribeOptions {
  readonly legacy?: LegacyEncoding | undefined;
  /** Unchanged lines around a change. */
  readonly context?: number | undefined;
  /** Of its diff; default what an answer holds. */
  readonly maxBytes?: number | undefined;
}

export type Described = Pick<
  FileChange,
  "diff" | "diff_truncated" | "diff_whole" | "added" | "removed" | "size_before" | "size_after"
>;

export function describeContent(
  shown: Shown,
  before: Uint8Array | undefined,
  after: Uint8Array,
  { legacy, context, maxBytes = limits.MAX_DIFF_BYTES }: DescribeOptions,
): Described {
  const sizes = { ...(before ? { size_before: before.length } : {}), size_after: after.length };
  const oldText = before ? textOf(before, legacy)?.text : "";
  const newText = textOf(after, legacy)?.text;
  if (oldText === undefined || newText === undefined) return { added: 0, removed: 0, ...sizes };
  const diff = unifiedDiff(oldText, newText, {
    path: shown.path,
    maxBytes,
    ...(before ? {} : { missingBefore: true }),
    ...(context === undefined ? {} : { context }),
  });
  const cut = diff.truncated ? { diff_truncated: true } : {};
  const whole = diff.isWhole ? { diff_whole: true } : {};
  return { diff: diff.text, ...cut, ...whole, added: diff.added, removed: diff.removed, ...sizes };
}

export function encodingOf(
  bytes: Uint8Array,
  legacy: LegacyEncoding | undefined,
): NonNullable<ObjectFacts["encoding"]> {
  return textOf(bytes, legacy)?.encoding ?? "binary";
}

function textOf(
  bytes: Uint8Array,
  legacy: LegacyEncoding | undefined,
): { readonly text: string; readonly encoding: EncodingName } | undefined {
  const decoded = decodeText(bytes, legacy === undefined ? {} : { legacy });
  return decoded.kind === "text" ? decoded : undefined;
}
