/**
 * The host's own way into the kernel fence, between knowing its configuration and opening anything.
 */
import {
  cleanEnvironment,
  hasDesktop,
  restartEnvironment,
  START_MARK,
  startArguments,
  takeStartMark,
  type Config,
} from "../config/index.ts";
import { enterFence, type FenceState } from "../fence/index.ts";
import { checkStart } from "./check-start.ts";

/** What the start mark says to a launcher. */
const LAUNCHER = "launcher";

/**
 * Everything that can be said about the configuration is said before the program starts again behind the fence. The
 * launcher is started only where something is offered that starts programs: so far, where there is a desktop.
 *
 * @throws Failure `denied` for the state folder, `unsupported` when the fence is required and cannot be had
 */
export async function enterHostFence(config: Config): Promise<FenceState> {
  checkStart(config);
  const mark = takeStartMark();
  const { roots, deny, stateDir, containment, configFiles } = config;
  const hasLauncher = config.fence !== "off" && mark === undefined && hasDesktop();
  const proc = hasLauncher ? await import("../proc/index.ts") : undefined;
  const launcher = {
    program: process.execPath,
    config: { roots, deny, hidden: [stateDir], containment },
    environment: { ...cleanEnvironment(), [START_MARK]: LAUNCHER },
  };
  return enterFence({
    mode: config.fence,
    roots,
    stateDir,
    reads: configFiles,
    arguments: startArguments(),
    environment: restartEnvironment(),
    markName: START_MARK,
    mark,
    ...(proc ? { beforeEntry: () => proc.startLauncher(launcher) } : {}),
  });
}

/**
 * Where this program was started to be a fenced host's launcher it is that, and ends with the host; anywhere else nothing
 * happens. First in every program that has a host: what runs before it runs in the launcher too.
 */
export async function beLauncherIfAsked(): Promise<void> {
  if (takeStartMark() !== LAUNCHER) return;
  const { serveLauncher } = await import("../proc/index.ts");
  serveLauncher(cleanEnvironment());
  process.exit(0);
}
