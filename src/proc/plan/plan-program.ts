/**
 * A program that can be started: its directory, its environment, its limits and its fence, from what is declared of it.
 * For commands, hooks and other MCP servers alike.
 */
import { Failure } from "../../base/index.ts";
import {
  childRules,
  offeredChildFence,
  type ChildFencePlan,
  type ExecPlan,
  type FenceMode,
  encodedFilter,
} from "../../fence/index.ts";
import { quotable, type Narrowed, type Scope } from "../../scope/index.ts";
import type { RunFolders } from "../../state/index.ts";
import type {
  CommandDeclaration,
  CommandDeclarations,
  CommandLimits,
  HookPrograms,
  ShellSettings,
} from "../declaration.ts";
import type { GitUse } from "../git/git-protocol.ts";
import { planNetwork, refuseWithoutFence, withNetwork } from "../network/plan-network.ts";
import { countTasks } from "../tree/processes.ts";
import { childEnvironment } from "./child-environment.ts";
import { findProgram, matchesPin, type Trust } from "./find-program.ts";

export interface PlanWorld {
  /** The scope of the roots, or of what is left of them. */
  readonly scopeOf: (narrowed?: Narrowed) => Scope;
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly declarations: CommandDeclarations;
  readonly shell?: ShellSettings | undefined;
  readonly hooks: readonly HookPrograms[];
  readonly fence: FenceMode;
  readonly folders: RunFolders;
  readonly trust: Trust;
  /** Absent where git is not offered. */
  readonly git?: GitUse | undefined;
  /** For tests: without Landlock's rules for TCP. */
  readonly supervisedOnly?: boolean | undefined;
  /** The launcher's environment, without variables that steer its runtime. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProgramStart extends Pick<ExecPlan, "program" | "limits" | "group" | "fence"> {
  readonly args: readonly string[];
  /** A directory that is held while this starts. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: nothing, and the end at once. */
  readonly stdin?: string | undefined;
  /** What it says on stderr is nobody's business. Default: it is part of its output. */
  readonly dropsErrors?: boolean | undefined;
  /** A pipe for each stream, so that they can be told apart; else one for both, which keeps their order. */
  readonly apart?: boolean | undefined;
  /** Set when the program is this one again: it says what to be. */
  readonly mark?: string | undefined;
  /** Instead of pipes a terminal of its own; `stdin` is typed into it. */
  readonly pty?: boolean | undefined;
}

export interface PlannedRun {
  readonly start: ProgramStart;
  readonly timeoutMs: number;
  readonly maxProcesses: number;
  readonly maxOutputBytes?: number | undefined;
  /** How many may run in the background with this one. Default: as many as a host ever has. */
  readonly maxBackground?: number | undefined;
  /** What all processes of a program that others speak to may have together. */
  readonly maxMemoryBytes?: number | undefined;
  /** What ends a message to it and from it; for a program that others speak to. Default: a line feed. */
  readonly messageEnd?: MessageEnd | undefined;
  /** Whether what is said to it is a call, which it owes one message for. Default: nothing is known of what is said. */
  readonly isCall?: ((text: string) => boolean) | undefined;
  readonly changes: boolean;
  /** Absolute, for people. */
  readonly cwd: string;
  /** "kernel (Landlock ABI 7), no network" */
  readonly fence: string;
  /** Absolute; "" when it has none. */
  readonly temporary: string;
  /** Below these paths it may read, or write too; in its fence. */
  readonly reach: Readonly<Record<string, "r" | "rw">>;
  /** Removes the temporary folder, and lets go of the directory. */
  readonly end: () => void;
}

export type MessageEnd = "\n" | "\0";

const MB: number = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_PROCESSES = 512;
const DEFAULT_FILE_MB = 4096;
const DEFAULT_MEMORY_MB = 8192;
const DEFAULT_CPU_SECONDS = 3600;
/** More makes programs slow that close all they might have. */
const MAX_DESCRIPTORS = 4096;

/** What is settled about a program before its fence is built. */
export interface ProgramPlan {
  /** For the record of its connections: "cmd_npm". */
  readonly name: string;
  readonly declaration: CommandDeclaration;
  readonly args: readonly string[];
  readonly program: string;
  readonly roots: PlanWorld["roots"];
  readonly pty?: boolean | undefined;
  /** Also what is listed by its address is reached by way of the broker, where the program asks for that. */
  readonly hasProxy?: boolean | undefined;
  /** Where it runs. Absent: in its own temporary folder. */
  readonly openIn?: (() => HeldDirectory) | undefined;
}

interface HeldDirectory {
  readonly path: string;
  readonly absolute: string;
  readonly close: () => void;
}

