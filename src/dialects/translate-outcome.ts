/**
 * Turns an answer of ours into one of the dialect: failures and next steps in its names, and the whole answer in the dialect's
 * own form where it has one. Contents of files are never touched.
 */
import { failureText, type FailureData } from "../base/index.ts";
import { failureOutcome, type Outcome } from "../mcp/index.ts";
import type { CompiledRow } from "./compile-row.ts";
import type { Arguments } from "./dialect-table.ts";
import type { Translate } from "./translate-text.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Result {
  readonly content: readonly Block[];
  readonly structuredContent?: Arguments;
}

const FAILURE_KEY = "dev.ringfence/failure";
const STALE_DIFF = "\nSince you read it:\n";

export interface AnsweredCall {
  readonly compiled: CompiledRow;
  readonly given: Arguments;
  readonly roots: readonly string[];
}

export function translateOutcome(outcome: Outcome, call: AnsweredCall, translate: Translate): Outcome {
  const failure = outcome.meta?.[FAILURE_KEY] as FailureData | undefined;
  if (failure) return translateFailure(outcome, failure, call.compiled, translate);
  const result = JSON.parse(`{${outcome.members}}`) as Result;
  const shown = call.compiled.row.show ? shownResult(result, call, translate) : spokenResult(result, call, translate);
  return { ...outcome, members: JSON.stringify(shown).slice(1, -1) };
}

function translateFailure(
  outcome: Outcome,
  failure: FailureData,
  compiled: CompiledRow,
  translate: Translate,
): Outcome {
  // What changed in a file stands below the first line of the hint.
  const [first = "", ...diff] = failure.hint.split(STALE_DIFF);
  const said: FailureData = {
    ...failure,
    message: translate(failure.message, compiled),
    hint: [translate(first, compiled), ...diff].join(STALE_DIFF),
  };
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

/** The answer in the dialect's own form. A proposal stays in our form, because the reference has no such thing. */
function shownResult(result: Result, { compiled, given, roots }: AnsweredCall, translate: Translate): Result {
  const { show } = compiled.row;
  const { content, structuredContent: structured = {} } = result;
  const notes = content.flatMap(({ text: one }) => one ?? []);
  const text = notes.pop() ?? "";
  const isProposed = structured["status"] === "proposed";
  const shown = show && !isProposed ? show({ given, text, structured, roots }) : text;
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

/** The warnings about a change that was made: a person left out parts of it, or a file had other names. */
function warningsOf({ warnings = [] }: Arguments): string[] {
  return (warnings as readonly string[]).map((warning) => `Note: ${warning}`);
}
