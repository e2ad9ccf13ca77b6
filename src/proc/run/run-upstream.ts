/**
 * Another MCP server, the helper of a power, or the program of a pack, as a process: lines go in, lines come out, and it ends with everything
 * that it started when the host goes, when nobody wants it any more, or when it does what no server does: lines without
 * end, more than anybody reads, or no reading at all. Whatever it writes, memory and work here stay bounded.
 */
import { closeSync } from "node:fs";
import { limits, monotonicMs, newId } from "../../base/index.ts";
import { neverWait, openPipe, widen } from "../../sys/index.ts";
import type { UpstreamEnd } from "../launcher-protocol.ts";
import type { PlannedRun } from "../plan/plan-program.ts";
import { lookAt } from "../tree/processes.ts";
import type { Tree } from "../tree/trees.ts";
import { within } from "../tree/turns.ts";
import { readLines, TextWriter } from "./lines.ts";
import { drainPipe } from "./drain-pipe.ts";
import { plain } from "./output-collector.ts";
import type { RunWorld } from "./run-program.ts";
import { spawnProgram, type OnKeeper, type StartedProgram } from "./spawn-program.ts";

/** Both sides of a connection to a server, as the launcher has it. */
export interface UpstreamLine {
  /** A line of the server's. */
  readonly onLine: (line: string) => void;
  readonly onStarted: (fence: string) => void;
  /** What is said to it; said before it runs, it is kept. */
  readonly onSay: (listener: (text: string) => void) => void;
  readonly onCancel: (stop: () => void) => void;
}

const CHECK_MS = 250;
/** What a line has beside an answer of that size. */
const ENVELOPE_BYTES = 1024;
const FLOOD_WINDOW_MS = 10_000;
const MAX_ERROR_CHARS = 4096;
/** A server that takes nothing at all for so long does not read. */
const MAX_STUCK_MS = 60_000;
/** After its input has ended, for a server that ends by itself. */
const LEAVE_MS = 500;

/** Until it has ended. @throws Failure when it cannot be started */
export async function runConnected(
  { planned, order }: { readonly planned: PlannedRun; readonly order?: object | undefined },
  line: UpstreamLine,
  world: RunWorld,
): Promise<UpstreamEnd> {
  try {
    return await runPlanned(planned, order, line, world);
  } finally {
    planned.end();
  }
}

/** What is known of it while it runs. */
interface Running {
  readonly trees: RunWorld["trees"];
  readonly writer: TextWriter;
  tree: Tree | undefined;
  stoppedBy: UpstreamEnd["stopped_by"];
  hasExited: boolean;
}

async function runPlanned(
  planned: PlannedRun,
  order: object | undefined,
  line: UpstreamLine,
  { trees, self }: RunWorld,
): Promise<UpstreamEnd> {
  const id = newId("run");
  const [input, output, errors] = [openPipe(), openPipe(), openPipe()];
  for (const { read } of [input, output]) widen(read);
  neverWait(input.write);
  const onStuck = (): void => stop(running, "not_reading", 0);
  const writer = new TextWriter(input.write, {
    maxBytes: limits.MAX_UPSTREAM_QUEUE_BYTES,
    maxMs: MAX_STUCK_MS,
    onStuck,
  });
  const tree = trees.add(id);
  const running: Running = { trees, writer, tree, stoppedBy: undefined, hasExited: false };
  if (order) writer.write(`${JSON.stringify(order)}\n`);
  const { messageEnd = "\n", isCall } = planned;
  const guard = new FloodGuard(line.onLine, () => stop(running, "flood", 0));
  line.onSay((text) => {
    if (isCall?.(text)) guard.expectAnswer();
    writer.write(text + messageEnd);
  });
  const start = { ...planned.start, group: tree.group?.folder };
  const streams = { input: input.read, output: output.write, errors: errors.write };
  const said = keepLastWords(errors.read);
  let lastWords = "";
  let end: Omit<UpstreamEnd, "errors">;
  try {
    const onKeeper: OnKeeper = (keeper, followed) => trees.keep(tree, keeper, followed);
    const program = await spawnProgram(start, self, onKeeper, streams).finally(() => {
      for (const fd of Object.values(streams)) closeSync(fd);
    });
    line.onStarted(planned.fence);
    line.onCancel(() => leave(running));
    end = await watchUntilEnd(running, program, output.read, guard, planned);
  } finally {
    writer.close();
    lastWords = await said.end();
    await forget(running);
    closeSync(output.read);
  }
  return { ...end, errors: lastWords };
}

