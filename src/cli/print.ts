/**
 * What a command prints, and what it asks the person at the terminal: results to stdout, everything about them to stderr,
 * colour only on a terminal.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { createConsola, type ConsolaInstance } from "consola";
import { Failure, failureText } from "../base/index.ts";
import { escapeControls, escapeJson, sayProgress } from "../text/index.ts";
import { EXIT, type ExitCode } from "./command.ts";

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
  // https://no-color.org: set and not empty.
  const colored = process.stderr.isTTY && !process.env["NO_COLOR"];
  const label = color === undefined ? "" : colored ? `\u001b[${color}m${type}:\u001b[0m ` : `${type}: `;
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
      if (code !== "EAGAIN") throw thrown;
      Bun.sleepSync(1);
    }
  }
  return true;
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

/** Columns of equal width, one line a row. */
export function printTable(given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map((cell) => escapeControls(cell).replaceAll("\n", "\\x0a")));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? ""))));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)),
    );
    print(cells.join("  ").trimEnd());
  }
}

/** Prints rows under their heads, or JSON, or says that there are none. */
export function printRows<T>(
  all: readonly T[],
  { json, none, heads, rowOf }: { json: boolean; none: string; heads: string[]; rowOf: (one: T) => string[] },
): void {
  if (json) printJson(all, 2);
  else if (all.length === 0) messages().info(none);
  else printTable([heads, ...all.map(rowOf)]);
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
      code = EXIT.failed;
    }
  }
  return code;
}

/** Prints the diff that a failure about a change carries. */
export function printDiff({ data }: Failure, title: string): void {
  const diff = data.details?.["diff"];
  if (typeof diff === "string" && diff !== "") messages().log(`${title}\n${diff}`);
}

/** Writes one line over the last one, on a terminal only. */
export function showProgress(done: number, total: number | undefined, what: string): void {
  if (!process.stderr.isTTY) return;
  const said = escapeControls(sayProgress(done, total, what)).replaceAll("\n", " ");
  const share = total ? ` (${Math.floor((100 * done) / total)} %)` : "";
  process.stderr.write(`\r\u001b[K${said}${share}`);
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
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
