/**
 * git on the repositories in the roots: verbs that read, and where the configuration says so verbs that change, each of which
 * waits for a person.
 */
import { definePack, type Pack, type Tool } from "../../contract/index.ts";
import { gitBlame } from "./blame.ts";
import { gitBranches } from "./branches.ts";
import { gitDiff } from "./diff.ts";
import { gitLog } from "./log.ts";
import { GIT_PLAN } from "../plans.ts";
import { gitShow } from "./show.ts";
import { gitStatus } from "./status.ts";
import { writeTools } from "./write/write-tools.ts";

const READS: readonly Tool[] = [gitStatus, gitDiff, gitLog, gitShow, gitBlame, gitBranches];

export const gitPack: Pack = definePack({
  ...GIT_PLAN,
  tools: ({ enabled, write }) => (enabled === false ? [] : write === true ? [...READS, ...writeTools] : READS),
  powers: [],
});
