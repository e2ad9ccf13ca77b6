/**
 * One call of one program, as the tables of this folder see it: its arguments, read as options and operands; the way
 * back for what the call would start in turn; and the judgements that every family needs.
 *
 * Arguments are read by the table of their own program: which words are options, which options take a value, what is
 * left. An option that the table does not have is reported, never skipped: it may be the one that writes. A table is
 * written as one line: `-n` is a flag, `-nqv` are three, `-c=` takes a value, `--color=?` may have one behind `=`,
 * `-f=path` takes the path of a file that is read, and `-o=write` of one that is written.
 */
import {
  UNKNOWN,
  UNKNOWN_ARGUMENT,
  ask,
  deny,
  judge,
  onlyDenials,
  textsOf,
  words,
  type Arg,
  type Command,
  type Finding,
  type Judgement,
} from "../model.ts";
import { judgePath, type Action, type Surface } from "../places.ts";

export interface Context {
  /** One for every directory in which the call may run: after `cd x || true` there are two. */
  readonly surfaces: readonly Surface[];
  /** git runs with its hooks, pager, file monitor and external diff switched off by the caller's environment. */
  readonly gitIsHardened: boolean;
  /** Judges another command that this one starts: its program is the first argument. */
  readonly assessArgs: (args: readonly Arg[], command: Command) => Judgement;
  /** Judges a text that is run as a shell script. */
  readonly assessText: (text: string, fedBy?: readonly Command[]) => Judgement;
}

export interface CommandCall {
  /** Without its folder. */
  readonly name: string;
  /** Without the program. */
  readonly args: readonly Arg[];
  readonly command: Command;
  readonly context: Context;
}

export type Program = (call: CommandCall) => Judgement;
export type ProgramTable = Readonly<Record<string, Program>>;

/** One entry under several names. */
export function named(names: string, program: Program): ProgramTable {
  return Object.fromEntries(names.split(" ").map((name) => [name, program]));
}

/** @throws when a program stands in two of them */
export function joinTables(tables: readonly ProgramTable[]): ProgramTable {
  const all = tables.flatMap((table) => Object.entries(table));
  const twice = all.find(([name], at) => all.findIndex(([other]) => other === name) < at);
  if (twice !== undefined) throw new Error(`Cannot have the program "${twice[0]}" in two rows`);
  return Object.fromEntries(all);
}

/** Never without a person, whatever the arguments. Their paths may be for anything. */
export function asks(reason: string, risk: "R2" | "R3" | "R4" = "R3"): Program {
  return (call) => judge(ask(reason, risk), touchLoosely(call));
}

/**
 * A table of rows `rule: names`, which go on in lines that are indented. A rule is one of `rules`, else it says what is done:
 * `R4 it reaches the network` is asked about, `would erase a disk` is refused, and `would erase a disk, given /-f/` is refused
 * when the arguments say so, else asked about.
 */
export function programs(rows: string, rules: Readonly<Record<string, Program>> = {}): ProgramTable {
  const lines = rows.trim().replaceAll("\n  ", " ").split("\n");
  return joinTables(
    lines.map((line) => {
      const [, rule = "", names = ""] = /^(.*): (.*?)$/.exec(line) ?? [];
      return named(names, rules[rule] ?? readRule(rule));
    }),
  );
}

function readRule(rule: string): Program {
  const [, reason, pattern, flags] = /^(would .*?)(?:, given \/(.*)\/(i?))?$/.exec(rule) ?? [];
  if (reason === undefined) return rule.startsWith("R4 ") ? asks(rule.slice(3), "R4") : asks(rule);
  const given = new RegExp(pattern ?? "", flags);
  return (call) =>
    judge(
      pattern !== undefined && ask("it acts on the system", "R4"),
      given.test(textsOf(call.args).join(" ")) && deny(`it ${reason}`),
      touchLoosely(call),
    );
}

export function usePaths({ context }: CommandCall, args: readonly Arg[], action: Action, recursive = false): Judgement {
  return judge(...args.map((arg) => judgePath(arg, action, recursive, context.surfaces)));
}

/** The files that values of options name. */
export function useOptions(call: CommandCall, { options }: ReadArgs): Judgement {
  return judge(
    ...options.map(
      ({ value, action }) => value !== undefined && action !== undefined && usePaths(call, [value], action),
    ),
  );
}

/** What is glued to an option: `--file=a`, `-fa`. */
export function gluedValue(text: string): string | undefined {
  return /^--[\w-]+=(.+)$/s.exec(text)?.[1] ?? /^-\w=?(.+)$/s.exec(text)?.[1];
}

/** The words of an unknown program that look like paths, so that the caller's rules see them. */
export function touchLoosely(call: CommandCall): Judgement {
  const given = call.args.map((arg, at) => {
    const [, option = call.args[at - 1]?.text ?? "", text = arg.text] = /^(--?[\w-]+)=(.*)$/s.exec(arg.text) ?? [];
    return { ...arg, text, isWritten: OUTPUT.test(option) && !(option === "-o" && PRINTS.has(call.name)) };
  });
  const paths = given.filter(({ text }) => LIKE_PATH.test(text));
  const written = paths.filter(({ isWritten }) => isWritten);
  return judge(usePaths(call, paths, "any", true), onlyDenials(usePaths(call, written, "write")));
}

/** Has a slash or begins as a path does, and is neither an option nor an address. */
const LIKE_PATH = /^(?!-|[\w+.-]+:\/\/)(?:[.~]|.*\/)/s;
/** Whose `-o` says what is printed. */
const PRINTS = words("strings nm readelf objdump lsof zgrep zegrep zfgrep ag ack ugrep pcregrep pcre2grep");
/** What programs of all kinds call the option for the file that they write. */
const OUTPUT = /^(?:-o|-out|--out(?:put|file)?(?:-\w+)?)$/;

