/**
 * The arguments of one program, read by its own table: which words are options, which options take a value, what is
 * left. An option that the table does not have is reported, never skipped: it may be the one that writes.
 *
 * A table is written as one line: `-n` is a flag, `-c=` takes a value, `--color=?` may have one behind `=`, and
 * `-f=path` takes the path of a file that is read.
 */
import type { Arg } from "./parts.ts";

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
    letters: new Set(
      dashed.filter((text) => !text.startsWith("--")).flatMap((text) => Array.from(text.slice(1))),
    ),
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
