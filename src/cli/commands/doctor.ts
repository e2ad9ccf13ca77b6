/**
 * `ringfence doctor`: what holds here and what does not, in words; exit 1 when something would not work.
 */
import { realpathSync } from "node:fs";
import { Failure, failureText } from "../../base/index.ts";
import {
  hostFlags,
  BUILD,
  cleanEnvironment,
  loadConfig,
  loadPacks,
  planPacks,
  type Config,
  type RawConfig,
} from "../../config/index.ts";
import { offeredChildFence, offeredFence, seatbeltProfile } from "../../fence/index.ts";
import { offeredTools } from "../../host/index.ts";
import { ControlGroups, findPrograms, matchesPin } from "../../proc/index.ts";
import { describePack, toolFacts, viewOff, viewPack } from "../../session/index.ts";
import { gitUse } from "../../start/index.ts";
import { Scope } from "../../scope/index.ts";
import { terminalCommand } from "../../text/index.ts";
import { describeView, openUpstreamStore, viewServer } from "../../upstream/index.ts";
import { checkNetworks } from "../check-networks.ts";
import { checkPackPrograms } from "../check-pack-programs.ts";
import {
  COMMAND_DEFAULTS,
  configFlags,
  EXIT,
  HOST_FLAGS,
  JSON_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
} from "../command.ts";
import { checkState } from "../doctor/check-state.ts";
import { loaderWarnings } from "../loader-warnings.ts";
import { ownCall } from "../own-call.ts";
import { print, printText } from "../print.ts";

export const doctorCommand: CliCommand = {
  about: "Say what holds on this machine and what would not work.",
  flags: {
    ...HOST_FLAGS,
    clients: { about: "Say of each client on this machine whether it is protected, and why not." },
    ...JSON_FLAG,
    seatbelt: {
      about: "Print a profile for macOS' sandbox-exec that holds a host with these roots, and nothing else.",
    },
  },
  examples: ["ringfence doctor --root .", "ringfence doctor --clients"],
  async run(typed) {
    const raw = configFlags(typed);
    if (typed.has("clients")) {
      const { judgeClients } = await import("../clients/judge-clients.ts");
      return judgeClients(raw.roots?.[0] ?? ".", typed.has("json")) ? EXIT.ok : EXIT.failed;
    }
    if (typed.has("json")) throw new UsageError("--json goes with --clients");
    const isSeatbelt = typed.has("seatbelt");
    const config = await readConfig(raw, isSeatbelt);
    if (!config) return EXIT.failed;
    if (isSeatbelt) return printSeatbelt(config);
    const checks = [
      checkBuild,
      checkEnvironment,
      checkContainment,
      checkFence,
      checkState,
      checkDurability,
      checkRoots,
      checkPacks,
      checkPackPrograms,
      checkTools,
      checkRules,
      checkHooks,
      checkCommands,
      checkUpstreams,
      checkNetworks,
      checkSpaces,
    ];
    let bad = 0;
    for (const check of checks) {
      try {
        for (const line of await check(config, typed.raw)) printText(`ok    ${line}`);
      } catch (thrown) {
        bad++;
        printText(`FAIL  ${thrown instanceof Failure ? failureText(thrown.data) : String(thrown)}`);
      }
    }
    return bad === 0 ? EXIT.ok : EXIT.failed;
  },
};

/**
 * Reads the configuration; a configuration that would not let a host start is the first failure. Without a root only
 * the machine is checked.
 */
async function readConfig(raw: RawConfig, needsRoots: boolean): Promise<Config | undefined> {
  try {
    const { config, roots } = await loadConfig(raw, COMMAND_DEFAULTS, needsRoots);
    await loadPacks(config);
    try {
      await planPacks(config);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      printText(`FAIL  ${NO_START}: ${startReason(failureText(thrown.data))}`);
      return undefined;
    }
    // Roots can be a file's, too.
    return roots.length === 0 ? config : (await loadConfig(raw, COMMAND_DEFAULTS)).config;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "invalid_input") throw thrown;
    printText(`FAIL  ${failureText(thrown.data)}`);
    return undefined;
  }
}

/** Canonical paths, because that is what the kernel of macOS compares. */
function printSeatbelt(config: Config): ExitCode {
  using scope = new Scope({ roots: config.roots, containment: "portable" });
  const roots = scope.roots.map(({ handle, readOnly }) => ({ path: handle.canonical, readOnly }));
  const { stateDir } = config;
  print(seatbeltProfile({ roots, stateDir, executable: realpathSync(process.execPath) }).trimEnd());
  return EXIT.ok;
}

