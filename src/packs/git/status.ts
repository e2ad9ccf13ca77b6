/**
 * `git_status`: the state of a work tree, by the porcelain form that git keeps the same.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { count } from "../../text/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut, limit } from "../fields.ts";
import { parseStatus, type Status, type StatusEntry } from "./parse-status.ts";
import { accessOf, needThere, needWorkTree, openRepository, pathField, runGit, shortHash } from "./repository.ts";

const USUAL_ENTRIES = 200;

export const gitStatus: Tool = defineTool({
  name: "git_status",
  title: "git status",
  summary:
    "Shows the branch, how far it is ahead of or behind its upstream, and the files that are staged, changed, in conflict or " +
    "untracked.",
  effect: "read",
  aliases: ["git.status"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      path: pathField(),
      untracked: z
        .enum(["no", "normal", "all"])
        .optional()
        .describe("normal: a new directory as one entry (default). all: its files."),
      offset: z.number().int().min(0).optional().describe("Entries to pass over."),
      limit: limit(limits.MAX_LIST_ENTRIES, "Entries to return.", USUAL_ENTRIES),
    }),
  output: () =>
    z.looseObject({
      branch: z.string().optional(),
      commit: z.string().optional(),
      upstream: z.string().optional(),
      ahead: z.number().optional(),
      behind: z.number().optional(),
      entries: z.array(z.looseObject({ path: z.string(), kind: z.string() })),
      ...cut(),
    }),
  access: accessOf,
  async run({ path, untracked = "normal", offset = 0, limit: most = USUAL_ENTRIES }, ctx) {
    const repository = await openRepository(ctx, path);
    needWorkTree(repository);
    const { place, only } = repository;
    const flags = ["--porcelain=v2", "--branch", "--show-stash", "-z", "--ignore-submodules=dirty"];
    const args = ["status", ...flags, `--untracked-files=${untracked}`, ...only];
    const { text, cut: isCut } = await runGit(ctx, repository, args, limits.MAX_GIT_BYTES);
    // The last name may be half of one.
    const { entries: found, ...about } = parseStatus(isCut ? text.slice(0, text.lastIndexOf("\0")) : text);
    if (found.length === 0) await needThere(ctx, repository, path);
    const closed = await ctx.git.closed(found.map((entry) => `${place.top}/${entry.path}`));
    const open = found.filter((entry) => !closed.has(`${place.top}/${entry.path}`));
    const show = (name: string): string => ctx.git.show(`${place.top}/${name}`);
    const entries = open.slice(offset, offset + most).map((entry) => shown(entry, show));
    const truncated = offset + entries.length < open.length;
    const next = truncated
      ? { ...(path === undefined ? {} : { path }), untracked, offset: offset + entries.length }
      : undefined;
    const totals = { entries: open.length, closed: found.length - open.length };
    return {
      text: [headline(about, place.doing), ...groupsOf(entries)].join("\n"),
      note: noteOf(
        truncated && `${entries.length} of ${count(open.length, "entry", "entries")}. ${nextCall("git_status", next)}`,
        totals.closed > 0 && `${count(totals.closed, "entry is", "entries are")} closed to the tools and left out`,
        isCut && "There are more entries than git may say at once: name a path",
      ),
      structured: {
        ...about,
        doing: place.doing,
        entries,
        truncated: truncated || isCut,
        totals,
        ...(next ? { next } : {}),
      },
      ...(truncated || isCut ? { truncated: true } : {}),
    };
  },
});

type ShownEntry = ReturnType<typeof shown>;

function shown({ path, from, ...entry }: StatusEntry, show: (path: string) => string) {
  return { path: show(path), ...(from === undefined ? {} : { from: show(from) }), ...entry };
}

function headline(
  { branch, commit, upstream, ahead = 0, behind = 0, stashes }: Omit<Status, "entries">,
  doing: readonly string[],
): string {
  const on = branch === undefined ? `HEAD is detached at ${shortHash(commit ?? "")}` : `On ${branch}`;
  const parts = [
    commit === undefined ? "no commits yet" : "",
    upstream === undefined ? "" : `${ahead} ahead of and ${behind} behind ${upstream}`,
    ...doing.map((what) => `a ${what} is not finished`),
    stashes > 0 ? count(stashes, "stash", "stashes") : "",
  ];
  return [on, ...parts.filter((part) => part !== "")].join(", ");
}

function groupsOf(entries: readonly ShownEntry[]): string[] {
  if (entries.length === 0) return ["Nothing is changed."];
  const line = (what: string, { path, from }: ShownEntry): string =>
    `  ${[what, from === undefined ? path : `${from} -> ${path}`].filter(Boolean).join(": ")}`;
  const group = (title: string, of: readonly ShownEntry[], what: (entry: ShownEntry) => string): string[] =>
    of.length === 0 ? [] : [title, ...of.map((entry) => line(what(entry), entry))];
  return [
    ...group(
      "Conflicts:",
      entries.filter(({ kind }) => kind === "conflict"),
      () => "",
    ),
    ...group(
      "Staged:",
      entries.filter(({ staged }) => staged !== ""),
      ({ staged }) => staged,
    ),
    ...group(
      "Changed, not staged:",
      entries.filter(({ unstaged }) => unstaged !== ""),
      ({ unstaged }) => unstaged,
    ),
    ...group(
      "Untracked:",
      entries.filter(({ kind }) => kind === "untracked"),
      () => "",
    ),
  ];
}
