/**
 * `git_blame`: the commits that wrote the lines of a file.
 */
import * as z from "zod";
import { isoTime, limits } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut, path as pathOf } from "../fields.ts";
import { commitOf, needWorkTree, openRepository, readable, revisionField, runGit, shortHash } from "./repository.ts";

const USUAL_LINES = 200;
const MAX_LINES = 2000;

export const gitBlame: Tool = defineTool({
  name: "git_blame",
  title: "git blame",
  summary: "Shows which commit last changed each line of a file, as ranges of lines.",
  effect: "read",
  aliases: ["git.blame"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      path: pathOf("The file"),
      revision: revisionField("As the file was in this commit. Default: the work tree."),
      offset: z.number().int().min(1).optional().describe("First line. Default 1."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(MAX_LINES)
        .optional()
        .describe(`Lines. Default ${USUAL_LINES}, at most ${MAX_LINES}.`),
    }),
  output: () =>
    z.looseObject({
      ranges: z.array(z.looseObject({ start: z.number(), end: z.number(), commit: z.string() })),
      ...cut(),
    }),
  access: ({ path }) => [{ path, mode: "read" }],
  async run(input, ctx) {
    const { path, revision, offset = 1, limit = USUAL_LINES } = input;
    const repository = await openRepository(ctx, path);
    if (revision === undefined) needWorkTree(repository);
    const at = revision === undefined ? [] : [commitOf(revision).replace(/\^\{commit\}$/, "")];
    const args = ["blame", "--porcelain", "--no-textconv", "-L", `${offset},+${limit + 1}`, ...at, ...repository.only];
    const { text, cut: isCut } = await runGit(ctx, repository, args, limits.MAX_GIT_BYTES);
    const all = parseBlame(text);
    const lines = all.filter(({ number }) => number < offset + limit);
    const ranges = rangesOf(lines);
    const truncated = all.length > lines.length || isCut;
    const next = truncated ? { ...input, offset: offset + lines.length } : undefined;
    return {
      text: lines.map(({ number, commit, content }) => `${labelOf(commit)}  ${number}  ${content}`).join("\n"),
      note: noteOf(truncated && `There are more lines. ${nextCall("git_blame", next)}`),
      structured: { ranges, truncated, ...(next ? { next } : {}) },
      ...(truncated ? { truncated: true } : {}),
    };
  },
});

interface BlameCommit {
  readonly hash: string;
  author: string;
  date: string;
  summary: string;
}

interface BlameLine {
  readonly number: number;
  readonly commit: BlameCommit;
  readonly content: string;
}

/** The facts of a commit stand where it comes first; every line of the file begins with a tab. */
function parseBlame(text: string): BlameLine[] {
  const commits = new Map<string, BlameCommit>();
  const lines: BlameLine[] = [];
  let [commit, number]: [BlameCommit | undefined, number] = [undefined, 0];
  for (const line of readable(text).split("\n")) {
    const [, hash, at] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (hash !== undefined) {
      commit = commits.get(hash) ?? { hash, author: "", date: "", summary: "" };
      commits.set(hash, commit);
      number = Number(at);
    } else if (line.startsWith("\t") && commit) lines.push({ number, commit, content: line.slice(1) });
    else if (commit) noteFact(commit, line);
  }
  return lines;
}

function noteFact(commit: BlameCommit, line: string): void {
  const [, key, value = ""] = /^(author|author-time|summary) (.*)$/.exec(line) ?? [];
  if (key === "author") commit.author = value;
  else if (key === "author-time") commit.date = isoTime(Number(value) * 1000);
  else if (key === "summary") commit.summary = value;
}

function rangesOf(lines: readonly BlameLine[]) {
  const ranges: { start: number; end: number; commit: string; author: string; date: string; summary: string }[] = [];
  for (const { number, commit } of lines) {
    const { hash, ...about } = commit;
    const last = ranges.at(-1);
    if (last?.commit === hash && last.end === number - 1) last.end = number;
    else ranges.push({ start: number, end: number, commit: hash, ...about });
  }
  return ranges;
}

function labelOf({ hash, author, date }: BlameCommit): string {
  return /^0+$/.test(hash) ? "not committed" : `${shortHash(hash)} ${date.slice(0, 10)} ${author}`;
}