function checkBuild(): string[] {
  return [`ringfence ${BUILD.version} (${BUILD.commit}), ${BUILD.target}, ${BUILD.runtime}`];
}

/** Warns and does not fail: whoever sets these variables could as well start another program. */
function checkEnvironment(): string[] {
  for (const line of loaderWarnings()) printText(`warn  ${line}`);
  return [];
}

function checkContainment(config: Config): string[] {
  using scope = new Scope({ roots: [], containment: config.containment });
  const how =
    scope.containment === "handle"
      ? "by handle (openat2): also against another process that swaps directories"
      : "by name and proof (portable): SECURITY.md lists what that leaves open";
  return [`paths are held ${how}`];
}

/** The fence that a host started here would have. With roots one is started, because a version alone proves little. */
function checkFence(config: Config, rawArgs: readonly string[]): string[] {
  if (config.fence === "off") return ["no kernel fence: it is switched off"];
  const offered = offeredFence();
  if ("abi" in offered) {
    if (config.roots.length === 0) return [`kernel fence: this kernel offers Landlock ABI ${offered.abi}`];
    const command = [process.execPath, "serve", ...rawArgs, "--fence=require"];
    const stdin = Buffer.from(ownCall("system_info"));
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: cleanEnvironment(), stdin });
    const said = /(?:"|\\n)fence: (.*?)(?:"|\\n)/.exec(stdout.toString())?.[1];
    if (exitCode === 0 && said !== undefined) return [`fence of a host with these roots: ${said}`];
    const why = stderr.toString().trim();
    if (exitCode === EXIT.usage) throw new Failure("invalid_input", `${NO_START}: ${startReason(why)}`, { hint: "" });
    throw new Failure("unsupported", `Cannot see the fence of a host with these roots: ${startReason(why)}`);
  }
  if (config.fence === "require") throw new Failure("unsupported", `Cannot have the kernel fence: ${offered.reason}`);
  return [`no kernel fence: ${offered.reason}; paths are held by handles only`];
}

const NO_START = "a host with this configuration does not start";

/** What is wrong, of the line that a command ends with. */
function startReason(said: string): string {
  return said.replace(/^(?:error: )?(?:[a-z_]+: )?(?:Cannot start: )?/, "");
}

function checkDurability({ durability }: Config): string[] {
  return durability === "full"
    ? ["changes are flushed to the disk before they are answered"]
    : ["changes are not flushed to the disk (--durability=fast): a crash of the machine may take them back"];
}

function checkRoots(config: Config): string[] {
  if (config.roots.length === 0) return ["no root was given: add --root DIR to check one"];
  using scope = new Scope({ roots: config.roots, containment: config.containment });
  return scope.roots.map((root) => `root ${root.handle.canonical} (${root.readOnly ? "read-only" : "read-write"})`);
}

async function checkTools(config: Config): Promise<string[]> {
  return (await offeredTools(config)).flatMap(({ tool, hidden }) =>
    hidden === undefined ? [] : [`${tool.name} is not offered: ${hidden}`],
  );
}

/** Warns and does not fail: a wide rule works as it is written. `ringfence check` has an exit code for it. */
async function checkRules(config: Config): Promise<string[]> {
  if (config.rules.every(({ allow }) => allow === undefined)) return [];
  const { findWideRules } = await import("../wide-rules.ts");
  const tools = (await offeredTools(config)).map(({ tool }) => toolFacts(tool));
  const roots = config.roots.map(({ path }) => path);
  for (const { rule, source, allows } of findWideRules(config, tools, roots))
    printText(`warn  the rule ${rule} (${source}) allows ${allows}`);
  return [];
}

