/**
 * From a request for git to a program that can be started. git is given the repository by name and never looks for one; its
 * configuration is one that was made for this run, with what of the repository's own only says how things are stored
 * (`inert-config.ts`); what many work trees share is a folder of links beside it, which has no hooks. A verb that reads gets the
 * roots for reading only, so that even a program that git were made to start could change nothing.
 *
 * Usual mistake: to name the repository and leave its configuration where it is. git reads it from the directory that its work
 * trees share, so that is the directory that must be another one (GIT_COMMON_DIR).
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../base/index.ts";
import { isInside, type Scope } from "../../scope/index.ts";
import { layFolder } from "../../state/index.ts";
import { openDirectory, planProgram, programOf, type PlannedRun, type PlanWorld } from "../plan/plan-program.ts";
import { findRepository, isThere, readConfig, SHARED } from "./find-repository.ts";
import { GIT_READS, GIT_WRITES, type GitPlace, type GitRequest } from "./git-protocol.ts";
import { inertConfig } from "./inert-config.ts";

export interface PlannedGit {
  readonly planned: PlannedRun;
  readonly place: GitPlace;
}

/** A verb is answered soon, or its answer is too much for anybody. */
const TIMEOUT_MS = 60_000;
const MEMORY_MB = 2048;
const PROCESSES = 64;

/** @throws Failure `denied` for a verb that is not offered, `not_found` without git or a repository */
export function planGit(request: GitRequest, world: PlanWorld): PlannedGit {
  const { git: use } = world;
  const { args, writes = false } = request;
  const [verb = ""] = args;
  if (!use || (writes && !use.write) || !(writes ? GIT_WRITES : GIT_READS).includes(verb))
    throw new Failure("denied", `Cannot run "git ${verb.slice(0, 40)}": this host does not offer it`, {
      hint: writes ? 'A person can switch it on with "packs": {"git": {"write": true}}.' : "",
    });
  const scope = world.scopeOf(request);
  const { place } = findRepository(request.path, scope);
  const roots = rootsFor(request, writes, world.roots);
  const planned = planProgram(
    {
      name: `git ${verb}`,
      declaration: {
        description: "",
        program: "git",
        changes: false,
        timeout_ms: TIMEOUT_MS,
        memory_mb: MEMORY_MB,
        processes: PROCESSES,
      },
      args: ["--no-pager", "--literal-pathspecs", ...args],
      program: programOf({ program: "git" }, world),
      roots,
      openIn: () => openDirectory(place.top, scope),
    },
    world,
  );
  try {
    const given = gitEnvironment(place, planned.temporary, scope, world);
    const { start } = planned;
    const { fence } = start;
    const environment = { ...start.environment, ...given };
    const fenced =
      fence && !writes ? { fence: { ...fence, rules: fence.rules.map((rule) => readOnly(rule, roots)) } } : {};
    return { place, planned: { ...planned, start: { ...start, environment, ...fenced, dropsErrors: !writes } } };
  } catch (thrown) {
    planned.end();
    throw thrown;
  }
}

/** What is left of the roots, each part as the root that it lies in; for a verb that reads, for reading. */
function rootsFor({ within }: GitRequest, writes: boolean, roots: PlanWorld["roots"]): PlanWorld["roots"] {
  const isReadOnly = (path: string): boolean =>
    !writes || roots.some((root) => root.readOnly && isInside(path, root.path));
  return (within ?? roots.map(({ path }) => path)).map((path) => ({ path, readOnly: isReadOnly(path) }));
}

/** Nothing in the roots is a program for git. */
function readOnly<R extends { readonly path: string; readonly access: string }>(rule: R, roots: PlanWorld["roots"]): R {
  return rule.access === "run" && roots.some(({ path }) => path === rule.path) ? { ...rule, access: "read" } : rule;
}

/** What git is told instead of what it would look for. Makes the folder that stands for the shared one in `temporary`. */
export function gitEnvironment(
  place: GitPlace,
  temporary: string,
  scope: Scope,
  { environment }: Pick<PlanWorld, "environment">,
): Readonly<Record<string, string>> {
  const shared = join(temporary, "git");
  const { top, isBare, gitDir, commonDir } = place;
  const links = SHARED.filter((name) => isThere(`${commonDir}/${name}`, scope, top)).map((name) => [
    name,
    `${commonDir}/${name}`,
  ]);
  const info = ["exclude", "sparse-checkout"]
    .filter((name) => isThere(`${commonDir}/info/${name}`, scope, top))
    .map((name) => [`info/${name}`, `${commonDir}/info/${name}`]);
  const config = inertConfig([...usersConfig(environment), readConfig(place, scope)]);
  layFolder(shared, {
    files: { config: `${config}[core]\n\tbare = ${isBare}\n`, "info/attributes": "" },
    links: Object.fromEntries([...links, ...info]) as Record<string, string>,
  });
  return {
    GIT_DIR: gitDir,
    GIT_COMMON_DIR: shared,
    ...(isBare ? {} : { GIT_WORK_TREE: top }),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_ASKPASS: "false",
    GIT_SSH_COMMAND: "false",
  };
}

/**
 * For a command line that only reads and names git: the repository of its directory, or nothing where there is none. Where the
 * line would leave that repository it is no line that only reads.
 */
export function gitForLine(
  { command, path }: { readonly command: string; readonly path: string },
  temporary: string,
  scope: Scope,
  world: PlanWorld,
): Readonly<Record<string, string>> {
  if (!world.git || !/\bgit\b/.test(command)) return {};
  try {
    return gitEnvironment(findRepository(path, scope).place, temporary, scope, world);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "not_found") return {};
    throw thrown;
  }
}

/** How this user wants texts stored, and who this user is. Every other key of it is as inert as those of the repository. */
function usersConfig({ HOME, XDG_CONFIG_HOME }: PlanWorld["environment"]): readonly string[] {
  const home = HOME ?? homedir();
  return [join(XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config"), join(home, ".gitconfig")].flatMap((path) => {
    try {
      return [readFileSync(path, "utf8")];
    } catch {
      return [];
    }
  });
}
