/**
 * One proposal as reviewers see it: everything that approving it does, whole, and bound to its digest. Terminal, page and
 * `--json` show this, and none of them computes anything of it.
 */
import { labelOf } from "../approval/index.ts";
import type { MethodName, MethodParams, MethodResults, ProposalWhy, ProposalWithFiles } from "../calls/index.ts";
import { readDiff, type ShownHunk } from "./rows/read-diff.ts";

export interface ProposalReview {
  /** `ID@DIGEST`: what was shown, and what an approval names. */
  readonly label: string;
  readonly id: string;
  /** One line. */
  readonly summary: string;
  readonly tool: string;
  readonly risk: string;
  /** The name that the client which proposed it gives itself. */
  readonly client?: string | undefined;
  /** The session in which it was proposed, as the record names it. */
  readonly session?: string | undefined;
  /** Why a person is asked. */
  readonly why?: ProposalWhy | undefined;
  /** The id of the proposal that a person made this one of. */
  readonly edits?: string | undefined;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly expiresAt: string;
  /** A call: it is approved or rejected as a whole. */
  readonly isCall: boolean;
  /** The whole sheet: every operation, every line of a call, the diffs and the notes, with nothing that commands a screen. */
  readonly text: string;
  readonly warnings: readonly string[];
  /** Why it cannot be applied now. */
  readonly problem?: string | undefined;
  readonly files: readonly ReviewedFile[];
}

export interface ReviewedFile {
  /** As `ringfence/proposals/apply` names it. */
  readonly path: string;
  readonly absolute: string;
  /** What happens to it, in one line. */
  readonly line: string;
  readonly added: number;
  readonly removed: number;
  /** The hunks, whose parts can be left out one by one; else it is taken whole. */
  readonly hunks: readonly ShownHunk[];
}

/** Calls a method of a host in this process. */
export type AskMethods = <Name extends MethodName>(
  method: Name,
  params: MethodParams[Name],
) => Promise<MethodResults[Name]>;

/** The size of the pages in which all that there is to see is fetched. */
const PAGE_BYTES: number = 4 * 1024 * 1024;

/** @throws Failure for one that has ended, or became another one meanwhile */
export async function loadReview(
  ask: AskMethods,
  id: string,
  client?: string,
  { session, why, edits }: Pick<ProposalReview, "session" | "why" | "edits"> = {},
): Promise<ProposalReview> {
  const first = await ask("ringfence/proposals/get", { id, page_bytes: PAGE_BYTES, whole_diffs: true });
  const label = labelOf(first);
  const texts = [first.text];
  for (let page = 2; page <= first.pages; page++)
    texts.push((await ask("ringfence/proposals/get", { id: label, page, page_bytes: PAGE_BYTES })).text);
  const { summary, tool, risk, createdAt, expiresAt, warnings, problem, operations } = first;
  return {
    label,
    id: first.id,
    summary,
    tool,
    risk,
    client,
    session,
    why,
    edits,
    createdAt,
    expiresAt,
    isCall: operations.length === 0,
    text: texts.join(""),
    warnings,
    problem,
    files: await Promise.all(first.files.map(async (file, index) => await fileOf(ask, first, label, index, file))),
  };
}

async function fileOf(
  ask: AskMethods,
  { operations, files }: ProposalWithFiles,
  label: string,
  index: number,
  { path, absolute, added, removed, diff, diff_truncated: isCut }: ProposalWithFiles["files"][number],
): Promise<ReviewedFile> {
  const isOne = files.filter((file) => file.path === path).length === 1;
  const whole = isCut === true ? await wholeDiff(ask, label, index) : (diff ?? "");
  return {
    path,
    absolute,
    line: operations[index] ?? path,
    added,
    removed,
    // Of a file that changes twice, a name could mean either change.
    hunks: isOne ? readDiff(whole) : readDiff(whole).map((hunk) => ({ ...hunk, places: [] })),
  };
}

async function wholeDiff(ask: AskMethods, label: string, file: number): Promise<string> {
  const parts: string[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const { diff, next }: MethodResults["ringfence/proposals/diff"] = await ask("ringfence/proposals/diff", {
      id: label,
      file,
      from,
    });
    parts.push(diff);
    from = next;
  }
  return parts.join("");
}
