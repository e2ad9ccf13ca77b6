/**
 * The shape of a program that only reads: the options that are known to be harmless, what its operands are, whether it
 * waits for input. Whatever is not in the shape is asked about.
 *
 * Arguments are read by the table of their own program: which words are options, which options take a value, what is left. An
 * option that the table does not have is reported, never skipped: it may be the one that writes. A table is written as one
 * line: `-n` is a flag, `-c=` takes a value, `--color=?` may have one behind `=`, and `-f=path` takes the path of a file that
 * is read.
 */
import { askForExpanded, hasInput, type CommandCall, type Program, usePaths } from "../model/call.ts";
import { ask, merge, type Finding, type Listing } from "../model/judgement.ts";
import type { Arg } from "../model/parts.ts";
import { isInsideRoots } from "../model/places.ts";

export interface ReaderShape {
  /** The harmless ones, in the form of `parseOptionTable`. */
  readonly options?: string;
  /**
   * `pattern`: the first operand is text unless `-e` or `-f` gives it, the others are files · `names`: names of programs,
   * or paths when there is a slash in them.
   */
  readonly operands: "files" | "pattern" | "text" | "names" | "none";
  readonly action?: "metadata" | "read";
  /** The program reads standard input when there is no file. */
  readonly waits?: boolean;
  readonly most?: number;
  readonly least?: number;
  readonly digits?: boolean;
  /** Options that make it walk into folders, or `always`. */
  readonly recursive?: readonly string[] | "always";
  /** What comes to light of an operand that is a directory, or of the working directory without one. */
  readonly lists?: (read: ReadArgs) => Omit<Listing, "path"> | undefined;
  /** Why an option is not in the list, for the person who is asked. */
  readonly refused?: Readonly<Record<string, string>>;
  readonly check?: (read: ReadArgs, call: CommandCall) => readonly Finding[];
}

export function reader(shape: ReaderShape): Program {
  const table = parseOptionTable(shape.options ?? "");
  return (call) => {
    const read = readOptions(call.args, table, { digits: shape.digits === true });
    const { files, texts } = splitOperands(read, shape);
    const recursive = isRecursive(read, shape);
    const findings = [
      ...askForExpanded(call.args),
      ...askForUnknown(read.unknown, call.name, shape.refused ?? {}),
      ...askForCount(files.length + texts.length, shape),
      ...askForInput(files, recursive, shape, call),
      ...askForValues(read, call),
      ...(shape.check?.(read, call) ?? []),
    ];
    const named = read.options.flatMap(({ isPath, value }) => (isPath && value !== undefined ? [value] : []));
    return merge([
      { findings, paths: [], listings: listingsOf(shape.lists?.(read), files) },
      usePaths(call, named, "read"),
      usePaths(
        call,
        isFromHere(files, recursive, shape, call) ? [HERE] : files.filter(({ text }) => text !== "-"),
        shape.action ?? "read",
        recursive,
      ),
    ]);
  };
}

export function listingsOf(how: Omit<Listing, "path"> | undefined, places: readonly Arg[]): Listing[] {
  if (how === undefined) return [];
  const from = places.length > 0 ? places : [HERE];
  return from.filter(({ text }) => text !== "-").map(({ text }) => ({ path: text, ...how }));
}

function splitOperands(read: ReadArgs, shape: ReaderShape): { files: readonly Arg[]; texts: readonly Arg[] } {
  const { operands, options } = read;
  if (shape.operands === "text" || shape.operands === "none") return { files: [], texts: operands };
  if (shape.operands === "names")
    return { files: operands.filter(namesPath), texts: operands.filter((arg) => !namesPath(arg)) };
  if (shape.operands === "files") return { files: operands, texts: [] };
  const isGiven = options.some(({ name }) => /^(?:-e|-f|--regexp|--file|--files|--type-list)$/.test(name));
  return isGiven ? { files: operands, texts: [] } : { files: operands.slice(1), texts: operands.slice(0, 1) };
}

