/**
 * What a start has to know of the pack `git`.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import type { PackPlan } from "../../contract/index.ts";

interface GitSettings {
  readonly enabled?: boolean | undefined;
  readonly write?: boolean | undefined;
}

export const GIT_PLAN: PackPlan<GitSettings> = {
  name: "git",
  title: "git",
  config: {
    usual: { enabled: undefined, write: undefined },
    keys: {
      enabled: () => described(z.boolean(), "false: no git, also where a root is a work tree."),
      write: () =>
        described(z.boolean(), "Offers git_add, git_restore, git_commit, git_switch and git_stash too. Default false."),
    },
  },
};
