/**
 * One piece of work in a process of its own that this one starts itself: text in, text out, and an end in bounded time
 * whatever happens in there. For work that nothing else can stop, and for hooks where there is no launcher, which puts
 * a fence around them.
 *
 * Usual mistake: to wait for the process to end by itself. It is killed when the work is cancelled, and when it is over.
 */
import { Failure, monotonicMs, stoppedCall, type Cancel } from "../base/index.ts";

export interface ApartProgram {
  readonly command: readonly string[];
  /** Tells it what it is to be. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ApartWork {
  readonly input: string;
  /** Descriptors that it gets, in this order from FIRST_APART_FD on. */
  readonly fds: readonly number[];
  readonly cancel: Cancel;
}

/** Behind the standard streams. */
export const FIRST_APART_FD = 3;
/** A cancelled call must be felt within 50 ms. */
const LOOK_EVERY_MS = 20;
/** The process knows its own deadline and has an answer then; a match that is under way takes a second at most. */
const GRACE_MS = 1500;

/** @throws Failure `timed_out`, `cancelled`, `unsupported` when it cannot be started */
export async function runApart(program: ApartProgram, work: ApartWork): Promise<string> {
  const child = start(program, work);
  const watch = new StopWatch(work.cancel, () => child.kill("SIGKILL"));
  try {
    const text = await child.stdout.text();
    if ((await child.exited) === 0 && text !== "") return text;
  } finally {
    watch[Symbol.dispose]();
    child.kill("SIGKILL");
  }
  if (watch.state === "none")
    throw new Error(`the process ended with ${child.signalCode ?? child.exitCode} and no answer`);
  throw stoppedCall(watch.state);
}

function start({ command, environment }: ApartProgram, { input, fds }: ApartWork) {
  try {
    return Bun.spawn([...command], {
      env: { ...environment },
      stdio: [Buffer.from(input, "utf8"), "pipe", "inherit", ...fds],
    });
  } catch (thrown) {
    throw new Failure("unsupported", "Cannot finish the call: no process can be started for it", {
      hint: "Write the pattern without look-around and back-references, or start the host where it may start itself.",
      cause: thrown,
    });
  }
}

/** Kills at once when the work is cancelled, and a while after its deadline. */
class StopWatch implements Disposable {
  state: ReturnType<Cancel["state"]> = "none";
  readonly #ticker: ReturnType<typeof setInterval>;
  #since = 0;

  constructor(cancel: Cancel, kill: () => void) {
    this.#ticker = setInterval(() => {
      const state = cancel.state();
      if (state === "none") return;
      if (this.state === "none") this.#since = monotonicMs();
      this.state = state;
      if (state === "cancelled" || monotonicMs() - this.#since > GRACE_MS) kill();
    }, LOOK_EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticker);
  }
}

/** Enough for a decision and its reason. */
const MAX_HOOK_BYTES: number = 64 * 1024;
const running: Set<Bun.Subprocess> = new Set();
let endsWithUs = false;

/**
 * A hook without a launcher. It ends with this process, unless that is killed.
 * @throws Error when it cannot be started, fails, or takes too long
 */
export async function runHookHere(command: readonly string[], input: string, timeoutMs: number): Promise<string> {
  const child = Bun.spawn([...command], {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
    maxBuffer: MAX_HOOK_BYTES,
  });
  running.add(child);
  if (!endsWithUs) process.on("exit", () => running.forEach((one) => one.kill("SIGKILL")));
  endsWithUs = true;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error(`it took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    // What it has started may hold its stdout after its end, so the limit is for both.
    const [text, code] = await Promise.race([Promise.all([child.stdout.text(), child.exited]), tooLate]);
    if (code === 0) return text.trim();
    throw new Error(`it ended with exit code ${code}`);
  } finally {
    clearTimeout(timer);
    running.delete(child);
  }
}
