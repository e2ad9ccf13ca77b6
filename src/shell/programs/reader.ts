/**
 * Tables of programs as text, and what a row of them means for a program that only reads: the options that are known to be
 * harmless, what its operands are, whether it waits for input. Whatever is not in the row is asked about.
 *
 * A row has names, traits and the options in the form of `call.ts`: `tail: files waits least=2 -c= -n= -q`. It goes on in lines
 * that are indented. Notes stand below: `-f -F: never ends` says for the person who is asked why an option is not in the list.
 *
 * Traits of a reader: what its operands are (`files`, `text`, `none`; `pattern=`: the first is text unless one of the options
 * gives it, the others are files; `names`: names of programs, or paths when there is a slash in them), `metadata` if it never shows
 * contents, `waits` if it reads its input when there is no file, unless one of the options `alone=` is given, `least=` and
 * `most=` operands, `digits` for `-20`, `always` if it walks into folders or `walks=` the options that make it.
 */
import { UNKNOWN, ask, judge, type Arg, type Finding, type Judgement, type Listing } from "../model.ts";
import { isInsideRoots } from "../places.ts";
import {
  WAITS,
  askForExpanded,
  gluedValue,
  hasInput,
  hasOption,
  joinTables,
  named,
  parseOptionTable,
  readOptions,
  useOptions,
  usePaths,
  type CommandCall,
  type Program,
  type ProgramTable,
  type ReadArgs,
} from "./call.ts";

export interface ProgramRow {
  readonly names: string;
  readonly traits: ReadonlyMap<string, string>;
  readonly options: string;
  readonly notes: ReadonlyMap<string, string>;
}

export function readRows(text: string): ProgramRow[] {
  // An indented line without a colon goes on with the options.
  const rows = text.trim().replace(/\n +(?=[^:]*$)/gm, " ");
  return rows.split(/\n(?! )/).map((row) => {
    const [head = "", ...lines] = row.split("\n");
    const [names = "", said = ""] = head.split(/: ?/);
    const options = said.split(" ").filter((word) => word.startsWith("-"));
    const traits = said.split(" ").filter((word) => !word.startsWith("-"));
    const notes = lines.flatMap((line) => {
      const [keys = "", note = ""] = line.trim().split(": ");
      return keys.split(" ").map((key): [string, string] => [key, note]);
    });
    return {
      names,
      traits: new Map(traits.map((trait) => [trait.replace(/=.*/, ""), trait.replace(/^\w+=?/, "")])),
      options: options.join(" "),
      notes: new Map(notes),
    };
  });
}

/** What a row cannot say. */
export interface ReaderExtras {
  /** What comes to light of an operand that is a directory, or of the working directory without one. */
  readonly lists?: (read: ReadArgs) => Omit<Listing, "path"> | false;
  readonly check?: (read: ReadArgs, call: CommandCall) => Finding | Judgement | false | undefined;
}

/** @param extras by the names of a row */
export function readers(text: string, extras: Readonly<Record<string, ReaderExtras>> = {}): ProgramTable {
  return joinTables(readRows(text).map((row) => named(row.names, reader(row, extras[row.names]))));
}