async function watchUntilEnd(
  running: Running,
  program: StartedProgram,
  fd: number,
  guard: FloodGuard,
  { maxProcesses, maxMemoryBytes = Infinity, messageEnd = "\n" }: PlannedRun,
): Promise<Omit<UpstreamEnd, "errors">> {
  const onLine = (line: string): void => guard.take(line);
  const output = readLines(fd, onLine, limits.MAX_UPSTREAM_LINE_BYTES + ENVELOPE_BYTES, messageEnd.charCodeAt(0));
  void endWithoutOutput(running, output.ended);
  const check = setInterval(() => {
    const members = running.tree ? running.trees.members(running.tree) : [];
    if (members.length > maxProcesses) stop(running, "flood", 0);
    if (Number.isFinite(maxMemoryBytes) && memoryOf(members) > maxMemoryBytes) stop(running, "memory", 0);
  }, CHECK_MS);
  const { code, signal } = await program.exited;
  running.hasExited = true;
  clearInterval(check);
  await forget(running);
  await output.stop();
  const { stoppedBy } = running;
  return { exit_code: code, signal, ...(stoppedBy === undefined ? {} : { stopped_by: stoppedBy }) };
}

/** What several of them share counts once for each. */
function memoryOf(members: readonly number[]): number {
  return members.reduce((sum, pid) => sum + (lookAt(pid)?.memory_bytes ?? 0), 0);
}

function stop(running: Running, by: UpstreamEnd["stopped_by"], graceMs: number): void {
  running.stoppedBy ??= by;
  if (running.tree) void running.trees.end(running.tree, graceMs);
}

/** The end of its input is how a server is told to go. */
function leave(running: Running): void {
  running.writer.close();
  running.stoppedBy ??= "cancelled";
  setTimeout(() => stop(running, "cancelled", limits.STOP_GRACE_MS), LEAVE_MS);
}

/** Nobody hears it any more: it has closed its output, or written a line that is too long. */
async function endWithoutOutput(running: Running, ended: Promise<void>): Promise<void> {
  await ended.catch(() => undefined);
  await Bun.sleep(LEAVE_MS);
  if (!running.hasExited) stop(running, "long_line", LEAVE_MS);
}

/** With everything that it left. */
async function forget(running: Running): Promise<void> {
  const { tree, trees } = running;
  if (!tree) return;
  running.tree = undefined;
  await trees.end(tree, 0);
  trees.remove(tree);
}

/**
 * Lines that can be messages go on, as long as there are not more than anybody reads. An answer to each call comes beside that: how
 * many calls there are is the host's own doing, and every line has its own bound.
 */
export class FloodGuard {
  readonly #onLine: (line: string) => void;
  readonly #onFlood: () => void;
  #since: number = monotonicMs();
  #lines = 0;
  #chars = 0;
  /** Calls without a line so far that could be the answer. */
  #expected = 0;
  #isOver = false;

  /** @param onLine gets each line that can be a message, until there are too many */
  constructor(onLine: (line: string) => void, onFlood: () => void) {
    this.#onLine = onLine;
    this.#onFlood = onFlood;
  }

  /** The process was called, and owes a line for that. */
  expectAnswer(): void {
    this.#expected++;
  }

  take(line: string): void {
    if (this.#isOver) return;
    if (!this.#isAnswer(line)) this.#count(line);
    if (this.#lines > limits.MAX_UPSTREAM_LINES || this.#chars > limits.MAX_UPSTREAM_CHARS) {
      this.#isOver = true;
      this.#onFlood();
    } else if (line.trimStart().startsWith("{")) this.#onLine(line);
  }

  /** Before each answer of a helper there is an empty line. */
  #isAnswer(line: string): boolean {
    if (line === "" || this.#expected === 0) return false;
    this.#expected--;
    return true;
  }

  #count(line: string): void {
    const now = monotonicMs();
    if (now - this.#since > FLOOD_WINDOW_MS) [this.#since, this.#lines, this.#chars] = [now, 0, 0];
    if (line !== "") this.#lines++;
    this.#chars += line.length + 1;
  }
}

/** The last words on standard error. */
function keepLastWords(fd: number): { readonly end: () => Promise<string> } {
  let text = "";
  const drain = drainPipe(fd, (bytes) => {
    const last = Buffer.from(bytes).subarray(-MAX_ERROR_CHARS).toString("utf8");
    text = (text + last).slice(-MAX_ERROR_CHARS);
  });
  return {
    async end() {
      if (!(await within(drain.ended, LEAVE_MS))) await drain.giveUp();
      drain.close();
      return plain(text).trim();
    },
  };
}
