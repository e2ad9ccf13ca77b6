/**
 * What a command prints, and what it asks the person at the terminal: results to stdout, everything about them to stderr,
 * colour only on a terminal.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { createConsola, type ConsolaInstance } from "consola";
import { CLOCK, Failure, failureText, nowMs } from "../base/index.ts";
import { escapeControls, escapeJson } from "../text/index.ts";
import { EXIT, exitOf, type ExitCode } from "./command.ts";
import { columnWidths, cutCell, fitTable, GAP } from "./show/fit-table.ts";
import { paintDiffs } from "./show/paint-diffs.ts";
import { ProgressBar } from "./show/progress-bar.ts";
import { sayLocalTime, sayTime } from "./show/say-time.ts";
import { lookOf } from "./show/stream-look.ts";

let instance: ConsolaInstance | undefined;

/** Messages for the person, on stderr: `error: ...` and nothing around it, so that it reads well in a log too. */
export function messages(): ConsolaInstance {
  instance ??= createConsola({ level: INFO, reporters: [{ log: writeMessage }] });
  return instance;
}

/** consola's level; left to itself it is silent in what it takes for a test. */
const INFO = 3;
const COLORS: Readonly<Record<string, string>> = { error: "31", warn: "33", info: "36" };

function writeMessage({ type, args }: { readonly type: string; readonly args: readonly unknown[] }): void {
  const color = COLORS[type];
  const { hasColor } = lookOf(process.stderr);
  const label = color === undefined ? "" : hasColor ? `\u001b[${color}m${type}:\u001b[0m ` : `${type}: `;
  process.stderr.write(`${label}${escapeControls(args.map(String).join(" "))}\n`);
}