/** The packs that are always on, and those that the configuration can switch on. */
async function checkPacks(config: Config): Promise<string[]> {
  const { builtinPacks } = await import("../../packs/late-packs.ts");
  const { plansBeside } = await import("../../packs/plans.ts");
  const isConfigured: Readonly<Record<string, boolean>> = {
    commands: config.shell !== undefined || Object.keys(config.commands).length > 0,
    remote: config.upstreams !== undefined,
  };
  const builtin = builtinPacks
    .filter(({ name }) => isConfigured[name] !== false)
    .map((pack) => ({ pack, isOn: true, settings: undefined }));
  const [git, fence] = [gitUse(config), helperFence(config)];
  const all = [...builtin, ...(await loadPacks(config)).filter(({ pack }) => pack.name !== "git")];
  const on = await Promise.all(
    all.map(async (one) => await viewPack(one, ({ runsIn }) => (/sandbox|net/.test(runsIn) ? fence : undefined))),
  );
  const off = plansBeside(["git", ...all.map(({ pack }) => pack.name)]);
  const views = [...on, ...off.map((plan) => viewOff(plan))];
  const says = "off" in git ? `off: ${git.off}` : git.write ? "on, with the verbs that write" : "on";
  const lines = [...views.map(describePack), `pack git (git): ${says}`];
  if (views.every(({ problem }) => problem === undefined)) return lines;
  throw new Failure("unsupported", `Cannot use every pack: ${lines.join(", ")}`);
}

/** The fence around the code of a pack in a process of its own. */
function helperFence({ fence }: Config): string {
  if (fence === "off") return "no fence: it is switched off";
  const offered = offeredChildFence();
  return "abi" in offered ? `kernel, Landlock ABI ${offered.abi}` : `no fence: ${offered.reason}`;
}

/** A hook whose program is missing asks about every call. */
function checkHooks({ hooks, roots, stateDir }: Config): string[] {
  const named = hooks.flatMap(({ tool, before, after, run }) =>
    Object.entries({ before, after, "of proposals of": run }).flatMap(([when, command]) =>
      command?.[0] === undefined
        ? []
        : [[`the program ${when} ${tool}`, { description: "", program: command[0] }] as const],
    ),
  );
  const found = findPrograms(Object.fromEntries(named), { roots, hidden: [stateDir] }, cleanEnvironment());
  return Object.entries(found).map(([name, program]) => {
    if ("path" in program) return `hook: ${name} is ${program.path}`;
    throw new Failure("not_found", `Cannot run the hook: ${name}: ${program.missing}`);
  });
}

/**
 * The program of each declared command, as the launcher of a host would find it. `checkTools()` has named those without
 * one.
 */
async function checkCommands({ commands, shell, roots, stateDir }: Config): Promise<string[]> {
  const names = Object.keys(commands);
  if (names.length === 0 && shell === undefined) return [];
  if (process.platform !== "linux")
    throw new Failure("unsupported", "Cannot have commands: they are run on Linux only");
  const found = findPrograms(commands, { roots, hidden: [stateDir] }, cleanEnvironment());
  const problems: string[] = [];
  const lines = Object.entries(found).flatMap(([name, program]) => {
    if ("missing" in program) return [];
    const pin = commands[name]?.sha256;
    if (matchesPin(program.path, pin)) return [`command ${name}: ${program.path}${pin ? ", pinned" : ""}`];
    problems.push(`the program of ${name}, ${program.path}, is not the one that was pinned`);
    return [];
  });
  if (problems.length > 0)
    throw new Failure("denied", `Cannot run every command: ${problems.join("; ")}`, {
      hint: "Look at the program, and change sha256 in the declaration if it is the right one.",
    });
  const groups = ControlGroups.open();
  await groups?.close();
  const how = groups ? "a control group and its process tree" : "its process tree";
  return [...lines, `what a command starts is held by ${how}, and ended with it`];
}

/** What the last hosts on this state folder saw of other servers; `ringfence upstream review` asks the servers themselves. */
function checkUpstreams(config: Config): string[] {
  const { upstreams, stateDir } = config;
  const store = openUpstreamStore(stateDir, hostFlags(config));
  return Object.entries(upstreams?.servers ?? {}).map(
    ([name, declared]) => `upstream ${describeView(viewServer(store, name, declared))}`,
  );
}

/** What is broken in a space is told and is no failure: a host starts without it. */
async function checkSpaces(config: Config): Promise<string[]> {
  if (config.spaces.length === 0) return [];
  const { describeSpace, findSpaces, openSpaceStore, viewSpace } = await import("../../spaces/index.ts");
  const store = openSpaceStore(config.stateDir);
  const command = terminalCommand(["spaces", "review", ...hostFlags(config)], config.stateDir);
  const views = (await findSpaces(config.spaces, config.roots)).map((space) => viewSpace(store, space));
  for (const view of views) if (view.problems.length > 0) printText(`warn  ${describeSpace(view, command)}`);
  return views.flatMap((view) => (view.problems.length > 0 ? [] : [describeSpace(view, command)]));
}
