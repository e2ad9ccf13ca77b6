/**
 * `git_diff`: what differs between the work tree, the index and commits.
 */
import * as z from "zod";
import { Failure } from "../../base/index.ts";
import { defineTool, type Tool } from "../../contract/index.ts";
import { cut } from "../fields.ts";
import { changeFields, changesResult, readChanges } from "./changes.ts";
import {
  accessOf,
  commitOf,
  commitsOf,
  needThere,
  needWorkTree,
  openRepository,
  pathField,
  revisionField,
} from "./repository.ts";
import { changesData, changesNote, changesText } from "./show-changes.ts";

export const gitDiff: Tool = defineTool({
  name: "git_diff",
  title: "git diff",
  summary:
    "Shows the differences file by file: the work tree from the index; with staged, the index from HEAD; with from, the work tree from " +
    "that commit; with from and to, two commits. from may be a range (main...HEAD).",
  effect: "read",
  aliases: ["git.diff"],
  needs: ["git"],
  input: () =>
    z.strictObject({
      path: pathField(),
      staged: z.boolean().optional().describe("What a commit would contain."),
      from: revisionField("A commit, or a range."),
      to: revisionField("The other commit."),
      ...changeFields(),
    }),
  output: () => z.looseObject({ ...changesResult(), ...cut() }),
  access: accessOf,
  async run(input, ctx) {
    const { path, stat = false, context = 3, offset = 0, line = 0 } = input;
    const verb = ["diff", ...comparedBy(input)];
    const room = ctx.facts.answerBytes;
    const repository = await openRepository(ctx, path);
    // What two commits have need not be there any more.
    const isOfWorkTree = input.to === undefined && input.from?.includes("..") !== true;
    if (isOfWorkTree) needWorkTree(repository);
    const changes = await readChanges(ctx, repository, { verb, patches: !stat, context, offset, line, room });
    const isNothing = changes.totals.files === 0 && changes.leftOut.length === 0;
    if (isOfWorkTree && isNothing) await needThere(ctx, repository, path);
    const { offset: _offset, line: _line, ...args } = input;
    return {
      text: changesText(changes),
      note: changesNote(changes, "git_diff", args),
      ...changesData(changes, args),
    };
  },
});

function comparedBy({
  staged = false,
  from,
  to,
}: {
  staged?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): string[] {
  if (to !== undefined && (from === undefined || staged))
    throw new Failure(
      "invalid_input",
      `Cannot compare with "${to}": it has to be given with from, and without staged`,
      {
        hint: "Give from too, for example main.",
      },
    );
  if (from !== undefined && to !== undefined) return [commitOf(from), commitOf(to)];
  return [...(staged ? ["--cached"] : []), ...(from === undefined ? [] : [commitsOf(from)])];
}
