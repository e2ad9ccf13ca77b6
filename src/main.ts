/**
 * The program: a clean environment first, then the command line. The launcher of a host is the same program, and what it
 * starts begins as the same program too, so nothing more is loaded before it is known which of them this is.
 */
import { scrubEnvironment, startArguments } from "./config/index.ts";
import { beLauncherIfAsked } from "./start/index.ts";

scrubEnvironment();
await beLauncherIfAsked();
const { runCommandLine } = await import("./cli/index.ts");
await runCommandLine(startArguments());
