/**
 * What the launcher does with commands, by the action that is asked for. One of these lives as long as the launcher.
 */
import { Failure, limits } from "../../base/index.ts";
import { RunFolders, SpillStore } from "../../state/index.ts";
import type { PackProgram, ReadSpaceTool, UpstreamsConfig } from "../declaration.ts";
import type {
  BrokerProgram,
  CommandsConfig,
  CommandsView,
  HelpersConfig,
  LauncherCalls,
  LauncherConfig,
  LaunchRequest,
  RunProgress,
  RunDescription,
  RunRequest,
  UpstreamEnd,
} from "../launcher-protocol.ts";
import type { RunAnswer } from "../run-answers.ts";
import { fillHelperOrder } from "../cluster/fill-credentials.ts";
import { findAll, trustIn } from "../plan/find-program.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import type { FilterAnswer, FilterDeclarations } from "../filter/filter-protocol.ts";
import { runFilter } from "../filter/run-filter.ts";
import { findRepository } from "../git/find-repository.ts";
import { runGit } from "../git/run-git.ts";
import { ReachBroker } from "../network/reach-broker.ts";
import { planHelper } from "../plan/plan-helper.ts";
import { planPackProgram } from "../plan/plan-pack-program.ts";
import { describeRun, planRun } from "../plan/plan-run.ts";
import { filled, planUpstream } from "../plan/plan-upstream.ts";
import { Background } from "../run/background.ts";
import { describeApart, describeOutput, lastLine, type OpenSpill } from "../run/output-collector.ts";
import { shownCommand } from "../run/shown-command.ts";
import { runForAnswer, runHook, startRun, type Run, type RunEnd, type RunWorld } from "../run/run-program.ts";
import { runBroker } from "../run/run-broker.ts";
import { runConnected, type UpstreamLine } from "../run/run-upstream.ts";
import { Tracker } from "../run/track-changes.ts";
import { Trees } from "../tree/trees.ts";
import { Turns } from "../tree/turns.ts";

/** How a request is told what happens to it before its end. */
export interface Following {
  readonly onProgress: (progress: RunProgress) => void;
  /** Calls the function when the request is cancelled, or at once when it was. */
  readonly onCancel: (stop: () => void) => void;
  readonly isCancelled: () => boolean;
  readonly upstream: Omit<UpstreamLine, "onCancel">;
}

const PROGRESS_MS = 250;

export class Commands {
  readonly #plan: PlanWorld;
  readonly #programs: CommandsView["programs"];
  readonly #world: RunWorld;
  readonly #background: Background;
  readonly #tracker: Tracker;
  readonly #trees: Trees;
  readonly #broker: ReachBroker | undefined;
  #onConnection: ((line: string) => void) | undefined;
  readonly #upstream: UpstreamsConfig;
  readonly #helpers: HelpersConfig | undefined;
  readonly #filters: FilterDeclarations;
  readonly #packPrograms: Readonly<Record<string, PackProgram>> | undefined;
  readonly #spaces: readonly string[];
  readonly #readSpaceTool: ReadSpaceTool | undefined;
  readonly #runs = new Turns(limits.MAX_RUNNING_COMMANDS);
  /** Commands for credentials, which do not wait for long ones of somebody else. */
  readonly #credentials = new Turns(limits.MAX_RUNNING_COMMANDS);
  /** Hooks have turns of their own: a command must not hold up what decides about another one. */
  readonly #hooks = new Turns(limits.MAX_RUNNING_COMMANDS);

