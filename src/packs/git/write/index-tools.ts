/**
 * `git_add` and `git_restore`: files into the index, and out of it or of a commit.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type Target, type Tool } from "../../../contract/index.ts";
import { count } from "../../../text/index.ts";
import { parseStatus } from "../parse-status.ts";
import { commitOf, revisionField, runGit } from "../repository.ts";
import { changedResult, changeNow, openChanging, pathsField, proposeChange, refuseClosed } from "./changing.ts";

function writesTo({ paths }: { readonly paths: readonly string[] }): readonly Target[] {
  return paths.map((path) => ({ path, mode: "write" }));
}

export const gitAdd: Tool = defineTool({
  name: "git_add",
  title: "git add",
  summary: "Puts files as they are now into the index. The answer says whether it was done, or waits for approval.",
  effect: "change",
  needs: ["git"],
  rechecks: true,
  risk: "R3",
  idempotent: true,
  input: () => z.strictObject({ paths: pathsField("Files or directories, all in one repository.") }),
  output: changedResult,
  access: writesTo,
  async preview({ paths }, ctx) {
    const changing = await openChanging(ctx, paths);
    const { repository, names } = changing;
    const { top } = repository.place;
    const asked = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--", ...names];
    const { text } = await runGit(ctx, repository, asked, limits.MAX_GIT_BYTES);
    const made = parseStatus(text)
      .entries.filter(({ kind }) => kind === "untracked")
      .map(({ path }) => `${top}/${path}`);
    const [closed] = await ctx.git.closed(made, true);
    if (closed !== undefined) throw refuseClosed(ctx.git.show(closed));
    const files = made.map((path) => ctx.git.show(path));
    const lines = files.map((path) => `new  ${path}`);
    return await proposeChange(ctx, changing, {
      summary: `git add ${shownPaths(paths)}`,
      verb: ["diff"],
      names,
      lines,
      files,
    });
  },
  async run({ paths }, ctx) {
    const changing = await openChanging(ctx, paths);
    return await changeNow(ctx, changing, ["add", "--", ...changing.names], `Added ${shownPaths(paths)}.`);
  },
});

export const gitRestore: Tool = defineTool({
  name: "git_restore",
  title: "git restore",
  summary:
    "Takes back changes of files: those that are not staged, or with staged those in the index. from takes the files of " +
    "that commit. The answer says whether it was done, or waits for approval.",
  effect: "change",
  needs: ["git"],
  rechecks: true,
  risk: "R4",
  destructive: true,
  idempotent: true,
  input: () =>
    z.strictObject({
      paths: pathsField("Files or directories, all in one repository."),
      staged: z.boolean().optional().describe("In the index, and not in the work tree."),
      from: revisionField("A commit. Default: the index, or HEAD with staged."),
    }),
  output: changedResult,
  access: writesTo,
  async preview({ paths, staged = false, from }, ctx) {
    const changing = await openChanging(ctx, paths);
    const source = from === undefined ? [] : [commitOf(from)];
    const verb = ["diff", "-R", ...(staged ? ["--cached"] : []), ...source];
    return await proposeChange(ctx, changing, {
      summary: `git restore ${shownPaths(paths)}`,
      verb,
      names: changing.names,
    });
  },
  async run({ paths, staged = false, from }, ctx) {
    const changing = await openChanging(ctx, paths);
    const source = from === undefined ? [] : [`--source=${commitOf(from)}`];
    const args = ["restore", ...(staged ? ["--staged"] : []), ...source, "--", ...changing.names];
    return await changeNow(ctx, changing, args, `Restored ${shownPaths(paths)}.`);
  },
});

function shownPaths(paths: readonly string[]): string {
  return paths.length > 3 ? count(paths.length, "path") : paths.join(", ");
}
