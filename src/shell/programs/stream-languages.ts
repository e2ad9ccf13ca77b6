/**
 * Programs whose first operand is a program of its own: sed, awk, jq. Only the forms that can be recognised as printing
 * are harmless; everything else in these languages may run, read or write something.
 */
import { askForExpanded, hasInput, named, usePaths, type CommandCall, type ProgramTable } from "../model/call.ts";
import { ask, askOpaque, merge, type Finding, type Judgement } from "../model/judgement.ts";
import { UNKNOWN } from "../model/parts.ts";
import { parseOptionTable, readOptions, askForUnknown, reader } from "./reader.ts";
import { scanCode } from "./scan-code.ts";

export const STREAM_LANGUAGES: ProgramTable = {
  sed: judgeSed,
  ...named("awk gawk mawk nawk", judgeAwk),
  jq: reader({
    operands: "pattern",
    waits: true,
    least: 1,
    options:
      "-c -r -j -a -s -S -C -M -e -n --compact-output --raw-output --join-output --ascii-output --slurp --sort-keys " +
      "--color-output --monochrome-output --exit-status --null-input --tab --indent=",
    refused: { "-L": "takes modules from a folder", "-f": "takes its program from a file" },
    check: ({ operands }) => {
      const program = operands[0]?.text ?? "";
      return JQ_PATH.test(program) && namesIn(program).every((name) => JQ_NAMES.has(name))
        ? []
        : [ask("a jq program may read the environment or modules")];
    },
  }),
};

const JQ_PATH = /^[\w.[\]"|,:\s(){}-]*$/;
/** The names that are called: not the members of objects (`.env`, `"env"`, `{env: 1}`, `{env}`). */
function namesIn(program: string): string[] {
  const tokens = program
    .replace(/"[^"]*"/g, '""')
    .replace(/\.[A-Za-z_]\w*/g, ".")
    .match(/[A-Za-z_]\w*|[^\sA-Za-z_]/g);
  const open: string[] = [];
  return (tokens ?? []).filter((token, at, all) => {
    if (/[[{(]/.test(token)) open.push(token);
    if (/[\]})]/.test(token)) open.pop();
    if (!/^[A-Za-z_]/.test(token)) return false;
    const [before = "", after = ""] = [all[at - 1], all[at + 1]];
    const isMember = open.at(-1) === "{" && /[{,]/.test(before) && /[:,}]/.test(after);
    return !isMember;
  });
}

/** What reads the environment, other files or modules, or ends with a message, is not among them. */
const JQ_NAMES: ReadonlySet<string> = new Set(
  (
    "add all and any arrays ascii_downcase ascii_upcase booleans ceil contains del delpaths else elif empty end endswith " +
    "explode false first flatten floor from_entries fromdate fromjson getpath group_by gsub has if implode in index " +
    "indices inside isempty isvalid iterables join keys keys_unsorted last leaf_paths length limit ltrimstr map map_values " +
    "match max max_by min min_by not nth null nulls numbers objects or path paths range recurse reverse rindex round " +
    "rtrimstr scalars scan select sort sort_by split splits sqrt startswith strings sub test then to_entries todate " +
    "tojson tonumber tostring transpose true type unique unique_by utf8bytelength values walk with_entries"
  ).split(" "),
);

const SED_OPTIONS = parseOptionTable(
  "-n -e= -E -r -s -u -z --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data " +
    "-i=? --in-place=?",
);

/** Prints by line numbers: `5p`, `1,5p`, `3,$p`. Anything more in a script has hidden `w`, `r` or `e` before. */
const SED_PRINTS = /^\s*(?:\d+|\$)(?:,(?:\d+|\$))?p\s*$/;

function judgeSed(call: CommandCall): Judgement {
  const read = readOptions(call.args, SED_OPTIONS);
  const given = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  const isInPlace =
    read.options.some(({ name }) => name === "-i" || name === "--in-place") || read.unknown.includes("-i");
  const scripts = given.length > 0 ? given.map(({ value }) => value) : read.operands.slice(0, 1);
  const files = given.length > 0 ? read.operands : read.operands.slice(1);
  const findings: Finding[] = [
    ...askForExpanded(call.args),
    ...askForUnknown(read.unknown, "sed", {
      "-f": "takes its script from a file",
      "--file": "takes its script from a file",
    }),
  ];
  findings.push(...untoldProgram(call));
  if (isInPlace) findings.push(ask("sed edits files in place"));
  const texts = scripts.map((script) => script?.text ?? "");
  const isSilent = read.options.some(({ name }) => /^(?:-n|--quiet|--silent)$/.test(name));
  if (!isSilent || texts.length === 0 || !texts.every(isPrinting))
    findings.push(ask("a sed script may write, read or run something"));
  if (files.length === 0 && !hasInput(call)) findings.push(ask("it waits for input that nobody gives"));
  const runs = texts.flatMap((text) =>
    [...text.matchAll(/(?:^|[\d$/;{}\n])[^\S\n]*e\s+([^\n]+)/g)].map((match) => match[1] ?? ""),
  );
  return merge([
    { findings, paths: [] },
    usePaths(call, files, isInPlace ? "write" : "read"),
    ...runs.map((text) => call.context.assessText(text, [])),
  ]);
}

function isPrinting(script: string): boolean {
  return script.split(/[;\n]/).every((part) => SED_PRINTS.test(part));
}

function judgeAwk(call: CommandCall): Judgement {
  const findings = [ask("an awk program can run, read and write anything"), ...untoldProgram(call)];
  return merge([
    { findings, paths: [] },
    ...call.args.map(({ text }) => scanCode(text, call.context)),
    usePaths(
      call,
      call.args.slice(1).filter(({ text }) => /^[\w./~]/.test(text)),
      "any",
    ),
  ]);
}

/** The program of sed or awk itself: its first operand, or the file that `-f` names. */
function untoldProgram({ args }: CommandCall): Finding[] {
  const options = args.map(({ text }) => text);
  const given = args.filter((_arg, at) => /^-(?:[a-zA-Z]*[ef]|-file|-expression)$/.test(options[at - 1] ?? ""));
  const program = given.length > 0 ? given : args.filter(({ text }) => !text.startsWith("-")).slice(0, 1);
  const isInput = options.some((text, at) => /^(?:-f|--file)$/.test(text) && INPUT.test(options[at + 1] ?? ""));
  return isInput || program.some(({ text }) => text.includes(UNKNOWN))
    ? [askOpaque("the program it runs is not known before")]
    : [];
}

const INPUT = /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/;
