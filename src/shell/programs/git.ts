/**
 * git. The repository's own configuration names programs (pager, hooks, fsmonitor, external diff, textconv, filters), so
 * nothing of it is harmless by its words alone. When the caller's environment switches those off (`gitIsHardened`),
 * the commands below that only read history are harmless, with the options that are listed.
 */
import { askForExpanded, usePaths, type CommandCall, type ProgramTable } from "../model/call.ts";
import { ask, deny, judged, merge, type Finding, type Judgement } from "../model/judgement.ts";
import type { Arg } from "../model/parts.ts";
import { parseOptionTable, readOptions, type OptionTable } from "./reader.ts";

export const GIT: ProgramTable = { git: judgeGit };

const GLOBAL = parseOptionTable(
  "-c= -C= -p -P --no-pager --paginate --git-dir= --work-tree= --namespace= --exec-path=? --bare --no-replace-objects " +
    "--literal-pathspecs --no-optional-locks --config-env= --version --help --html-path --man-path --super-prefix=",
);

function judgeGit(call: CommandCall): Judgement {
  const read = readOptions(call.args, GLOBAL, { stopAtOperand: true });
  const [verb, ...rest] = read.operands;
  const settings = read.options.flatMap(({ name, value }) =>
    name === "-c" && value !== undefined ? [value.text] : [],
  );
  const name = verb?.text ?? "";
  return merge([
    judged(
      ...judgeForm(
        name,
        read.unknown,
        read.options.map((option) => option.name),
        rest,
        call,
      ),
    ),
    judged(...denySetting(name, rest)),
    ...settings
      .concat(name === "config" ? rest.slice(-1).map(({ text }) => text) : [])
      .map((text) => runOf(text, call)),
    ...nestedOf(name, rest, call),
    // After `--` stand paths; before it, they cannot be told from revisions.
    usePaths(call, rest.slice(rest.findIndex(({ text }) => text === "--") + 1 || rest.length), "any"),
    judgeFiles(rest, call),
  ]);
}

function judgeForm(
  verb: string,
  unknown: readonly string[],
  globals: readonly string[],
  rest: readonly Arg[],
  call: CommandCall,
): Finding[] {
  const table = READS.get(verb);
  const isPlain = unknown.length === 0 && globals.every((name) => name === "--no-pager" || name === "-P");
  if (table === undefined || !isPlain)
    return [ask(`git ${verb} may change the repository or run what it configures`, RISKS.get(verb) ?? "R3")];
  if (!call.context.gitIsHardened) return [ask("git runs programs that the repository's configuration names")];
  const read = readOptions(rest, table, { digits: true });
  const needed = NEEDS.get(verb) ?? [];
  const missing = needed.filter((name) => !read.options.some((option) => option.name === name));
  return [
    ...askForExpanded(rest),
    ...read.unknown.map((name) => ask(`git ${verb} ${name} is not known to be harmless`)),
    ...missing.map((name) => ask(`git ${verb} needs ${name}, or it runs programs that the repository names`)),
    ...(read.operands.some(({ text }) => /^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/.test(text))
      ? [ask("it reaches outside the roots")]
      : []),
    ...(verb === "branch" && read.operands.length > 0 ? [ask("git branch with a name changes the repository")] : []),
  ];
}

const HISTORY =
  "--oneline --graph --all --stat --shortstat --numstat --name-only --name-status --decorate=? --no-decorate --date= --since= --until= " +
  "--after= --before= --author= --grep= --max-count= --reverse --merges --no-merges --first-parent --follow --format= --pretty=? " +
  "--abbrev-commit --no-color --color=? --no-ext-diff --no-textconv --topo-order -n= -i -E -F";

const READS: ReadonlyMap<string, OptionTable> = new Map(
  Object.entries({
    log: HISTORY,
    show: `${HISTORY} -s --no-patch`,
    "rev-parse": "--show-toplevel --abbrev-ref --short --verify -q --is-inside-work-tree --show-prefix --git-dir",
    "rev-list": "--count --all --max-count= -n= --since= --until=",
    "ls-files": "-c -d -o -s -z -m --cached --deleted --others --stage --exclude-standard --error-unmatch",
    "ls-tree": "-r -d -t -l -z --name-only --long --full-tree",
    "merge-base": "-a --all --is-ancestor",
    branch: "-a -r -v -vv --list --all --remotes --show-current --no-color --verbose",
    diff: "--cached --staged --stat --shortstat --numstat --name-only --name-status -U= -w -b --no-color --no-ext-diff --no-textconv",
    blame: "-L= -w -s -e --date= --porcelain --line-porcelain --no-textconv",
    describe: "--tags --always --all --long --abbrev=",
  }).map(([verb, options]): [string, OptionTable] => [verb, parseOptionTable(options)]),
);

/** Without these a driver that the repository names runs; a diff against the working tree runs its filters. */
const NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["diff", ["--cached", "--no-ext-diff", "--no-textconv"]],
  ["show", ["--no-ext-diff", "--no-textconv"]],
  ["blame", ["--no-textconv"]],
]);

const RISKS: ReadonlyMap<string, "R4"> = new Map(
  "push pull fetch clone clean reset rebase filter-branch config remote submodule credential gc prune reflog stash checkout restore rm"
    .split(" ")
    .map((verb) => [verb, "R4"]),
);

/** `core.hooksPath` turns any folder into one whose files run at the user's next command. */
function denySetting(verb: string, rest: readonly Arg[]): Finding[] {
  const sets = verb === "config" && rest.some(({ text }) => /^core\.hookspath(?:=|$)/i.test(text));
  const onlyReads = rest.some(({ text }) => /^(?:--get(?:-\w+)*|get|--unset(?:-all)?|unset|-l|--list)$/.test(text));
  return sets && !onlyReads ? [deny("it would change what runs at the next git command")] : [];
}

/** `alias.x=!command`, `core.pager=command`: the value is a command line. */
function runOf(setting: string, call: CommandCall): Judgement {
  const value = setting.includes("=") ? setting.slice(setting.indexOf("=") + 1) : setting;
  return value.startsWith("!") || setting.includes("=")
    ? call.context.assessText(value.replace(/^!/, ""), [])
    : judged();
}

function nestedOf(verb: string, rest: readonly Arg[], call: CommandCall): Judgement[] {
  const [first, ...more] = rest;
  if ((verb === "submodule" || verb === "bisect") && /^(?:foreach|run)$/.test(first?.text ?? ""))
    return [
      call.context.assessText(
        more
          .filter(({ text }) => text !== "--recursive")
          .map(({ text }) => text)
          .join(" "),
        [],
      ),
    ];
  const scripts = rest.flatMap(({ text }, at) =>
    /^(?:-x|--exec|--tree-filter|--index-filter|--msg-filter|--upload-pack|--receive-pack|--extcmd)$/.test(text)
      ? [rest[at + 1]?.text ?? ""]
      : (/^--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager)=(.*)$/s.exec(text)?.slice(1) ?? []),
  );
  return scripts.map((text) => call.context.assessText(text, []));
}

/** Options that name a file to write. */
function judgeFiles(rest: readonly Arg[], call: CommandCall): Judgement {
  const written = rest.flatMap((arg, at): Arg[] => {
    const glued = /^--output(?:-directory)?=(.*)$/s.exec(arg.text)?.[1];
    if (glued !== undefined) return [{ ...arg, text: glued }];
    const next = rest[at + 1];
    return /^(?:-o|--output)$/.test(arg.text) && next !== undefined ? [next] : [];
  });
  return usePaths(call, written, "write", true);
}
