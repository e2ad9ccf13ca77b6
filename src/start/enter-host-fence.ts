/**
 * The host's own way into the kernel fence, between knowing its configuration and opening anything.
 */
import {
  cleanEnvironment,
  hasDesktop,
  restartEnvironment,
  startArguments,
  type Config,
} from "../config/index.ts";
import { enterFence, takeMark, type FenceState } from "../fence/index.ts";
import { checkStart } from "./check-start.ts";

/** The first argument of the program that makes it a launcher; the second is what it may reach. */
export const LAUNCHER_MARK = "--launcher";

/**
 * Everything that can be said about the configuration is said before the program starts again behind the fence. The
 * launcher is started only where something is offered that starts programs: so far, where there is a desktop.
 *
 * @throws Failure `denied` for the state folder, `unsupported` when the fence is required and cannot be had
 */
export async function enterHostFence(config: Config): Promise<FenceState> {
  checkStart(config);
  const { mark, rest } = takeMark(startArguments());
  const { roots, deny, stateDir, containment } = config;
  const hasLauncher = config.fence !== "off" && !mark && hasDesktop();
  const proc = hasLauncher ? await import("../proc/index.ts") : undefined;
  const launcher = {
    command: [process.execPath, LAUNCHER_MARK],
    config: { roots, deny, hidden: [stateDir], containment },
    environment: cleanEnvironment(),
  };
  return enterFence({
    mode: config.fence,
    roots,
    stateDir,
    arguments: rest,
    environment: restartEnvironment(),
    mark,
    ...(proc ? { beforeEntry: () => proc.startLauncher(launcher) } : {}),
  });
}
