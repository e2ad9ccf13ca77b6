/**
 * What the launcher does with commands, by the action that is asked for. One of these lives as long as the launcher.
 */
import { Failure, limits } from "../base/index.ts";
import { SpillStore, sweepRunFolders } from "../state/index.ts";
import { Background } from "./background.ts";
import { describeOutput } from "./describe-output.ts";
import { findProgram, trustOutside } from "./find-program.ts";
import type {
  CommandsConfig,
  CommandsView,
  LauncherConfig,
  LaunchRequest,
  RunAnswer,
  RunDescription,
  RunRequest,
  UpstreamEnd,
} from "./launcher-protocol.ts";
import { planRun, type PlannedRun, type PlanWorld } from "./plan-run.ts";
import { startRun, type Run, type RunWorld } from "./run-program.ts";
import { runUpstream, type UpstreamLine } from "./run-upstream.ts";
import { compareSnapshots, takeSnapshot } from "./track-changes.ts";
import { Trees } from "./trees.ts";
import type { UpstreamsConfig } from "./upstream-declaration.ts";

/** How a request is told what happens to it before its end. */
export interface Following {
  readonly onProgress: (bytes: number) => void;
  /** Calls the function when the request is cancelled, or at once when it was. */
  readonly onCancel: (stop: () => void) => void;
  readonly isCancelled: () => boolean;
  readonly upstream: Omit<UpstreamLine, "onCancel">;
}

const PROGRESS_MS = 250;

export class Commands {
  readonly #plan: PlanWorld;
  readonly #world: RunWorld;
  readonly #background: Background;
  readonly #skip: readonly string[];
  readonly #trees: Trees;
  readonly #upstream: UpstreamsConfig;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    { roots, hidden }: LauncherConfig,
    config: CommandsConfig,
    scopeOf: PlanWorld["scopeOf"],
    environment: Readonly<Record<string, string>>,
  ) {
    const { declarations, shell, fence, stateDir, self } = config;
    const writable = [...roots.filter(({ readOnly }) => !readOnly).map(({ path }) => path), ...hidden];
    const trust = trustOutside(environment["PATH"] ?? "", writable);
    this.#plan = { scopeOf, roots, declarations, shell, fence, stateDir, trust, environment };
    this.#trees = new Trees();
    this.#world = { trees: this.#trees, self, openSpill: () => new SpillStore(stateDir).open() };
    this.#background = new Background(this.#world, stateDir);
    this.#skip = config.skip;
    this.#upstream = config.upstream ?? { servers: {}, reach: [] };
    sweepRunFolders(stateDir);
  }

  /** @throws Failure */
  async answer(request: LaunchRequest, following: Following): Promise<unknown> {
    switch (request.action) {
      case "commands":
        return this.#view();
      case "describe":
        return this.#describe(request.ask);
      case "run":
        return await this.#inTurn(async () => await this.#run(request.ask, following));
      case "start":
        return await this.#background.start(planRun(request.ask, this.#plan), request.ask.ready_when);
      case "output":
        return await this.#background.output(request.ask);
      case "list":
        return { processes: this.#background.list() };
      case "stop":
        return await this.#background.stop(request.ask.id, request.ask.grace_ms);
      case "connect":
        return await this.#connect(request.ask.server, following);
      case "open":
      case "reveal":
        throw new Failure("invalid_input", "Cannot launch: the request has not the right form");
    }
  }

  /** The host is gone: everything ends with it. */
  async end(): Promise<void> {
    await this.#trees.endAll();
  }

  async #connect(server: string, { upstream, onCancel }: Following): Promise<UpstreamEnd> {
    const world = { plan: this.#plan, run: this.#world };
    return await runUpstream(server, this.#upstream, { ...upstream, onCancel }, world);
  }

  #view(): CommandsView {
    const { declarations, trust } = this.#plan;
    const programs = Object.entries(declarations).map(
      ([name, { program }]) => [name, findProgram(program, trust)] as const,
    );
    return { programs: Object.fromEntries(programs) };
  }

  #describe(ask: RunRequest): RunDescription {
    const planned = planRun(ask, this.#plan);
    planned.end();
    const { program, args } = planned.start;
    return { program, args, cwd: planned.cwd, fence: planned.fence, timeout_ms: planned.timeoutMs };
  }

  async #run(ask: RunRequest, following: Following): Promise<RunAnswer> {
    // It may have waited for its turn longer than its caller for it.
    if (following.isCancelled())
      throw new Failure("cancelled", "Cannot run the command: the caller cancelled it");
    const planned = planRun(ask, this.#plan);
    try {
      const roots = this.#writableRoots();
      const before = planned.changes ? await takeSnapshot(roots, this.#skip) : undefined;
      const run = await startRun(planned, this.#world);
      following.onCancel(() => run.stop("cancelled"));
      const { output, ...end } = await withProgress(run, following);
      const after = before && (await takeSnapshot(roots, this.#skip));
      const [first = ""] = roots;
      const files = before && after ? compareSnapshots(before, after, first) : "untracked";
      return {
        ...end,
        output: describeOutput(output),
        ...about(planned),
        ...(planned.changes ? { files } : {}),
      };
    } finally {
      planned.end();
    }
  }

  /** Without those that lie in another one. */
  #writableRoots(): string[] {
    const { roots } = this.#plan;
    const writable = roots.filter(({ readOnly }) => !readOnly).map(({ path }) => path);
    return writable.filter(
      (path) => !writable.some((other) => other !== path && path.startsWith(`${other}/`)),
    );
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= limits.MAX_RUNNING_COMMANDS)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

function about({ fence, cwd }: PlannedRun): { fence: string; cwd: string } {
  return { fence, cwd };
}

async function withProgress(run: Run, { onProgress }: Following): ReturnType<typeof endOf> {
  const timer = setInterval(() => onProgress(run.output.total), PROGRESS_MS);
  try {
    return await endOf(run);
  } finally {
    clearInterval(timer);
  }
}

async function endOf(run: Run): Promise<Awaited<Run["ended"]>> {
  return await run.ended;
}
