/**
 * From a request to a program that can be started: the declaration that it names, its arguments, its directory, its
 * environment, its limits and its fence. All of it is the launcher's own; the request brings a name and values.
 */
import { existsSync } from "node:fs";
import { Failure } from "../base/index.ts";
import {
  childRules,
  offeredChildFence,
  type ChildFencePlan,
  type FenceMode,
  type NetworkReach,
  type ResourceLimits,
} from "../fence/index.ts";
import type { Scope } from "../scope/index.ts";
import { createRunFolder } from "../state/index.ts";
import { buildArguments, type ToPath } from "./build-arguments.ts";
import { childEnvironment } from "./child-environment.ts";
import type { CommandDeclaration, CommandDeclarations, CommandLimits, ShellSettings } from "./declaration.ts";
import { findProgram, matchesPin, type Trust } from "./find-program.ts";
import type { RunRequest } from "./launcher-protocol.ts";
import { countTasks } from "./process-table.ts";
import type { ProgramStart } from "./spawn-program.ts";

export interface PlanWorld {
  /** Of the roots, or of what is left of them. */
  readonly scopeOf: (within: readonly string[] | undefined) => Scope;
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly declarations: CommandDeclarations;
  readonly shell?: ShellSettings | undefined;
  readonly fence: FenceMode;
  readonly stateDir: string;
  readonly trust: Trust;
  /** Of the launcher, without what steers its runtime. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface PlannedRun {
  readonly start: ProgramStart;
  readonly timeoutMs: number;
  readonly maxProcesses: number;
  readonly changes: boolean;
  /** Absolute, for people. */
  readonly cwd: string;
  /** "kernel (Landlock ABI 7), no network" */
  readonly fence: string;
  /** Its temporary folder goes, and the directory is let go. */
  readonly end: () => void;
}

const MB: number = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_PROCESSES = 512;
const DEFAULT_FILE_MB = 4096;
const DEFAULT_MEMORY_MB = 8192;
const DEFAULT_CPU_SECONDS = 3600;
/** More makes programs slow that close all they might have. */
const MAX_DESCRIPTORS = 4096;

/** @throws Failure */
export function planRun(request: RunRequest, world: PlanWorld): PlannedRun {
  const scope = world.scopeOf(request.within);
  const { declaration, args } = whatToRun(request, world, scope);
  const cwd = request.cwd ?? declaration.cwd ?? request.within?.[0] ?? ".";
  const wanted = {
    declaration,
    args,
    program: programOf(declaration, world),
    roots: rootsLeft(request, world.roots),
    openIn: () => openDirectory(cwd, scope),
  };
  const planned = planProgram(wanted, world);
  const timeoutMs = Math.min(request.timeout_ms ?? Infinity, planned.timeoutMs);
  try {
    return { ...planned, timeoutMs, start: { ...planned.start, stdin: stdinOf(request, declaration) } };
  } catch (thrown) {
    planned.end();
    throw thrown;
  }
}

/** What is settled about a program before its fence is built. */
export interface ProgramPlan {
  readonly declaration: CommandDeclaration;
  readonly args: readonly string[];
  /** Absolute. */
  readonly program: string;
  /** Those that it may reach. */
  readonly roots: PlanWorld["roots"];
  /** Where it runs. Absent: in its own temporary folder. */
  readonly openIn?: (() => HeldDirectory) | undefined;
}

interface HeldDirectory {
  readonly path: string;
  readonly absolute: string;
  readonly close: () => void;
}

