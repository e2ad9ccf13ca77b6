/**
 * What a host has its launcher told, from its configuration: the commands, the processes of packs and the broker, each with its
 * bounds. The launcher believes this and nothing that the host says later.
 */
import { fileURLToPath } from "node:url";
import { limits } from "../base/index.ts";
import { START_MARK, cleanEnvironment, type Config, type HookText } from "../config/index.ts";
import type { HelpersConfig, HookPrograms, LauncherStart } from "../proc/index.ts";
import { listsHosts, startsPrograms } from "./check-start.ts";
import { offeredGit } from "./git-use.ts";
import type { PackStarts } from "./starts-of-packs.ts";

/** From source the program is the runtime with a file. */
export const IS_COMPILED: boolean = /\/\$bunfs\/|~BUN/.test(import.meta.url);
const LAUNCHER_FILE = IS_COMPILED ? "" : fileURLToPath(new URL("../../workers/launcher.ts", import.meta.url));

/** What the start mark says to a launcher. */
export const LAUNCHER = "launcher";

/** How the launcher of a host with this configuration is started. */
export function launcherOf(
  config: Config,
  fence: Config["fence"] = config.fence,
  starts: Partial<PackStarts> = {},
): LauncherStart {
  const { roots, deny, stateDir, containment, commands: declarations, shell, hooks, skip, spaces } = config;
  const { answerBytes, budgets, dialect } = config;
  const shownBytes = Math.min(answerBytes, budgets.call?.bytes_out ?? answerBytes);
  const command = IS_COMPILED ? [process.execPath] : [process.execPath, LAUNCHER_FILE];
  const self = { command, markName: START_MARK };
  const git = offeredGit(config);
  return {
    command,
    config: {
      roots,
      deny,
      hidden: [stateDir],
      containment,
      ...(git || startsPrograms(config, starts)
        ? {
            commands: {
              declarations,
              shell,
              hooks: hooks.map(programsOf),
              fence,
              stateDir,
              // A text alone keeps the exact order of both streams, which only one pipe can tell.
              apart: config.results === "structured",
              shownBytes,
              // Its answers are JSON, in which a line end, a quote or a tab takes two bytes.
              ...(dialect === "clarvis" ? { sureBytes: Math.max(0, Math.floor(shownBytes / 2) - JSON_BYTES) } : {}),
              skip,
              self,
              upstream: config.upstreams && { ...config.upstreams, network: config.network },
              spaces,
              helpers: { ...helperProgram(), plans: { ...starts.helpers, ...OWN_PLANS } },
              ...(listsHosts(config, starts)
                ? { broker: { ...helperProgram(), order: brokerOrder(config.network) } }
                : {}),
              git,
              filters: starts.filters,
              packPrograms: starts.programs,
            },
          }
        : {}),
    },
    environment: { ...cleanEnvironment(), [START_MARK]: LAUNCHER },
  };
}

/** What such an answer says beside the output. */
const JSON_BYTES = 200;

/** What the host has decoded apart where there is a launcher, whatever packs are on, and whatever program it is a part of. */
const OWN_PLANS: HelpersConfig["plans"] = {
  pictures: {
    network: "none",
    memoryMb: limits.PICTURE_MEMORY_MB,
    command: IS_COMPILED ? undefined : [process.execPath, LAUNCHER_FILE],
  },
};

/** The certificates are for packs: what a program says in TLS is its own. */
function brokerOrder({ proxy, ranges }: Config["network"]): Readonly<Record<string, unknown>> {
  return { proxy, ranges };
}

/** From source it is the file that the program began with: nothing else knows the packs of a consumer. */
function helperProgram(): Omit<HelpersConfig, "plans"> {
  if (IS_COMPILED) return { command: [process.execPath] };
  return { command: [process.execPath, Bun.main], unfenced: "only the compiled executable can be fenced" };
}

function programsOf({ tool: _tool, action: _action, on: _on, ...programs }: HookText): HookPrograms {
  return programs;
}
