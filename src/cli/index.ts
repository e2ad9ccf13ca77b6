/**
 * The command line. Only the program itself imports it. Read `run-command-line.ts` first: it finds the command. `commands` has
 * one file for each, and the files beside this one are what several commands share. It may import `calls`, `base`, `text`,
 * `pattern`, `scope`, `approval`, `fence`, `state`, `wire`, `proc`, `policy`, `shell`, `audit`, `review`, `recorded`, `contract`, `packs`,
 * `mcp`, `dialects`, `upstream`, `page`, `config`, `spaces`, `start`, `session`, `pipeline`, `methods`, `surfaces`, `host` and
 * `clients`.
 */
export { runCommandLine } from "./run-command-line.ts";
