/**
 * The worker's side: jobs are run one after another in the order they came, replies travel in batches. Nothing here may
 * write to stdout: a worker shares it with the protocol.
 *
 * A handler asks its `cancel` often; nothing else can stop synchronous code in a worker.
 */
import { createCancel, Failure, limits, monotonicMs, type Cancel } from "../base/index.ts";
import { parseJobLine, replyLine, type JobLine, type ReplyKind } from "./job-line.ts";

export interface JobContext {
  readonly cancel: Cancel;
  progress(done: number, total: number | undefined, what: string): void;
}

export interface JobResult {
  /** JSON text without raw newlines or tabs, as JSON.stringify makes it. */
  readonly payload: string;
  readonly facts?: string;
}

export type JobHandler = (name: string, input: string, context: JobContext) => JobResult | Promise<JobResult>;

/** The first message of the host: the flags, and what the handler is made from. */
interface InitMessage {
  readonly flags: SharedArrayBuffer;
  readonly config: string;
}

interface Port {
  postMessage(message: string): void;
  onmessage: ((event: MessageEvent<InitMessage | string>) => void) | null;
}

/** Replies are held back at most this long and this much, so that a batch of small jobs is one message. */
const FLUSH_AFTER_MS = 1;
const FLUSH_CHARS = 128 * 1024;
const PROGRESS_EVERY_MS = 100;

export function serveJobs(port: Port, createHandler: (config: string) => JobHandler): void {
  let flags: Int32Array | undefined;
  let handler: JobHandler | undefined;
  let tail: Promise<void> = Promise.resolve();
  port.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      flags = new Int32Array(data.flags);
      handler = createHandler(data.config);
      return;
    }
    const [run, shared] = [handler, flags];
    if (!run || !shared) return;
    tail = tail.then(async () => {
      await runBatch(data.split("\n"), run, shared, port);
    });
  };
}

async function runBatch(
  lines: readonly string[],
  handler: JobHandler,
  flags: Int32Array,
  port: Port,
): Promise<void> {
  let out = "";
  let since = monotonicMs();
  for (const line of lines) {
    const reply = await runJob(parseJobLine(line), handler, flags, port);
    out += out === "" ? reply : `\n${reply}`;
    if (out.length < FLUSH_CHARS && monotonicMs() - since < FLUSH_AFTER_MS) continue;
    port.postMessage(out);
    out = "";
    since = monotonicMs();
  }
  if (out !== "") port.postMessage(out);
}

async function runJob(job: JobLine, handler: JobHandler, flags: Int32Array, port: Port): Promise<string> {
  const start = monotonicMs();
  const cancel = createCancel(start + job.leftMs, () => Atomics.load(flags, job.slot) === job.id);
  let lastProgress = start - PROGRESS_EVERY_MS + limits.PROGRESS_AFTER_MS;
  const progress = (done: number, total: number | undefined, what: string): void => {
    if (monotonicMs() - lastProgress < PROGRESS_EVERY_MS) return;
    lastProgress = monotonicMs();
    port.postMessage(reply(job.id, "progress", JSON.stringify({ done, total, what })));
  };
  try {
    const result = await handler(job.name, job.input, { cancel, progress });
    return replyLine({ id: job.id, kind: "result", facts: result.facts ?? "", payload: result.payload });
  } catch (thrown) {
    if (thrown instanceof Failure) return reply(job.id, "failure", JSON.stringify(thrown.data));
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return reply(job.id, "bug", JSON.stringify(stack));
  }
}

function reply(id: number, kind: ReplyKind, payload: string): string {
  return replyLine({ id, kind, facts: "", payload });
}
