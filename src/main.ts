/**
 * The program: a clean environment first, then the command line. The launcher of a fenced host and a search
 * in a process of its own are the same program.
 */
import { runCommandLine } from "./cli/index.ts";
import { scrubEnvironment, startArguments } from "./config/index.ts";
import { beHelperIfAsked } from "./start/index.ts";

scrubEnvironment();
await beHelperIfAsked();
await runCommandLine(startArguments());