  constructor(
    { roots, hidden }: LauncherConfig,
    config: CommandsConfig,
    scopeOf: PlanWorld["scopeOf"],
    environment: Readonly<Record<string, string>>,
    readSpaceTool?: ReadSpaceTool,
  ) {
    const { declarations, shell, hooks, fence, stateDir, shownBytes, sureBytes = shownBytes, apart, self } = config;
    const trust = trustIn({ roots, hidden }, environment);
    this.#programs = findAll(declarations, trust);
    const { git, supervisedOnly } = config;
    const folders = new RunFolders(stateDir);
    const world = { scopeOf, roots, declarations, shell, hooks, fence, folders, trust, environment };
    this.#plan = { ...world, git, supervisedOnly };
    this.#trees = new Trees();
    this.#broker = config.broker && this.#brokerOf(config.broker);
    this.#world = {
      trees: this.#trees,
      self: { ...self, broker: this.#broker },
      openSpill: () => openSpill(stateDir),
      shownBytes,
      sureBytes,
      apart,
    };
    this.#background = new Background({ ...this.#world, shownBytes: sureBytes }, stateDir);
    this.#tracker = new Tracker(writableRoots(roots), roots[0]?.path ?? "", config.skip);
    this.#upstream = config.upstream ?? { servers: {}, reach: [] };
    this.#helpers = config.helpers;
    this.#filters = config.filters ?? {};
    this.#packPrograms = config.packPrograms;
    this.#spaces = config.spaces ?? [];
    this.#readSpaceTool = readSpaceTool;
  }

