/**
 * A call that waits for approval: as data, and in lines, every argument whole, with standard input, the working directory, the
 * environment and the limits. The answer to the model has a short form, because it wrote the arguments itself.
 *
 * The host makes the data anew whenever it shows or applies the call; what lies in the state folder serves only those who do
 * not have the tool.
 */
import { showName } from "../scope/index.ts";
import { escapeControls, escapeLine } from "../text/index.ts";
import { showBytes } from "./shorten.ts";

/** A program as it would be started. A name stands for what differs in each start, such as its temporary folder. */
export interface ProgramFacts {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What the program reads; absent: the end of input at once. */
  readonly stdin?: string | undefined;
  /** Values of secrets are left out. */
  readonly environment: Readonly<Record<string, string>>;
  readonly pty: boolean;
  readonly fence: string;
  /** The directories below which it may read ("r") or also write ("rw"). */
  readonly reach: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly limits: Readonly<Record<string, number>>;
  /** Which of the changed paths can be undone. */
  readonly kept: readonly string[];
}

export type CallFacts =
  /** `name`: of the command, or the command line. */
  | {
      readonly kind: "run";
      readonly name: string;
      readonly start?: ProgramFacts | undefined;
      /** The risk as it is declared. */
      readonly risk?: string;
      /** The program goes on after the call. */
      readonly background?: boolean;
    }
  | { readonly kind: "remote"; readonly owner: string; readonly name: string }
  /** @property sends it leaves the machine */
  | { readonly kind: "own"; readonly sends?: true };

/** A call as it is kept. */
export interface WaitingCall {
  readonly input: unknown;
  /** Files that it named, which must be as they were. */
  readonly paths: readonly { readonly path: string; readonly hash: string }[];
  readonly facts: CallFacts;
  /** What a tool that describes its own calls said of this one. */
  readonly says?: ToolWords | undefined;
}

export interface ToolWords {
  readonly summary: string;
  readonly diff?: string | undefined;
}

/** The most of a summary that is shown. */
const MAX_SUMMARY_CHARS = 300;

export function summariseCall(tool: string, facts: CallFacts): string {
  switch (facts.kind) {
    case "run":
      return `Run ${shorten(escapeLine(facts.name), MAX_SUMMARY_CHARS)}`;
    case "remote":
      return `Call ${shorten(escapeLine(facts.name), MAX_SUMMARY_CHARS)} of ${escapeLine(facts.owner)}`;
    case "own":
      return `Call ${escapeLine(tool)}`;
  }
}

/** Describes a call whole, for the person who decides about it. */
export function* callLines(tool: string, { input, paths, facts }: WaitingCall): Generator<string> {
  if (facts.kind === "remote") {
    yield `Carried out by: ${escapeLine(facts.owner)}`;
    yield `Tool: ${escapeLine(facts.name)}`;
  }
  if (facts.kind === "run" && facts.start) yield* startLines(facts.start, facts.background === true);
  for (const { path } of paths) yield `File: ${showName(path)}`;
  yield `Arguments of ${escapeLine(tool)}:`;
  for (const line of escapeControls(JSON.stringify(input ?? {}, null, 2)).split("\n")) yield `  ${line}`;
  yield consequenceOf(facts);
}

/** Describes a call in short, beside other notes: without the standard input and the environment. */
export function shortCallLines({ input, facts }: WaitingCall): string[] {
  switch (facts.kind) {
    case "run": {
      const { start } = facts;
      if (!start) return [consequenceOf(facts)];
      return [
        programLine(start),
        `Working directory: ${showName(start.cwd)}`,
        `Fence: ${start.fence}`,
        ...timeLimit(start, facts.background === true),
        consequenceOf(facts),
      ];
    }
    case "remote":
      return [
        `Carried out by: ${escapeLine(facts.owner)}`,
        `Tool: ${escapeLine(facts.name)}`,
        `Arguments: ${escapeControls(JSON.stringify(input ?? {}, null, 2))}`,
        consequenceOf(facts),
      ];
    case "own":
      return [consequenceOf(facts)];
  }
}

function* startLines(start: ProgramFacts, isBackground: boolean): Generator<string> {
  yield programLine(start);
  yield `Working directory: ${showName(start.cwd)}`;
  if (start.stdin === undefined) yield "Standard input: none";
  else {
    const bytes = Buffer.from(start.stdin);
    yield `Standard input: ${bytes.length} bytes`;
    yield* showBytes(bytes);
  }
  yield "Environment:";
  for (const [name, value] of sorted(start.environment)) yield `  ${escapeLine(`${name}=${value}`)}`;
  if (start.pty) yield "Terminal: one of its own";
  yield `Fence: ${start.fence}`;
  for (const [path, access] of sorted(start.reach))
    yield `  ${access === "rw" ? "reads and writes" : "reads"} ${showName(path)}`;
  yield* timeLimit(start, isBackground);
  yield `Limits: ${sorted(start.limits)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")}`;
  if (isBackground) yield "It goes on in the background after the call.";
}

/** A program in the background runs until it ends, is stopped, or the host ends. */
function timeLimit({ timeout_ms }: ProgramFacts, isBackground: boolean): string[] {
  return isBackground ? [] : [`Time limit: ${timeout_ms} ms`];
}

function programLine(start: ProgramFacts): string {
  return `Program and arguments: ${programWords(start)}`;
}

/** Writes every argument as one word, whatever stands in it. */
export function programWords({ program, args }: ProgramFacts): string {
  const words = [program, ...args].map((part) =>
    /^[\w@%+=:,./-]+$/.test(part) ? part : escapeLine(JSON.stringify(part)),
  );
  return words.join(" ");
}

function consequenceOf(facts: CallFacts): string {
  if (facts.kind === "remote") return "What it does is not held by this host, and cannot be undone by it.";
  if (facts.kind === "own" && facts.sends) return "It is sent once, when it is applied, and nothing takes it back.";
  if (facts.kind === "own")
    return "This tool writes by itself: the change is not atomic and cannot be undone by the host.";
  const kept = facts.start?.kept ?? [];
  return kept.length > 0
    ? `Only its changes to ${kept.map(escapeLine).join(", ")} can be undone; nothing else it does can be.`
    : "What it changes cannot be undone by the host.";
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
