/**
 * Another MCP server as a process: lines go in, lines come out, and it ends with everything that it started when the host
 * goes, when nobody wants it any more, or when it does what no server does: lines without end, more than anybody reads, or
 * no reading at all. Whatever it writes, memory and work here stay bounded.
 */
import { closeSync } from "node:fs";
import { Failure, limits, monotonicMs, newId } from "../base/index.ts";
import { RUN_VARIABLE } from "./child-environment.ts";
import type { CommandDeclaration } from "./declaration.ts";
import { plain } from "./describe-output.ts";
import type { UpstreamEnd } from "./launcher-protocol.ts";
import { openPipe } from "./pipes.ts";
import { PipeWriter } from "./pipe-writer.ts";
import { openDirectory, planProgram, programOf, type PlannedRun, type PlanWorld } from "./plan-run.ts";
import { readLines } from "./read-lines.ts";
import type { RunWorld } from "./run-program.ts";
import { spawnProgram, type SelfStart } from "./spawn-program.ts";
import type { Tree } from "./trees.ts";
import {
  BRIDGE_MARK,
  refusedAddress,
  type BridgeOrder,
  type UpstreamDeclaration,
  type UpstreamsConfig,
} from "./upstream-declaration.ts";

/** Both sides of a connection to a server, as the launcher has it. */
export interface UpstreamLine {
  /** A line of the server's. */
  readonly onLine: (line: string) => void;
  readonly onStarted: (fence: string) => void;
  /** What is said to it; said before it runs, it is kept. */
  readonly onSay: (listener: (text: string) => void) => void;
  readonly onCancel: (stop: () => void) => void;
}

const FLOOD_WINDOW_MS = 10_000;
const MAX_ERROR_CHARS = 4096;
const DEFAULT_CPU_SECONDS = 86_400;
const DEFAULT_PROCESSES = 128;
/** After its input has ended, for a server that ends by itself. */
const LEAVE_MS = 500;

/** Until it has ended. @throws Failure when it cannot be started */
export async function runUpstream(
  server: string,
  { servers, reach }: UpstreamsConfig,
  line: UpstreamLine,
  { plan, run, self }: { plan: PlanWorld; run: RunWorld; self: SelfStart },
): Promise<UpstreamEnd> {
  const declared = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (!declared)
    throw new Failure(
      "not_found",
      `Cannot start the MCP server "${server.slice(0, 60)}": it is not declared`,
    );
  const order = declared.url === undefined ? undefined : orderOf(server, declared, reach, plan.environment);
  const planned = order ? planBridge(declared, plan, self) : planServer(declared, plan);
  try {
    return await runPlanned(planned, order, line, run);
  } finally {
    planned.end();
  }
}

function planServer(declared: UpstreamDeclaration, world: PlanWorld): PlannedRun {
  const { command = "", args = [], cwd, roots = "none" } = declared;
  const program = programOf({ program: command, sha256: declared.sha256 }, world);
  return planProgram(
    {
      declaration: declarationOf(declared, command),
      args,
      program,
      roots:
        roots === "none"
          ? []
          : world.roots.map((root) => ({ ...root, readOnly: root.readOnly || roots === "read" })),
      openIn: cwd === undefined ? undefined : () => openDirectory(cwd, world.scopeOf(undefined)),
    },
    world,
  );
}

/** This program again, with nothing but the network: it reaches no root and no file of the user. */
function planBridge(declared: UpstreamDeclaration, world: PlanWorld, { command }: SelfStart): PlannedRun {
  const [program = "", ...args] = command;
  const { environment, inherit, timeout_ms } = declared;
  const bridge = { environment, inherit, timeout_ms, network: "internet" as const };
  const planned = planProgram(
    { declaration: declarationOf(bridge, program), args, program, roots: [] },
    world,
  );
  return { ...planned, start: { ...planned.start, mark: BRIDGE_MARK } };
}

function declarationOf(declared: UpstreamDeclaration, program: string): CommandDeclaration {
  const { cpu_seconds = DEFAULT_CPU_SECONDS, processes = DEFAULT_PROCESSES } = declared;
  return { ...declared, cpu_seconds, processes, description: "", program };
}

function orderOf(
  server: string,
  { url = "", headers = {} }: UpstreamDeclaration,
  reach: readonly string[],
  environment: Readonly<Record<string, string>>,
): BridgeOrder {
  const why = refusedAddress(url, reach);
  if (why !== undefined) throw new Failure("denied", `Cannot speak to the MCP server "${server}": ${why}`);
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+)\}/g, (_all, variable: string) => {
      const found = environment[variable];
      if (found !== undefined) return found;
      throw new Failure(
        "denied",
        `Cannot speak to the MCP server "${server}": the variable ${variable} is not set`,
      );
    }),
  ]);
  return { url, headers: Object.fromEntries(filled) as Record<string, string>, reach };
}

async function runPlanned(
  planned: PlannedRun,
  order: BridgeOrder | undefined,
  line: UpstreamLine,
  { trees, self }: RunWorld,
): Promise<UpstreamEnd> {
  const id = newId("run");
  const [input, errors] = [openPipe(), openPipe()];
  let tree: Tree | undefined;
  let stoppedBy: UpstreamEnd["stopped_by"];
  const stop = (by: UpstreamEnd["stopped_by"], graceMs: number): void => {
    stoppedBy ??= by;
    if (tree) void trees.end(tree, graceMs);
  };
  const writer = new PipeWriter(input.write, () => stop("not_reading", 0));
  if (order) writer.write(`${JSON.stringify(order)}\n`);
  line.onSay((text) => writer.write(`${text}\n`));
  const start = {
    ...planned.start,
    environment: { ...planned.start.environment, [RUN_VARIABLE]: id },
    streams: { input: input.read, errors: errors.write },
  };
  try {
    const program = await spawnProgram(start, self, (pid) => (tree = trees.add(id, pid))).finally(() => {
      for (const fd of [input.read, errors.write]) closeSync(fd);
    });
    line.onStarted(planned.fence);
    line.onCancel(() => {
      // The end of its input is how a server is told to go.
      writer.close();
      stoppedBy ??= "cancelled";
      setTimeout(() => stop("cancelled", limits.STOP_GRACE_MS), LEAVE_MS);
    });
    const guard = createGuard(line.onLine, () => stop("flood", 0));
    const output = readLines(program.output, guard, limits.MAX_UPSTREAM_LINE_BYTES);
    const said = new Tail(errors.read);
    let hasExited = false;
    void output.ended
      .catch(() => undefined)
      .then(async () => await Bun.sleep(LEAVE_MS))
      .then(() => (hasExited ? undefined : stop("long_line", LEAVE_MS)));
    const { code, signal } = await program.exited;
    hasExited = true;
    if (tree) {
      tree.hasEnded = true;
      await trees.end(tree, 0);
      trees.remove(tree);
    }
    await output.stop();
    closeSync(program.output);
    return {
      exit_code: code,
      signal,
      ...(stoppedBy === undefined ? {} : { stopped_by: stoppedBy }),
      errors: await said.end(),
    };
  } catch (thrown) {
    if (tree) {
      tree.hasEnded = true;
      trees.remove(tree);
    }
    closeSync(errors.read);
    throw thrown;
  } finally {
    writer.close();
  }
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
  readonly #fd: number;
  readonly #reader;
  readonly #read: Promise<void>;

  constructor(fd: number) {
    this.#fd = fd;
    this.#reader = Bun.file(fd).stream().getReader();
    this.#read = this.#readAll();
  }

  async end(): Promise<string> {
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
