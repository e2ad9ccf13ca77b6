/**
 * One test file in a process of its own: what one file leaves behind (a patched global, a handle, `process.exit`) cannot
 * reach another, and everything that its hosts wrote on stderr is kept with it.
 *
 * Invariant: nothing here limits how long a file takes. A file is ended only when none of its tests has ended for
 * `SILENCE_MS`; a slow machine is slow in every test, a hang is silent in one.
 */
import { endGroup, running } from "./process-groups.ts";
import { summarize } from "./test-summary.ts";

export interface FileResult {
  readonly path: string;
  readonly passed: number;
  /** At least 1 when the process ended without the closing line of the test runner. */
  readonly failed: number;
  readonly skipped: number;
  /** Titles, as the test runner prints them, each once. */
  readonly skippedTitles: readonly string[];
  /** Everything it printed, without the lines of tests that passed; its last `MOST_OUTPUT_CHARS`. */
  readonly output: string;
  readonly ms: number;
}

export interface TestRun {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Defaults to `SILENCE_MS`. */
  readonly silenceMs?: number;
}

/** Only a hang takes so long. Bun's own limit is five seconds, and it reads no other one from `bunfig.toml`. */
const TEST_LIMIT_MS = 8 * 60_000;
/** Longer than the limit of one test, which therefore speaks first and names the test. */
export const SILENCE_MS: number = 10 * 60_000;

export async function runTestFile(path: string, run: TestRun): Promise<FileResult> {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, "test", `--timeout=${TEST_LIMIT_MS}`, `./${path}`], {
    cwd: run.root,
    env: { ...process.env, ...QUIET, ...run.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that a silent file is ended with all that it started.
    detached: true,
  });
  running.add(child.pid);
  const giveUp = (): void => {
    lines.note(`ended: no test of this file has ended for ${silenceMs / 60_000} minutes`);
    endGroup(child.pid);
  };
  const silenceMs = run.silenceMs ?? SILENCE_MS;
  let timer = setTimeout(giveUp, silenceMs);
  let isOver = false;
  const lines = new Lines(() => {
    clearTimeout(timer);
    // What is still read behind the end says nothing about silence.
    if (!isOver) timer = setTimeout(giveUp, silenceMs);
  });
  const reading = Promise.all([lines.read(child.stdout), lines.read(child.stderr)]);
  const code = await child.exited;
  isOver = true;
  clearTimeout(timer);
  const isWhole = await Promise.race([reading.then(() => true), Bun.sleep(HELD_MS).then(() => false)]);
  if (!isWhole) lines.note("something that this file started still holds its output");
  endGroup(child.pid);
  running.delete(child.pid);
  const how = child.signalCode ?? `exit code ${code}`;
  return toResult(path, { how, isOk: code === 0 && isWhole, lines, ms: performance.now() - started });
}

/** A process that outlives its test and keeps the pipe is a fault of the test; so long a busy machine may take to read. */
const HELD_MS = 30_000;

/** What makes the test runner print less, or in another form: inside an agent, on a terminal, in GitHub's actions. */
const QUIET = {
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  CLAUDECODE: undefined,
  AGENT: undefined,
  REPL_ID: undefined,
  GITHUB_ACTIONS: undefined,
};

interface Ended {
  readonly isOk: boolean;
  /** The signal or the exit code, in words. */
  readonly how: string | number;
  readonly lines: Lines;
  readonly ms: number;
}

function toResult(path: string, { isOk, how, lines, ms }: Ended): FileResult {
  const summary = summarize(lines.text);
  const isBroken = !summary.isComplete || (!isOk && summary.failed === 0);
  if (isBroken) lines.note(`ended with ${how}, and the test runner counted no failure`);
  return {
    path,
    passed: summary.passed,
    failed: summary.failed + (isBroken ? 1 : 0),
    skipped: summary.skipped,
    skippedTitles: [...lines.skipped],
    output: lines.text,
    ms,
  };
}

/** Lines of both streams as they come, whole, in one text. */
class Lines {
  text = "";
  readonly skipped: Set<string> = new Set();
  readonly #onTest: () => void;

  constructor(onTest: () => void) {
    this.#onTest = onTest;
  }

  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
    if (rest !== "") this.#take(rest);
  }

  note(line: string): void {
    this.text = `${this.text}${line}\n`.slice(-MOST_OUTPUT_CHARS);
  }

  #take(line: string): void {
    const [, what, title] = /^\((pass|fail|skip|todo)\) (.*)$/.exec(line) ?? [];
    if (what !== undefined) this.#onTest();
    // The test runner repeats them at the end of a long output.
    if ((what === "skip" || what === "todo") && title !== undefined) this.skipped.add(title);
    if (what !== "pass") this.note(line);
  }
}

const MOST_OUTPUT_CHARS = 1_000_000;
