/**
 * From a request to a program that can be started: the declaration that it names, with its arguments. All of it is the
 * launcher's own; the request brings a name and values. A hook is planned as a command that could be declared.
 *
 * A planned run is described for the person who approves it by everything that its program is given. Its temporary folder,
 * which every start has anew, stands there by a name, so that two descriptions of one call are alike. Usual mistake: to show
 * the value of a token because its name was declared; who approves needs to know only that it is given.
 */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import { isInside, isReadOnly, type Scope } from "../../scope/index.ts";
import { parseReach, sharedReach } from "../../reach/index.ts";
import type { CommandDeclaration, CommandDeclarations, NetworkDeclaration } from "../declaration.ts";
import type { HeldToSkill, HookRequest, RunDescription, RunRequest } from "../launcher-protocol.ts";
import { gitForLine } from "../git/plan-git.ts";
import { buildArguments, type ToPath } from "./build-arguments.ts";
import { isSecretName, fixedLine, fixedSettings } from "./child-environment.ts";
import { openDirectory, planProgram, programOf, type PlanWorld, type PlannedRun } from "./plan-program.ts";

/** A hook is for the whole of the roots, and only looks at them. */
type Planned =
  | RunRequest
  | (HookRequest & { readonly [name in "within" | "offered" | "cwd" | "pty" | "timeout_ms" | "held"]?: undefined });

export function planRun(request: Planned, world: PlanWorld): PlannedRun {
  const scope = world.scopeOf(request);
  const { declaration: declared, args } = whatToRun(request, world, scope);
  const declaration = request.held ? heldTo(declared, request.held) : declared;
  const cwd = request.cwd ?? declaration.cwd ?? request.within?.[0] ?? ".";
  const wanted = {
    name: nameOf(request),
    declaration,
    args,
    program: programOf(declaration, world),
    roots: rootsLeft(request, world.roots),
    pty: request.pty ?? declaration.pty,
    openIn: () => openDirectory(cwd, scope),
  };
  const planned = planProgram(wanted, world);
  const isShell = request.kind === "shell" || request.kind === "program";
  const { usual_timeout_ms: usual = Infinity, background: maxBackground } = (isShell && world.shell) || {};
  const timeoutMs = Math.min(request.timeout_ms ?? usual, planned.timeoutMs);
  try {
    const git =
      request.kind === "shell" && request.fixed === true
        ? gitForLine({ command: request.command, path: cwd }, planned.temporary, scope, world)
        : {};
    const environment = { ...planned.start.environment, ...git };
    return {
      ...planned,
      timeoutMs,
      maxBackground,
      start: { ...planned.start, environment, stdin: stdinOf(request, declaration) },
    };
  } catch (thrown) {
    planned.end();
    throw thrown;
  }
}

/** As the record calls it. */
function nameOf(request: Planned): string {
  switch (request.kind) {
    case "command":
      return `cmd_${request.name}`;
    case "hook":
      return `hook ${request.index + 1} ${request.when}`;
    case "program":
      return request.program;
    case "shell":
      return "shell";
  }
}

/** @throws Failure `not_found` for a command that is not declared */
function declarationOf(name: string, declarations: CommandDeclarations): CommandDeclaration {
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
  if (request.kind === "program") return programDeclaration(request, world);
  if (!world.shell?.enabled) throw new Failure("denied", "Cannot run a shell command: the shell is not enabled");
  if (request.command.includes("\0"))
    throw new Failure("invalid_input", "Cannot run a shell command: it holds a NUL byte");
  const settings = request.fixed === true ? fixedSettings(world.shell) : world.shell;
  const declaration = { ...settings, description: "", program: "bash", stdin: "closed" as const };
  return { declaration, args: ["--noprofile", "--norc", "-p", "-c", fixedLine(request)] };
}

/** With the reach of a command line; no shell is started for it. */
function programDeclaration(
  { program, args, fixed }: Extract<RunRequest, { kind: "program" }>,
  { shell }: PlanWorld,
): { declaration: CommandDeclaration; args: readonly string[] } {
  if (!shell || !(shell.enabled || shell.programs?.includes(program)))
    throw new Failure("denied", `Cannot start "${program.slice(0, 60)}": the configuration allows no such program`);
  if ([program, ...args].some((word) => word.includes("\0")))
    throw new Failure("invalid_input", "Cannot start the program: one of its arguments holds a NUL byte");
  const settings = fixed === true ? fixedSettings(shell) : shell;
  return { declaration: { ...settings, description: "", program, stdin: "given" }, args };
}

