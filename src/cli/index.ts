/**
 * The command line: one file a command. `serve` is the fast way in and loads nothing that it does not need.
 */
export { runCommandLine } from "./run-command-line.ts";
