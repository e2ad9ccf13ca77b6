/**
 * What runs inside the workers, by job name. The entry points in `workers/` only connect a port to one of these. Read
 * `job-table.ts` first (every job with its input and answer), then the rooms: `read/` for the reading workers, `change/` and
 * `proposal/` for the change worker. It may import `calls`, `base`, `pictures`, `sys`, `text`, `scope`, `approval`, `files`, `state`,
 * `search`, `memory`, `pool`, `proc`, `txn`, `policy`, `shell` and `contract`.
 */
export { createChangeHandler } from "./change/change-jobs.ts";
export type { KeepInput, KeptBefore, NoteInput, NotedAfter } from "./change/history-jobs.ts";
export type { ChangeFacts, KnownProposal } from "./proposal/proposal.ts";
export type { Baseline } from "./change/check-baselines.ts";
export type { RuledInput, Ruling } from "./ruled-scopes.ts";
export type { TouchedVerdict, NamedPath } from "./change/touched-paths.ts";
export type { LookBelow } from "./change/look-below.ts";
export { createReadHandler } from "./read/read-jobs.ts";
export type { FirstFilesInput, ResourceInput } from "./read/resource-jobs.ts";
export { serveSearchApart } from "./read/local-context.ts";
export type { DecidedProposal } from "./proposal/decisions.ts";
export type { TextInput } from "./proposal/edit.ts";
export type { DiffInput, StoredCall, TakenCall } from "./proposal/proposal-jobs.ts";
export type { ChangeJobs, PlanInput, ReadJobs } from "./job-table.ts";
export type { AnswerLimits, ScopeConfig, WorkerConfig } from "./worker-config.ts";