/** The scope decides; what comes out begins with a slash, and so is no option. */
function pathIn(scope: Scope): ToPath {
  return (path, intent) => {
    const at = scope.locate(path, "run on");
    if (intent === "read") return scope.absolute(scope.resolve(at, "run on"));
    const real = targetOf(scope, at);
    if (!isReadOnly(scope, real)) return scope.absolute(real);
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

/** The fence is around what is left of the roots, each part as the root that it lies in. */
function rootsLeft({ kind, within, held }: Planned, roots: PlanWorld["roots"]): PlanWorld["roots"] {
  if (kind === "hook") return roots.map(({ path }) => ({ path, readOnly: true }));
  if (!within) return roots;
  return within.map((path) => ({
    path,
    readOnly:
      held?.onlyRead.includes(path) === true || roots.some((root) => root.readOnly && isInside(path, root.path)),
  }));
}

/** With no other host than both name, and without variables that look like secrets and are not named. */
function heldTo(declaration: CommandDeclaration, { secrets, reach }: HeldToSkill): CommandDeclaration {
  const isLeft = (name: string): boolean => !isSecretName(name) || secrets.includes(name);
  const environment = Object.entries(declaration.environment ?? {}).filter(([name]) => isLeft(name));
  return {
    ...declaration,
    network: sharedNetwork(declaration.network, reach),
    environment: Object.fromEntries(environment),
    inherit: declaration.inherit?.filter(isLeft),
  };
}

/** Unix sockets lead to other programs, which no list of hosts names. */
function sharedNetwork(declared: NetworkDeclaration = "none", reach: readonly string[]): NetworkDeclaration {
  if (declared === "none") return "none";
  const shared = typeof declared === "string" ? reach : sharedReach(parseReach(declared.reach), parseReach(reach));
  return shared.length === 0 ? "none" : { reach: shared };
}

function stdinOf(request: Planned, { stdin }: CommandDeclaration): string | undefined {
  if (request.stdin === undefined) return undefined;
  if (stdin === "given") return request.stdin;
  throw new Failure("invalid_input", "Cannot run the command: it takes no text on standard input");
}

const DEFAULT_TIMEOUT_MS = 5000;
/** A hook is small; `processes` of a command are more. */
const MAX_PROCESSES = 64;

/** @throws Failure `not_found` for a hook that is not configured, `denied` for one whose script a tool can write */
function hookDeclaration(
  { index, when }: HookRequest,
  { hooks, trust, roots }: PlanWorld,
): { declaration: CommandDeclaration; args: readonly string[] } {
  const hook = hooks[index];
  const [program, ...args] = hook?.[when] ?? [];
  if (!hook || program === undefined) throw new Failure("not_found", "Cannot run the hook: it is not configured");
  // It is started in the first root.
  const files = args
    .map((argument) => resolve(roots[0]?.path ?? "/", argument))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  const open = files.find((file) => !trust.isTrusted(file));
  if (open !== undefined)
    throw new Failure("denied", `Cannot run the hook: its file ${open} lies where tools can write`);
  const { timeout_ms = DEFAULT_TIMEOUT_MS, network, environment, inherit, reads = [], writes } = hook;
  const declaration: CommandDeclaration = {
    description: "",
    program,
    stdin: "given",
    changes: false,
    processes: MAX_PROCESSES,
    timeout_ms,
    network,
    environment,
    inherit,
    reads: [...reads, ...files],
    writes,
  };
  return { declaration, args };
}

const TEMPORARY = "<its temporary folder>";

export function describeRun(planned: PlannedRun): RunDescription {
  const { start, cwd, fence, timeoutMs, maxProcesses, temporary, reach } = planned;
  const named = (text: string): string => (temporary === "" ? text : text.replaceAll(temporary, () => TEMPORARY));
  const { CPU = 0, FSIZE = 0, DATA = 0, NOFILE = 0 } = start.limits;
  const environment = Object.entries(start.environment).map(([name, value]): [string, string] => [
    name,
    isSecretName(name) ? `<not shown, ${value.length} characters>` : named(value),
  ]);
  return {
    program: start.program,
    args: start.args.map(named),
    cwd: named(cwd),
    ...(start.stdin === undefined ? {} : { stdin: start.stdin }),
    environment: Object.fromEntries(environment),
    pty: start.pty === true,
    fence,
    reach,
    timeout_ms: timeoutMs,
    // The kernel's limit of tasks counts those of the user; what is meant are those of the command.
    limits: {
      cpu_seconds: CPU,
      file_bytes: FSIZE,
      memory_bytes: DATA,
      descriptors: NOFILE,
      processes: maxProcesses,
    },
  };
}
