/**
 * Jobs and replies as lines of text: strings cross between threads several times faster than objects, and many small
 * ones can travel as one. Fields are separated by tabs and lines by newlines, which JSON text never holds.
 *
 * To a worker:   id, cancel slot, milliseconds left, rank, name, input (JSON)
 * From a worker: id, kind, facts (JSON or ""), payload (JSON)
 *
 * A job may ask for a part of its work to be done elsewhere: a reply of kind `ask` for another worker, or `outside` for the
 * host, whose facts are the number of the question and the name of the part. What comes of it goes back to the worker as a reply line behind ANSWER_MARK, in a
 * message of its own.
 *
 * Beside the lines both sides share memory, as 32-bit cells: one flag for each posted job, by which it is cancelled, then what
 * each tells the other without a message.
 */

/**
 * `result` and `failure` end a job; `progress`, `ask` and `outside` do not; `bug` is a failure that nobody expected. `busy`
 * answers a question: nobody has time, or can. `worn` is of no job: the worker wants to be replaced.
 */
export type ReplyKind = "result" | "failure" | "progress" | "bug" | "ask" | "outside" | "busy" | "worn";

export const ANSWER_MARK = "=";

export interface JobLine {
  readonly id: number;
  readonly slot: number;
  readonly leftMs: number;
  readonly rank: number;
  readonly name: string;
  readonly input: string;
}

export interface ReplyLine {
  readonly id: number;
  readonly kind: ReplyKind;
  /** What the host itself wants to know of the result, so that it need not parse the payload. */
  readonly facts: string;
  readonly payload: string;
}

export function jobLine(job: JobLine): string {
  return `${job.id}\t${job.slot}\t${job.leftMs}\t${job.rank}\t${job.name}\t${job.input}`;
}

export function parseJobLine(line: string): JobLine {
  const a = line.indexOf("\t");
  const b = line.indexOf("\t", a + 1);
  const c = line.indexOf("\t", b + 1);
  const d = line.indexOf("\t", c + 1);
  const e = line.indexOf("\t", d + 1);
  return {
    id: Number(line.slice(0, a)),
    slot: Number(line.slice(a + 1, b)),
    leftMs: Number(line.slice(b + 1, c)),
    rank: Number(line.slice(c + 1, d)),
    name: line.slice(d + 1, e),
    input: line.slice(e + 1),
  };
}

export function replyLine(reply: ReplyLine): string {
  return `${reply.id}\t${reply.kind}\t${reply.facts}\t${reply.payload}`;
}

export function parseReplyLine(line: string): ReplyLine {
  const a = line.indexOf("\t");
  const b = line.indexOf("\t", a + 1);
  const c = line.indexOf("\t", b + 1);
  return {
    id: Number(line.slice(0, a)),
    kind: line.slice(a + 1, b) as ReplyKind,
    facts: line.slice(b + 1, c),
    payload: line.slice(c + 1),
  };
}

/**
 * Jobs posted to one worker and not yet answered, by rank; each needs a flag by which it can be cancelled. Long ones are
 * all begun, and take turns: a search holds a few megabytes, a hash a descriptor.
 */
export const MAX_POSTED: readonly number[] = [64, 32, 128];
export const CANCEL_FLAGS: number = MAX_POSTED.reduce((sum, most) => sum + most);
/** How many cells there are. */
export const FLAGS: number = CANCEL_FLAGS + 2;
/** The host counts the batches that it has posted. */
export const BATCHES: number = FLAGS - 2;
/** The worker names the job that it runs: when it is lost, that one is to blame, and replies may still be unsent. */
export const RUNNING: number = FLAGS - 1;
