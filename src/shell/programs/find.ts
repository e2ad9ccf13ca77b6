/**
 * find: an expression of tests and actions, of which some run programs, write files or remove. What only looks is in a table;
 * everything else is asked about.
 */
import {
  UNKNOWN,
  ask,
  deny,
  isDenied,
  judge,
  onlyUntold,
  textsOf,
  words,
  type Arg,
  type Judgement,
  type Listing,
} from "../model.ts";
import { askForExpanded, usePaths, type CommandCall, type ProgramTable } from "./call.ts";
import { asksAboutItself, listingsOf } from "./reader.ts";
import { askForZone } from "./readers.ts";

export const FIND: ProgramTable = { find: judgeFind };

/** Tests and actions that only look: those that stand alone, and those that take a word. */
const LOOKS = words(
  "-P -a -and -o -or -not ! ( ) , -daystart -depth -d -empty -executable -false -ls -mount -xdev -nogroup -noleaf -nouser " +
    "-print -print0 -prune -quit -readable -true -writable -warn -nowarn",
);
const LOOKS_BY_WORD = words(
  "-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth " +
    "-mindepth -mmin -mtime -name -path -perm -printf -regex -regextype -size -type -uid -used -user -wholename -xtype -newerat -newerBt -newerct -newermt",
);
const COMPARES = words("-newer -anewer -cnewer -samefile");
const RUNS = words("-exec -execdir -ok -okdir");
const WRITES = words("-fls -fprint -fprint0 -fprintf");
/** Before the test of a name they put out every one. */
const PRINTS = words("-print -print0 -printf -ls");

function judgeFind(call: CommandCall): Judgement {
  if (asksAboutItself(call)) return judge();
  const before = beforeExpression(call.args);
  const expression = call.args.slice(before.length);
  const roots = startsOf(call.args);
  return judge(
    askForExpanded(call.args),
    before.some(({ text }) => /^-[HL]$/.test(text)) && ask("find follows links"),
    { findings: [], paths: [], listings: listingsOf(shownBy(textsOf(expression)), roots) },
    usePaths(call, roots, "metadata", true),
    judgeExpression(expression, roots, call),
  );
}

function beforeExpression(args: readonly Arg[]): readonly Arg[] {
  const start = args.findIndex(({ text }) => /^[-(!),]/.test(text) && !/^-(?:[HLP]|O\d)$/.test(text));
  return start < 0 ? args : args.slice(0, start);
}

/** The directories whose trees are searched; without one it is the working directory. */
export function startsOf(args: readonly Arg[]): readonly Arg[] {
  return beforeExpression(args).filter(({ text }) => !text.startsWith("-"));
}

/**
 * Which names an expression can put out. Every alternative of it (`-o`) must ask for a name, else all of them are; what
 * stands in brackets or is negated is not read.
 */
function shownBy(texts: readonly string[]): Omit<Listing, "path"> {
  const depth = texts.includes("-maxdepth")
    ? Number.parseInt(texts[texts.lastIndexOf("-maxdepth") + 1] ?? "", 10)
    : NaN;
  const at = {
    shows: "names",
    hidden: true,
    depth: Number.isNaN(depth) ? undefined : depth,
    follows: texts.some((text) => /^-(?:xtype|readable|writable|executable)$/.test(text)),
  } as const;
  if (texts.some((text) => /^(?:[(),!]|-not)$/.test(text))) return at;
  const names: string[] = [];
  let isNamed = false;
  for (let index = 0; index <= texts.length; index++) {
    const text = texts[index] ?? "-o";
    if (/^-(?:o|or)$/.test(text)) {
      if (!isNamed) return at;
      isNamed = false;
    } else if (!isNamed && PRINTS.has(text)) return at;
    else if (text === "-name" || text === "-iname") {
      names.push(texts[++index] ?? "");
      isNamed = true;
    } else if (LOOKS_BY_WORD.has(text) || COMPARES.has(text)) index++;
  }
  return { ...at, names };
}

function judgeExpression(expression: readonly Arg[], roots: readonly Arg[], call: CommandCall): Judgement {
  const judgements: Judgement[] = [];
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at]?.text ?? "";
    const next = expression.slice(at + 1, at + 2);
    if (LOOKS_BY_WORD.has(word) || COMPARES.has(word) || WRITES.has(word)) at++;
    if (RUNS.has(word)) {
      const end = expression.findIndex(({ text }, index) => index > at && /^[;+]$/.test(text));
      const stop = end < 0 ? expression.length : end;
      judgements.push(judgeRun(expression.slice(at + 1, stop), roots, call));
      at = stop;
    } else judgements.push(judgeWord(word, next, roots, call));
  }
  return judge(...judgements);
}

function judgeWord(word: string, next: readonly Arg[], roots: readonly Arg[], call: CommandCall): Judgement {
  if (/^-newer[aBcm]t$/.test(word)) return judge(askForZone(next[0]?.text));
  if (LOOKS.has(word) || LOOKS_BY_WORD.has(word)) return judge();
  if (COMPARES.has(word)) return usePaths(call, next, "metadata");
  if (WRITES.has(word)) return judge(ask(`find ${word} writes a file`), usePaths(call, next, "write"));
  if (word === "-delete") return judge(ask("find -delete removes", "R4"), usePaths(call, roots, "remove", true));
  return judge(ask(word === "-follow" ? "find -follow follows links" : `find ${word} is not known to be harmless`));
}

/** `{}` stands for everything below the starting points, so the program is judged with them in its place. */
function judgeRun(command: readonly Arg[], roots: readonly Arg[], call: CommandCall): Judgement {
  const around = { ...call.command, fedBy: [] };
  const nested = call.context.assessArgs(
    command.flatMap((word) => (word.text === "{}" ? roots : [word])),
    around,
  );
  const found = command.map((word) =>
    word.text.includes("{}") ? { ...word, text: word.text.replaceAll("{}", UNKNOWN), literal: false } : word,
  );
  const untold = onlyUntold(call.context.assessArgs(found, around));
  const removes = /^(?:rm|unlink|shred)$/.test((command[0]?.text ?? "").replace(/^.*\//s, ""));
  const removed = usePaths(call, removes ? roots : [], "remove", true);
  return judge(
    ask("find runs a program for what it finds"),
    isDenied(removed) && deny("it would remove a whole tree"),
    nested,
    untold,
    removed,
  );
}
