/**
 * The host's own way into the kernel fence, between knowing its configuration and opening anything; and what this program is
 * when a host has started it as a helper.
 *
 * A variable says what a start is to be, and anybody can set a variable: a launcher starts whatever it is told, a keeper
 * becomes any program. So it is believed only when the parent, which nobody can choose by a variable, has the same executable.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endStartPolicy, Failure } from "../base/index.ts";
import {
  START_MARK,
  cleanEnvironment,
  foundLoaderVariables,
  hasDesktop,
  hasPreloadFile,
  restartEnvironment,
  startArguments,
  takeHome,
  takeStartMark,
  type Config,
  type PlannedPack,
} from "../config/index.ts";
import {
  BROKER_MARK,
  EXEC_MARK,
  HELPER_MARK,
  beProgram,
  enterFence,
  finishHelperFence,
  type FenceState,
  type KeeperHelp,
} from "../fence/index.ts";
import type { Pack } from "../contract/index.ts";
import type { ApartProgram, RELAY_MARK } from "../proc/index.ts";
import { openPoll, POLL } from "../sys/index.ts";
import { checkStart, startsPrograms } from "./check-start.ts";
import { offeredGit } from "./git-use.ts";
import { IS_COMPILED, LAUNCHER, launcherOf } from "./plan-launcher.ts";
import { startsOf } from "./starts-of-packs.ts";

const INPUT = 0;
/** The exit code of a program that may not start. */
const REFUSED = 3;
/** What the start mark says to a process that searches once, and to one that speaks to a server by HTTP. */
const SEARCH = "search";
const RELAY: typeof RELAY_MARK = "upstream-http";
/** What the start mark of the page's server begins with; `listen` or `unfenced` follows. */
export const PAGE_MARK = "review-page:";

export interface HostStart {
  /** The fence of each program that is started; a host without a fence of its own may have fenced programs. */
  readonly programs?: Config["fence"];
  readonly packs?: readonly PlannedPack[];
}

/**
 * Everything that can be said about the configuration is said before the way into the fence. The
 * launcher is started only where there is something to start: commands, a shell, hooks, other servers, helpers of packs, git,
 * or a desktop. Where there are git and helpers alone it sleeps until the first call.
 *
 * @throws Failure `denied` for the state folder, `unsupported` when the fence is required and cannot be had
 */
export async function enterHostFence(
  config: Config,
  { programs = config.fence, packs = [] }: HostStart = {},
): Promise<FenceState> {
  const starts = startsOf(packs, config.network);
  checkStart(config, starts);
  const { roots, stateDir } = config;
  const runs = startsPrograms(config, starts);
  const isShown = config.fence !== "off" && hasDesktop();
  const hasGit = offeredGit(config) !== undefined;
  const isWanted = runs || isShown || hasGit;
  const isAsleep = !startsPrograms(config) && !isShown;
  const proc = isWanted ? await import("./late-launcher.ts") : undefined;
  const environment = restartEnvironment();
  const state = enterFence({
    mode: config.fence,
    roots,
    stateDir,
    // Some commands look at the files of the configuration again; `serve` does not.
    reads: [...config.configFiles, ...packs.flatMap(({ reads }) => reads)],
    carries: JSON.stringify(config),
    arguments: startArguments(),
    environment,
    markName: START_MARK,
    mustStartAgain: foundLoaderVariables().length > 0 || hasPreloadFile(),
    ...(proc ? { beforeEntry: () => proc.startLauncher(launcherOf(config, programs, starts), isAsleep) } : {}),
  });
  if (state.kind === "kernel") takeHome(environment);
  // Without a fence of the host's own, commands are started in the same way.
  if (state.kind === "kernel" || state.kept !== undefined || !proc || !(runs || hasGit)) return state;
  return { ...state, kept: proc.startLauncher(launcherOf(config, programs, starts), isAsleep) };
}

/** How a host starts a search in a process of its own; `undefined` behind the fence, where nothing can be started. */
export function searchProgram(fence: FenceState): ApartProgram | undefined {
  if (fence.kind === "kernel") return undefined;
  const command = IS_COMPILED
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))];
  return { command, environment: { ...cleanEnvironment(), [START_MARK]: SEARCH } };
}

/**
 * Where this program was started to be a fenced host's launcher, the helper of a power, or to search once, it does that and
 * ends; where the launcher started it to be a command, it becomes that; anywhere else nothing happens. First in every program
 * that has a host: what runs before it runs in those processes too.
 *
 * @param packs that the program brings. Default: the optional ones of this program
 * @throws Failure `denied` when this program was told so by somebody else
 */
