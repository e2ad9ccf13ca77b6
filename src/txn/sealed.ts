/**
 * A sealed change set: what will be on disk afterwards, byte for byte, and what must be there before. It is what a
 * proposal shows and what is applied; nothing is computed again at apply, only checked.
 */

/** What an object was when it was sealed; apply refuses with `stale` when it is not so any more. */
export type Before =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file" | "directory" | "symlink" | "other";
      /** sha256 of a file, or of a link's target; "" for what is not read. */
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      readonly links: number;
    };

/** A place by root and path below it, links in the parents resolved. */
export interface SealedPath {
  readonly root: number;
  readonly rel: string;
}

export type SealedStep =
  | {
      readonly op: "put";
      readonly at: SealedPath;
      readonly before: Before;
      /** Index of the content kept with the proposal. */
      readonly content: number;
      readonly inPlace: boolean;
    }
  | { readonly op: "make_directory"; readonly at: SealedPath; readonly before: Before }
  | {
      readonly op: "move";
      readonly from: SealedPath;
      readonly at: SealedPath;
      readonly source: Before;
      readonly before: Before;
    }
  | {
      readonly op: "copy";
      readonly from: SealedPath;
      readonly at: SealedPath;
      readonly source: Before;
      readonly before: Before;
    }
  | { readonly op: "remove"; readonly at: SealedPath; readonly before: Before };

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

/** One file as people see it. Paths as callers give them; `absolute` for a person's eyes. */
export interface SealedFile {
  readonly operation: Operation;
  readonly path: string;
  readonly absolute: string;
  /** Of a move or copy: where from. */
  readonly source?: string;
  readonly diff?: string;
  readonly diff_truncated?: boolean;
  readonly added: number;
  readonly removed: number;
  /** sha256 of the content afterwards. */
  readonly hash?: string;
  readonly size_before?: number;
  readonly size_after?: number;
}

export interface Sealed {
  readonly summary: string;
  readonly files: readonly SealedFile[];
  readonly steps: readonly SealedStep[];
  readonly warnings: readonly string[];
  /** Bytes that will be written. */
  readonly bytes: number;
}
