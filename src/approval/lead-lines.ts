/**
 * The first lines of a sheet: the point of it, for whoever sees no more than three lines. A small change is shown
 * itself, a larger one as what is done to what, how much, and the first changed lines.
 *
 * Invariant: a lead never looks like all there is when it is not: it counts what it does not show. Everything in it
 * stands once more below, whole.
 */
import { escapeLine } from "../text/index.ts";
import { programWords, type CallFacts, type WaitingCall } from "./call-lines.ts";
import { changedLines, pairLine } from "./changed-lines.ts";
import { clearName, shortenEnd, shortenMiddle, showBytes } from "./shorten.ts";
import {
  VERBS,
  detailsOf,
  diffOf,
  hasLines,
  isOtherwiseRead,
  type FileChange,
  type Operation,
} from "./operation-line.ts";
import type { ShownOperation } from "./sheet.ts";

/** Every client shows three lines: a headline, and this many more. */
const MORE_LINES = 2;
const NAME_CHARS = 60;
const CALL_CHARS = 160;

export function leadOfChange(operations: readonly ShownOperation[]): string[] {
  const [first, ...others] = operations;
  if (!first) return ["Change nothing"];
  if (others.length === 0) return leadOfOne(first);
  // What is lost comes first, because the rest of the lines may not be seen.
  const byLoss = ORDER.flatMap((verb) => operations.filter(({ file }) => file.operation === verb));
  return [countLine(operations), ...byLoss.slice(0, MORE_LINES).map(({ file }) => smallLine(file) ?? headline(file))];
}

/** `report.txt:7  -Status: draft  +Status: final`, or a headline with the first changed lines. */
function leadOfOne({ file, content }: ShownOperation): string[] {
  const small = smallLine(file);
  const { pairs } = changedLines(diffOf(file), MORE_LINES);
  const lines =
    small === undefined ? [headline(file), ...pairs.map((pair) => `line ${pair.line}  ${pairLine(pair)}`)] : [small];
  // What is text in one encoding may be commands to a program that reads bytes.
  const bytes = content && isOtherwiseRead(file) && !isMarked(file) ? content() : new Uint8Array();
  return [...lines, ...firstBytes(bytes, 1 + MORE_LINES - lines.length)];
}

/** Whether the content is UTF-8 behind a byte order mark, so that its bytes are those of the text. */
function isMarked({ after }: FileChange): boolean {
  return after?.encoding === "utf-8-bom";
}

/** @returns `undefined` for a change that does not fit into one line */
function smallLine(file: FileChange): string | undefined {
  if (file.source !== undefined) return undefined;
  const { pairs, count } = changedLines(diffOf(file), 1);
  const [pair] = pairs;
  if (!pair || count > 1) return undefined;
  // That a file is edited can be seen; that it is made, or replaced as a whole, cannot.
  const isEdited = file.operation === "edit" || file.operation === "append";
  const verb = isEdited ? "" : `${VERBS[file.operation]} `;
  const details = detailsOf(file, "point");
  const said = details.length === 0 ? "" : `  (${details.join(", ")})`;
  return `${verb}${nameIn(file.path)}:${pair.line}  ${pairLine(pair)}${escapeLine(said)}`;
}

function headline(file: FileChange): string {
  const { source, path } = file;
  const names = source === undefined ? nameIn(path) : `${nameIn(source)} -> ${nameIn(path)}`;
  const details = detailsOf(file, "point");
  const said = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${VERBS[file.operation]} ${names}${linesIn(file)}${escapeLine(said)}`;
}

function linesIn(file: FileChange): string {
  if (!hasLines(file)) return "";
  const { places } = changedLines(diffOf(file), 0);
  return `: +${file.added} -${file.removed}${places > 1 ? ` in ${places} places` : ""}`;
}

/** `5 changes: delete 1, edit 4 (+12 -7)` */
function countLine(operations: readonly ShownOperation[]): string {
  const files = operations.map(({ file }) => file);
  const counts = ORDER.flatMap((operation) => {
    const count = files.filter((file) => file.operation === operation).length;
    return count === 0 ? [] : [`${VERBS[operation].toLowerCase()} ${count}`];
  });
  const sum = (of: "added" | "removed"): number => files.reduce((all, file) => all + file[of], 0);
  const [added, removed] = [sum("added"), sum("removed")];
  const lines = added + removed === 0 ? "" : ` (+${added} -${removed})`;
  return `${files.length} changes: ${counts.join(", ")}${lines}`;
}

/** The operations that lose most stand first. */
const ORDER: readonly Operation[] = [
  "delete",
  "overwrite",
  "move",
  "edit",
  "append",
  "copy",
  "create",
  "create_directory",
  "none",
];

function nameIn(path: string): string {
  return escapeLine(clearName(shortenMiddle(path, NAME_CHARS)));
}

function firstBytes(bytes: Uint8Array, most: number): string[] {
  const lines: string[] = [];
  for (const line of showBytes(bytes)) {
    if (lines.length >= most) break;
    lines.push(shortenEnd(line, CALL_CHARS));
  }
  return lines;
}

/** @param summary one line, from whoever knows best what is done */
export function leadOfCall(tool: string, summary: string, { input, facts }: WaitingCall): string[] {
  if (facts.kind === "run") return leadOfRun(summary, facts);
  const given = callInLine(facts.kind === "remote" ? facts.name : tool, input);
  return facts.kind === "remote" ? [`Call ${given} of ${escapeLine(facts.owner)}`] : [escapeLine(summary), given];
}

function leadOfRun(summary: string, facts: CallFacts & { readonly kind: "run" }): string[] {
  const { name, start, background } = facts;
  if (!start) return [escapeLine(summary)];
  // A command line is its own last argument; a command that was declared is known by its name.
  const isLine = start.args.at(-1) === name;
  const what = isLine ? escapeLine(name) : `${escapeLine(name)}: ${programWords(start)}`;
  const lines = [
    `${background ? "Start" : "Run"} ${shortenMiddle(what, CALL_CHARS)}${background ? ", to go on after the call" : ""}`,
  ];
  if (start.stdin !== undefined) {
    const size = Buffer.byteLength(start.stdin);
    lines.push(`with ${size} bytes of input: ${shortenMiddle(escapeLine(start.stdin), CALL_CHARS)}`);
  }
  return lines;
}

/** `grep {"pattern":"password"}`, shortened in its middle. */
export function callInLine(tool: string, input: unknown): string {
  return `${escapeLine(tool)} ${shortenMiddle(escapeLine(JSON.stringify(input ?? {})), CALL_CHARS)}`;
}
