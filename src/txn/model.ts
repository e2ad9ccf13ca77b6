/**
 * A sealed change set: what will be on disk afterwards, byte for byte, and what must be there before. It is what a
 * proposal is shown as and what is applied; what is shown is computed from it anew (`reseal.ts`), and never stored.
 */
import type { FileChange } from "../approval/index.ts";

export type { Operation } from "../approval/index.ts";

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
      /** What it is called where something is there. The content is new all the same. */
      readonly as?: PutName;
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

/** One file as people see it. */
export type SealedFile = FileChange;

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

export type PutName = "overwrite" | "edit" | "append";

/** Every place that a step touches. */
export function pathsOf(step: SealedStep): SealedPath[] {
  return "from" in step ? [step.from, step.at] : [step.at];
}