/** @throws Failure */
export function planProgram(
  { declaration, args, program, roots, openIn }: ProgramPlan,
  world: PlanWorld,
): PlannedRun {
  const opened = openIn?.();
  const folder = createRunFolder(world.stateDir);
  const directory = opened ?? { path: folder.path, absolute: folder.path, close: () => undefined };
  const network = declaration.network ?? "none";
  const end = (): void => {
    directory.close();
    folder.remove();
  };
  try {
    const fence = fenceOf(declaration, { program, temporary: folder.path, roots }, world);
    return {
      start: {
        program,
        args,
        cwd: directory.path,
        environment: childEnvironment({
          host: world.environment,
          path: world.trust.path,
          temporary: folder.path,
          home: declaration.home === "user" ? (world.environment["HOME"] ?? folder.path) : folder.path,
          cwd: directory.absolute,
          declared: declaration.environment ?? {},
          inherit: declaration.inherit ?? [],
        }),
        limits: limitsOf(declaration),
        ...("reason" in fence ? {} : { fence: { ...fence, network } }),
      },
      timeoutMs: declaration.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      maxProcesses: declaration.processes ?? DEFAULT_PROCESSES,
      changes: declaration.changes ?? true,
      cwd: directory.absolute,
      fence: describe(fence, network),
      end,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
}

/** @throws Failure `not_found` for a command that is not declared */
export function declarationOf(name: string, declarations: CommandDeclarations): CommandDeclaration {
  const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
  if (declaration && (declaration.source === undefined || existsSync(declaration.source))) return declaration;
  throw new Failure("not_found", `Cannot run "${name.slice(0, 60)}": no such command is declared`, {
    candidates: Object.keys(declarations).slice(0, 20),
  });
}

function whatToRun(
  request: RunRequest,
  world: PlanWorld,
  scope: Scope,
): { declaration: CommandDeclaration; args: readonly string[] } {
  if (request.kind === "command") {
    const declaration = declarationOf(request.name, world.declarations);
    return { declaration, args: buildArguments(declaration, request.input, pathIn(scope)) };
  }
  if (!world.shell?.enabled)
    throw new Failure("denied", "Cannot run a shell command: the shell is not enabled");
  if (request.command.includes("\0"))
    throw new Failure("invalid_input", "Cannot run a shell command: it holds a NUL byte");
  const { enabled: _enabled, ...settings } = world.shell;
  const declaration = { ...settings, description: "", program: "bash", stdin: "closed" as const };
  return { declaration, args: ["--noprofile", "--norc", "-p", "-c", request.command] };
}

/** @throws Failure */
export function programOf(
  declaration: Pick<CommandDeclaration, "program" | "sha256">,
  { trust }: PlanWorld,
): string {
  const found = findProgram(declaration.program, trust);
  if ("missing" in found) throw new Failure("not_found", `Cannot run the command: ${found.missing}`);
  if (!matchesPin(found.path, declaration.sha256))
    throw new Failure(
      "denied",
      `Cannot run the command: "${found.path}" is not the program that was pinned`,
      {
        hint: "A person has to look at it, and to change sha256 in the declaration.",
      },
    );
  return found.path;
}

/** The scope decides; what comes out begins with a slash, and so is no option. */
export function pathIn(scope: Scope): ToPath {
  return (path, intent) => {
    const at = scope.locate(path, "run on");
    if (intent === "read") return scope.absolute(scope.resolve(at, "run on"));
    const real = targetOf(scope, at);
    if (!scope.innermost(real).root.readOnly) return scope.absolute(real);
    throw new Failure("denied", `Cannot run on "${path}": its root is for reading only`);
  };
}

/** What is not there yet is a name in a directory that is. */
function targetOf(scope: Scope, at: ReturnType<Scope["locate"]>): ReturnType<Scope["locate"]> {
  try {
    return scope.resolve(at, "run on");
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    using place = scope.place(at, "run on");
    return place.at;
  }
}

/** @throws Failure */
export function openDirectory(cwd: string, scope: Scope): HeldDirectory {
  const at = scope.locate(cwd, "run in");
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
      throw new Failure(
        "unsupported",
        `Cannot run the command: its fence is required, and ${offered.reason}`,
      );
    return offered;
  }
  const [reads, writes] = [declaration.reads ?? [], declaration.writes ?? []].map((paths) =>
    paths.map((path) => fromHome(path, environment)),
  );
  return { abi: offered.abi, rules: childRules({ ...place, reads: reads ?? [], writes: writes ?? [] }) };
}

/** The fence is around what is left of the roots, each part as the root that it lies in. */
function rootsLeft({ within }: RunRequest, roots: PlanWorld["roots"]): PlanWorld["roots"] {
  if (!within) return roots;
  return within.map((path) => ({
    path,
    readOnly: roots.some((root) => root.readOnly && (path === root.path || path.startsWith(`${root.path}/`))),
  }));
}

function fromHome(path: string, environment: PlanWorld["environment"]): string {
  return path.startsWith("~/") ? `${environment["HOME"] ?? "/nonexistent"}${path.slice(1)}` : path;
}

function describe(fence: { abi: number } | { reason: string }, network: NetworkReach): string {
  if ("reason" in fence) return `none (${fence.reason})`;
  const reach = { none: "no network", internet: "network", all: "network and unix sockets" }[network];
  return `kernel (Landlock ABI ${fence.abi}), ${reach}`;
}

function stdinOf(request: RunRequest, { stdin }: CommandDeclaration): string | undefined {
  if (request.stdin === undefined) return undefined;
  if (stdin === "given") return request.stdin;
  throw new Failure("invalid_input", "Cannot run the command: it takes no text on standard input");
}

function limitsOf({ cpu_seconds, memory_mb, processes, file_mb }: CommandLimits): ResourceLimits {
  return {
    CPU: cpu_seconds ?? DEFAULT_CPU_SECONDS,
    FSIZE: (file_mb ?? DEFAULT_FILE_MB) * MB,
    DATA: (memory_mb ?? DEFAULT_MEMORY_MB) * MB,
    CORE: 0,
    // The kernel counts all tasks of the user, not those of the command.
    NPROC: countTasks() + (processes ?? DEFAULT_PROCESSES),
    NOFILE: MAX_DESCRIPTORS,
  };
}
