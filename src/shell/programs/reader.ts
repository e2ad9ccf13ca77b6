/**
 * The shape of a program that only reads: the options that are known to be harmless, what its operands are, whether it
 * waits for input. Whatever is not in the shape is asked about.
 */
import { askForExpanded, hasInput, usePaths, type Call, type Program } from "../call.ts";
import { ask, merge, type Finding, type Listing } from "../judgement.ts";
import type { Arg } from "../parts.ts";
import { isInsideRoots } from "../places.ts";
import { parseOptionTable, readOptions, type ReadArgs, type ReadOption } from "../read-options.ts";

export interface ReaderShape {
  /** The harmless ones, in the form of `parseOptionTable`. */
  readonly options?: string;
  /**
   * `pattern`: the first operand is text unless `-e` or `-f` gives it, the others are files · `names`: names of programs,
   * or paths when there is a slash in them.
   */
  readonly operands: "files" | "pattern" | "text" | "names" | "none";
  readonly action?: "metadata" | "read";
  /** It reads standard input when there is no file. */
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
  readonly check?: (read: ReadArgs, call: Call) => readonly Finding[];
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
function askForValues({ options }: ReadArgs, { context }: Call): Finding[] {
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
function isFromHere(files: readonly Arg[], recursive: boolean, shape: ReaderShape, call: Call): boolean {
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

function askForInput(files: readonly Arg[], recursive: boolean, shape: ReaderShape, call: Call): Finding[] {
  if (shape.waits !== true || recursive || hasInput(call)) return [];
  const waits = files.length === 0 || files.some(({ text }) => text === "-");
  return waits ? [ask("it waits for input that nobody gives")] : [];
}
