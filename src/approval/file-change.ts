/**
 * One file of a change as people see it. What stands there before and afterwards is data, so that every output says the same of
 * it: `operationLine` makes the words.
 *
 * Usual mistake: to store one and to show what was stored. It is computed from the steps, the content and the disk.
 */
import type { EncodingName } from "../text/index.ts";

export type Operation =
  | "create"
  | "overwrite"
  | "edit"
  | "append"
  | "create_directory"
  | "move"
  | "copy"
  | "delete"
  | "none";

/** What stands at a place, or will stand there. */
export interface ObjectFacts {
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** In bytes; of a directory all that is in it. */
  readonly size?: number;
  /** Permission bits. */
  readonly mode?: number;
  /** The encoding of new content; "binary" when it is not text. */
  readonly encoding?: EncodingName | "binary";
  /** In a directory, at any depth. */
  readonly entries?: number;
  /** Where a link leads, as it is written. For people alone. */
  readonly target?: string;
}

/** Paths as callers give them; `absolute` for a person's eyes. */
export interface FileChange {
  readonly operation: Operation;
  readonly path: string;
  readonly absolute: string;
  /** The source of a move or copy. */
  readonly source?: string;
  readonly source_absolute?: string;
  readonly diff?: string;
  readonly diff_truncated?: boolean;
  /** The texts were too large to compare: the diff is all of the old against all of the new. */
  readonly diff_whole?: boolean;
  /** The whole file is replaced without having been read, and has other names, maybe outside: its diff is for people. */
  readonly shared?: boolean;
  /** The diff of a move or copy onto a file: what the place holds now against what it will hold. For people alone. */
  readonly replaced_diff?: string;
  readonly added: number;
  readonly removed: number;
  /** sha256 of the content afterwards. */
  readonly hash?: string;
  readonly size_before?: number;
  readonly size_after?: number;
  /** What stands there now and is replaced or goes. */
  readonly before?: ObjectFacts;
  /** What will stand there. */
  readonly after?: ObjectFacts;
  /** Directories that are made on the way. */
  readonly makes?: number;
  /** The content is written into the existing file, which is not atomic. */
  readonly in_place?: true;
}

/** The diff for a person: of the change, or of the file that a move or copy replaces. */
export function diffOf({ diff, replaced_diff }: FileChange): string {
  return diff ?? replaced_diff ?? "";
}

/** The bytes differ from what the text of the diff says. */
export function isOtherwiseRead({ after }: FileChange): boolean {
  return after?.encoding !== undefined && after.encoding !== "utf-8";
}
