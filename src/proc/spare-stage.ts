/**
 * One keeper that is started before there is a command for it, so that the next command need not wait for its start. It
 * stands outside of every fence, as the launcher does, until it is told on a pipe of its own what to become; the other end
 * of that pipe only the launcher has.
 *
 * Invariant: whatever is wrong with it, the command is started the direct way. It belongs to no command until it is taken, is
 * there only after a first one, and goes when there is none for a while: it takes about 30 MB.
 */
import { closeSync, writeSync } from "node:fs";
import { SPARE_MARK, type SparePlan } from "../fence/index.ts";
import { neverWait, openPipe, type Pipe } from "../sys/index.ts";
import { lookAt } from "./process-table.ts";
import type { Trees } from "./trees.ts";

/** How this program starts itself, and the variable that tells it what to be. */
export interface SelfStart {
  readonly command: readonly string[];
  readonly markName: string;
}

/** A stage that has been told what to become. Whoever gets it closes all three. */
export interface TakenStage {
  readonly child: Bun.Subprocess;
  /** Its reading end; of both its streams. */
  readonly output: number;
  /** `pipe:[123]` */
  readonly pipe: string | undefined;
  /** The reading end of what the keeper says. */
  readonly status: number;
  /** The writing end of what it ends without. */
  readonly control: number;
}

interface Waiting {
  readonly child: Bun.Subprocess;
  readonly output: Pipe;
  readonly status: Pipe;
  readonly control: Pipe;
}

/** The answer to the command before goes out first. */
const START_AFTER_MS = 2;
const IDLE_MS = 30_000;
/** What a pipe takes at once when it is as large as usual; a longer plan goes the direct way. */
const MAX_PLAN_BYTES: number = 60 * 1024;

export class SpareStage {
  readonly #self: SelfStart;
  readonly #trees: Pick<Trees, "keepApart" | "forget">;
  readonly #idleMs: number;
  #waiting: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(self: SelfStart, trees: Pick<Trees, "keepApart" | "forget">, idleMs: number = IDLE_MS) {
    this.#self = self;
    this.#trees = trees;
    this.#idleMs = idleMs;
  }

  /** Nothing is started any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A command has ended: there may be another one soon. */
  prepare(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#end(), this.#idleMs);
      this.#start();
    }, START_AFTER_MS);
  }

  /** `undefined`: there is none, or it is of no use. */
  take(plan: SparePlan): TakenStage | undefined {
    const waiting = this.#waiting;
    if (!waiting) return undefined;
    const line = Buffer.from(`${JSON.stringify(plan)}\n`, "utf8");
    if (line.length > MAX_PLAN_BYTES) return undefined;
    if (!isWaiting(waiting.child) || !tell(waiting.control.write, line)) {
      this.#end();
      return undefined;
    }
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    const { child, output, status, control } = waiting;
    return { child, output: output.read, pipe: output.name, status: status.read, control: control.write };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#end();
  }

  #start(): void {
    if (this.#waiting) return;
    const pipes: Pipe[] = [];
    const open = (): Pipe => {
      const pipe = openPipe();
      pipes.push(pipe);
      return pipe;
    };
    try {
      const [output, status, control] = [open(), open(), open()];
      neverWait(control.write);
      const child = Bun.spawn([...this.#self.command], {
        cwd: "/",
        env: { [this.#self.markName]: SPARE_MARK },
        stdio: ["ignore", output.write, output.write, status.write, control.read],
        detached: true,
      });
      this.#trees.keepApart(child.pid);
      this.#waiting = { child, output, status, control };
      void this.#follow(child);
      for (const fd of [output.write, status.write, control.read]) closeSync(fd);
    } catch {
      // There are no descriptors or processes left: a command says so when it needs them.
      for (const { read, write } of pipes) for (const fd of [read, write]) closeSync(fd);
    }
  }

  async #follow(child: Bun.Subprocess): Promise<void> {
    await child.exited;
    this.#trees.forget(child.pid);
    if (this.#waiting?.child === child) this.#end();
  }

  #end(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    waiting.child.kill("SIGKILL");
    for (const fd of [waiting.control.write, waiting.output.read, waiting.status.read]) closeSync(fd);
  }
}

/** Not ended, nor stopped by somebody. */
function isWaiting({ pid }: Bun.Subprocess): boolean {
  return /^[RSD]$/.test(lookAt(pid)?.state ?? "");
}

/** All of it at once, or it is as good as nothing. */
function tell(fd: number, line: Buffer): boolean {
  try {
    return writeSync(fd, line, 0, line.length) === line.length;
  } catch {
    return false;
  }
}
