/**
 * Worker threads: jobs as lines of text, cancellation by shared flags, deadlines, replacement of stuck or crashed workers.
 * Knows nothing of tools: a job is a name and a JSON text. It may import `base`.
 */
export type { JobAnswer, JobProgress, JobRequest } from "./job.ts";
export { Pool, type OutsideAsk, type PoolOptions } from "./pool.ts";
export { serveJobs, type JobContext, type JobHandler, type JobResult } from "./serve-jobs.ts";
export { packAnswer, ResultText, unpackAnswer } from "./result-text.ts";
export { startThread } from "./start-thread.ts";
export type { WorkerEntry } from "./worker-slot.ts";
export { Watchdog, WATCHED_AT_WORK, WATCHED_COUNT, WATCHED_HELD } from "./watchdog.ts";