function reader({ traits, options, notes }: ProgramRow, { lists, check }: ReaderExtras = {}): Program {
  const table = parseOptionTable(options);
  const digits = traits.has("digits");
  const always = traits.has("always");
  const most = Number(traits.get("most") ?? (traits.has("none") ? 0 : Infinity));
  const least = Number(traits.get("least") ?? 0);
  const walks = optionsIn(traits, "walks");
  const alone = optionsIn(traits, "alone");
  return (call) => {
    if (asksAboutItself(call)) return judge();
    const read = readOptions(call.args, table, { digits });
    const { files, texts } = splitOperands(read, traits);
    const recursive = always || hasOption(read, walks);
    // Without an operand the whole working directory is read, unless what always searches has something to read.
    const isFromHere = recursive && files.length === 0 && !(always && hasInput(call));
    const count = files.length + texts.length;
    const isWaiting = (files.length === 0 && !hasOption(read, alone)) || files.some(({ text }) => text === "-");
    const touched = isFromHere ? [HERE] : files.filter(({ text }) => text !== "-");
    return judge(
      askForExpanded(call.args),
      ...askForUnknown(read.unknown, call.name, notes),
      count > most && ask("it has an operand too many, which may be written or set"),
      count < least && ask("it has an operand too few"),
      traits.has("waits") && !recursive && !hasInput(call) && isWaiting && WAITS,
      askForValues(read, call),
      check?.(read, call),
      { listings: listingsOf(lists?.(read), files) },
      read.options.some(({ action }) => action === "write") && ask(`${call.name} writes a file`),
      useOptions(call, read),
      read.unknown.length === 0 && usePaths(call, read.operands.slice(most), "write"),
      // One of them may take a path, glued to it or as the next word.
      read.unknown.length > 0 && usePaths(call, wordsOf(call.args), "any"),
      usePaths(call, touched, traits.has("metadata") ? "metadata" : "read", recursive),
    );
  };
}

/** `walks=-r,--recursive`, as `hasOption` takes them. */
function optionsIn(traits: ProgramRow["traits"], trait: string): string {
  return (traits.get(trait) ?? "").replaceAll(",", " ");
}

/** What a program tells of itself: with nothing else on the line it does nothing else. */
export function asksAboutItself({ args: [only, ...more] }: CommandCall): boolean {
  return more.length === 0 && only?.literal === true && /^--(?:version|help)$/.test(only.text);
}

/** Every word, and what may be the value of an option. */
function wordsOf(args: readonly Arg[]): Arg[] {
  return args.flatMap((arg) => {
    const value = gluedValue(arg.text);
    if (value !== undefined) return { ...arg, text: value };
    return arg.text.startsWith("-") || arg.text.includes(UNKNOWN) ? [] : arg;
  });
}

export function listingsOf(how: Omit<Listing, "path"> | false | undefined, places: readonly Arg[]): Listing[] {
  if (how === undefined || how === false) return [];
  const from = places.length > 0 ? places : [HERE];
  return from.filter(({ text }) => text !== "-").map(({ text }) => ({ path: text, ...how }));
}

const HERE: Arg = { text: ".", glob: false, literal: true, raw: ".", commands: [] };

function splitOperands(
  { operands, options }: ReadArgs,
  traits: ProgramRow["traits"],
): { files: readonly Arg[]; texts: readonly Arg[] } {
  if (traits.has("files")) return { files: operands, texts: [] };
  if (traits.has("names"))
    return { files: operands.filter(namesPath), texts: operands.filter((arg) => !namesPath(arg)) };
  if (!traits.has("pattern")) return { files: [], texts: operands };
  const isGiven = hasOption({ options }, optionsIn(traits, "pattern"));
  return isGiven ? { files: operands, texts: [] } : { files: operands.slice(1), texts: operands.slice(0, 1) };
}

/** For what is looked up in PATH: a name with a slash in it is a path, and is looked for where it says. */
export function namesPath({ text }: Arg): boolean {
  return /[/\\]/.test(text);
}

export function askForUnknown(
  unknown: readonly string[],
  program: string,
  notes: ReadonlyMap<string, string>,
): Finding[] {
  return unknown.map((name) => ask(`${program} ${name} ${notes.get(name) ?? "is not known to be harmless"}`));
}

/**
 * `--context ../x`: where the value has to be glued (BSD), the next word is an operand. A pattern may have any text, and
 * the options for patterns are the same everywhere.
 */
function askForValues({ options }: ReadArgs, { context }: CommandCall): Finding | undefined {
  const leaves = options.some(
    ({ name, value }) =>
      /^--(?!(?:regexp|i?glob|delimiter|(?:field-)?separator)$)/.test(name) &&
      value !== undefined &&
      /[/\\~]|^\.\./.test(value.text) &&
      !context.surfaces.every((at) => isInsideRoots(value.text, at)),
  );
  return leaves ? ask("the value of an option may be a path outside the roots") : undefined;
}
