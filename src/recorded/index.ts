/**
 * The sessions that are on record, after they have happened: which there are, what is kept of each besides the record and how
 * that is deleted, what agents did in numbers, and the steps by which one is made again. It may import `base`, `state`, `audit` and
 * `review`.
 */
export { ACTIVITY_EVENTS, countActivity, type ActivityNumbers, type ActivityReport } from "./activity-report.ts";
export { compareCalls, type Difference } from "./compare-calls.ts";
export { deleteSession, keptOf, refuseRunning, type DeletedSession, type KeptData } from "./kept-data.ts";
export { listSessions, sessionById, type ListedSessions } from "./list-sessions.ts";
export { readSteps, type RecordedCall, type ReplayStep } from "./read-steps.ts";
