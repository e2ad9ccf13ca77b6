/**
 * What a changing tool asks for: an ordered list of changes, as data. A tool never sees the old bytes and never writes;
 * `sealChanges` turns the list into exact bytes before and after, and only `commitChanges` touches the disk.
 */
import type { TextEdit } from "../text/index.ts";

export interface WriteChange {
  readonly op: "write";
  readonly path: string;
  /** Text, or base64 when `encoding` is "base64". */
  readonly content: string;
  /** An encoding name, "base64", or absent: what the file had, else UTF-8. */
  readonly encoding?: string | undefined;
  readonly overwrite: boolean;
  readonly ifHash?: string | undefined;
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
}

export interface DeleteChange {
  readonly op: "delete";
  readonly path: string;
  readonly recursive: boolean;
}

export type Change =
  | WriteChange
  | EditChange
  | AppendChange
  | CreateDirectoryChange
  | RelocateChange
  | DeleteChange;

export interface ChangeSet {
  readonly changes: readonly Change[];
}
