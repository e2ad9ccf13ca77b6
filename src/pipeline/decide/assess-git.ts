/**
 * Whether a command line may call git unasked. By its text the call only reads, with a configuration that runs nothing; here it
 * is found out what it would tell. Everything it calls must be about one repository, which the launcher then gives it by name;
 * a repository with submodules is not looked through, because git starts itself in them with their own configuration; and none
 * of the files that it would name or show may be closed to the tool.
 *
 * The files are those that git itself names when it is asked for names alone, so a commit of long ago counts like a file.
 */
import { Failure, limits } from "../../base/index.ts";
import type { GitApi, GitFound } from "../../contract/index.ts";
import type { GitReading } from "../../shell/index.ts";

/** Why a person is asked, or `undefined`. */
export async function whyAskedGit(
  readings: readonly GitReading[],
  cwd: string,
  git: GitApi,
): Promise<string | undefined> {
  try {
    const at = await git.find(cwd);
    for (const reading of readings) {
      const why = await whyAsked(reading, at, git);
      if (why !== undefined) return why;
    }
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return "what git would read cannot be told";
  }
}

async function whyAsked(reading: GitReading, { place }: GitFound, git: GitApi): Promise<string | undefined> {
  for (const directory of reading.directories)
    if ((await git.find(directory)).place.top !== place.top) return "git may run in more than one repository";
  if (!reading.tellsFiles) return undefined;
  const { verb } = reading;
  const run = async (args: readonly string[]) =>
    await git.run({ path: place.top, args, max_bytes: limits.MAX_GIT_BYTES });
  if (verb === "status" || verb === "diff") {
    const { text, cut, exit_code } = await run(["ls-files", "--stage", "-z"]);
    if (cut || exit_code !== 0 || /(?:^|\0)160000 /.test(text))
      return "the repository has submodules, or too many files to be looked through";
  }
  for (const questions of questionsOf(reading, place.top)) {
    const answers = [];
    for (const args of questions) answers.push(await run(args));
    if (answers.some(({ exit_code }) => exit_code !== 0)) continue;
    if (answers.some(({ cut }) => cut)) return "there is too much to be looked through";
    const text = answers.map((one) => one.text).join("");
    // Before each name of a status stand two letters and a blank.
    const names = text.split("\0").map((name) => (verb === "status" ? name.slice(3) : name));
    if (text === "" && HISTORIES.has(verb)) continue;
    const closed = await git.closed(names.filter((name) => name !== "").map((name) => `${place.top}/${name}`));
    return closed.size > 0 ? "it would tell of files that are closed to the tools" : undefined;
  }
  return "what git would read cannot be told";
}

/** Questions that together name the files, each with its arguments. */
type Questions = readonly (readonly string[])[];

/** What names the files, the first that git can answer: the words of the line may be revisions, or paths. */
function questionsOf({ verb, options, operands, paths, directories }: GitReading, top: string): readonly Questions[] {
  const [directory = top] = directories;
  const below = (names: readonly string[]): readonly string[] =>
    names.map((name) => `${directory === top ? "" : directory.slice(top.length + 1)}/${name}`.replace(/^\//, ""));
  const only = paths.length === 0 ? [] : ["--", ...below(paths)];
  // A file by its name in a commit, or by its hash, has no name to be asked about.
  const commits = operands.every((one) => !/[:\s^]/.test(one)) ? operands.map(peeled) : undefined;
  const named = ["--error-unmatch", "-z", "--", ...below(operands)];
  switch (verb) {
    case "status":
      return [[["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"]]];
    case "ls-files":
    case "ls-tree":
      return verb === "ls-files" && operands.length === 0 ? [[["ls-files", "-z", "--cached", "--others"]]] : [];
    case "blame":
      return [[["ls-files", ...named]]];
    case "diff": {
      const staged = options.filter((option) => option === "--cached" || option === "--staged");
      const asked = (revisions: readonly string[], at: readonly string[]): readonly string[] => [
        "diff",
        "--name-only",
        "--no-renames",
        "-z",
        ...staged,
        ...revisions,
        ...at,
      ];
      const first = commits ? [[asked(commits, only)]] : [];
      // What is staged for removal is in the last commit alone.
      const removed = staged.length === 0 ? [] : [asked([], ["--", ...below(operands)])];
      return operands.length === 0 ? first : [...first, [["ls-files", ...named], ...removed]];
    }
    default: {
      // The question must mean the commits of the line: with any other option a person is asked.
      const bounds = options.filter((option) => BOUNDS.test(option));
      const isKnown = options.every((option) => BOUNDS.test(option) || SHAPES.test(option));
      const counts = bounds.filter((option) => COUNTS.test(option));
      const merges = ["--diff-merges=first-parent", "--format=", "--name-only", "--no-renames", "-z"];
      return commits && isKnown && counts.length < 2 ? [[[verb, ...merges, ...bounds, ...commits, ...only]]] : [];
    }
  }
}

/** What shows commits tells of files, so an answer without any was the answer to something else. */
const HISTORIES: ReadonlySet<string> = new Set(["log", "show"]);

/** Options that say which commits of a history are meant, each with its value. */
const BOUNDS = /^(?:-n\d+|-\d+|--max-count=\d+|--all|--(?:since|until|after|before|author|grep)=.*)$/;
const COUNTS = /^(?:-n\d+|-\d+|--max-count=)/;
/** Options that say how the commits are shown, and change nothing about which they are. */
const SHAPES =
  /^(?:-[puswb]|-U\d*|--(?:patch|no-patch|stat|shortstat|numstat|name-only|name-status|no-renames|no-color|no-ext-diff|no-textconv|oneline|graph|no-decorate|abbrev-commit|minimal|histogram|patience)|--(?:unified|stat|color|decorate|date|format|pretty|word-diff)=.*)$/;

function peeled(revision: string): string {
  return revision
    .split(/(\.{2,3})/)
    .map((part) => (part === "" || /^\.+$/.test(part) ? part : `${part}^{commit}`))
    .join("");
}