/** For what is looked up in PATH: a name with a slash in it is a path, and is looked for where it says. */
export function namesPath({ text }: Arg): boolean {
  return /[/\\]/.test(text);
}

/**
 * `--context ../x`: where the value has to be glued (BSD), the next word is an operand. A pattern may have any text, and
 * the options for patterns are the same everywhere.
 */
function askForValues({ options }: ReadArgs, { context }: CommandCall): Finding[] {
  const loose = options.filter(
    ({ name, value }) => name.startsWith("--") && value !== undefined && !PATTERNS.has(name),
  );
  const leaves = ({ value }: ReadOption): boolean =>
    value !== undefined &&
    /[/\\~]|^\.\./.test(value.text) &&
    !context.surfaces.every((at) => isInsideRoots(value.text, at));
  return loose.some(leaves) ? [ask("the value of an option may be a path outside the roots")] : [];
}

const PATTERNS: ReadonlySet<string> = new Set([
  "--regexp",
  "--glob",
  "--iglob",
  "--delimiter",
  "--separator",
  "--field-separator",
]);

function isRecursive(read: ReadArgs, { recursive }: ReaderShape): boolean {
  if (recursive === undefined || recursive === "always") return recursive === "always";
  return read.options.some(({ name }) => recursive.includes(name));
}

/** Without an operand the whole working directory is read, unless what always searches has something to read. */
function isFromHere(files: readonly Arg[], recursive: boolean, shape: ReaderShape, call: CommandCall): boolean {
  if (!recursive || files.length > 0) return false;
  return shape.recursive !== "always" || !hasInput(call);
}

const HERE: Arg = { text: ".", glob: false, literal: true, raw: ".", commands: [] };

export function askForUnknown(
  unknown: readonly string[],
  program: string,
  refused: Readonly<Record<string, string>>,
): Finding[] {
  return unknown.map((name) => ask(`${program} ${name} ${refused[name] ?? "is not known to be harmless"}`));
}

function askForCount(count: number, { operands, most, least = 0 }: ReaderShape): Finding[] {
  if (count > (operands === "none" ? 0 : (most ?? count)))
    return [ask("it has an operand too many, which may be written or set")];
  return count < least ? [ask("it has an operand too few")] : [];
}

function askForInput(files: readonly Arg[], recursive: boolean, shape: ReaderShape, call: CommandCall): Finding[] {
  if (shape.waits !== true || recursive || hasInput(call)) return [];
  const waits = files.length === 0 || files.some(({ text }) => text === "-");
  return waits ? [ask("it waits for input that nobody gives")] : [];
}

interface OptionShape {
  readonly value: "none" | "optional" | "required";
  readonly isPath: boolean;
}

export type OptionTable = ReadonlyMap<string, OptionShape>;

export interface ReadOption {
  /** With its dashes. */
  readonly name: string;
  readonly value: Arg | undefined;
  readonly isPath: boolean;
}

export interface ReadArgs {
  readonly options: readonly ReadOption[];
  readonly unknown: readonly string[];
  readonly operands: readonly Arg[];
}

export function parseOptionTable(line: string): OptionTable {
  const entries = line.split(/\s+/).filter(Boolean);
  return new Map(
    entries.map((entry): [string, OptionShape] => {
      const [name = "", kind] = entry.split("=");
      if (kind === undefined) return [name, { value: "none", isPath: false }];
      return [name, { value: kind === "?" ? "optional" : "required", isPath: kind === "path" }];
    }),
  );
}

interface ReadingStyle {
  /** The first operand ends the options, as it does for programs that run another. */
  readonly stopAtOperand?: boolean;
  /** `head -20`: a bundle of digits is a number. */
  readonly digits?: boolean;
}

