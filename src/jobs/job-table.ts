/**
 * Every job of the workers by its name: what it is given, and what it answers. The host runs a job with `readJob` or
 * `changeJob` (`pipeline/jobs.ts`); its handler stands under the same name in `read-jobs.ts` or `change-jobs.ts`.
 */
import type {
  AppliedProposal,
  ComparedFile,
  ListedProposal,
  PassedProposal,
  ProposalImage,
  ProposalWithFiles,
  RejectedProposal,
  Transaction,
  Undone,
} from "../calls/index.ts";
import type { FilesApi, MemoryApi, ReadFacts, SearchApi } from "../contract/index.ts";
import type { JobContext, ResultText } from "../pool/index.ts";
import type { PathCompletions } from "../search/index.ts";
import type { AskedCall, Decision, ToolFacts } from "../policy/index.ts";
import type { MadeVectors, Origin, Pending, PendingAsk } from "../memory/index.ts";
import type { ChangeSet, Recovered } from "../txn/index.ts";
import type { Baseline } from "./change/check-baselines.ts";
import type { Ruling } from "./ruled-scopes.ts";
import type { NamedPath, TouchedVerdict } from "./change/touched-paths.ts";
import type { HistoryInput, KeepInput, KeptBefore, NotedAfter, NoteInput, UndoInput } from "./change/history-jobs.ts";
import type { Decisions, DecisionsInput } from "./proposal/decisions.ts";
import type { EditedProposal, EditInput, TextInput } from "./proposal/edit.ts";
import type { ListInput } from "./proposal/list-proposals.ts";
import type { ProposeInput } from "./proposal/propose.ts";
import type { LookBelow } from "./change/look-below.ts";
import type { ApplyInput, DiffInput, GetInput, RejectInput, StoredCall, TakenCall } from "./proposal/proposal-jobs.ts";
import type { ChangeFacts } from "./proposal/proposal.ts";
import type { FirstFilesInput, ResourceInput } from "./read/resource-jobs.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The functions of a tool's context, for a tool that runs elsewhere. */
type ContextJobs<Group extends string, Api> = {
  readonly [Name in keyof Api & string as `context:${Group}.${Name}`]: Api[Name] extends (
    options: infer Options,
  ) => infer Answer
    ? [Options, Awaited<Answer>]
    : never;
};

/** A built-in tool that reads, by its name. Its input was checked by the host. */
interface ToolJobs {
  readonly [tool: `tool:${string}`]: [unknown, ResultText<ReadFacts>];
}

/** Jobs that look, and change nothing. Any number of them run at once. */
export interface LookJobs {
  readonly touched: [readonly NamedPath[], readonly TouchedVerdict[]];
  readonly below: [LookBelow, { readonly holdsClosed: boolean }];
  readonly resource: [ResourceInput, ResultText<ReadFacts>];
  readonly first_files: [FirstFilesInput, readonly Fields[]];
  readonly watch: [{ readonly resources: readonly ResourceInput[] }, readonly string[]];
  readonly complete: [CompletionInput, PathCompletions];
  /** With `mayBeNew` also the path of what does not exist yet. */
  readonly resolve: [{ readonly path: string; readonly mayBeNew?: boolean | undefined }, string];
  /** Vectors of the memory are made by the model of the configuration, for about so long; the answer is how many are missing. */
  readonly memory_fill: [{ readonly ms: number }, number];
  /** Entries whose vectors are to be made elsewhere: what the tool may see of them, secrets replaced. */
  readonly memory_pending: [PendingAsk, readonly Pending[]];
  /** The answer is how many are missing. */
  readonly memory_keep: [MadeVectors, number];
}

export interface CompletionInput {
  readonly beginning: string;
  /** The tool that would get the path. */
  readonly of: Ruling;
}

export type ReadJobs = LookJobs &
  ToolJobs &
  ContextJobs<"files", FilesApi> &
  ContextJobs<"search", SearchApi> &
  ContextJobs<"memory", MemoryApi>;

export interface PlanInput {
  readonly tool: string;
  readonly set: ChangeSet;
  /** On the caller's words. Allow: apply it at once. */
  readonly decision: Decision;
  /** What it is decided by once more, on the paths that it really touches, links and spellings resolved. */
  readonly ruling: Ruling;
  /** The call by its caller's words. */
  readonly asked?: AskedCall | undefined;
  /** Other tools whose changes it makes. */
  readonly parts?: readonly ToolFacts[] | undefined;
  readonly baseline: Baseline;
  /** Where the call came from, for the marks of notes. */
  readonly origin?: Origin | undefined;
  /** The caller's key: a second call with it is answered as the first was. */
  readonly idempotencyKey?: string | undefined;
  /** How the client that made the call calls itself. */
  readonly client?: string | undefined;
  /** The session of the record. */
  readonly session?: string | undefined;
  /** Where the content came from, of a call with which the answer to another one goes on. */
  readonly from?: string | undefined;
  /** Only what would come of it is wanted: nothing is kept, nobody is asked. */
  readonly isDryRun?: boolean | undefined;
}

/** Jobs of the one thread that writes. */
export interface ChangeJobs {
  readonly plan: [PlanInput, ResultText<ChangeFacts>];
  readonly propose: [ProposeInput, ResultText<ChangeFacts>];
  readonly list: [ListInput, readonly ListedProposal[]];
  /** The text is what the call that made the proposal is answered with. */
  readonly get: [GetInput, ResultText<ProposalWithFiles>];
  readonly diff: [DiffInput, { readonly diff: string; readonly next?: number }];
  readonly compare: [{ readonly id: string }, readonly ComparedFile[]];
  readonly text_of: [TextInput, { readonly text: string }];
  /** A person makes a new proposal of one. */
  readonly edit: [EditInput, EditedProposal];
  readonly images: [{ readonly id: string }, readonly ProposalImage[]];
  readonly find_call: [{ readonly id: string }, StoredCall | null];
  readonly apply: [ApplyInput, ResultText<AppliedProposal> | TakenCall];
  /** As `apply`, for the call that made the proposal: its model reads how that failed. */
  readonly approve: [ApplyInput, ResultText<AppliedProposal> | TakenCall];
  readonly finish: [{ readonly id: string; readonly ok: boolean }, { readonly transaction: string }];
  readonly reject: [RejectInput, RejectedProposal];
  /** Nobody has decided about it, and nothing would come of a late decision. */
  readonly withdraw: [{ readonly id: string }, null];
  readonly decisions: [DecisionsInput, Decisions];
  /** A call of another host is approved, which waits for that. */
  readonly pass_approval: [{ readonly id: string; readonly digest: string }, PassedProposal];
  readonly recover: [object, readonly Recovered[]];
  readonly history: [HistoryInput, readonly Transaction[]];
  readonly undo: [UndoInput, Undone];
  readonly keep_files: [KeepInput, KeptBefore];
  readonly note_kept: [NoteInput, NotedAfter];
}

/** A function for every job of a table. @typeParam Means what the worker has for all of them */
export type Handlers<Jobs, Means extends readonly unknown[]> = {
  readonly [Name in keyof Jobs]: Jobs[Name] extends readonly [infer Input, infer Answer]
    ? (input: Input, ...means: [...Means, job: JobContext]) => Answer | Promise<Answer>
    : never;
};