  /** @throws Failure */
  async answer(request: LaunchRequest, following: Following): Promise<unknown> {
    switch (request.action) {
      case "commands":
        return { programs: this.#programs, filters: findAll(this.#filters, this.#plan.trust) };
      case "describe":
        return this.#describe(request.ask, await this.#worldFor(request.ask));
      case "run":
        return await this.#runs.take(async () => await this.#run(request.ask, following));
      case "hook": {
        const { ask } = request;
        const hook = async () => await runHook(ask, this.#plan, this.#world, following.onCancel);
        return { text: await this.#hooks.take(hook) };
      }
      case "start":
        return await this.#background.start(planRun(request.ask, await this.#worldFor(request.ask)), request.ask);
      case "output":
        return await this.#background.output(request.ask);
      case "git":
        return await this.#runs.take(
          async () => await runGit(request.ask, this.#plan, this.#world, following.onCancel),
        );
      case "filter":
        return await this.#runs.take(async () => await this.#filter(request.ask, following));
      case "git_find":
        return findRepository(request.ask.path, this.#plan.scopeOf(request.ask));
      case "list":
        return { processes: this.#background.list(request.ask) };
      case "stop":
        return await this.#background.stop(request.ask);
      case "connect":
        return await this.#connect(request.ask, following);
      case "connections":
        return await this.#tellConnections(following);
      case "open":
      case "reveal":
        throw new Failure("invalid_input", "Cannot launch: the request has not the right form");
    }
  }

  /** The program was started for the person, and outlives everything. */
  handOver(child: Bun.Subprocess): void {
    this.#trees.handOver(child);
  }

  /** The host is gone: everything ends with it. */
  async end(): Promise<void> {
    this.#broker?.end();
    await this.#trees.endAll();
    this.#plan.folders.removeAll();
  }

  #brokerOf(broker: BrokerProgram): ReachBroker {
    const tell = (line: string): void => this.#onConnection?.(line);
    return new ReachBroker(
      async (input) => await runBroker(broker, input, this.#plan, this.#world, tell),
      broker.order,
    );
  }

  /** Until the host goes, or asks again. */
  async #tellConnections({ upstream, onCancel }: Following): Promise<Record<string, never>> {
    const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
    this.#onConnection = upstream.onLine;
    onCancel(() => resolve({}));
    return await promise;
  }

  async #connect(ask: LauncherCalls["connect"]["ask"], following: Following): Promise<UpstreamEnd> {
    const line = { ...following.upstream, onCancel: following.onCancel };
    const { self } = this.#world;
    if ("helper" in ask) {
      const { planned, order } = planHelper(ask.helper, this.#helpers, this.#plan);
      const run = async (name: string) => await this.#runForAnswer(name, following.onCancel);
      const filledOrder = await fillHelperOrder(order, this.#plan, run);
      if (following.isCancelled())
        throw new Failure("cancelled", `Cannot start "${ask.helper}": nobody needs it any more`);
      return await runConnected({ planned, order: filledOrder }, line, this.#world);
    }
    if ("program" in ask) {
      const planned = planPackProgram(ask.program, this.#packPrograms, this.#plan);
      return await runConnected({ planned }, line, this.#world);
    }
    return await runConnected(planUpstream(ask.server, this.#upstream, this.#plan, self), line, this.#world);
  }

  async #runForAnswer(name: string, onCancel: Following["onCancel"]): Promise<string> {
    return await this.#credentials.take(async () => await runForAnswer(name, this.#plan, this.#world, onCancel));
  }

  /** With the tool of a space as the only declaration that there is. */
  async #worldFor(ask: RunRequest): Promise<PlanWorld> {
    if (ask.kind !== "command" || !ask.space) return this.#plan;
    const { folder } = ask.space;
    const declaration = await this.#readSpaceTool?.(ask.space, this.#spaces);
    if (!declaration || !this.#plan.trust.isTrusted(folder))
      throw new Failure(
        "denied",
        `Cannot run "${ask.name.slice(0, 60)}": its space ${folder} lies where tools can write`,
      );
    const environment = filled(`Cannot run "${ask.name}"`, declaration.environment, this.#plan.environment);
    return { ...this.#plan, declarations: { [ask.name]: { ...declaration, environment } } };
  }

  async #filter(ask: LauncherCalls["filter"]["ask"], following: Following): Promise<FilterAnswer> {
    const { onCancel, isCancelled, onProgress } = following;
    const onOutput = (name: string, bytes: number, recent: Buffer, inputBytes: number): void =>
      onProgress({ bytes, line: lastLine(recent, bytes > recent.length), step: { name, input_bytes: inputBytes } });
    const place = { declarations: this.#filters, plan: this.#plan, world: this.#world };
    return await runFilter(ask, place, { onCancel, isCancelled, onOutput });
  }

  #describe(ask: RunRequest, world: PlanWorld): RunDescription {
    const planned = planRun(ask, world);
    planned.end();
    return describeRun(planned);
  }

  async #run(ask: RunRequest, following: Following): Promise<RunAnswer> {
    // It may have waited for its turn longer than its caller for it.
    if (following.isCancelled()) throw new Failure("cancelled", "Cannot run the command: the caller cancelled it");
    const planned = planRun(ask, await this.#worldFor(ask));
    try {
      const before = planned.changes ? await this.#tracker.look() : undefined;
      const run = await startRun(planned, this.#world);
      following.onCancel(() => run.stop("cancelled"));
      const { output, ...end } = await withProgress(run, following);
      const after = before && (await this.#tracker.look());
      const files = before && after ? this.#tracker.compare(before, after) : "untracked";
      return {
        command: shownCommand(ask, planned.start),
        ...end,
        ...(end.stopped_by === "timed_out" ? { timeout_ms: planned.timeoutMs } : {}),
        ...(end.stopped_by === "too_much_output" ? { max_output_bytes: planned.maxOutputBytes } : {}),
        output: describeOutput(output),
        ...(this.#world.apart ? describeApart(output) : {}),
        fence: planned.fence,
        cwd: planned.cwd,
        ...(planned.changes ? { files } : {}),
      };
    } finally {
      planned.end();
    }
  }
}

/**
 * Removing spills that are too much takes milliseconds: not while a program writes, but when its answer is on its
 * way.
 */
function openSpill(stateDir: string): OpenSpill {
  const store = new SpillStore(stateDir);
  return { ...store.open(), onClosed: () => void setTimeout(() => store.sweep(), 0) };
}

/** Without those that lie in another one. */
function writableRoots(roots: LauncherConfig["roots"]): string[] {
  const writable = roots.filter(({ readOnly }) => !readOnly).map(({ path }) => path);
  return writable.filter((path) => !writable.some((other) => other !== path && path.startsWith(`${other}/`)));
}

async function withProgress(run: Run, { onProgress }: Following): Promise<RunEnd> {
  let told = 0;
  const timer = setInterval(() => {
    const bytes = run.output.total;
    // What says nothing has no news.
    if (bytes === told) return;
    told = bytes;
    const recent = run.output.recent();
    onProgress({ bytes, line: lastLine(recent, bytes > recent.length) });
  }, PROGRESS_MS);
  try {
    return await run.ended;
  } finally {
    clearInterval(timer);
  }
}
