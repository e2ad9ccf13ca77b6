/**
 * What the verbs that change a repository have in common. Each waits for a person, who is shown what would change; it is carried
 * out only if HEAD, the index and the files that were shown are still the same, else the proposal is stale. Hooks, filters and
 * signing are off, as in everything that git does here.
 */
import * as z from "zod";
import { Failure, limits } from "../../../base/index.ts";
import type { LocalProposal, ToolResult } from "../../../contract/index.ts";
import { readChanges } from "../changes.ts";
import { openRepository, readable, runGit, type GitContext, type Repository } from "../repository.ts";
import { changesText } from "../show-changes.ts";

const MAX_PATHS = 500;
/** More of a diff nobody reads before approving. */
const SHOWN_BYTES: number = 256 * 1024;

export const pathsField = (what: string): z.ZodArray<z.ZodString> =>
  z.array(z.string().min(1)).min(1).max(MAX_PATHS).describe(what);

export const changedResult = (): z.ZodObject =>
  z.looseObject({ commit: z.string().optional(), branch: z.string().optional() });

/** A repository that may be changed, with the paths below it that are meant. */
export interface Changing {
  readonly repository: Repository;
  readonly names: readonly string[];
}

/** @throws Failure `unsupported` with submodules, `denied` for a closed path, `invalid_input` for paths of two repositories */
export async function openChanging(ctx: GitContext, paths: readonly string[] = ["."]): Promise<Changing> {
  const found = await Promise.all(paths.map(async (path) => await openRepository(ctx, path)));
  const [repository] = found;
  if (!repository) throw new Failure("invalid_input", "Cannot change a repository: no path is named");
  const other = found.findIndex(({ place }) => place.top !== repository.place.top);
  if (other >= 0)
    throw new Failure(
      "invalid_input",
      `Cannot change "${paths[other]}": it lies in another repository than "${paths[0]}"`,
      {
        hint: "Make one call for each repository.",
      },
    );
  if (repository.place.isBare)
    throw new Failure("unsupported", "Cannot change the repository: it is bare", { hint: "" });
  const { text, cut } = await runGit(ctx, repository, ["ls-files", "--stage", "-z"], limits.MAX_GIT_BYTES);
  if (cut || /(?:^|\0)160000 /.test(text))
    throw new Failure(
      "unsupported",
      "Cannot change the repository: it has submodules, or too many files to be looked through",
      {
        hint: "git would start itself in the submodules, with their own configuration. A person can do it.",
      },
    );
  return { repository, names: found.map(({ rel }) => (rel === "" ? "." : rel)) };
}

interface Shown {
  readonly summary: string;
  /** What is compared to show what would change; nothing for what has no diff. */
  readonly verb?: readonly string[];
  readonly names?: readonly string[];
  readonly lines?: readonly string[];
  /** Files whose content must still be what was shown. */
  readonly files?: readonly string[];
}

/** @throws Failure `denied` where what would change is closed to the tools */
export async function proposeChange(
  ctx: GitContext,
  { repository }: Changing,
  { summary, verb, names = [], lines = [], files = [] }: Shown,
): Promise<LocalProposal> {
  const { place } = repository;
  const only = names.length === 0 || names.includes(".") ? [] : ["--", ...names];
  const changes =
    verb &&
    (await readChanges(
      ctx,
      { ...repository, only },
      { verb, patches: true, context: 3, offset: 0, line: 0, room: SHOWN_BYTES, writes: true },
    ));
  const [closed] = changes?.leftOut ?? [];
  if (closed !== undefined) throw refuseClosed(closed);
  if (changes?.next || changes?.isCut === true || changes?.isPatchCut === true)
    throw new Failure(
      "too_large",
      `Cannot propose to ${summary}: what would change is more than a person can be shown`,
      {
        hint: "Name fewer paths, or commit in parts.",
      },
    );
  const shown = [...lines, ...(changes ? [changesText(changes)] : [])];
  const state = [`${place.gitDir}/HEAD`, `${place.gitDir}/index`, ...(await branchFile(ctx, repository))];
  const touched = changes && !verb.includes("--cached") ? changes.files.map(({ path }) => path) : [];
  return {
    summary,
    ...(shown.length === 0 ? {} : { diff: `${shown.join("\n")}\n` }),
    paths: [...new Set([...state.map((path) => ctx.git.show(path)), ...touched, ...files])],
  };
}

export function refuseClosed(path: string): Failure {
  return new Failure("denied", `Cannot change the repository: "${path}" is closed to the tools`, {
    hint: "It holds secrets, or a rule denies it. Leave it out, or ask the person to do it.",
  });
}

/** Where the branch says which commit is its last. It may be packed, and then this file is not there. */
async function branchFile(ctx: GitContext, repository: Repository): Promise<readonly string[]> {
  const { place } = repository;
  const { text, exit_code } = await ctx.git.run({
    path: place.top,
    args: ["rev-parse", "--symbolic-full-name", "HEAD"],
    max_bytes: 4096,
  });
  const ref = text.trim();
  return exit_code === 0 && /^refs\/heads\/\S+$/.test(ref) ? [`${place.commonDir}/${ref}`] : [];
}

/** Runs the verb, and says what HEAD is then. @throws Failure `command_failed` with what git said */
export async function changeNow(
  ctx: GitContext,
  { repository }: Changing,
  args: readonly string[],
  done: string,
): Promise<ToolResult> {
  const { place } = repository;
  const answer = await ctx.git.run({ path: place.top, args, writes: true, max_bytes: limits.MAX_GIT_BYTES });
  if (answer.exit_code !== 0)
    throw new Failure(
      "command_failed",
      `Cannot run git ${args[0]}: ${readable(answer.errors).slice(0, 1000) || "it failed"}`,
      {
        hint: "git_status shows what is there now.",
      },
    );
  const head = await ctx.git.run({ path: place.top, args: ["rev-parse", "HEAD"], max_bytes: 4096 });
  const name = await ctx.git.run({ path: place.top, args: ["rev-parse", "--abbrev-ref", "HEAD"], max_bytes: 4096 });
  const [commit, branch] = [
    head.exit_code === 0 ? head.text.trim() : undefined,
    name.exit_code === 0 ? name.text.trim() : undefined,
  ];
  return {
    text: [done, branch === undefined ? "" : `HEAD is ${commit?.slice(0, 10) ?? ""} on ${readable(branch)}.`]
      .filter(Boolean)
      .join("\n"),
    structured: {
      ...(commit === undefined ? {} : { commit }),
      ...(branch === undefined ? {} : { branch: readable(branch) }),
    },
  };
}
