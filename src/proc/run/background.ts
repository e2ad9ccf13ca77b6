/**
 * Programs that run beside the calls: started, looked at by their output since a place, waited for, ended. A limited
 * number of them, and none outlives the launcher. What has ended is kept for a while, so that its last words can be read.
 */
import { Failure, isoTime, limits, monotonicMs, nowMs } from "../../base/index.ts";
import { SpillStore } from "../../state/index.ts";
import type { LauncherCalls, NamedProcess, OutputQuery, ReadyWhen } from "../launcher-protocol.ts";
import type { ProcessAnswer, ProcessState } from "../run-answers.ts";
import type { PlannedRun } from "../plan/plan-program.ts";
import { lineTest, type OutputLineTest } from "./line-test.ts";
import { lookAt } from "../tree/processes.ts";
import { plain, type CollectedOutput } from "./output-collector.ts";
import { shownCommand } from "./shown-command.ts";
import { startRun, type Run, type RunEnd, type RunOptions, type RunWorld } from "./run-program.ts";

interface Process {
  readonly run: Run;
  readonly command: string;
  readonly cwd: string;
  readonly fence: string;
  end: RunEnd | undefined;
  /** Where the last answer ended. */
  seen: number;
}

type StopAsk = LauncherCalls["stop"]["ask"];

const POLL_MS = 50;
const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 600_000;
const MAX_OUTPUT_BYTES: number = 256 * 1024;
const MAX_KEPT = 32;

export class Background {
  readonly #processes = new Map<string, Process>();
  readonly #world: RunWorld;
  readonly #stateDir: string;
  #starting = 0;

  constructor(world: RunWorld, stateDir: string) {
    this.#world = world;
    this.#stateDir = stateDir;
  }

  /** @throws Failure `busy` when there are enough of them */
  async start(planned: PlannedRun, request: LauncherCalls["start"]["ask"]): Promise<ProcessAnswer> {
    const { ready_when: ready } = request;
    try {
      const { start, maxProcesses, maxBackground = limits.MAX_PROCESSES, cwd, fence } = planned;
      const hasLine = ready?.pattern === undefined ? undefined : lineTest(ready.pattern);
      const run = await this.#startInRoom({ start, maxProcesses }, maxBackground);
      const command = shownCommand(request, start);
      const entry: Process = { run, command, cwd, fence, end: undefined, seen: 0 };
      this.#processes.set(run.id, entry);
      void noteEnd(entry, planned);
      const found = ready
        ? await waitUntilReady(entry, ready, this.#readyFinder(entry, ready.text, hasLine))
        : undefined;
      return this.#answer(entry, 0, this.#world.shownBytes, found);
    } catch (thrown) {
      planned.end();
      throw thrown;
    }
  }

  /** @throws Failure `not_found` */
  async output({ offset, max_bytes, wait_for, wait_ms, match, ...named }: OutputQuery): Promise<ProcessAnswer> {
    const hasLine = match === undefined ? undefined : lineTest(match);
    const entry = this.#find(named);
    // From beyond the end it goes on there: what comes later would be passed over.
    const from = Math.min(offset ?? entry.seen, entry.run.output.total);
    const most = Math.min(max_bytes ?? this.#world.shownBytes, MAX_OUTPUT_BYTES);
    let found: boolean | undefined;
    if (wait_for !== undefined || wait_ms !== undefined) {
      const isThere =
        wait_for === undefined ? () => entry.run.output.total > from : this.#finder(entry, from, wait_for);
      const came = await waitFor(isThere, wait_ms ?? DEFAULT_WAIT_MS, entry);
      found = wait_for === undefined ? undefined : came;
    }
    const answer = this.#answer(entry, from, most, found);
    return hasLine ? this.#onlyLines(entry, answer, hasLine) : answer;
  }

  /** A last line that may go on is left for the next look. */
  #onlyLines(entry: Process, answer: ProcessAnswer, hasLine: OutputLineTest): ProcessAnswer {
    const { status, total_bytes: total, offset, next_offset: next, stdout: _, stderr: __, ...same } = answer;
    const bytes = this.#bytesFrom(entry, offset, next - offset);
    const whole = status === "running" && next >= total ? bytes.subarray(0, bytes.lastIndexOf("\n") + 1) : bytes;
    entry.seen = offset + whole.length;
    const lines = plain(whole.toString("utf8")).replace(/\n$/, "").split("\n");
    const text = lines.filter(hasLine).join("\n");
    const held = bytes.length - whole.length;
    const said = { ...same, status, total_bytes: total, offset, text, next_offset: entry.seen };
    return held === 0 ? said : { ...said, held_bytes: held };
  }

  /** A line is looked for in the beginning of the output only, as far as an answer shows it. */
  #readyFinder(entry: Process, text: string | undefined, hasLine: OutputLineTest | undefined): () => boolean {
    const hasText = this.#finder(entry, 0, text);
    let looked = -1;
    let isThere = hasLine === undefined;
    return () => {
      const bytes = isThere ? undefined : this.#bytesFrom(entry, 0, this.#world.shownBytes);
      if (hasLine && bytes && bytes.length > looked) {
        looked = bytes.length;
        isThere = plain(bytes.toString("utf8")).split("\n").some(hasLine);
      }
      return isThere && hasText();
    };
  }

