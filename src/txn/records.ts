/**
 * Everything that a transaction writes down: the lines of its journal, from which a later process can finish it or take it
 * back, and the note that stays in the history, from which an undo is made. What must be known of an operation before it is
 * done is written before it is done.
 *
 * The names of all fields are the format on the disk, which hosts of other versions read too.
 */
import type { FileChange } from "../approval/index.ts";
import type { HistoryRecord } from "../state/index.ts";
import type { Identity, RootIdentity } from "./fingerprint.ts";
import type { Before, MadeIdentity, PreparedStep, RootPath } from "./model.ts";

/** What the caller of a commit says about it. */
export interface TransactionNote {
  readonly tool: string;
  readonly summary: string;
  readonly files: readonly FileChange[];
  readonly scope: ScopeSpec;
  /** The stored proposal that was applied. */
  readonly proposal?: string;
  /** The transaction that this one undoes. */
  readonly undoes?: string;
}

/** Which roots the paths of a record are of. */
export type ScopeSpec = Readonly<Record<string, unknown>>;

/** What repeats of the call are answered with once it is committed. */
export interface AnswerToKeep {
  readonly key: string;
  readonly digest: string;
  readonly payload: string;
  readonly facts: string;
}

/** The note of a transaction that is over. */
export interface TransactionRecord extends HistoryRecord, TransactionNote {
  readonly steps: readonly PreparedStep[];
  /** By step: what stood at its place when the transaction was over. */
  readonly after: readonly Before[];
  /** Directories that were made above the places, outermost first of each step. */
  readonly made: readonly MadeDirectory[];
  /** The identities of all roots of its scope. */
  readonly roots: readonly RootIdentity[];
  /** By step: whether the history holds what it displaced. */
  readonly kept: readonly boolean[];
  /** Something that was neither the old nor the new stood in the way of a recovery. */
  readonly conflict?: boolean;
  /** After a conflict: what stays as somebody else has left it. */
  readonly left?: readonly string[];
  /** The transaction that undid this one. */
  readonly undoneBy?: string;
}

/** The first line of a journal: enough to finish the transaction or to take it back without anything else. */
export interface JournalBegin {
  readonly kind: "begin";
  readonly about: TransactionNote;
  readonly steps: readonly PreparedStep[];
  /** The operations on the disk, one for each step. */
  readonly acts: readonly PlannedOperation[];
  /** Directories that are made before all operations. */
  readonly parents: readonly RootPath[];
  /** Directories that must be where they were when another process goes on. */
  readonly directories: readonly KnownDirectory[];
  /** Reveals another directory at the path of a root. */
  readonly roots: readonly RootIdentity[];
  /** One operation that the system does as one: a crash leaves no half of it, so its journal need not be on the disk. */
  readonly isSingle: boolean;
  readonly answer?: AnswerToKeep;
}

/** A directory that was there before the first operation, and that no operation moves or takes away. */
export interface KnownDirectory {
  readonly at: RootPath;
  readonly identity: Identity;
}

/**
 * What is done to the disk, with every name that is used on the way. Names beside a place are made of the transaction and
 * the number of the operation: nobody can guess them, and recovery can make them again.
 */
export type PlannedOperation = {
  readonly at: RootPath;
  /** Earlier operations make or move what it works on, so nothing of it can be looked at before them. */
  readonly late: boolean;
} & OperationKind;

type OperationKind =
  /** Something staged takes the place at `at`. */
  | {
      readonly act: "put";
      readonly replaces: boolean;
      /** Where it waits, beside its place. */
      readonly staged: RootPath;
      readonly source: PutSource;
      /** The sha256 of a new file's content: what recovery may take away again. */
      readonly after?: string;
    }
  /** New content in the same inode; `before` and `after` are sha256. */
  | { readonly act: "rewrite"; readonly content: number; readonly before: string; readonly after: string }
  | { readonly act: "make_directory" | "remove" }
  /** An empty directory goes, and is not kept; with `made` only while it is empty and this one, else it stays. */
  | { readonly act: "remove_directory"; readonly mode: number; readonly made?: MadeIdentity }
  | {
      readonly act: "move";
      readonly from: RootPath;
      readonly replaces: boolean;
      /** To another device: a copy is staged, and the source is put aside. */
      readonly across: boolean;
      /** Where the copy waits. */
      readonly staged: RootPath;
    };

