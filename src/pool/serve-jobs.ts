/**
 * The worker's side: jobs are run one after another in the order they came, but for those that give way (`turns.ts`);
 * replies travel in batches. Nothing here may write to stdout: a worker shares it with the protocol.
 *
 * A handler asks its `cancel` and its `turn` often; nothing else can stop synchronous code in a worker, or interrupt it.
 */
import {
  createCancel,
  Failure,
  failureFromData,
  keepCompiled,
  limits,
  monotonicMs,
  onCompiled,
  type Cancel,
  type CompiledModule,
  type FailureData,
  type JobTurn,
} from "../base/index.ts";
import { GarbageCollection } from "./idle-policy.ts";
import {
  ANSWER_MARK,
  BATCHES,
  RUNNING,
  parseJobLine,
  parseReplyLine,
  replyLine,
  type JobLine,
  type ReplyKind,
  type ReplyLine,
} from "./job-line.ts";
import { Turns, type TurnJob } from "./turns.ts";

export interface JobContext {
  readonly cancel: Cancel;
  /** On the monotonic clock of this worker; `cancel` says when it has passed. */
  readonly deadlineMs: number;
  /** Absent where jobs do not give way to each other. */
  readonly turn?: JobTurn;
  progress(done: number, total: number | undefined, what: string): void;
  /**
   * Another worker does a part of the work, as a job of its own.
   * @returns its payload; `undefined` when no worker has time, and then the job does it itself
   * @throws Failure of the part
   */
  share(name: string, input: string): Promise<string | undefined>;
  /**
   * The host has done what no worker may do, by a process apart from both.
   * @returns its answer as JSON; `undefined` where this host has no such process
   * @throws Failure of that
   */
  outside(name: string, input: string): Promise<string | undefined>;
  /** Asked between two parts of a work: what is left of the first is collected now and then. */
  tidy(): void;
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
  postMessage(message: string | CompiledModule): void;
  onmessage: ((event: MessageEvent<InitMessage | CompiledModule | string>) => void) | null;
}

/** Replies are held back at most this long and this much, so that a batch of small jobs is one message. */
const FLUSH_AFTER_MS = 1;
const FLUSH_CHARS = 96 * 1024;
const PROGRESS_EVERY_MS = 100;
const FIRST_PROGRESS_MS: number = limits.PROGRESS_AFTER_MS - PROGRESS_EVERY_MS / 2;

export interface ServeOptions {
  /** Jobs may give way to each other. Else each is done to its end before the next is begun. */
  readonly inTurns?: boolean;
  /** Asked before answers: whether the worker should be replaced, for example because memory was lost. */
  readonly isWorn?: () => boolean;
}

export function serveJobs(
  port: Port,
  createHandler: (config: string) => JobHandler,
  { inTurns = false, isWorn = () => false }: ServeOptions = {},
): void {
  let take: Take | undefined;
  port.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      if ("module" in data) {
        keepCompiled(data);
        return;
      }
      onCompiled((compiled) => port.postMessage(compiled));
      const handler = handlerOrFailure(createHandler, data.config);
      take = openWorker({ flags: new Int32Array(data.flags), handler, inTurns, isWorn, port });
      return;
    }
    if (data.startsWith(ANSWER_MARK)) {
      settleQuestion(parseReplyLine(data.slice(ANSWER_MARK.length)));
      return;
    }
    take?.(data.split("\n"));
  };
}

/** What keeps the handler from being made is the answer to every job: a worker that only ends says nothing. */
function handlerOrFailure(createHandler: (config: string) => JobHandler, config: string): JobHandler {
  try {
    return createHandler(config);
  } catch (thrown) {
    return () => Promise.reject(thrown);
  }
}

/** The jobs of a batch. */
type Take = (lines: readonly string[]) => void;

interface WorkerState {
  readonly inTurns: boolean;
  readonly isWorn: () => boolean;
  readonly flags: Int32Array;
  readonly handler: JobHandler;
  readonly port: Port;
}

