/**
 * git on the repositories in the roots: verbs that read, and where the configuration says so verbs that change, each of which
 * waits for a person.
 */
import * as z from "zod";
import { definePack, type Pack, type Tool } from "../../contract/index.ts";
import { gitBlame } from "./blame.ts";
import { gitBranches } from "./branches.ts";
import { gitDiff } from "./diff.ts";
import { gitLog } from "./log.ts";
import { gitShow } from "./show.ts";
import { gitStatus } from "./status.ts";
import { writeTools } from "./write/write-tools.ts";

interface GitSettings {
  readonly enabled?: boolean | undefined;
  readonly write?: boolean | undefined;
}

const READS: readonly Tool[] = [gitStatus, gitDiff, gitLog, gitShow, gitBlame, gitBranches];

export const gitPack: Pack = definePack<GitSettings>({
  name: "git",
  title: "git",
  tools: ({ enabled, write }) => (enabled === false ? [] : write === true ? [...READS, ...writeTools] : READS),
  powers: [],
  config: z.strictObject({
    enabled: z.boolean().optional().describe("false: no git, also where a root is a work tree."),
    write: z
      .boolean()
      .optional()
      .describe("Offers git_add, git_restore, git_commit, git_switch and git_stash too. Default false."),
  }),
});