export type PutSource =
  | { readonly kind: "content"; readonly content: number; readonly mode?: number }
  | { readonly kind: "copy"; readonly from: RootPath }
  /** What an earlier transaction displaced. */
  | { readonly kind: "kept"; readonly transaction: string; readonly name: string };

/** An operation with its number among those of the transaction. */
export type DiskOperation = PlannedOperation & { readonly index: number };
export type OperationOf<Act extends PlannedOperation["act"]> = DiskOperation & { readonly act: Act };

/** What the journal must know of an operation before it is done. */
export interface StagedFacts {
  /** The identity of what is staged. */
  readonly staged?: Identity | undefined;
  /** The identity of what stands at the place, and will be displaced. */
  readonly displaced?: Identity;
  /** The identity of what is moved. */
  readonly moved?: Identity;
  /** The fingerprint of what is staged and has no hash in the plan: how to see that somebody has changed it since. */
  readonly print?: string | undefined;
  /** The fingerprint of what is moved to another device, before it was copied. */
  readonly source?: string | undefined;
}

export interface MadeDirectory extends MadeIdentity {
  readonly at: RootPath;
  /** The operation that it was made for; absent where it was made before all operations. */
  readonly act?: number | undefined;
}

/** Directories that are made together, outermost first. */
export interface PlannedParents {
  readonly parents: readonly RootPath[];
  readonly act?: number | undefined;
}

export type JournalRecord =
  | JournalBegin
  /** Directories will come to their places. */
  | { readonly kind: "made"; readonly made: readonly MadeDirectory[] }
  /** Everything is staged: `acts` by index. From here on a crash is taken back operation by operation. */
  | { readonly kind: "prepared"; readonly acts: readonly StagedFacts[] }
  /** Directories will be made for a late operation. */
  | { readonly kind: "parents"; readonly parents: readonly RootPath[]; readonly act: number }
  /** What is staged for a late operation is known only right before it. */
  | { readonly kind: "late"; readonly act: number; readonly prepared: StagedFacts }
  /** What an operation left that later ones change; only an undo wants to know. */
  | { readonly kind: "after"; readonly act: number; readonly left: Before }
  | { readonly kind: "committed" }
  /** In a rollback: this operation and all later ones are reverted. What is missing from there on may be its doing. */
  | { readonly kind: "back"; readonly act: number };

export type JournalRecords = readonly JournalRecord[];

/** Every directory that was or may have been made above the places, as they were made together. */
export function plannedParents(begin: JournalBegin, records: JournalRecords): PlannedParents[] {
  return [{ parents: begin.parents }, ...records.filter((record) => record.kind === "parents")];
}

/** All directories that were made, in their order. */
export function madeBy(records: JournalRecords): MadeDirectory[] {
  return records.flatMap((record) => (record.kind === "made" ? record.made : []));
}

export function leftBy(records: JournalRecords): ReadonlyMap<number, Before> {
  return new Map(records.flatMap((one) => (one.kind === "after" ? [[one.act, one.left] as const] : [])));
}

/** What was known of each operation; `undefined` for one that cannot have been done yet. */
export function stagedBy({ acts }: JournalBegin, records: JournalRecords): (StagedFacts | undefined)[] {
  const staged: (StagedFacts | undefined)[] = [];
  for (const record of records) {
    if (record.kind === "prepared")
      acts.forEach(({ late }, index) => (staged[index] = late ? undefined : record.acts[index]));
    else if (record.kind === "late") staged[record.act] = record.prepared;
  }
  return staged;
}
