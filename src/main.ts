/**
 * The program: a clean environment first, then the command line.
 */
import { runCommandLine } from "./cli/index.ts";
import { scrubEnvironment } from "./config/index.ts";

scrubEnvironment();
void runCommandLine(process.argv.slice(2));
