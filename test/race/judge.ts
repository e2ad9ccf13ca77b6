/**
 * What counts as an escape: a word that only stands outside in an answer, anything outside that is not exactly what it
 * was, or outside content that lies inside afterwards. Everything else that a race does to a call is allowed, as long as
 * the answer is ok or a failure with a code that callers know.
 *
 * Usual mistake: to compare contents only. A file that was made outside and removed again has changed its directory's
 * times, and shows.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { FAILURE_CODES } from "../../src/base/index.ts";
import { readResult } from "../../src/calls/call-result.ts";
import type { RacerReport } from "./open-racer.ts";

export interface Tally {
  calls: number;
  /** How often each outcome came: `ok`, or the code of a failure. */
  readonly outcomes: Map<string, number>;
  readonly escapes: string[];
  /** Answers that no call should give, race or not. */
  readonly faults: string[];
  swaps: number;
}

export function createTally(): Tally {
  return { calls: 0, outcomes: new Map(), escapes: [], faults: [], swaps: 0 };
}

export function addRace(tally: Tally, { swaps }: RacerReport): void {
  tally.swaps += swaps;
}

/** Counts an answer to a call. @returns its outcome */
export function judgeAnswer(
  tally: Tally,
  { tool, args }: { readonly tool: string; readonly args: string },
  line: string,
  words: readonly string[],
): string {
  const what = `${tool} ${args}`;
  const outcome = outcomeOf(line);
  tally.calls++;
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  const word = words.find((one) => line.includes(one));
  if (word !== undefined) tally.escapes.push(`${what}: ${word} came out: ${line.slice(0, 500)}`);
  if (!EXPECTED.has(outcome)) tally.faults.push(`${what}: ${line.slice(0, 500)}`);
  return outcome;
}

/** `internal` is a known code and still a defect. */
const EXPECTED: ReadonlySet<string> = new Set(["ok", ...FAILURE_CODES.filter((code) => code !== "internal")]);

interface FailedAnswer {
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
  readonly result?: { readonly isError?: boolean };
}

function outcomeOf(line: string): string {
  // Whole answers are parsed only when they failed: most of a race is spent here.
  if (!line.includes('"isError":true') && !line.includes('"error":{')) return "ok";
  const { error, result } = JSON.parse(line) as FailedAnswer;
  if (error) return error.data?.code ?? `error ${error.code}`;
  if (result?.isError !== true) return "ok";
  return readResult(result).failure?.code ?? "a failure without a code";
}

/** Everything below a folder and the folder itself: names, types, modes, identities, times, contents. */
export function snapshot(folder: string): string {
  const found: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(path, { bigint: true });
    const held = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, "hex") : "";
    found.push([path, stat.mode, stat.ino, stat.nlink, stat.mtimeNs, stat.ctimeNs, held].join(" "));
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
  };
  visit(folder);
  return found.join("\n");
}

/** Objects below a folder that are named with a word or hold one; links are not followed. */
export function findWords(folder: string, words: readonly string[]): string[] {
  // Not `recursive`: Bun 1.4.5 follows links then.
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const text = entry.isFile() ? `${entry.name}\n${readFileSync(path, "latin1")}` : entry.name;
    const found = words.filter((word) => text.includes(word)).map((word) => `${path} has ${word}`);
    return entry.isDirectory() ? [...found, ...findWords(path, words)] : found;
  });
}
