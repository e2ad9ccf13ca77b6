/**
 * The program: a clean environment first, then the command line.
 */
import { runCommandLine } from "./cli/index.ts";
import { leaveRuntimeVariables } from "./config/index.ts";

leaveRuntimeVariables();
await runCommandLine(process.argv.slice(2));
