/**
 * Another MCP server, or the helper of a power, as a process: lines go in, lines come out, and it ends with everything that it started when the host
 * goes, when nobody wants it any more, or when it does what no server does: lines without end, more than anybody reads, or
 * no reading at all. Whatever it writes, memory and work here stay bounded.
 */
import { closeSync, writeSync } from "node:fs";
import { limits, monotonicMs, newId } from "../../base/index.ts";
import { neverWait, openPipe, widen } from "../../sys/index.ts";
import type { RelayOrder } from "../declaration.ts";
import type { UpstreamEnd } from "../launcher-protocol.ts";
import type { PlannedRun } from "../plan/plan-program.ts";
import type { Tree } from "../tree/trees.ts";
import { plain } from "./describe-output.ts";
import { readLines } from "./lines.ts";
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
const FLOOD_WINDOW_MS = 10_000;
const MAX_ERROR_CHARS = 4096;
/** After its input has ended, for a server that ends by itself. */
const LEAVE_MS = 500;

/** Until it has ended. @throws Failure when it cannot be started */
export async function runConnected(
  { planned, order }: { readonly planned: PlannedRun; readonly order?: RelayOrder | undefined },
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
  readonly writer: PipeWriter;
  tree: Tree | undefined;
  stoppedBy: UpstreamEnd["stopped_by"];
  hasExited: boolean;
}

async function runPlanned(
  planned: PlannedRun,
  order: RelayOrder | undefined,
  line: UpstreamLine,
  { trees, self }: RunWorld,
): Promise<UpstreamEnd> {
  const id = newId("run");
  const [input, output, errors] = [openPipe(), openPipe(), openPipe()];
  for (const { read } of [input, output, errors]) widen(read);
  const writer = new PipeWriter(input.write, () => stop(running, "not_reading", 0));
  const tree = trees.add(id);
  const running: Running = { trees, writer, tree, stoppedBy: undefined, hasExited: false };
  if (order) writer.write(`${JSON.stringify(order)}\n`);
  line.onSay((text) => writer.write(`${text}\n`));
  const start = { ...planned.start, group: tree.group?.folder };
  const streams = { input: input.read, output: output.write, errors: errors.write };
  const said = new Tail(errors.read);
  try {
    const onKeeper: OnKeeper = (keeper, followed) => trees.keep(tree, keeper, followed);
    const program = await spawnProgram(start, self, onKeeper, streams).finally(() => {
      for (const fd of Object.values(streams)) closeSync(fd);
    });
    line.onStarted(planned.fence);
    line.onCancel(() => leave(running));
    const end = await watchUntilEnd(running, program, output.read, line, planned.maxProcesses);
    return { ...end, errors: await said.end() };
  } finally {
    writer.close();
    await said.end();
    await forget(running);
    closeSync(output.read);
  }
}

async function watchUntilEnd(
  running: Running,
  program: StartedProgram,
  fd: number,
  { onLine }: UpstreamLine,
  maxProcesses: number,
): Promise<Omit<UpstreamEnd, "errors">> {
  const guard = createGuard(onLine, () => stop(running, "flood", 0));
  const output = readLines(fd, guard, limits.MAX_UPSTREAM_LINE_BYTES);
  void endWithoutOutput(running, output.ended);
  const check = setInterval(() => {
    if (running.tree && running.trees.members(running.tree).length > maxProcesses) stop(running, "flood", 0);
  }, CHECK_MS);
  const { code, signal } = await program.exited;
  running.hasExited = true;
  clearInterval(check);
  await forget(running);
  await output.stop();
  const { stoppedBy } = running;
  return { exit_code: code, signal, ...(stoppedBy === undefined ? {} : { stopped_by: stoppedBy }) };
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

/** Lines that can be messages go on, as long as there are not more than anybody would send. */
function createGuard(onLine: (line: string) => void, onFlood: () => void): (line: string) => void {
  let since = monotonicMs();
  let [lines, chars] = [0, 0];
  let isOver = false;
  return (line) => {
    const now = monotonicMs();
    if (now - since > FLOOD_WINDOW_MS) [since, lines, chars] = [now, 0, 0];
    lines++;
    chars += line.length;
    if (isOver) return;
    if (lines > limits.MAX_UPSTREAM_LINES || chars > limits.MAX_UPSTREAM_CHARS) {
      isOver = true;
      onFlood();
    } else if (line.trimStart().startsWith("{")) onLine(line);
  };
}

/** The last words on standard error. */
class Tail {
  #text = "";
  #isClosed = false;
  readonly #fd: number;
  readonly #reader;
  readonly #read: Promise<void>;

  constructor(fd: number) {
    this.#fd = fd;
    this.#reader = Bun.file(fd).stream().getReader();
    this.#read = this.#readAll();
  }

  async end(): Promise<string> {
    if (this.#isClosed) return "";
    this.#isClosed = true;
    await Promise.race([this.#read, Bun.sleep(LEAVE_MS)]);
    await this.#reader.cancel();
    closeSync(this.#fd);
    return plain(this.#text).trim();
  }

  async #readAll(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return;
        const last = Buffer.from(value).subarray(-MAX_ERROR_CHARS).toString("utf8");
        this.#text = (this.#text + last).slice(-MAX_ERROR_CHARS);
      }
    } catch {
      // As good as its end.
    }
  }
}

const FIRST_AGAIN_MS = 1;
const LAST_AGAIN_MS = 50;
/** So long nothing at all was taken. */
const MAX_STUCK_MS = 60_000;

/**
 * Text into a program's standard input without ever waiting for it: what it does not take is kept up to a limit, and tried
 * again. A program that does not read is found out and given up.
 */
class PipeWriter {
  readonly #fd: number;
  readonly #onStuck: () => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #lastTaken = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param fd closed by `close` */
  constructor(fd: number, onStuck: () => void) {
    this.#fd = fd;
    this.#onStuck = onStuck;
    neverWait(fd);
  }

  write(text: string): void {
    if (this.#isClosed) return;
    const bytes = Buffer.from(text, "utf8");
    if (this.#waiting.length === 0) this.#lastTaken = monotonicMs();
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > limits.MAX_UPSTREAM_QUEUE_BYTES) this.#giveUp();
    else if (!this.#timer) this.#flush(FIRST_AGAIN_MS);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    closeSync(this.#fd);
  }

  #flush(againMs: number): void {
    this.#timer = undefined;
    const before = this.#bytes;
    try {
      for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
        const taken = writeSync(this.#fd, first);
        this.#bytes -= taken;
        if (taken === first.length) this.#waiting.shift();
        else this.#waiting[0] = first.subarray(taken);
      }
      return;
    } catch (thrown) {
      // Whoever reads it has ended, and that is told elsewhere.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return this.close();
    }
    const now = monotonicMs();
    if (this.#bytes < before) this.#lastTaken = now;
    if (now - this.#lastTaken > MAX_STUCK_MS) return this.#giveUp();
    const wait = this.#bytes < before ? FIRST_AGAIN_MS : Math.min(againMs * 2, LAST_AGAIN_MS);
    this.#timer = setTimeout(() => this.#flush(wait), wait);
  }

  #giveUp(): void {
    this.close();
    this.#onStuck();
  }
}