export async function runAsHelper(packs?: readonly Pack[]): Promise<void> {
  const mark = takeStartMark();
  if (mark === undefined || !isHelper(mark)) return;
  // Asked for before it is known whose it is: a search ends when it has another one.
  const { ppid } = process;
  const isFenced = mark === RELAY || [HELPER_MARK, PAGE_MARK, BROKER_MARK].some((one) => mark.startsWith(one));
  if (!isStartedByUs() && !(isFenced && reachesNoFiles())) {
    if (hasLostHost(mark)) process.exit(REFUSED);
    throw new Failure(
      "denied",
      "Cannot start: a variable says that this is a part of a host, and no host has started it",
      { hint: `${START_MARK} is the program's own. Leave it out.` },
    );
  }
  if (mark.startsWith(EXEC_MARK)) {
    await beProgram(mark, cleanEnvironment(), { endDescendants, startSupervisor });
    process.exit(0);
  }
  endStartPolicy();
  if (isLauncher(mark)) {
    const { serveLauncher } = await import("./late-proc.ts");
    await serveLauncher(cleanEnvironment(), {
      config: mark.slice(LAUNCHER.length + 1),
      readSpaceTool: async (...order) => {
        const { startedTool } = await import("../spaces/index.ts");
        return await startedTool(...order);
      },
    });
    process.exit(0);
  }
  if (mark.startsWith(HELPER_MARK)) {
    finishHelperFence(mark);
    const { servePower } = await import("./serve-power.ts");
    await servePower(packs);
    process.exit(0);
  }
  if (mark.startsWith(PAGE_MARK)) {
    finishHelperFence(`${HELPER_MARK}${mark.slice(PAGE_MARK.length)}`);
    const { servePage } = await import("../page/index.ts");
    await servePage();
    process.exit(0);
  }
  if (mark.startsWith(BROKER_MARK)) {
    finishHelperFence(mark);
    const { serveProgramBroker } = await import("./serve-broker.ts");
    await serveProgramBroker();
    process.exit(0);
  }
  if (mark === RELAY) {
    const { serveHttpRelay } = await import("../upstream/index.ts");
    await serveHttpRelay();
    process.exit(0);
  }
  if (mark === SEARCH) {
    const { serveSearchApart } = await import("./late-search.ts");
    await serveSearchApart(ppid);
    process.exit(0);
  }
}

async function endDescendants(): Promise<void> {
  const { endAllFrom } = await import("./late-proc.ts");
  await endAllFrom(process.pid);
}

const startSupervisor: KeeperHelp["startSupervisor"] = async (input, onTrouble) => {
  const { startThread } = await import("./late-supervisor.ts");
  startThread("supervise", input, onTrouble);
};

/** Being behind the fence is no helper's mark: the kernel is asked whether that is so. */
function isHelper(mark: string): boolean {
  return (
    [BROKER_MARK, EXEC_MARK, HELPER_MARK, PAGE_MARK].some((one) => mark.startsWith(one)) ||
    isLauncher(mark) ||
    [RELAY, SEARCH].includes(mark)
  );
}

/** One that slept has what it was told at the start behind its mark. */
function isLauncher(mark: string): boolean {
  return mark === LAUNCHER || mark.startsWith(`${LAUNCHER}:`);
}

/** Where there is no /proc nobody can tell: nothing is started there but searches, which reach what they are handed. */
function isStartedByUs(): boolean {
  if (process.platform !== "linux") return true;
  try {
    const [own, parent] = ["/proc/self/exe", `/proc/${process.ppid}/exe`] as const;
    const [ours, theirs] = [statSync(own), statSync(parent)];
    if (ours.dev === theirs.dev && ours.ino === theirs.ino) return true;
    // Another version has been put in its place while the parent ran.
    return readlinkSync(parent) === `${readlinkSync(own)} (deleted)`;
  } catch {
    return false;
  }
}

/**
 * Whether this is a launcher whose host ended while it woke: its connection, which is its input, has no other end any more. Whoever
 * else sets the mark can make it look so, and gains that the refusal has no words.
 */
function hasLostHost(mark: string): boolean {
  if (!mark.startsWith(`${LAUNCHER}:`) || !fstatSync(INPUT).isSocket()) return false;
  return ((openPoll()?.(INPUT, POLL.in) ?? 0) & POLL.hangUp) !== 0;
}

/** Whether this is the fence of a process that speaks HTTP, which reaches no files and cannot look at its parent any more. */
function reachesNoFiles(): boolean {
  try {
    closeSync(openSync("/", constants.O_RDONLY | constants.O_DIRECTORY));
    return false;
  } catch {
    return true;
  }
}
