/**
 * The size of a result: at most a megabyte of text beside its notes, counted before it is written as JSON, and never a line
 * that clients give up on. What is cut is spilled whole and linked, and the result says so. A change that was made says so
 * whatever room there is.
 */
import { Failure, limits } from "../../base/index.ts";
import { failureOutcome, type Outcome } from "../../mcp/index.ts";
import { startOfLine, truncateUtf8, type Truncated } from "../../text/index.ts";
import type { Services } from "../services.ts";
import { linkSpilled } from "./spill.ts";
import { standingOutcome } from "./standing-outcome.ts";

type Block = Readonly<Record<string, unknown>> & { readonly type: string; readonly text?: string };

/** The envelope of the line: id, `_meta` with the proposal and its paths. */
const MAX_AROUND_BYTES: number = 512 * 1024;

export function boundOutcome(host: Services, outcome: Outcome): Outcome {
  return standingOutcome(host, outcome, fitBudget(host, fitMessage(host, outcome)));
}

function fitMessage(host: Services, outcome: Outcome): Outcome {
  const { members } = outcome;
  // Written as JSON it is longer than the text itself; the first test needs no look at the text.
  if (members.length * 3 <= limits.MAX_TEXT_BYTES || Buffer.byteLength(members) <= limits.MAX_TEXT_BYTES)
    return outcome;
  const result = parseMembers(members);
  // The parts of a resource are bounded where they are made.
  if (!result.content) return outcome;
  const cut = boundContent(host, result.content);
  const bounded = cut === undefined ? members : writeMembers({ ...result, content: cut.content });
  if (Buffer.byteLength(bounded) <= limits.MAX_LINE_BYTES - MAX_AROUND_BYTES)
    return cut === undefined ? outcome : { ...outcome, members: bounded, isCut: true, ref: cut.ref ?? outcome.ref };
  return tooLarge(host, outcome);
}

/** What pages was made to fit. Of anything else the last text is cut, where no data repeats it. */
function fitBudget(host: Services, outcome: Outcome): Outcome {
  const { callBytes, callLines } = host.policy.budget;
  const over = callBytes === Infinity ? 0 : Buffer.byteLength(outcome.members) - callBytes;
  if (over <= 0 && callLines === Infinity) return outcome;
  const result = parseMembers(outcome.members);
  const shown = result.content?.findLast(({ text }) => text !== undefined);
  if (!result.content || shown?.text === undefined || result.structuredContent !== undefined) return outcome;
  const linesEnd = callLines === Infinity ? shown.text.length : startOfLine(shown.text, callLines + 1);
  if (over <= 0 && linesEnd === shown.text.length) return outcome;
  const some = shown.text.slice(0, linesEnd);
  const room = over <= 0 ? Buffer.byteLength(some) : roomFor(some, jsonBytes(shown.text) - over - CUT_NOTE_BYTES);
  if (room === 0) return outcome;
  const others = new Set(result.content.filter((block) => block !== shown));
  const { content, ref } = cutTexts(host, result.content, others, room);
  return { ...outcome, members: writeMembers({ ...result, content }), isCut: true, ref: ref ?? outcome.ref };
}

/** How much of the text has so many bytes as JSON; 0 when nothing has. */
function roomFor(text: string, bytes: number): number {
  if (bytes <= 0) return 0;
  let room = Math.floor((Buffer.byteLength(text) * bytes) / jsonBytes(text));
  while (room > 0 && jsonBytes(truncateUtf8(text, room).text) > bytes) room = Math.floor(room * 0.9);
  return room;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The note about what was cut, and the link to the whole, as JSON. */
const CUT_NOTE_BYTES = 700;

interface Members extends Readonly<Record<string, unknown>> {
  readonly content?: Block[];
  readonly structuredContent?: unknown;
}

function parseMembers(members: string): Members {
  return JSON.parse(`{${members}}`) as Members;
}

function writeMembers(result: object): string {
  return JSON.stringify(result).slice(1, -1);
}

/** `undefined` when there is nothing to cut. */
function boundContent(host: Services, content: readonly Block[]): CutContent | undefined {
  const notes = notesIn(content);
  // A tool may fill the megabyte, and says beside it how to go on.
  const noteBytes = Math.min(textBytes([...notes]), MAX_NOTES_BYTES);
  if (textBytes(content) - noteBytes <= limits.MAX_TEXT_BYTES) return undefined;
  const room = limits.MAX_TEXT_BYTES - MAX_NOTE_CHARS * 4 * (notes.size + 1);
  return cutTexts(host, content, notes, room);
}

function textBytes(content: readonly Block[]): number {
  return content.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ""), 0);
}

/** Texts before the last that are short are notes about it, and stay. */
function notesIn(content: readonly Block[]): ReadonlySet<Block> {
  const last = content.findLastIndex(({ text }) => text !== undefined);
  return new Set(content.slice(0, last).filter(({ text }) => text !== undefined && text.length < MAX_NOTE_CHARS));
}

interface CutContent {
  readonly content: readonly unknown[];
  /** Where the whole of the first text that was cut is. */
  readonly ref: string | undefined;
}

/** What was cut is said first, and linked last. */
function cutTexts(host: Services, content: readonly Block[], notes: ReadonlySet<Block>, room: number): CutContent {
  let left = Math.max(room, 0);
  const [said, kept, links]: [unknown[], unknown[], Block[]] = [[], [], []];
  for (const block of content) {
    if (block.text === undefined || notes.has(block)) {
      kept.push(block);
      continue;
    }
    const { text, truncated } = wholeLines(truncateUtf8(block.text, left));
    left -= Buffer.byteLength(text);
    kept.push({ ...block, text });
    if (!truncated) continue;
    const { note, link } = cutNote(host, block.text, text);
    said.push(note);
    links.push(link);
  }
  const [first] = links;
  return { content: [...said, ...kept, ...links], ref: first && String(first["uri"]) };
}

/** Where a line ends near the cut, so that reading can go on by lines. */
function wholeLines(cut: Truncated): Truncated {
  const end = cut.text.lastIndexOf("\n") + 1;
  return cut.truncated && end > cut.text.length / 2 ? { ...cut, text: cut.text.slice(0, end) } : cut;
}

const MAX_NOTE_CHARS = 2000;
/** Notes beyond this count as content. */
const MAX_NOTES_BYTES: number = 32 * 1024;

function cutNote(host: Services, whole: string, kept: string): { note: Block; link: Block } {
  const link = linkSpilled(host, whole, "whole output") as Block;
  const uri = String(link["uri"]);
  const bytes = Buffer.byteLength(kept);
  const lines = kept.endsWith("\n")
    ? `read_file {"path":"${uri.slice(uri.lastIndexOf("/") + 1)}","offset":${kept.split("\n").length}}, or `
    : "";
  const text = `[cut: ${bytes} of ${Buffer.byteLength(whole)} bytes are shown. To go on: ${lines}resources/read of ${uri}?offset=${bytes}]`;
  return { note: { type: "text", text }, link };
}

function tooLarge(host: Services, { members }: Outcome): Outcome {
  const failure = new Failure("too_large", `Cannot send the result: it is ${Buffer.byteLength(members)} bytes`, {
    hint: "Ask for less. The whole result is in the linked resource.",
  });
  const failed = failureOutcome(failure.data);
  const link = linkSpilled(host, `{${members}}`, "whole result");
  const withLink = failed.members.replace("}]", () => `},${JSON.stringify(link)}]`);
  return { ...failed, isCut: true, ref: String(link["uri"]), members: withLink };
}
