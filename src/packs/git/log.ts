/**
 * `git_log`: commits by their facts, and no more of them than were asked for.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { count } from "../../text/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut } from "../fields.ts";
import { parseLog, LOG_FORMAT, type LogEntry } from "./parse-log.ts";
import {
  accessOf,
  commitsOf,
  openRepository,
  pathField,
  readable,
  revisionField,
  runGit,
  shortHash,
} from "./repository.ts";

const USUAL_COMMITS = 20;
const MAX_COMMITS = 500;

const wordsField = (what: string): z.ZodOptional<z.ZodString> => z.string().min(1).max(200).optional().describe(what);

export const gitLog: Tool = defineTool({
  name: "git_log",
  title: "git log",
  summary: "Lists commits, the newest first: hash, author, date and subject, and their files on request.",
  effect: "read",
  aliases: ["git.log"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      path: pathField(),
      revision: revisionField("Where to begin, or a range (main..HEAD). Default HEAD."),
      all: z.boolean().optional().describe("Of all branches and tags."),
      author: wordsField("Only those whose author matches this expression."),
      grep: wordsField("Only those whose message matches this expression."),
      since: wordsField("Only those after this date (2024-05-01, 2 weeks ago)."),
      until: wordsField("Only those before this date."),
      files: z.boolean().optional().describe("With the files that each has changed."),
      offset: z.number().int().min(0).optional().describe("Commits to pass over."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(MAX_COMMITS)
        .optional()
        .describe(`Default ${USUAL_COMMITS}, at most ${MAX_COMMITS}.`),
    }),
  output: () => z.looseObject({ commits: z.array(z.looseObject({ hash: z.string(), subject: z.string() })), ...cut() }),
  access: accessOf,
  async run(input, ctx) {
    const { path, revision, all, author, grep, since, until, files = false, offset = 0, limit = USUAL_COMMITS } = input;
    const repository = await openRepository(ctx, path);
    const { place, only } = repository;
    const named = { author, grep, since, until };
    const args = [
      "log",
      "-z",
      `--format=${LOG_FORMAT}`,
      "--no-show-signature",
      "--decorate=short",
      `--max-count=${limit + 1}`,
      `--skip=${offset}`,
      ...(files ? ["--name-status", "--find-renames", "--no-ext-diff", "--no-textconv"] : []),
      ...(all === true ? ["--all"] : []),
      ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
      ...(revision === undefined ? [] : [commitsOf(revision)]),
      ...only,
    ];
    const { text, cut: isCut } = await runGit(ctx, repository, args, limits.MAX_GIT_BYTES);
    const found = parseLog(text);
    if (isCut) found.pop();
    const closed = await ctx.git.closed([
      ...new Set(found.flatMap((one) => one.files.map((file) => `${place.top}/${file.path}`))),
    ]);
    const show = (name: string): string => ctx.git.show(`${place.top}/${name}`);
    const commits = found.slice(0, limit).map(({ files: changed, ...commit }) => ({
      ...commit,
      ...(files
        ? {
            files: changed
              .filter((file) => !closed.has(`${place.top}/${file.path}`))
              .map((file) => ({ ...file, path: show(file.path) })),
          }
        : {}),
    }));
    const truncated = found.length > limit || isCut;
    const next = truncated ? { ...input, offset: offset + commits.length } : undefined;
    return {
      text: commits.length === 0 ? "No commits." : commits.map(lineOf).join("\n"),
      note: noteOf(
        truncated && `There are more commits. ${nextCall("git_log", next)}`,
        closed.size > 0 && `${count(closed.size, "file is", "files are")} closed to the tools and left out`,
      ),
      structured: { commits, truncated, ...(next ? { next } : {}) },
      ...(truncated ? { truncated: true } : {}),
    };
  },
});

function lineOf({
  hash,
  date,
  author,
  refs,
  subject,
  files,
}: Omit<LogEntry, "files" | "email" | "body" | "parents"> & { files?: LogEntry["files"] }): string {
  const names = refs.length === 0 ? "" : ` (${refs.join(", ")})`;
  const head = `${shortHash(hash)}  ${date}  ${author}${names}  ${subject}`;
  return readable([head, ...(files ?? []).map(({ status, path }) => `    ${status}  ${path}`)].join("\n"));
}
