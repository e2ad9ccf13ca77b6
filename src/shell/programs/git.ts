/**
 * git. The repository's own configuration names programs (pager, hooks, fsmonitor, external diff, textconv, filters), so
 * nothing of it is harmless by its words alone. When the caller gives git a configuration that runs nothing (`gitIsHardened`),
 * the commands below only read, with the options that are listed; what they would tell is for the caller to look at.
 */
import { UNKNOWN, ask, deny, judge, textsOf, words, type Arg, type Finding, type Judgement } from "../model.ts";
import {
  askForExpanded,
  gluedValue,
  hasOption,
  parseOptionTable,
  readLoosely,
  readOptions,
  usePaths,
  type CommandCall,
  type ProgramTable,
  type ReadArgs,
} from "./call.ts";
import { runLines, searchedWords } from "../run-lines.ts";
import { readRows } from "./reader.ts";

export const GIT: ProgramTable = { git: judgeGit };

const GLOBAL = parseOptionTable(
  "-c= -C= -p -P --no-pager --paginate --git-dir= --work-tree= --namespace= --exec-path=? --bare --no-replace-objects " +
    "--literal-pathspecs --no-optional-locks --config-env= --version --help --html-path --man-path --super-prefix=",
);

function judgeGit(call: CommandCall): Judgement {
  const read = readOptions(call.args, GLOBAL, { stopAtOperand: true });
  const [verb, ...rest] = read.operands;
  const texts = textsOf(rest);
  const settings = read.options.flatMap(({ name, value }) => (name === "-c" ? (value?.text ?? []) : []));
  const name = verb?.text ?? "";
  return judge(
    { runs: runLines("git", read.operands), searches: name === "grep" ? searchedWords(name, rest) : [] },
    judgeForm(name, read, rest, call),
    ...denySetting(name, texts),
    ...[...settings, ...(name === "config" ? configured(texts) : [])].map((text) => runOf(text, call)),
    judgeStarted(name, rest, call),
    ...nestedTexts(texts).map((text) => call.context.assessText(text)),
    usePaths(call, mentioned(read, rest), "any"),
    usePaths(call, [...writtenFiles(rest), ...newFolders(name, rest)], "write", true),
  );
}

function judgeForm(verb: string, globals: ReadArgs, rest: readonly Arg[], call: CommandCall): Judgement {
  const row = READS.find(({ names }) => names === verb);
  const isPlain =
    globals.unknown.length === 0 && globals.options.every(({ name }) => name === "--no-pager" || name === "-P");
  if (row === undefined || !isPlain)
    return judge(
      ask(`git ${verb} may change the repository or run what it configures`, TAKES_AWAY.has(verb) ? "R4" : "R3"),
    );
  if (!call.context.gitIsHardened) return judge(ask("git runs programs that the repository's configuration names"));
  const read = readOptions(rest, parseOptionTable(row.options), { digits: true });
  const end = rest.findIndex(({ text }) => text === "--");
  const paths = end < 0 ? [] : textsOf(rest.slice(end + 1));
  const operands = textsOf(read.operands).slice(0, read.operands.length - paths.length);
  const options = textsOf(end < 0 ? rest : rest.slice(0, end)).filter((text) => !operands.includes(text));
  const directories = call.context.surfaces.map(({ cwd }) => cwd);
  const namesObject = operands.some((text) => text.includes(":"));
  const tellsFiles = TELLS_FILES.has(verb) || namesObject || (verb === "log" && hasOption(read, TELLING));
  const leaves = read.operands.some(({ text }) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text));
  return judge(
    askForExpanded(rest),
    ...read.unknown.map((name) => ask(`git ${verb} ${name} is not known to be harmless`)),
    leaves && ask("it reaches outside the roots"),
    verb === "branch" && read.operands.length > 0 && ask("git branch with a name changes the repository"),
    { git: [{ directories, verb, options, operands, paths, tellsFiles }] },
  );
}

/**
 * What may be a path, so that the caller's rules see it: every word behind `--`, and before it each operand, value of an option
 * and name in a commit, which cannot be told from revisions and settings. What is none of these is no file, and matches nothing.
 */
function mentioned(globals: ReadArgs, rest: readonly Arg[]): Arg[] {
  const end = rest.findIndex(({ text }) => text === "--");
  const before = (end < 0 ? rest : rest.slice(0, end)).filter(({ text }) => !text.includes(UNKNOWN));
  const names = before.flatMap((arg) => {
    const value = gluedValue(arg.text);
    const given = value === undefined ? (arg.text.startsWith("-") ? [] : [arg.text]) : [value];
    const inCommits = given.flatMap((word) => /^[^:]*:(?:\.?\/)*(.+)$/s.exec(word)?.[1] ?? []);
    return [...given, ...inCommits].filter((text) => !NO_PATH.test(text)).map((text) => ({ ...arg, text }));
  });
  const folders = globals.options.flatMap(({ name, value }) => (FOLDERS.has(name) ? (value ?? []) : []));
  const paths = [...names, ...(end < 0 ? [] : rest.slice(end + 1))];
  const below = folders.flatMap((folder) => paths.map((arg) => ({ ...arg, text: `${folder.text}/${arg.text}` })));
  return [...paths, ...folders, ...below];
}

/** An address or a message, and nothing that a file could be called. */
const NO_PATH = /:\/\/|\n|[^/]{256}/;
const FOLDERS = words("-C --work-tree --git-dir");

