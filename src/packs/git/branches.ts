/**
 * `git_branches`: the names that commits have.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut } from "../fields.ts";
import { accessOf, openRepository, readable, runGit, shortHash } from "./repository.ts";

const USUAL_BRANCHES = 100;
const FORMAT =
  "%(HEAD)%00%(refname)%00%(objectname)%00%(upstream:short)%00%(upstream:track,nobracket)%00%(committerdate:iso-strict)%00%(contents:subject)%00%00";

export const gitBranches: Tool = defineTool({
  name: "git_branches",
  title: "git branches",
  summary:
    "Lists the branches, the latest first: which is checked out, its upstream, last commit and date. Remote branches and tags on request.",
  effect: "read",
  aliases: ["git.branches"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      path: z.string().optional().describe("A path in the work tree. Default: the first root."),
      remotes: z.boolean().optional().describe("Also list remote branches. Default false."),
      tags: z.boolean().optional().describe("With the tags."),
      offset: z.number().int().min(0).optional().describe("Branches to pass over."),
      limit: z.number().int().min(1).max(1000).optional().describe(`Default ${USUAL_BRANCHES}, at most 1000.`),
    }),
  output: () => z.looseObject({ branches: z.array(z.looseObject({ name: z.string(), commit: z.string() })), ...cut() }),
  access: accessOf,
  async run(input, ctx) {
    const { path, remotes = false, tags = false, offset = 0, limit = USUAL_BRANCHES } = input;
    const repository = await openRepository(ctx, path);
    const where = ["refs/heads", ...(remotes ? ["refs/remotes"] : []), ...(tags ? ["refs/tags"] : [])];
    const args = [
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${offset + limit + 1}`,
      `--format=${FORMAT}`,
      ...where,
    ];
    const { text, cut: isCut } = await runGit(ctx, repository, args, limits.MAX_GIT_BYTES);
    const all = readable(text)
      .split("\0\0\n")
      .filter((line) => line !== "")
      .map(branchOf);
    const branches = all.slice(offset, offset + limit);
    const truncated = all.length > offset + limit || isCut;
    const next = truncated ? { ...input, offset: offset + branches.length } : undefined;
    return {
      text: branches.length === 0 ? "No branches yet." : branches.map(lineOf).join("\n"),
      note: noteOf(truncated && `There are more. ${nextCall("git_branches", next)}`),
      structured: { branches, truncated, ...(next ? { next } : {}) },
      ...(truncated ? { truncated: true } : {}),
    };
  },
});

function branchOf(line: string) {
  const [head = "", ref = "", commit = "", upstream = "", track = "", date = "", subject = ""] = line.split("\0");
  const [, kind = "", name = ""] = /^refs\/(heads|remotes|tags)\/(.*)$/s.exec(ref) ?? [];
  return {
    name,
    kind: { heads: "branch", remotes: "remote", tags: "tag" }[kind] ?? kind,
    ...(head === "*" ? { current: true } : {}),
    commit,
    ...(upstream === "" ? {} : { upstream, ...(track === "" ? {} : { track }) }),
    ...(date === "" ? {} : { date }),
    subject,
  };
}

function lineOf({ name, current, commit, upstream, track, date, subject }: ReturnType<typeof branchOf>): string {
  const follows = upstream === undefined ? "" : ` [${upstream}${track === undefined ? "" : `: ${track}`}]`;
  return `${current === true ? "* " : "  "}${name}${follows}  ${shortHash(commit)}  ${date ?? ""}  ${subject}`;
}
