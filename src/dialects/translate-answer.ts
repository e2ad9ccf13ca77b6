/**
 * Turns an answer of ours into one of the dialect: failures and next steps in its names, and the whole answer in the
 * dialect's own form where it has one. Contents of files are never touched: only sentences that we wrote are translated
 * (`To go on: read_file {"path":...}`, `Use edit_file`, `pass literal: true`), and in them what stands in quotes or
 * behind a slash is somebody's name and stays.
 */
import { Failure, failureText, type FailureData } from "../base/index.ts";
import { FAILURE_KEY, failureOutcome, type Outcome } from "../mcp/index.ts";
import { fitText } from "./fit-answer.ts";
import type { CompiledRow } from "./compile-row.ts";
import type { Arguments, PlainAnswer } from "./dialect-table.ts";
import { createLeaveOut } from "./leave-out-names.ts";
import { leaveOutWays, plainSettings, quotedSettings } from "./translate-settings.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Result {
  readonly content: readonly Block[];
  readonly structuredContent?: Arguments;
}

const STALE_DIFF = "\nSince you read it:\n";

/** What the host knows and an answer may be made from. */
export interface AnswerFacts {
  readonly roots: readonly string[];
  /** How much text an answer has that names no limit. */
  readonly bytes: number;
}

interface AnsweredCall extends AnswerFacts {
  readonly compiled: CompiledRow;
  readonly given: Arguments;
}

export function translateOutcome(outcome: Outcome, call: AnsweredCall, translate: Translate): Outcome {
  const failure = outcome.meta?.[FAILURE_KEY] as FailureData | undefined;
  const { form, row } = call.compiled;
  if (failure) return translateFailure(outcome, failure, call, translate);
  const result = JSON.parse(`{${outcome.members}}`) as Result;
  const isOurs = hasPersonsWords(result.structuredContent);
  if (form && row.show && !isOurs) return ownOutcome(outcome, result, call, translate);
  const shown = row.show && !isOurs ? shownResult(result, call, translate) : spokenResult(result, call, translate);
  return { ...outcome, ...resultOf(shown, outcome.isBroken) };
}

/** A person left out parts, or said something, for which no dialect has words. */
function hasPersonsWords(structured: Arguments = {}): boolean {
  return structured["left_out"] !== undefined || structured["comments"] !== undefined;
}

function translateFailure(
  outcome: Outcome,
  failure: FailureData,
  { compiled, given }: AnsweredCall,
  translate: Translate,
): Outcome {
  // What changed in a file stands below the first line of the hint.
  const [first = "", ...diff] = failure.hint.split(STALE_DIFF);
  const said: FailureData = {
    ...failure,
    message: (compiled.row.failed ?? "") + translate(failure.message, compiled),
    hint: [translate(first, compiled), ...diff].join(STALE_DIFF),
  };
  const { form, row } = compiled;
  if (form) {
    const content = [{ type: "text", text: form.failure(said, { name: row.name, given }) }];
    const { members } = resultOf({ content }, true);
    return { members, meta: { ...outcome.meta, [FAILURE_KEY]: said } };
  }
  const members = outcome.members.includes(quoted(failure))
    ? outcome.members.replace(quoted(failure), () => quoted(said))
    : failureOutcome(said).members;
  return { ...outcome, members, meta: { ...outcome.meta, [FAILURE_KEY]: said } };
}

function quoted(data: FailureData): string {
  return JSON.stringify(failureText(data));
}

function spokenResult(result: Result, { compiled }: AnsweredCall, translate: Translate): Result {
  const isChange = compiled.tool.plan !== undefined;
  const isMany = compiled.tool.name === "read_files";
  const last = result.content.findLastIndex(({ text }) => text !== undefined);
  const content = result.content.map((block, index) => {
    if (block.text === undefined) return block;
    // The last is the content of a file, what a search found, or a diff; those before it are notes of ours.
    if (index < last) return { ...block, text: translate(block.text, compiled) };
    if (compiled.row.reword) return { ...block, text: compiled.row.reword(block.text) };
    const own = isChange ? WARNING : isMany ? NOTE_OF_ONE : undefined;
    return own ? { ...block, text: block.text.replaceAll(own, (line) => translate(line, compiled)) } : block;
  });
  const next = result.structuredContent?.["next"];
  if (typeof next !== "object" || next === null) return { ...result, content };
  const theirs = compiled.toTheirs(next as Arguments);
  return { ...result, content, structuredContent: { ...result.structuredContent, next: theirs } };
}

const WARNING = /^Note: .*$/gm;
/** The note of one of several files: a line in brackets under its head. */
const NOTE_OF_ONE = /(?<=^==> .* <==\n)\[.*: read_file \{.*\}\]$/gm;

/** A proposal, and what was made whose answer there is no room for: neither has what a dialect's own text is made from. */
function isInOurWords({ status, truncated }: Arguments): boolean {
  return status === "proposed" || (status === "applied" && truncated === true);
}