/** The result, on stdout; whole even when stdout is a slow pipe. @returns false when nobody reads it any more */
export function print(text: string): boolean {
  const bytes = Buffer.from(text.endsWith("\n") ? text : `${text}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (thrown) {
      const code = (thrown as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw outputFailure(thrown);
      Bun.sleepSync(1);
    }
  }
  return true;
}

/** A full disk, as a rule: what was done is done, and only its answer is lost. */
function outputFailure(thrown: unknown): Failure {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === "ENOSPC")
    return new Failure("disk_full", "Cannot write the output: there is no space left behind stdout");
  return new Failure("unsupported", `Cannot write the output: ${message}`, { hint: "Look at where stdout leads." });
}

/**
 * Prints what a model, a file or another program may have written: nothing in it commands the terminal or hides from the
 * person who judges it. @returns as `print`
 */
export function printText(text: string): boolean {
  return print(escapeControls(text));
}

/** Prints JSON for programs, with nothing hidden from a person who looks at it. @returns as `print` */
export function printJson(value: unknown, indent?: number): boolean {
  return print(escapeJson(JSON.stringify(value, null, indent)));
}

/**
 * Prints text with diffs in it. At a terminal they are coloured and what differs in them is marked; nothing is ever cut. @returns
 * as `print`
 */
export function printDiffs(text: string): boolean {
  return print(paintDiffs(escapeControls(text), lookOf(process.stdout)));
}

/** Prints what a tool answers, as it is: of its diffs only the colours are added. */
export function printAnswer(text: string): void {
  print(paintDiffs(text, lookOf(process.stdout), false));
}

/**
 * Columns of equal width, one line a row.
 * @param isWide whether `--wide` was typed; without it a terminal gets cells that fit, and a command without the flag cuts none
 */
export function printTable(given: readonly (readonly string[])[], isWide = true): void {
  const rows = given.map((row) => row.map((cell) => escapeControls(cell).replaceAll("\n", "\\x0a")));
  const width = widthFor(isWide);
  const fitted = width === undefined ? { rows, isCut: false, isTooWide: false } : fitTable(rows, width);
  const widths = columnWidths(fitted.rows);
  for (const row of fitted.rows) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)),
    );
    print(cells.join(" ".repeat(GAP)).trimEnd());
  }
  if (fitted.isCut)
    messages().info(
      fitted.isTooWide
        ? "This terminal is too narrow for the columns, and their cells are cut; --wide shows all."
        : "Cut to the width of this terminal; --wide shows all.",
    );
}

/** Prints one line of a list that has no columns. @param isWide as for `printTable` @returns as `print` */
export function printLine(text: string, isWide: boolean): boolean {
  const width = widthFor(isWide);
  const line = escapeControls(text);
  return print(width === undefined ? line : cutCell(line.replaceAll("\n", "\\x0a"), width));
}

function widthFor(isWide: boolean): number | undefined {
  return isWide ? undefined : lookOf(process.stdout).width;
}

/** A time in a list: at a terminal how long ago, else as it is. @param iso ISO 8601 */
export function shownAge(iso: string): string {
  return lookOf(process.stdout).isTerminal ? sayTime(iso, nowMs()) : iso;
}

/** A time of the record: at a terminal that of the clock on the wall, else as it is. @param iso ISO 8601 */
export function shownClock(iso: string): string {
  return lookOf(process.stdout).isTerminal ? sayLocalTime(iso) : iso;
}

interface ListedRows<T> {
  readonly json: boolean;
  readonly isWide?: boolean;
  /** Said where there are none. */
  readonly none: string;
  readonly heads: readonly string[];
  readonly rowOf: (one: T) => readonly string[];
}

/** Prints rows under their heads, or JSON, or says that there are none. */
export function printRows<T>(all: readonly T[], { json, isWide, none, heads, rowOf }: ListedRows<T>): void {
  if (json) printJson(all, 2);
  else if (all.length === 0) messages().info(none);
  else printTable([heads, ...all.map(rowOf)], isWide);
}

/**
 * Does the work for each; one that fails is told of and does not hold back the others.
 * @param tell adds to what is said of a failure
 */
export async function tryEach<T>(
  all: readonly T[],
  work: (one: T) => Promise<ExitCode | void>,
  tell: (failure: Failure) => void = () => undefined,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  for (const one of all) {
    try {
      code = (await work(one)) || code;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      messages().error(failureText(thrown.data));
      tell(thrown);
      // A host that works is there, so whatever else failed is what was asked of it.
      code = exitOf(thrown) === EXIT.usage ? EXIT.usage : EXIT.failed;
    }
  }
  return code;
}

/** Prints the diff that a failure about a change carries. */
export function printDiff({ data }: Failure, title: string): void {
  const diff = data.details?.["diff"];
  if (typeof diff !== "string" || diff === "") return;
  process.stderr.write(`${paintDiffs(escapeControls(`${title}\n${diff}`), lookOf(process.stderr))}\n`);
}

/** Does work that takes long, with a line about it on stderr that is gone at the end. */
export async function withProgress<T>(work: (report: ProgressBar["show"]) => T | Promise<T>): Promise<T> {
  using bar = new ProgressBar(lookOf(process.stderr), CLOCK, (text) => process.stderr.write(text));
  return await work(bar.show);
}

/** Whether somebody sits there who can see the question and answer it. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Takes a line of text; an empty one means the usual answer. @throws Failure `cancelled` at the end of the input */
export async function askText(question: string, usual: string): Promise<string> {
  const answer = await askLine(`${question} [${usual}] `);
  if (answer !== undefined) return answer || usual;
  throw new Failure("cancelled", "Cannot go on: the question was not answered", { hint: "Nothing was written." });
}

/** Only a typed "y" or "yes" counts; the end of the input, an empty line and anything else mean no. */
export async function askYes(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askLine(`${question} [y/N] `)) ?? "");
}

/** @returns `undefined` at the end of the input, and when the person stops it */
async function askLine(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return (await Promise.race([lines.question(question), ended]))?.trim();
  } finally {
    lines.close();
  }
}
