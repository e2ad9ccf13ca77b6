/**
 * The note that stays of a transaction: what it did, what it displaced and where that is, and what stood there when it was
 * over. From it an undo is made; people see the summary.
 */
import type { HistoryRecord } from "../state/index.ts";
import type { Act } from "./commit/plan.ts";
import type { KnownDirectory } from "./commit/held-places.ts";
import type { MadeDirectory } from "./commit/make-parents.ts";
import type { RootIdentity } from "./commit/root-identity.ts";
import type { Before, SealedFile, SealedPath, SealedStep } from "./model.ts";

/** Which roots the paths of a record are of. */
export type ScopeSpec = Readonly<Record<string, unknown>>;

/** What the caller of a commit says about it. */
export interface About {
  readonly tool: string;
  readonly summary: string;
  readonly files: readonly SealedFile[];
  readonly scope: ScopeSpec;
  /** The stored proposal that was applied. */
  readonly proposal?: string;
  /** The transaction that this one undoes. */
  readonly undoes?: string;
}

export interface TransactionRecord extends HistoryRecord, About {
  readonly steps: readonly SealedStep[];
  /** By step: what stood at its place when the transaction was over. */
  readonly after: readonly Before[];
  /** Directories that were made above the places, outermost first of each step. */
  readonly made: readonly MadeDirectory[];
  /** Of all roots of its scope. */
  readonly roots: readonly RootIdentity[];
  /** By step: whether the history holds what it displaced. */
  readonly kept: readonly boolean[];
  /** Something that was neither the old nor the new stood in the way of a recovery. */
  readonly conflict?: boolean;
  /** Of a conflict: what stays as somebody else has left it. */
  readonly left?: readonly string[];
  /** The transaction that undid this one. */
  readonly undoneBy?: string;
}

/** The first line of a journal: enough to finish or take back without anything else. */
export interface JournalBegin {
  readonly kind: "begin";
  readonly about: About;
  readonly steps: readonly SealedStep[];
  readonly acts: readonly Act[];
  readonly parents: readonly SealedPath[];
  /** What must be where it was when another process goes on. */
  readonly directories: readonly KnownDirectory[];
  /** Of the roots, so that another directory in the place of one is not taken for it. */
  readonly roots: readonly RootIdentity[];
  /** One act that the system does as one: a crash leaves no half of it, so its journal need not be on the disk. */
  readonly isSingle: boolean;
  /** What repeats of the call are answered with once it is committed. */
  readonly answer?: AnswerToKeep;
}

export interface AnswerToKeep {
  readonly key: string;
  readonly digest: string;
  readonly payload: string;
  readonly facts: string;
}
