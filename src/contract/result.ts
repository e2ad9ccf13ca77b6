/**
 * What a tool answers. Text first: that is what the model reads. The structured form is complete by itself, because many
 * clients show it instead of the text.
 */
export interface ToolResult {
  readonly text: string;
  /** About the text: what it is of, what was cut, the next call. A block of its own before it, so that `text` stays exact. */
  readonly note?: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly images?: readonly { readonly mime: string; readonly data: string }[];
  /** Content blocks that lead to more: `resource_link`. */
  readonly links?: readonly Readonly<Record<string, unknown>>[];
  /** Something was left out; the text and the structured form say what, and how to go on. */
  readonly truncated?: boolean;
  /** Files whose whole content hash is now known to the caller. */
  readonly read?: readonly {
    readonly path: string;
    readonly hash: string;
    /** First, last, and how many there are; absent: all of it was shown. */
    readonly lines?: readonly [first: number, last: number, total: number];
    readonly isUnchanged?: boolean;
  }[];
}
