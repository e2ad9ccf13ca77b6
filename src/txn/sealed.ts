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

/** What a step builds on besides the disk at its own place. */
export interface StepOrder {
  /** Its `before` is what an earlier step of the same set leaves, so it is not looked for on the disk at the start. */
  readonly follows?: true;
  /** Of an undo: what was there is known to the last entry, and must be so when its turn comes. */
  readonly exact?: true;
  /** Of a step that follows: what it was made from, where that lies on the disk before the first step. */
  readonly relies?: readonly Reliance[];
}

export interface Reliance {
  readonly at: SealedPath;
  readonly before: Before;
}

export type SealedStep = StepOrder & StepAct;

export type StepAct =
  | {
      readonly op: "put";
      readonly at: SealedPath;
      readonly before: Before;
      /** Index of the content kept with the proposal. */
      readonly content: number;
      readonly inPlace: boolean;
      /** Permission bits afterwards; absent: what the file has, or what a new one gets. */
      readonly mode?: number;
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
  | { readonly op: "remove"; readonly at: SealedPath; readonly before: Before }
  /** Of an undo: what a transaction displaced comes back. */
  | {
      readonly op: "restore";
      readonly at: SealedPath;
      readonly before: Before;
      readonly transaction: string;
      readonly name: string;
    }
  /** Of an undo: a directory that was made goes, if it is empty. */
  | {
      readonly op: "remove_directory";
      readonly at: SealedPath;
      readonly before: Before;
      /** One that was made on the way to something else: only if it is still this one; else, or with something in it, it stays. */
      readonly made?: MadeIdentity;
    };

/** Which directory, also when its number was given to another one since. */
export interface MadeIdentity {
  readonly ino: string;
  readonly born: string;
}

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
  /** The whole file is replaced without having been read, and has other names, maybe outside: its diff is for people. */
  readonly shared?: boolean;
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
  /** Something was matched other than exactly, so a person looks at it whatever the mode. */
  readonly tolerant?: true;
}

/** Every place that a step touches. */
export function pathsOf(step: SealedStep): SealedPath[] {
  return "from" in step ? [step.from, step.at] : [step.at];
}