/**
 * What an argument that is not certain means for a program that may otherwise run unasked. Also one that only prints: an expansion
 * may run what stands in it, and arithmetic and tests evaluate what a variable holds.
 */
export function askForExpanded(args: readonly Arg[]): Finding | undefined {
  // A pattern beside it makes a value no better known.
  if (args.some(({ literal, glob, text }) => text.includes(UNKNOWN) || (!literal && !glob))) return UNKNOWN_ARGUMENT;
  return args.some(({ glob }) => glob)
    ? ask("a pattern stands for names that are not known, one of which may look like an option")
    : undefined;
}

export const WAITS: Finding = ask("it waits for input that nobody gives");

export function hasInput({ command }: CommandCall): boolean {
  return command.fedBy.length > 0 || command.redirects.some(({ operator }) => operator.startsWith("<"));
}

/** Here-documents and here-strings, which an interpreter without a file runs. What is piped in is a matter of `flows.ts`. */
export function inputTexts({ command }: CommandCall): string[] {
  return command.redirects.flatMap(({ body }) => body ?? []);
}

/** The commands of which the words of a call are made. */
export function sourcesOf(args: readonly Arg[]): Command[] {
  return args.flatMap(({ commands }) => commands);
}

/** From an option, with its dashes, to what it takes. */
type OptionTable = ReadonlyMap<string, OptionKind>;
type OptionKind = "flag" | "optional" | "path" | "write" | "value";

export interface ReadOption {
  /** With its dashes. */
  readonly name: string;
  readonly value: Arg | undefined;
  /** What is done to the file that the value names, if it names one. */
  readonly action: "read" | "write" | undefined;
}

export interface ReadArgs {
  readonly options: ReadOption[];
  readonly unknown: string[];
  readonly operands: Arg[];
}

export function parseOptionTable(line: string): OptionTable {
  // A bundle of flags, `-abc`, stands for each of them.
  const entries = line
    .split(/\s+/)
    .flatMap((entry) => (/^-\w+$/.test(entry) ? entry.slice(1).replace(/./g, " -$&").trim().split(" ") : entry));
  return new Map(
    entries.map((entry) => {
      const [name = "", kind] = entry.split("=");
      return [name, kind === undefined ? "flag" : (OPTION_KINDS.get(kind) ?? "value")];
    }),
  );
}

const OPTION_KINDS: ReadonlyMap<string, OptionKind> = new Map([
  ["?", "optional"],
  ["path", "path"],
  ["write", "write"],
]);

/**
 * @param style `stopAtOperand`: the first operand ends the options, as it does for programs that run another · `digits`: a
 * bundle of digits is a number, as in `head -20`
 */
export function readOptions(
  args: readonly Arg[],
  table: OptionTable,
  style: { readonly stopAtOperand?: boolean; readonly digits?: boolean } = {},
): ReadArgs {
  const read: ReadArgs = { options: [], unknown: [], operands: [] };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    const isOption = arg.text.startsWith("-") && arg.text !== "-";
    if (arg.text === "--" || (!isOption && style.stopAtOperand === true)) {
      read.operands.push(...args.slice(arg.text === "--" ? at + 1 : at));
      break;
    }
    if (!isOption) read.operands.push(arg);
    else if (style.digits !== true || !/^-\d+$/.test(arg.text)) at += readOption(arg, args[at + 1], table, read);
  }
  return read;
}

/**
 * `-rf` is `-r -f`, and `-n5` is `-n 5` if `-n` takes a value; but a table may name a word with one dash, as `-name` of find.
 *
 * @returns how many of the arguments behind it belong to it: 0 or 1
 */
function readOption(arg: Arg, next: Arg | undefined, table: OptionTable, { options, unknown }: ReadArgs): number {
  const [, long, text] = /^(--[^=]*)(?:=(.*))?$/s.exec(arg.text) ?? [];
  const isWord = long !== undefined || table.has(arg.text);
  const names = isWord ? [long ?? arg.text] : Array.from(arg.text.slice(1), (letter) => `-${letter}`);
  for (const [at, name] of names.entries()) {
    const kind = table.get(name);
    const glued = isWord ? text : arg.text.slice(at + 2) || undefined;
    if (kind === undefined || (kind === "flag" && isWord && glued !== undefined)) {
      unknown.push(name);
      return 0;
    }
    const takes = glued === undefined && kind !== "flag" && kind !== "optional";
    const value = kind === "flag" || glued === undefined ? undefined : { ...arg, text: glued };
    options.push({
      name,
      value: takes ? next : value,
      action: kind === "path" ? "read" : kind === "write" ? "write" : undefined,
    });
    if (kind !== "flag") return takes ? 1 : 0;
  }
  return 0;
}

export function hasOption({ options }: Pick<ReadArgs, "options">, names: string): boolean {
  return options.some(({ name }) => names.split(" ").includes(name));
}

/** For a program whose options are not in a table: without knowing which of them take values. */
export interface LooseArgs {
  /** With their dashes. */
  readonly options: readonly string[];
  readonly operands: readonly Arg[];
}

export function readLoosely(args: readonly Arg[]): LooseArgs {
  const end = args.findIndex(({ text }) => text === "--");
  const isOption = ({ text }: Arg, at: number): boolean => /^-./s.test(text) && (end < 0 || at < end);
  return {
    options: textsOf(args.filter(isOption)),
    operands: args.filter((arg, at) => at !== end && !isOption(arg, at)),
  };
}

/** `--rec` is `--recursive`: getopt_long takes every beginning that only one option has. */
export function hasLong({ options }: LooseArgs, name: string): boolean {
  return options.some((text) => /^--[^=]/.test(text) && name.startsWith(text.replace(/=.*/s, "")));
}