export function readOptions(args: readonly Arg[], table: OptionTable, style: ReadingStyle = {}): ReadArgs {
  const reading: Reading = { args, table, at: 0, options: [], unknown: [], operands: [] };
  while (reading.at < args.length) {
    const arg = args[reading.at++];
    if (arg === undefined) break;
    if (arg.text === "--") reading.operands.push(...args.slice(reading.at));
    if (arg.text === "--") break;
    if (!arg.text.startsWith("-") || arg.text === "-") {
      reading.operands.push(arg);
      if (style.stopAtOperand !== true) continue;
      reading.operands.push(...args.slice(reading.at));
      break;
    }
    if (style.digits === true && /^-\d+$/.test(arg.text)) continue;
    if (arg.text.startsWith("--")) readLong(arg, reading);
    else readCluster(arg, reading);
  }
  return reading;
}

interface Reading {
  readonly args: readonly Arg[];
  readonly table: OptionTable;
  at: number;
  readonly options: ReadOption[];
  readonly unknown: string[];
  readonly operands: Arg[];
}

function readLong(arg: Arg, reading: Reading): void {
  const equals = arg.text.indexOf("=");
  const name = equals < 0 ? arg.text : arg.text.slice(0, equals);
  const shape = reading.table.get(name);
  const glued = equals < 0 ? undefined : { ...arg, text: arg.text.slice(equals + 1) };
  if (shape === undefined || (shape.value === "none" && glued !== undefined)) {
    reading.unknown.push(name);
    return;
  }
  const value = shape.value === "required" ? (glued ?? reading.args[reading.at++]) : glued;
  reading.options.push({ name, value, isPath: shape.isPath });
}

/** `-rf` is `-r -f`; `-n5` is `-n 5` if `-n` takes a value. */
function readCluster(arg: Arg, reading: Reading): void {
  // A table may name a word with one dash, as `-name` of find.
  const whole = reading.table.get(arg.text);
  if (whole !== undefined && arg.text.length > 2) {
    const value = whole.value === "required" ? reading.args[reading.at++] : undefined;
    reading.options.push({ name: arg.text, value, isPath: whole.isPath });
    return;
  }
  for (let at = 1; at < arg.text.length; at++) {
    const name = `-${arg.text.charAt(at)}`;
    const shape = reading.table.get(name);
    if (shape === undefined) {
      reading.unknown.push(name);
      return;
    }
    const rest = arg.text.slice(at + 1);
    if (shape.value === "none") {
      reading.options.push({ name, value: undefined, isPath: false });
      continue;
    }
    const value = rest === "" ? undefined : { ...arg, text: rest };
    const next = shape.value === "required" ? (value ?? reading.args[reading.at++]) : value;
    reading.options.push({ name, value: next, isPath: shape.isPath });
    return;
  }
}

/** For a program whose options are not in a table: letters, long names and operands, without knowing which take values. */
export interface LooseArgs {
  readonly letters: ReadonlySet<string>;
  readonly long: readonly string[];
  readonly operands: readonly Arg[];
}

export function readLoosely(args: readonly Arg[]): LooseArgs {
  const end = args.findIndex(({ text }) => text === "--");
  const head = end < 0 ? args : args.slice(0, end);
  const dashed = head.filter(isOption).map(({ text }) => text);
  return {
    letters: new Set(dashed.filter((text) => !text.startsWith("--")).flatMap((text) => Array.from(text.slice(1)))),
    long: dashed.filter((text) => text.startsWith("--")),
    operands: [...head.filter((arg) => !isOption(arg)), ...(end < 0 ? [] : args.slice(end + 1))],
  };
}

function isOption({ text }: Arg): boolean {
  return text.startsWith("-") && text.length > 1;
}

/** `--rec` is `--recursive`: getopt_long takes every beginning that only one option has. */
export function hasLong({ long }: LooseArgs, name: string): boolean {
  return long.some((text) => {
    const given = text.replace(/=.*/s, "");
    return given.length > 2 && name.startsWith(given);
  });
}
