/**
 * What a changing tool asks for: an ordered list of changes, as data. A tool never sees the old bytes and never writes;
 * `sealChanges` turns the list into exact bytes before and after, and only `commitChanges` touches the disk.
 */
import type { FilePatch, TextEdit } from "../text/index.ts";

export interface WriteChange {
  readonly op: "write";
  readonly path: string;
  /** Text, or base64 when `encoding` is "base64". */
  readonly content: string;
  /** An encoding name, "base64", or absent: what the file had, else UTF-8. */
  readonly encoding?: string | undefined;
  readonly overwrite: boolean;
  readonly ifHash?: string | undefined;
  /** Permission bits afterwards; absent: what the file has, or what a new one gets. */
  readonly mode?: number | undefined;
}

export interface EditChange {
  readonly op: "edit";
  readonly path: string;
  readonly edits: readonly TextEdit[];
  readonly ifHash?: string | undefined;
  /** Write into the same inode, which keeps hard links and is not atomic. */
  readonly inPlace?: boolean | undefined;
}

export interface AppendChange {
  readonly op: "append";
  readonly path: string;
  readonly content: string;
  readonly ifHash?: string | undefined;
}

export interface CreateDirectoryChange {
  readonly op: "create_directory";
  readonly path: string;
}

export interface RelocateChange {
  readonly op: "move" | "copy";
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly recursive: boolean;
  /** Of the source; checked beside the sealing. */
  readonly ifHash?: string | undefined;
}

export interface DeleteChange {
  readonly op: "delete";
  readonly path: string;
  readonly recursive: boolean;
  /** Checked beside the sealing. */
  readonly ifHash?: string | undefined;
}

/** All files of one patch: they are placed together, so that every hunk that fails is told at once. */
export interface PatchChange {
  readonly op: "patch";
  readonly files: readonly FilePatch[];
  /** By the path as the patch writes it. */
  readonly ifHashes: Readonly<Record<string, string>>;
  /** A file that is added or moved to may replace one that is there. */
  readonly overwrite: boolean;
  /** Liberties that were taken in reading the patch. */
  readonly tolerances: readonly string[];
}

/** One change of a set. Paths are relative to the first root, or absolute inside a root. */
export type Change =
  | WriteChange
  | EditChange
  | AppendChange
  | CreateDirectoryChange
  | RelocateChange
  | DeleteChange
  | PatchChange;

/** The changes are made in order: each sees what the ones before it have done. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  /** The caller counts them: the tool of each, for a failure that says which one it is. */
  readonly operations?: readonly string[];
}
