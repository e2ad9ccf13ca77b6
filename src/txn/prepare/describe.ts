/**
 * What of a file's description comes from its bytes before and after: sizes, encodings and the diff. Whoever approves it reads the
 * diff; of what is no text there is none, and its bytes are shown.
 */
import type { FileChange, ObjectFacts } from "../../approval/index.ts";
import { limits } from "../../base/index.ts";
import { decodeText, unifiedDiff, type EncodingName, type LegacyEncoding } from "../../text/index.ts";

export interface Shown {
  readonly path: string;
  readonly absolute: string;
}

export interface DescribeOptions {
  readonly legacy?: LegacyEncoding | undefined;
  /** Unchanged lines around a change. */
  readonly context?: number | undefined;
  /** The size of its diff; default: what an answer holds. */
  readonly maxBytes?: number | undefined;
}

export type Described = Pick<
  FileChange,
  "diff" | "diff_truncated" | "diff_whole" | "added" | "removed" | "size_before" | "size_after"
>;

/** Each text is decoded once. */
export interface DescribedBytes {
  readonly described: Described;
  /** "binary" for what is no text; absent where there was nothing. */
  readonly before?: NonNullable<ObjectFacts["encoding"]>;
  readonly after: NonNullable<ObjectFacts["encoding"]>;
}

export function describeContent(...given: Parameters<typeof describeBytes>): Described {
  return describeBytes(...given).described;
}

export function describeBytes(
  shown: Shown,
  before: Uint8Array | undefined,
  after: Uint8Array,
  options: DescribeOptions,
): DescribedBytes {
  const { legacy } = options;
  const [oldText, newText] = [before && textOf(before, legacy), textOf(after, legacy)];
  const sizes = { ...(before ? { size_before: before.length } : {}), size_after: after.length };
  const isText = newText !== undefined && (before === undefined || oldText !== undefined);
  const diff = isText ? describeText(shown, oldText?.text, newText.text, options) : { added: 0, removed: 0 };
  return {
    described: { ...diff, ...sizes },
    ...(before && before.length > 0 ? { before: oldText?.encoding ?? "binary" } : {}),
    after: newText?.encoding ?? "binary",
  };
}

function describeText(
  { path }: Shown,
  before: string | undefined,
  after: string,
  { context, maxBytes = limits.MAX_DIFF_BYTES }: DescribeOptions,
): Omit<Described, "size_before" | "size_after"> {
  const { text, truncated, isWhole, added, removed } = unifiedDiff(before ?? "", after, {
    path,
    maxBytes,
    ...(before === undefined ? { missingBefore: true } : {}),
    ...(context === undefined ? {} : { context }),
  });
  const cut = truncated ? { diff_truncated: true } : {};
  return { diff: text, ...cut, ...(isWhole ? { diff_whole: true } : {}), added, removed };
}

function textOf(
  bytes: Uint8Array,
  legacy: LegacyEncoding | undefined,
): { readonly text: string; readonly encoding: EncodingName } | undefined {
  const decoded = decodeText(bytes, legacy === undefined ? {} : { legacy });
  return decoded.kind === "text" ? decoded : undefined;
}
