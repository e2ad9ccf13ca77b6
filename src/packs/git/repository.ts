/**
 * What every tool of git begins with: the repository of a path, whether that path is open, a revision that is no option and no
 * file, and a run whose failure says what to do next.
 */
import * as z from "zod";
import { Failure } from "../../base/index.ts";
import type { GitAnswer, GitApi, GitFound, Target } from "../../contract/index.ts";

export interface GitContext {
  readonly git: GitApi;
}

/** Where a tool looks, and what of it. */
export interface Repository extends GitFound {
  /** What ends the arguments of a verb. */
  readonly only: readonly string[];
}

export const pathField = (): z.ZodOptional<z.ZodString> =>
  z.string().optional().describe("A file or directory: only what concerns it. Default: the first root.");

export const revisionField = (what: string): z.ZodOptional<z.ZodString> =>
  z.string().min(1).max(MAX_REVISION).optional().describe(what);

/** A call without a path is about the first root. */
export function accessOf({ path = "." }: { readonly path?: string | undefined }): readonly Target[] {
  return [{ path, mode: "read", deep: true }];
}

/** @throws Failure `not_found` without a repository, `denied` for a path that is closed */
export async function openRepository({ git }: GitContext, path = "."): Promise<Repository> {
  const found = await git.find(path);
  const { place, rel } = found;
  const absolute = rel === "" ? place.top : `${place.top}/${rel}`;
  if ((await git.closed([absolute])).size > 0)
    throw new Failure("denied", `Cannot use git on "${path}": it is closed to the tools`, {
      hint: "It holds secrets, or a rule denies it.",
    });
  return { ...found, only: rel === "" ? [] : ["--", rel] };
}

/** @throws Failure `unsupported` for a bare repository, where git would take every file for a deleted one */
export function needWorkTree({ place }: GitFound): void {
  if (!place.isBare) return;
  throw new Failure("unsupported", "Cannot look at the work tree: the repository is bare", {
    hint: "git_log, git_show and git_branches work there, and git_diff of two commits.",
  });
}

/** @throws Failure `not_found` for a revision that there is not, `command_failed` with what git said */
export async function runGit(
  { git }: GitContext,
  { place }: GitFound,
  args: readonly string[],
  bytes: number,
): Promise<GitAnswer> {
  const answer = await git.run({ path: place.top, args, max_bytes: bytes });
  if (answer.exit_code === 0) return answer;
  const said = answer.errors.replace(/^(?:fatal|error): /, "").split("\n")[0] ?? "";
  const isUnknown =
    /unknown revision|bad revision|ambiguous argument|bad object|Needed a single|invalid object name|Not a valid/.test(
      said,
    );
  if (/does not have any commits yet|bad revision 'HEAD'|'HEAD\^\{commit\}'/.test(answer.errors))
    throw new Failure("not_found", `Cannot run git ${args[0]}: the branch has no commits yet`, {
      hint: "git_status shows what is there.",
    });
  throw new Failure(isUnknown ? "not_found" : "command_failed", `Cannot run git ${args[0]}: ${said || "it failed"}`, {
    hint: isUnknown ? "git_branches and git_log name what there is." : "",
  });
}

/**
 * For a path of which git has said nothing: a name with a slip in it would look like a file without changes.
 * @throws Failure `not_found` where the work tree has nothing by that name and git keeps nothing by it
 */
export async function needThere(ctx: GitContext, repository: Repository, path: string | undefined): Promise<void> {
  if (path === undefined || repository.only.length === 0) return;
  const { only } = repository;
  const args = ["ls-files", "-z", "--cached", "--others", "--directory", ...only];
  const { text } = await runGit(ctx, repository, args, SOME_NAMES_BYTES);
  if (text !== "") return;
  throw new Failure("not_found", `Cannot find "${path}": the work tree has no such file, and git keeps none`, {
    hint: "Leave the path out to see all that is changed; git_log shows what became of a file that was deleted.",
  });
}

/** Whether there is any name is all that is asked. */
const SOME_NAMES_BYTES = 4096;

const MAX_REVISION = 250;

/** A commit by any name of it. Nothing else: an object could be a file that is closed. @throws Failure `invalid_input` */
export function commitOf(revision: string): string {
  if (!/^[^-\s:^][^\s:\u0000-\u001f\u007f]*$/.test(revision) || revision.includes(".."))
    throw new Failure("invalid_input", `Cannot read the revision "${revision}": it names no single commit`, {
      hint: "Give a branch, a tag, a hash, or HEAD~2.",
    });
  return `${revision}^{commit}`;
}

/** One commit, or those of `a..b` and `a...b`. @throws Failure `invalid_input` */
export function commitsOf(revision: string): string {
  const [, from = "", dots = "", to = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(revision) ?? [];
  if (dots === "") return commitOf(revision);
  return `${commitOf(from === "" ? "HEAD" : from)}${dots}${commitOf(to === "" ? "HEAD" : to)}`;
}

/** What is shown to a model: bytes that are no UTF-8 as U+FFFD. */
export function readable(text: string): string {
  return text.toWellFormed();
}

export function shortHash(hash: string): string {
  return hash.slice(0, 10);
}
