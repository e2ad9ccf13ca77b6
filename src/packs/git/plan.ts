/**
 * What a start has to know of the pack `git`.
 */
import * as z from "zod/mini";
import type { PackPlan } from "../../contract/index.ts";

interface GitSettings {
  readonly enabled?: boolean | undefined;
  readonly write?: boolean | undefined;
}

export const GIT_PLAN: PackPlan<GitSettings> = {
  name: "git",
  title: "git",
  config: z.strictObject({
    enabled: z.optional(z.boolean()).check(z.describe("false: no git, also where a root is a work tree.")),
    write: z
      .optional(z.boolean())
      .check(z.describe("Offers git_add, git_restore, git_commit, git_switch and git_stash too. Default false.")),
  }),
};
