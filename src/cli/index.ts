/**
 * The command line. Only the program itself imports it. Read `run-command-line.ts` first: it finds the command. `commands` has
 * one file for each, and the files beside this one are what several commands share. It may import `calls`, `base`, `text`,
 * `scope`, `approval`, `review`, `fence`, `state`, `wire`, `proc`, `policy`, `shell`, `audit`, `recorded`, `contract`, `packs`,
 * `dialects`, `upstream`, `page`, `config`, `spaces`, `start`, `session`, `methods` and `host`.
 */
export { runCommandLine } from "./run-command-line.ts";
