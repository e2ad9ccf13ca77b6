/**
 * What host and worker share in memory, as 32-bit cells: one flag for each posted job, by which it is cancelled, then
 * what each tells the other without a message.
 */

/** Jobs posted to one worker and not yet answered; each needs a flag by which it can be cancelled. */
export const MAX_POSTED = 64;
/** How many cells there are: two more than jobs. */
export const FLAGS: number = MAX_POSTED + 2;
/** The host counts the batches that it has posted. */
export const BATCHES: number = FLAGS - 2;
/** The worker names the job that it runs: when it is lost, that one is to blame, and replies may still be unsent. */
export const RUNNING: number = FLAGS - 1;
