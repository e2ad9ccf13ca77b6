/**
 * The verbs of git that change a repository, in the order of `tools/list`.
 */
import type { Tool } from "../../../contract/index.ts";
import { gitAdd, gitRestore } from "./index-tools.ts";
import { gitCommit, gitStash, gitSwitch } from "./history-tools.ts";

export const writeTools: readonly Tool[] = [gitAdd, gitRestore, gitCommit, gitSwitch, gitStash];
