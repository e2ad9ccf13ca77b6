/**
 * The program: a clean environment first, then the command line. The launcher of a fenced host is the same program.
 */
import { runCommandLine } from "./cli/index.ts";
import { cleanEnvironment, scrubEnvironment, startArguments } from "./config/index.ts";
import { takeMark } from "./fence/index.ts";
import { LAUNCHER_MARK } from "./start/index.ts";

scrubEnvironment();
const { rest } = takeMark(startArguments());
if (rest[0] === LAUNCHER_MARK)
  (await import("./proc/index.ts")).serveLauncher(rest[1] ?? "", cleanEnvironment());
else await runCommandLine(rest);
