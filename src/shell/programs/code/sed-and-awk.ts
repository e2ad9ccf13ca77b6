/**
 * sed and awk, whose first operand is a program of their own. Of sed the forms that can be recognised as printing are harmless;
 * everything else is asked about, and refused when it writes what nobody may write.
 *
 * Usual mistake: to look for the commands that write or run. Seds differ in where a pattern ends, and so in what is a command.
 */
import { UNKNOWN, ask, askOpaque, judge, textsOf, type Arg, type Finding, type Judgement } from "../../model.ts";
import {
  WAITS,
  askForExpanded,
  hasInput,
  hasOption,
  parseOptionTable,
  readOptions,
  usePaths,
  type CommandCall,
} from "../call.ts";
import { askForUnknown, asksAboutItself } from "../reader.ts";
import { scanCode } from "./scan-code.ts";

const SED_OPTIONS = parseOptionTable(
  "-n -e= -E -r -s -u -z --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data " +
    "-i=? --in-place=?",
);

/**
 * Between slashes, read alike by every sed: an escaped slash, and square brackets that hold none. Elsewhere one of them would
 * take a slash for the end that another takes for a part.
 */
const SED_PATTERN = String.raw`/(?:[^/\\\n[]|\\[^\n]|\[(?:\^|(?!\^))(?:\]|MEMBER)MEMBER*\])*/[IM]*`.replaceAll(
  "MEMBER",
  String.raw`(?:[^\]\\/\n[]|\[:[a-z]+:\])`,
);
const SED_LINE = String.raw`(?:\d+(?:~\d+)?|\$|${SED_PATTERN})`;
const SED_PRINT = String.raw`[ \t]*(?:${SED_LINE}(?:,(?:[+~]\d+|${SED_LINE}))?[ \t]*(?:![ \t]*)?)?[p=q][ \t]*`;
/** Prints lines, or their numbers: `5p`, `3,$p`, `/a/,/b/p`, `$=`, `9q`. Anything more may hide a `w`, `r` or `e`. */
const SED_PRINTS = new RegExp(`^${SED_PRINT}(?:[;\\n]${SED_PRINT})*$`);
const SED_NOTES = new Map(["-f", "--file"].map((name) => [name, "takes its script from a file"]));

export function judgeSed(call: CommandCall): Judgement {
  if (asksAboutItself(call)) return judge();
  const read = readOptions(call.args, SED_OPTIONS);
  const given = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  const isInPlace = hasOption(read, "-i --in-place") || read.unknown.includes("-i");
  const isGiven = given.length > 0;
  const texts = isGiven ? given.map(({ value }) => value?.text ?? "") : textsOf(read.operands.slice(0, 1));
  const files = isGiven ? read.operands : read.operands.slice(1);
  const onlyPrints =
    hasOption(read, "-n --quiet --silent") && texts.length > 0 && texts.every((script) => SED_PRINTS.test(script));
  const runs = (onlyPrints ? [] : texts).flatMap((text) => [
    ...text.matchAll(/(?:^|[\d$/;{}\n])[^\S\n]*e\s+([^\n]+)/g),
  ]);
  return judge(
    askForExpanded(call.args),
    ...askForUnknown(read.unknown, "sed", SED_NOTES),
    askForUntoldProgram(call),
    isInPlace && ask("sed edits files in place"),
    !onlyPrints && ask("a sed script may write, read or run something"),
    files.length === 0 && !hasInput(call) && WAITS,
    usePaths(call, files, isInPlace ? "write" : "read"),
    ...runs.map(([, text = ""]) => call.context.assessText(text)),
    ...(onlyPrints ? [] : texts).map((text) => usePaths(call, pathsIn(text, SED_WRITES), "write")),
  );
}

/** `w file`, as a command or behind a replacement: `s/a/b/gw file`. */
const SED_WRITES = /(?:^|[\d$/;{}!|,#@\n])[ \t]{0,20}[gpiIMme\d]{0,20}[wW][ \t]+([^\n]+)/g;
/** `print > "file"` of awk. */
const AWK_WRITES = /\bprintf?\b[^;}\n]{0,500}>>?\s{0,20}"([^"\n]+)"/g;

function pathsIn(code: string, pattern: RegExp): Arg[] {
  return [...code.matchAll(pattern)].map(([, text = ""]) => ({
    text,
    glob: false,
    literal: true,
    raw: text,
    commands: [],
  }));
}

export function judgeAwk(call: CommandCall): Judgement {
  const files = call.args.slice(1).filter(({ text }) => /^[\w./~]/.test(text));
  const isInPlace = call.args.some(
    ({ text }, at) => text === "inplace" && /^-[a-z]*i$/.test(call.args[at - 1]?.text ?? ""),
  );
  return judge(
    ask("an awk program can run, read and write anything"),
    askForUntoldProgram(call),
    ...call.args.map(({ text }) => scanCode(text, call.context)),
    ...call.args.map(({ text }) => usePaths(call, pathsIn(text, AWK_WRITES), "write")),
    usePaths(call, files, isInPlace ? "write" : "any"),
  );
}

/** The program of sed or awk itself: its first operand, or the file that `-f` names. */
function askForUntoldProgram({ args }: CommandCall): Finding | undefined {
  const texts = textsOf(args);
  const given = texts.filter((_text, at) => /^-(?:[a-zA-Z]*[ef]|-file|-expression)$/.test(texts[at - 1] ?? ""));
  const program = given.length > 0 ? given : texts.filter((text) => !text.startsWith("-")).slice(0, 1);
  const isInput = texts.some(
    (text, at) => /^(?:-f|--file)$/.test(text) && /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(texts[at + 1] ?? ""),
  );
  return isInput || isUntold(program) ? askOpaque("the program it runs is not known before") : undefined;
}

export function isUntold(texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(UNKNOWN));
}
