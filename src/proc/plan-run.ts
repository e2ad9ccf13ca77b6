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
import type {
  CommandDeclaration,
  CommandDeclarations,
  CommandLimits,
  HookPrograms,
  ShellSettings,
} from "./declaration.ts";
import { findProgram, matchesPin, type Trust } from "./find-program.ts";
import { hookDeclaration } from "./hook-declaration.ts";
import type { HookRequest, RunRequest } from "./launcher-protocol.ts";
import { countTasks } from "./process-table.ts";
import type { ProgramStart } from "./spawn-program.ts";

export interface PlanWorld {
  /** Of the roots, or of what is left of them. */
  readonly scopeOf: (within: readonly string[] | undefined) => Scope;
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly declarations: CommandDeclarations;
  readonly shell?: ShellSettings | undefined;
  readonly hooks: readonly HookPrograms[];
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

/** A hook is for the whole of the roots, and only looks at them. */
type Planned =
  | RunRequest
  | (HookRequest & { readonly within?: undefined; readonly cwd?: undefined; readonly pty?: undefined });

/** @throws Failure */
export function planRun(request: Planned, world: PlanWorld): PlannedRun {
  const scope = world.scopeOf(request.within);
  const { declaration, args } = whatToRun(request, world, scope);
  const program = programOf(declaration, world);
  const directory = openDirectory(request.cwd ?? declaration.cwd ?? request.within?.[0] ?? ".", scope);
  const folder = createRunFolder(world.stateDir);
  const network = declaration.network ?? "none";
  const pty = request.pty ?? declaration.pty ?? false;
  try {
    const fence = fenceOf(
      declaration,
      { program, temporary: folder.path, roots: rootsLeft(request, world.roots) },
      world,
    );
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
          declared: { ...(pty ? { TERM: "xterm" } : {}), ...declaration.environment },
          inherit: declaration.inherit ?? [],
        }),
        stdin: stdinOf(request, declaration),
        limits: limitsOf(declaration),
        pty,
        ...("reason" in fence ? {} : { fence: { ...fence, network } }),
      },
      timeoutMs: Math.min(askedTimeout(request), declaration.timeout_ms ?? DEFAULT_TIMEOUT_MS),
      maxProcesses: declaration.processes ?? DEFAULT_PROCESSES,
      changes: declaration.changes ?? true,
      cwd: directory.absolute,
      fence: describe(fence, network),
      end: () => {
        directory.close();
        folder.remove();
      },
    };
  } catch (thrown) {
    directory.close();
    folder.remove();
    throw thrown;
  }
}

/** @throws Failure `not_found` for a command that is not declared */
export function declarationOf(name: string, declarations: CommandDeclarations): CommandDeclaration {
  const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
  if (declaration && (declaration.source === undefined || existsSync(declaration.source))) return declaration;
  if (declaration)
    throw new Failure(
      "not_found",
      `Cannot run "${name}": the file that declared it has been taken away since this host was started`,
      { hint: "The command is gone. It is in the list until the host is started again.", retry: "never" },
    );
  throw new Failure("not_found", `Cannot run "${name.slice(0, 60)}": no such command is declared`, {
    candidates: Object.keys(declarations).slice(0, 20),
  });
}

function askedTimeout(request: Planned): number {
  return request.kind === "hook" ? Infinity : (request.timeout_ms ?? Infinity);
}

function whatToRun(
  request: Planned,
  world: PlanWorld,
  scope: Scope,
): { declaration: CommandDeclaration; args: readonly string[] } {
  if (request.kind === "command") {
    const declaration = declarationOf(request.name, world.declarations);
    return { declaration, args: buildArguments(declaration, request.input, pathIn(scope)) };
  }
  if (request.kind === "hook") return hookDeclaration(request, world);
  if (!world.shell?.enabled)
    throw new Failure("denied", "Cannot run a shell command: the shell is not enabled");
  if (request.command.includes("\0"))
    throw new Failure("invalid_input", "Cannot run a shell command: it holds a NUL byte");
  const { enabled: _enabled, ...settings } = world.shell;
  const declaration = { ...settings, description: "", program: "bash", stdin: "closed" as const };
  return { declaration, args: ["--noprofile", "--norc", "-p", "-c", request.command] };
}

function programOf(declaration: CommandDeclaration, { trust }: PlanWorld): string {
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

function openDirectory(cwd: string, scope: Scope): { path: string; absolute: string; close: () => void } {
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
function rootsLeft({ kind, within }: Planned, roots: PlanWorld["roots"]): PlanWorld["roots"] {
  if (kind === "hook") return roots.map(({ path }) => ({ path, readOnly: true }));
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

function stdinOf(request: Planned, { stdin }: CommandDeclaration): string | undefined {
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