const TELLS_FILES = words("status diff show blame ls-files ls-tree");
const TELLING = "-p -u --patch -U --unified --stat --shortstat --numstat --name-only --name-status --follow";

const CHANGES =
  "-p -u --patch -U= --unified= -w -b -M=? --stat=? --shortstat --numstat --name-only --name-status --no-renames --word-diff=? " +
  "--no-color --color=? --no-ext-diff --no-textconv --minimal --histogram --patience -W --function-context";

const HISTORY =
  `${CHANGES} --oneline --graph --all --decorate=? --no-decorate --date= --since= --until= ` +
  "--after= --before= --author= --grep= --max-count= --reverse --merges --no-merges --first-parent --follow --format= --pretty=? " +
  "--abbrev-commit --topo-order -n= -i -E -F";

const READS = readRows(`
status: -sbvz --short --branch --porcelain=? --long -u=? --untracked-files=? --show-stash --ahead-behind --no-ahead-behind
log: ${HISTORY}
show: ${HISTORY} -s --no-patch
rev-parse: -q --show-toplevel --abbrev-ref --short --verify --is-inside-work-tree --show-prefix --git-dir
rev-list: -n= --count --all --max-count= --since= --until=
ls-files: -cdoszm --cached --deleted --others --stage --exclude-standard --error-unmatch
ls-tree: -rdtlz --name-only --long --full-tree
merge-base: -a --all --is-ancestor
branch: -arv --list --all --remotes --show-current --no-color --verbose
diff: ${CHANGES} --cached --staged
blame: -wse -L= --date= --porcelain --line-porcelain --no-textconv
describe: --tags --always --all --long --abbrev=
`);

const TAKES_AWAY = words(
  "push pull fetch clone clean reset rebase filter-branch config remote submodule credential gc prune reflog stash checkout " +
    "restore rm",
);

/** `core.hooksPath` turns any folder into one whose files run at the user's next command. */
function denySetting(verb: string, rest: readonly string[]): Finding[] {
  const sets = verb === "config" && rest.some((text) => /^core\.hookspath(?:=|$)/i.test(text));
  const onlyReads = rest.some((text) => /^(?:--get(?:-\w+)*|get|--unset(?:-all)?|unset|-l|--list)$/.test(text));
  return sets && !onlyReads ? [deny("it would change what runs at the next git command")] : [];
}

/** `alias.x=!command`, `core.pager=command`: the value is a command line. */
function runOf(setting: string, { context }: CommandCall): Judgement {
  const value = setting.slice(setting.indexOf("=") + 1);
  return value.startsWith("!") || setting.includes("=") ? context.assessText(value.replace(/^!/, "")) : judge();
}

/** `git config core.pager command` as `core.pager=command`, and the last word, which may be `!command`. */
function configured(texts: readonly string[]): string[] {
  const pairs = texts.map((text, at) => [text, texts[at + 1] ?? ""] as const);
  return [
    ...texts.slice(-1),
    ...pairs.flatMap(([key, value]) => (RUNS_VALUE.test(key) && value !== "" ? `${key}=${value}` : [])),
  ];
}

const RUNS_VALUE =
  /^[\w-]+\.(?:.*\.)?(?:pager|editor|sshcommand|askpass|fsmonitor|gitproxy|external|textconv|command|cmd|driver|clean|smudge|process|program|difffilter|uploadpack|receivepack|packobjectshook)$|^pager\./i;

/** `bisect run` and `submodule foreach`: a single word is a text for a shell, several are a program and its words. */
function judgeStarted(verb: string, rest: readonly Arg[], call: CommandCall): Judgement {
  const [action, ...behind] = afterOptions(rest);
  if (`${verb} ${action?.text}` !== "bisect run" && `${verb} ${action?.text}` !== "submodule foreach") return judge();
  const started = afterOptions(behind);
  const isProgram = started.length > 1;
  return judge(
    call.context.assessText(textsOf(started).join(" ")),
    isProgram && call.context.assessArgs(started, call.command),
  );
}

function afterOptions(args: readonly Arg[]): readonly Arg[] {
  const first = args.findIndex(({ text }) => !text.startsWith("-"));
  return first < 0 ? [] : args.slice(first);
}

/** Texts that are run by a shell. */
function nestedTexts(rest: readonly string[]): string[] {
  return rest.flatMap((text, at) =>
    /^(?:-x|--exec|--tree-filter|--index-filter|--msg-filter|--upload-pack|--receive-pack|--extcmd)$/.test(text)
      ? [rest[at + 1] ?? ""]
      : (/^--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager)=(.*)$/s.exec(text)?.slice(1) ?? []),
  );
}

/** Where a new repository is made: the last operand, which for a clone stands behind the source. */
function newFolders(verb: string, rest: readonly Arg[]): readonly Arg[] {
  const { operands } = readLoosely(rest);
  return verb === "init" || (verb === "clone" && operands.length > 1) ? operands.slice(-1) : [];
}

/** Options that name a file to write. */
function writtenFiles(rest: readonly Arg[]): Arg[] {
  return rest.flatMap((arg, at) => {
    const text = /^--output(?:-directory)?=(.*)$/s.exec(arg.text)?.[1];
    if (text !== undefined) return { ...arg, text };
    return /^(?:-o|--output)$/.test(arg.text) ? (rest[at + 1] ?? []) : [];
  });
}