export function planProgram(
  { name, declaration, args, program, roots, pty = false, hasProxy, openIn }: ProgramPlan,
  world: PlanWorld,
): PlannedRun {
  const opened = openIn?.();
  const folder = world.folders.create();
  const directory = opened ?? { path: folder.path, absolute: folder.path, close: () => undefined };
  const end = (): void => {
    directory.close();
    folder.remove();
  };
  try {
    const fence = fenceOf(declaration, { program, temporary: folder.path, roots }, world);
    if ("reason" in fence) refuseWithoutFence(declaration.network, fence.reason);
    const plan = planNetwork(declaration.network, name, { ...world, hasProxy });
    const { network, supervised, described } = plan;
    const environment = childEnvironment({
      host: world.environment,
      path: world.trust.path,
      temporary: folder.path,
      home: declaration.home === "user" ? (world.environment["HOME"] ?? folder.path) : folder.path,
      cwd: directory.absolute,
      declared: { ...(pty ? { TERM: "xterm" } : {}), ...declaration.environment },
      inherit: declaration.inherit ?? [],
    });
    return {
      start: {
        program,
        args,
        cwd: directory.path,
        environment: withNetwork(environment, plan),
        limits: limitsOf(declaration),
        pty,
        ...("reason" in fence ? {} : { fence: { ...fence, network, supervised, filter: encodedFilter(network) } }),
      },
      timeoutMs: declaration.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      maxProcesses: declaration.processes ?? DEFAULT_PROCESSES,
      maxOutputBytes: declaration.output_mb === undefined ? undefined : declaration.output_mb * MB,
      changes: declaration.changes ?? true,
      cwd: directory.absolute,
      fence: describeFence(fence, described),
      temporary: folder.path,
      reach: reachOf(declaration, roots, world),
      end,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
}

export function programOf(declaration: Pick<CommandDeclaration, "program" | "sha256">, { trust }: PlanWorld): string {
  const found = findProgram(declaration.program, trust);
  if ("missing" in found)
    throw new Failure("not_found", `Cannot run the command: ${found.missing}`, {
      hint: declaration.program.includes(" ")
        ? "A program is given by its name alone: put its arguments into args."
        : "Give a program that is installed here.",
    });
  if (!matchesPin(found.path, declaration.sha256))
    throw new Failure("denied", `Cannot run the command: "${found.path}" is not the program that was pinned`, {
      hint: "A person has to look at it, and to change sha256 in the declaration.",
    });
  return found.path;
}

export function openDirectory(cwd: string, scope: Scope): HeldDirectory {
  const at = scope.locate(cwd, "run in");
  if (!scope.lstat(scope.resolve(at, "run in"), "run in").isDirectory())
    throw new Failure("invalid_input", `Cannot run in "${quotable(cwd)}": it is a file, not a directory`);
  const opened = scope.openDirectory(at, "run in");
  const absolute = scope.absolute(scope.resolve(at, "run in"));
  return {
    path: opened.fd >= 0 && process.platform === "linux" ? `/proc/${process.pid}/fd/${opened.fd}` : absolute,
    absolute,
    close: () => opened[Symbol.dispose](),
  };
}

function fenceOf(
  declaration: CommandDeclaration,
  place: Pick<ChildFencePlan, "program" | "temporary" | "roots">,
  { fence, environment }: PlanWorld,
): { abi: number; rules: ReturnType<typeof childRules> } | { reason: string } {
  if (fence === "off") return { reason: "switched off" };
  const offered = offeredChildFence();
  if ("reason" in offered) {
    if (fence === "require")
      throw new Failure("unsupported", `Cannot run the command: its fence is required, and ${offered.reason}`, {
        hint: "Whoever runs this host can give it a kernel that has one, or set fence to auto.",
      });
    return offered;
  }
  return { abi: offered.abi, rules: childRules({ ...place, ...declaredPaths(declaration, environment) }) };
}

function declaredPaths(
  { reads = [], writes = [] }: CommandDeclaration,
  { HOME = "/nonexistent" }: PlanWorld["environment"],
): { reads: string[]; writes: string[] } {
  const whole = (path: string): string => (path.startsWith("~/") ? `${HOME}${path.slice(1)}` : path);
  return { reads: reads.map(whole), writes: writes.map(whole) };
}

function reachOf(
  declaration: CommandDeclaration,
  roots: PlanWorld["roots"],
  { environment }: PlanWorld,
): PlannedRun["reach"] {
  const { reads, writes } = declaredPaths(declaration, environment);
  return Object.fromEntries([
    ...reads.map((path) => [path, "r"] as const),
    ...roots.map(({ path, readOnly }) => [path, readOnly ? "r" : "rw"] as const),
    ...writes.map((path) => [path, "rw"] as const),
  ]);
}

export function describeFence(fence: { abi: number } | { reason: string }, network: string): string {
  if ("reason" in fence) return `none (${fence.reason})`;
  return `kernel (Landlock ABI ${fence.abi}), ${network}`;
}

/** Threads of the program that keeps a command, which is not running yet when tasks are counted. */
const KEEPER_TASKS = 16;

/**
 * Megabytes of address space that our own runtime sets aside at its start, most of it for compiled code and none of it for what a call
 * needs. With less it interprets, at a tenth of the speed, or does not start.
 */
const ENGINE_MB = 2304;

/** The limits of a process that is this program again. @param memory_mb beside what its engine sets aside */
export function limitsOfOurs({ memory_mb, ...limits }: CommandLimits & { memory_mb: number }): ExecPlan["limits"] {
  return limitsOf({ ...limits, memory_mb: memory_mb + ENGINE_MB });
}

export function limitsOf({ cpu_seconds, memory_mb, processes, file_mb }: CommandLimits): ExecPlan["limits"] {
  return {
    CPU: cpu_seconds ?? DEFAULT_CPU_SECONDS,
    FSIZE: (file_mb ?? DEFAULT_FILE_MB) * MB,
    DATA: (memory_mb ?? DEFAULT_MEMORY_MB) * MB,
    CORE: 0,
    // The kernel counts all tasks of the user, not those of the command.
    NPROC: countTasks() + KEEPER_TASKS + (processes ?? DEFAULT_PROCESSES),
    NOFILE: MAX_DESCRIPTORS,
  };
}
