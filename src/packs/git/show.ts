/**
 * `git_show`: one commit, or a file as it was in one.
 */
import * as z from "zod";
import { Failure, limits } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut } from "../fields.ts";
import { changeFields, changesResult, readChanges } from "./changes.ts";
import { LOG_FORMAT, parseLog } from "./parse-log.ts";
import {
  accessOf,
  commitOf,
  openRepository,
  pathField,
  readable,
  revisionField,
  runGit,
  type GitContext,
} from "./repository.ts";
import { changesData, changesNote, changesText } from "./show-changes.ts";

interface ShowInput {
  readonly path?: string | undefined;
  readonly content?: boolean | undefined;
  readonly line?: number | undefined;
}

export const gitShow: Tool = defineTool({
  name: "git_show",
  title: "git show",
  summary:
    "Shows one commit: its message and what it changed against its first parent. With content and the path of a file: that file as " +
    "it was in the commit.",
  effect: "read",
  aliases: ["git.show"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      revision: revisionField("The commit. Default HEAD."),
      path: pathField(),
      content: z.boolean().optional().describe("The file at path as it was in that commit."),
      ...changeFields(),
    }),
  output: () => z.looseObject({ ...changesResult(), files: changesResult().files.optional(), ...cut() }),
  access: accessOf,
  async run(input, ctx) {
    const { revision = "HEAD", path, content = false, stat = false, context = 3, offset = 0, line = 0 } = input;
    const room = ctx.facts.answerBytes;
    if (content) return await showContent(input, commitOf(revision), room, ctx);
    const repository = await openRepository(ctx, path);
    const asked = [
      "show",
      "--no-patch",
      "-z",
      `--format=${LOG_FORMAT}`,
      "--no-show-signature",
      "--decorate=short",
      commitOf(revision),
    ];
    const [commit] = parseLog((await runGit(ctx, repository, asked, limits.MAX_GIT_BYTES)).text.replace(/\n?$/, "\0"));
    if (!commit) throw new Error("git show without a commit");
    const verb = ["show", "--format=", "--diff-merges=first-parent", commit.hash];
    const changes = await readChanges(ctx, repository, { verb, patches: !stat, context, offset, line, room });
    const { offset: _offset, line: _line, ...args } = { ...input, revision: commit.hash };
    const { files: _files, body = "", ...about } = commit;
    const { hash, author, email, date, parents, subject } = commit;
    const merge = parents.length > 1 ? [`parents ${parents.join(" ")}`] : [];
    const head = [
      `commit ${hash}`,
      ...merge,
      `author ${author} <${email}>`,
      `date ${date}`,
      "",
      subject,
      ...(body === "" ? [] : ["", body]),
    ];
    const { structured, ...rest } = changesData(changes, args);
    return {
      text: [...head, "", changesText(changes)].join("\n"),
      note: changesNote(changes, "git_show", args),
      structured: { commit: { ...about, body }, ...structured },
      ...rest,
    };
  },
});

async function showContent({ path, line = 0, ...asked }: ShowInput, commit: string, room: number, ctx: GitContext) {
  if (path === undefined)
    throw new Failure("invalid_input", "Cannot show a file as it was: its path is missing", {
      hint: 'For example {"revision": "HEAD~1", "path": "src/a.ts", "content": true}.',
    });
  const repository = await openRepository(ctx, path);
  const { text, cut: isCut } = await runGit(
    ctx,
    repository,
    ["cat-file", "blob", `${commit.replace(/\^\{commit\}$/, "")}:${repository.rel}`],
    limits.MAX_GIT_BYTES,
  );
  if (text.includes("\0"))
    throw new Failure("unsupported", `Cannot show "${path}" as it was: it is no text`, { hint: "" });
  const lines = readable(text).split("\n");
  let used = 0;
  const end = lines.findIndex((one, at) => at >= line && (used += Buffer.byteLength(one) + 1) > room);
  const shown = lines.slice(line, end < 0 ? undefined : Math.max(end, line + 1));
  const next = end < 0 ? undefined : { ...asked, path, line: line + shown.length };
  const truncated = next !== undefined || isCut;
  return {
    text: shown.join("\n").slice(0, room),
    note: noteOf(
      next &&
        `Lines ${line + 1} to ${line + shown.length} of ${isCut ? "more than " : ""}${lines.length}. ${nextCall("git_show", next)}`,
    ),
    structured: {
      path,
      content: shown.join("\n").slice(0, room),
      truncated,
      totals: { lines: lines.length },
      ...(next ? { next } : {}),
    },
    ...(truncated ? { truncated: true } : {}),
  };
}
