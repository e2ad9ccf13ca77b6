/**
 * The program: a clean environment first, then the command line. The launcher of a fenced host is the same program.
 */
import { runCommandLine } from "./cli/index.ts";
import { scrubEnvironment, startArguments } from "./config/index.ts";
import { beLauncherIfAsked } from "./start/index.ts";

scrubEnvironment();
await beLauncherIfAsked();
await runCommandLine(startArguments());
