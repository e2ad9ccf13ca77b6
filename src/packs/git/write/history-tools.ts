/**
 * `git_commit`, `git_switch` and `git_stash`: what moves HEAD or keeps changes aside.
 */
import * as z from "zod";
import { Failure } from "../../../base/index.ts";
import { defineTool, type Target, type Tool } from "../../../contract/index.ts";
import type { GitContext } from "../repository.ts";
import { changedResult, changeNow, openChanging, proposeChange, type Changing } from "./changing.ts";

const MAX_MESSAGE = 16_384;

const pathField = (): z.ZodOptional<z.ZodString> =>
  z.string().min(1).optional().describe("A path in the work tree. Default: the first root.");

function writesThere({ path = "." }: { readonly path?: string | undefined }): readonly Target[] {
  return [{ path, mode: "write" }];
}

function pathsOf(path: string | undefined): readonly string[] | undefined {
  return path === undefined ? undefined : [path];
}

export const gitCommit: Tool = defineTool({
  name: "git_commit",
  title: "git commit",
  summary:
    "Commits what is staged, without hooks and unsigned. The answer says whether it was done, or waits for approval.",
  effect: "change",
  needs: ["git"],
  rechecks: true,
  risk: "R3",
  input: () =>
    z.strictObject({
      message: z.string().min(1).max(MAX_MESSAGE).describe("The subject, and after an empty line the body."),
      path: pathField(),
    }),
  output: changedResult,
  access: writesThere,
  async preview({ message, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    const [subject = ""] = message.split("\n");
    const lines = ["message:", ...message.split("\n").map((line) => `  ${line}`)];
    return await proposeChange(ctx, changing, {
      summary: `git commit: ${subject.slice(0, 200)}`,
      verb: ["diff", "--cached"],
      lines,
    });
  },
  async run({ message, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    const flags = ["--no-verify", "--no-gpg-sign", "--no-status", "--quiet", "--cleanup=whitespace"];
    return await changeNow(ctx, changing, ["commit", ...flags, `--message=${message}`], "Committed.");
  },
});

/** As git takes a name of a branch, and never for an option. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[/.]$))[^\s~^:?*[\\\u0000-\u001f\u007f]{1,200}$/;

export const gitSwitch: Tool = defineTool({
  name: "git_switch",
  title: "git switch",
  summary:
    "Checks out a branch, or with create makes it at HEAD first. The answer says whether it was done, or waits for approval.",
  effect: "change",
  needs: ["git"],
  rechecks: true,
  risk: "R3",
  input: () =>
    z.strictObject({
      branch: z.string().min(1).max(200).describe("The branch."),
      create: z.boolean().optional().describe("Make it at HEAD."),
      path: pathField(),
    }),
  output: changedResult,
  access: writesThere,
  async preview({ branch, create = false, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    const verb = create ? undefined : ["diff", "HEAD^{commit}", `${checkedBranch(branch)}^{commit}`];
    checkedBranch(branch);
    return await proposeChange(ctx, changing, {
      summary: `git switch ${create ? "--create " : ""}${branch}`,
      ...(verb ? { verb } : {}),
    });
  },
  async run({ branch, create = false, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    const args = [
      "switch",
      "--quiet",
      "--no-guess",
      "--no-recurse-submodules",
      ...(create ? ["--create"] : []),
      checkedBranch(branch),
    ];
    return await changeNow(ctx, changing, args, `Switched to ${branch}.`);
  },
});

function checkedBranch(branch: string): string {
  if (BRANCH.test(branch)) return branch;
  throw new Failure("invalid_input", `Cannot switch to "${branch}": it cannot be the name of a branch`, {
    hint: "git_branches names those that there are.",
  });
}

export const gitStash: Tool = defineTool({
  name: "git_stash",
  title: "git stash",
  summary:
    "push keeps the changes of tracked files aside and takes them back in the work tree; pop brings the latest back. The answer says whether it was done, or waits for approval.",
  effect: "change",
  needs: ["git"],
  rechecks: true,
  risk: "R4",
  destructive: true,
  input: () =>
    z.strictObject({
      action: z.enum(["push", "pop"]).describe("push puts the changes aside; pop brings the latest back."),
      message: z.string().min(1).max(200).optional().describe("What push calls it."),
      path: pathField(),
    }),
  output: changedResult,
  access: writesThere,
  async preview({ action, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    if (action === "pop") await refuseUntracked(ctx, changing);
    const verb = action === "push" ? ["diff", "-R", "HEAD"] : ["diff", "stash@{0}^1", "stash@{0}"];
    return await proposeChange(ctx, changing, { summary: `git stash ${action}`, verb });
  },
  async run({ action, message, path }, ctx) {
    const changing = await openChanging(ctx, pathsOf(path));
    const named = action === "push" && message !== undefined ? [`--message=${message}`] : [];
    return await changeNow(
      ctx,
      changing,
      ["stash", action, "--quiet", ...named],
      action === "push" ? "Stashed." : "Brought back.",
    );
  },
});

/** What such a stash would make is in no diff of it. @throws Failure `unsupported` */
async function refuseUntracked(ctx: GitContext, { repository }: Changing): Promise<void> {
  const args = ["rev-parse", "--verify", "--quiet", "stash@{0}^3"];
  const { exit_code } = await ctx.git.run({ path: repository.place.top, args, max_bytes: 4096 });
  if (exit_code !== 0) return;
  throw new Failure("unsupported", "Cannot bring the stash back: it holds files that were not tracked", {
    hint: "A person can do it with git stash pop.",
  });
}