  /** All of them, or the one that is named. @throws Failure `not_found` */
  list(named: NamedProcess): ProcessState[] {
    const isNamed = named.id !== undefined || named.pid !== undefined;
    return (isNamed ? [this.#find(named)] : [...this.#processes.values()]).map(stateOf);
  }

  /** @throws Failure `not_found` */
  async stop({ signal = "SIGTERM", grace_ms = limits.STOP_GRACE_MS, ...named }: StopAsk): Promise<ProcessAnswer> {
    const entry = this.#find(named);
    if (signal === "SIGKILL") entry.run.stop("stopped", 0);
    else entry.run.stop("stopped", Math.min(grace_ms, MAX_WAIT_MS), signal);
    entry.end = await entry.run.ended;
    return this.#answer(entry, entry.seen, this.#world.shownBytes, undefined);
  }

  async #startInRoom(options: RunOptions, most: number): Promise<Run> {
    this.#makeRoom(most);
    this.#starting++;
    try {
      return await startRun(options, this.#world);
    } finally {
      this.#starting--;
    }
  }

  #makeRoom(most: number): void {
    const all = [...this.#processes.values()];
    const running = all.filter(({ end }) => !end);
    if (running.length + this.#starting >= most)
      throw new Failure(
        "busy",
        `Cannot start it: ${most} ${most === 1 ? "program runs" : "programs run"} in the background`,
        {
          hint: "Stop one that is not needed: process_list names them.",
        },
      );
    const ended = all.filter(({ end }) => end);
    for (const { run } of ended.slice(0, Math.max(0, all.length - MAX_KEPT))) this.#processes.delete(run.id);
  }

  /** By a number the one that was started last: the kernel gives the number of what has ended to somebody else. */
  #find({ id, pid }: NamedProcess): Process {
    const found = id === undefined ? this.#byNumber(pid) : this.#processes.get(id);
    if (found && (pid === undefined || found.run.pid === pid)) return found;
    throw new Failure("not_found", `Cannot find the process "${(id ?? String(pid)).slice(0, 60)}"`, {
      hint: "process_list names those that there are.",
      candidates: [...this.#processes.keys()],
    });
  }

  #byNumber(pid: number | undefined): Process | undefined {
    return [...this.#processes.values()].findLast(({ run }) => run.pid === pid);
  }

  #answer(entry: Process, offset: number, most: number, found: boolean | undefined): ProcessAnswer {
    const bytes = this.#bytesFrom(entry, offset, most);
    entry.seen = offset + bytes.length;
    const { runs } = entry.run.output;
    const apart = this.#world.apart ? runs.split(offset, bytes) : undefined;
    return {
      ...stateOf(entry),
      text: plain(bytes.toString("utf8")),
      ...(apart && { stdout: plain(apart.stdout.toString("utf8")), stderr: plain(apart.stderr.toString("utf8")) }),
      offset,
      next_offset: entry.seen,
      fence: entry.fence,
      ...(found === undefined ? {} : { found }),
    };
  }

  /** Tells whether the text has come, behind any amount of other output. What was searched once is not searched again. */
  #finder(entry: Process, from: number, wanted = ""): () => boolean {
    const overlap = Math.max(0, Buffer.byteLength(wanted) - 1);
    let searched = from;
    return () => {
      for (;;) {
        const bytes = this.#bytesFrom(entry, searched, MAX_OUTPUT_BYTES);
        if (bytes.includes(wanted)) return true;
        searched += Math.max(0, bytes.length - overlap);
        if (bytes.length < MAX_OUTPUT_BYTES || bytes.length <= overlap) return false;
      }
    };
  }

  #bytesFrom({ run, end }: Process, offset: number, most: number): Buffer {
    const collected: CollectedOutput = end?.output ?? run.output.show();
    if (!collected.spill) return Buffer.concat([collected.head, collected.tail]).subarray(offset, offset + most);
    const { bytes } = new SpillStore(this.#stateDir).read(collected.spill.id, offset, most);
    return Buffer.from(bytes);
  }
}

async function noteEnd(entry: Process, planned: PlannedRun): Promise<void> {
  entry.end = await entry.run.ended;
  planned.end();
}

function stateOf({ run, command, cwd, end }: Process): ProcessState {
  const members = end ? [] : run.members().flatMap((pid) => lookAt(pid) ?? []);
  return {
    id: run.id,
    pid: run.pid,
    command,
    cwd,
    status: end ? "ended" : "running",
    started: isoTime(run.started),
    duration_ms: end?.duration_ms ?? Math.round(nowMs() - run.started),
    ...(end ? { exit_code: end.exit_code, signal: end.signal } : {}),
    ...(end?.stopped_by ? { stopped_by: end.stopped_by } : {}),
    total_bytes: end?.output.total_bytes ?? run.output.total,
    processes: members.length,
    cpu_ms: members.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0),
    memory_bytes: members.reduce((sum, { memory_bytes }) => sum + memory_bytes, 0),
  };
}

async function waitUntilReady(entry: Process, ready: ReadyWhen, hasText: () => boolean): Promise<boolean> {
  const { port, timeout_ms } = ready;
  let isOpen = port === undefined;
  const isReady = (): boolean => {
    if (!isOpen && port !== undefined) void acceptsConnections(port).then((open) => (isOpen ||= open));
    return isOpen && hasText();
  };
  return await waitFor(isReady, timeout_ms ?? DEFAULT_WAIT_MS, entry);
}

/** Until it is so, the time is over, or nothing more can come. */
async function waitFor(isThere: () => boolean, ms: number, entry: Process): Promise<boolean> {
  const until = monotonicMs() + Math.min(ms, MAX_WAIT_MS);
  for (;;) {
    const isOver = entry.end !== undefined || monotonicMs() >= until;
    if (isThere()) return true;
    if (isOver) return false;
    await Bun.sleep(POLL_MS);
  }
}

async function acceptsConnections(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