function openWorker(state: WorkerState): Take {
  const { flags } = state;
  const turns = new Turns<PostedJob>({
    clock: monotonicMs,
    hasMail: () => Atomics.load(flags, BATCHES) !== outbox.batches,
    readMail: async () => await new Promise((resolve) => setImmediate(resolve)),
    onTurn({ id, rank }, isFirst) {
      // Nothing that is done waits for a job that may take long.
      if (rank > 0 || !isFirst) flush(state);
      Atomics.store(flags, RUNNING, id);
    },
    onRest: (away) => rest(state, away),
  });
  return (lines) => {
    outbox.batches++;
    garbage.putOff();
    const now = monotonicMs();
    turns.enter(lines.map((line) => postedJob(parseJobLine(line), now, state)));
  };
}

interface PostedJob extends TurnJob {
  readonly id: number;
}

function postedJob(line: JobLine, now: number, state: WorkerState): PostedJob {
  const { id, rank, slot, leftMs } = line;
  const deadlineMs = now + leftMs;
  const cancel = createCancel(deadlineMs, () => Atomics.load(state.flags, slot) === id);
  return {
    id,
    rank,
    isStopped: () => cancel.state() !== "none",
    async work(turn) {
      const start = monotonicMs();
      const answer = await runJob(line, { cancel, deadlineMs, ...(state.inTurns ? { turn } : {}) }, state);
      const end = monotonicMs();
      if (outbox.text === "") [outbox.text, outbox.since] = [answer, end];
      else outbox.text += `\n${answer}`;
      if (outbox.text.length >= FLUSH_CHARS || end - outbox.since >= FLUSH_AFTER_MS) flush(state);
      // Some leave more than what is kept for a quiet moment; the answers need not wait for it.
      if (garbage.after(end - start, answer.length)) {
        flush(state);
        garbage.now();
      }
    },
  };
}

interface Question {
  readonly resolve: (payload: string | undefined) => void;
  readonly reject: (failure: Failure) => void;
}

/** Asked and not answered. Like the outbox, one worker has one. */
const questions = new Map<number, Question>();
let lastQuestion = 0;

function settleQuestion({ id, kind, payload }: ReplyLine): void {
  const question = questions.get(id);
  questions.delete(id);
  if (kind === "failure") question?.reject(failureFromData(JSON.parse(payload) as FailureData));
  else question?.resolve(kind === "result" ? payload : undefined);
}

/** Replies that wait for company, and the batches that were begun. One worker has one, so it lives here. */
const outbox = { text: "", since: 0, batches: 0 };

const garbage = new GarbageCollection();

function rest(state: WorkerState, away: number): void {
  // When another batch waits already, its replies go along.
  if (Atomics.load(state.flags, BATCHES) !== outbox.batches) return;
  flush(state);
  if (away > 0) return;
  garbage.quiet();
}

function flush({ port, isWorn }: WorkerState): void {
  if (outbox.text === "") return;
  // Before the answers: nothing more is posted here once the last ones are there.
  if (isWorn()) port.postMessage(reply(0, "worn", ""));
  port.postMessage(outbox.text);
  outbox.text = "";
}

async function runJob(
  job: JobLine,
  given: Pick<JobContext, "cancel" | "deadlineMs" | "turn">,
  { handler, port }: WorkerState,
): Promise<string> {
  // On its way before the caller hears of it, which then is the first thing that it hears.
  let lastProgress = monotonicMs() + FIRST_PROGRESS_MS - PROGRESS_EVERY_MS;
  const progress = (done: number, total: number | undefined, what: string): void => {
    if (monotonicMs() - lastProgress < PROGRESS_EVERY_MS) return;
    lastProgress = monotonicMs();
    port.postMessage(reply(job.id, "progress", JSON.stringify({ done, total, what })));
  };
  const ask = (kind: "ask" | "outside", name: string, input: string): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const question = ++lastQuestion;
      questions.set(question, { resolve, reject });
      port.postMessage(replyLine({ id: job.id, kind, facts: `${question} ${name}`, payload: input }));
    });
  const asking = {
    share: async (name: string, input: string) => await ask("ask", name, input),
    outside: async (name: string, input: string) => await ask("outside", name, input),
  };
  try {
    const tidy = (): void => garbage.between();
    const result = await handler(job.name, job.input, { ...given, progress, ...asking, tidy });
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