/** The answer in the dialect's own form. A proposal stays in our form, because the reference has no such thing. */
function shownResult(result: Result, { compiled, given, roots, bytes }: AnsweredCall, translate: Translate): Result {
  const { show } = compiled.row;
  const { content, structuredContent: structured = {} } = result;
  const notes = content.flatMap(({ text: one }) => one ?? []);
  const text = notes.pop() ?? "";
  const shown = show && !isInOurWords(structured) ? show({ given, text, structured, blocks: [], roots, bytes }) : text;
  if (typeof shown !== "string")
    return { content: [shown as unknown as Block], structuredContent: { content: [shown] } };
  // Notes of ours are left out, unless they say that something is missing.
  const { head, tail = head } = given as { readonly head?: number; readonly tail?: number };
  const hasAll = tail !== undefined && tail > 0 && tail === structured["lines"];
  const isCut = structured["truncated"] === true && !hasAll;
  const said = isCut ? notes : structured["status"] === "applied" ? warningsOf(structured) : [];
  // Blocks of their own behind the text, whose place is the reference's; the structured form has one text only.
  const texts = [shown, ...said.map((note) => translate(note, compiled))];
  return {
    content: texts.map((one) => ({ type: "text", text: one })),
    structuredContent: { content: texts.join("\n") },
  };
}

/** An answer that is the dialect's own text and nothing else; a failure where ours is none. */
function ownOutcome(outcome: Outcome, result: Result, call: AnsweredCall, translate: Translate): Outcome {
  const { compiled, given, roots, bytes } = call;
  const { form, row } = compiled;
  const { content, structuredContent: structured = {} } = result;
  const text = content.findLast((block) => block.text !== undefined)?.text ?? "";
  // A dialect has no words for what waits for a person: these are ours.
  if (isInOurWords(structured)) {
    const { structuredContent: _, ...spoken } = spokenResult(result, call, translate);
    return { ...outcome, ...resultOf(spoken) };
  }
  const answer: PlainAnswer = { given, text, structured, blocks: content as never, roots, bytes };
  try {
    const shown = row.show?.(answer) ?? text;
    const block =
      typeof shown === "string" ? { type: "text", text: fitText(shown, bytes) } : (shown as unknown as Block);
    const meta = form?.meta?.(answer) ?? {};
    return { ...outcome, ...resultOf({ content: [block] }, outcome.isBroken), meta: { ...outcome.meta, ...meta } };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return translateFailure({ ...outcome, ...failureOutcome(thrown.data) }, thrown.data, call, translate);
  }
}

function resultOf(result: Result, isError = false): Pick<Outcome, "members"> {
  return { members: JSON.stringify({ ...result, ...(isError ? { isError } : {}) }).slice(1, -1) };
}

/** The warnings about a change that was made: a person left out parts of it, or a file had other names. */
function warningsOf({ warnings = [] }: Arguments): string[] {
  return (warnings as readonly string[]).map((warning) => `Note: ${warning}`);
}

/** @param row of the call that is answered: its name goes first where several stand for one tool of ours */
type Translate = (text: string, row: CompiledRow) => string;

/** Names that are also English words; they are translated only where a call stands. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["delete", "move", "copy", "shell", "tree", "stat", "replace"]);

/** @param unlisted names of ours that nothing in the dialect stands for */
export function createTranslate(rows: readonly CompiledRow[], unlisted: readonly string[]): Translate {
  const leaveOut = createLeaveOut(unlisted, PLAIN_WORDS);
  const byTool = new Map<string, CompiledRow>();
  for (const row of rows) if (!byTool.has(row.tool.name)) byTool.set(row.tool.name, row);
  const names = [...byTool.keys()];
  const call = new RegExp(String.raw`(?<![\w/.-])(${names.join("|")}) (?=\{")`, "g");
  const words = names.filter((name) => !PLAIN_WORDS.has(name));
  const word = new RegExp(String.raw`(?<![\w/.[-])(${words.join("|")})(?![\w/-]|\.\w|: )`, "g");
  const rowOf = (name: string, current: CompiledRow): CompiledRow | undefined =>
    current.tool.name === name ? current : byTool.get(name);

  // Where a sentence names a tool, the row is meant that can be called as it stands there.
  const wordOf = (name: string, current: CompiledRow): CompiledRow | undefined => {
    const row = rowOf(name, current);
    return row && needsArguments(row)
      ? (rows.find((one) => one.tool === row.tool && !needsArguments(one)) ?? row)
      : row;
  };

  return (given, current) => {
    const text = leaveOutWays(leaveOut(given), current, (name) => byTool.has(name));
    const out: string[] = [];
    let at = 0;
    for (const found of text.matchAll(call)) {
      const row = rowOf(found[1] ?? "", current);
      const start = found.index + found[0].length;
      const end = endOfObject(text, start);
      if (!row || end === undefined || found.index < at) continue;
      out.push(inWords(text.slice(at, found.index), current), callOf(row, text.slice(start, end)));
      at = end;
    }
    return [...out, inWords(text.slice(at), current)].join("");
  };

  function inWords(text: string, current: CompiledRow): string {
    return quotedSettings(text, current)
      .replace(/^Cannot call "([a-z_]+)"/, (all, name: string) =>
        all.replace(name, rowOf(name, current)?.row.name ?? name),
      )
      .split(QUOTED)
      .map((part, index) => (index % 2 === 0 ? ownWords(part, current) : part))
      .join("");
  }

  function ownWords(text: string, current: CompiledRow): string {
    const named = text.replaceAll(word, (name) => wordOf(name, current)?.row.name ?? name);
    return plainSettings(named, current);
  }
}

function needsArguments({ listed }: CompiledRow): boolean {
  return !listed.safeParse({}).success;
}

const QUOTED = /("(?:[^"\\]|\\.)*"|`[^`]*`)/;
function callOf(compiled: CompiledRow, json: string): string {
  try {
    return `${compiled.row.name} ${JSON.stringify(compiled.toTheirs(JSON.parse(json) as Arguments))}`;
  } catch {
    return `${compiled.row.name} ${json}`;
  }
}

/** The offset behind the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === "\\") at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
