/**
 * The size of a result: at most a megabyte of text, counted before it is written as JSON, and never a line that clients
 * give up on. What is cut is spilled whole and linked, and the result says so.
 */
import { Failure, limits } from "../base/index.ts";
import { failureOutcome, type Outcome } from "../mcp/index.ts";
import { truncateUtf8 } from "../text/index.ts";
import type { Host } from "./host.ts";
import { linkSpilled } from "./spilled-resource.ts";

type Block = Readonly<Record<string, unknown>> & { readonly type: string; readonly text?: string };

/** The envelope of the line: id, `_meta` with the proposal and its paths. */
const MAX_AROUND_BYTES: number = 512 * 1024;

export function boundOutcome(host: Host, outcome: Outcome): Outcome {
  const { members } = outcome;
  // Written as JSON it is longer than the text itself; the first test needs no look at the text.
  if (members.length * 3 <= limits.MAX_TEXT_BYTES || Buffer.byteLength(members) <= limits.MAX_TEXT_BYTES)
    return outcome;
  const result = JSON.parse(`{${members}}`) as Readonly<Record<string, unknown>> & {
    readonly content?: Block[];
  };
  // The parts of a resource are bounded where they are made.
  if (!result.content) return outcome;
  const content = boundContent(host, result.content);
  const bounded = content === undefined ? members : JSON.stringify({ ...result, content }).slice(1, -1);
  if (Buffer.byteLength(bounded) <= limits.MAX_LINE_BYTES - MAX_AROUND_BYTES)
    return content === undefined ? outcome : { ...outcome, members: bounded, isCut: true };
  return tooLarge(host, outcome);
}

/** `undefined` when there is nothing to cut. */
function boundContent(host: Host, content: readonly Block[]): unknown[] | undefined {
  const size = content.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ""), 0);
  if (size <= limits.MAX_TEXT_BYTES) return undefined;
  const notes = content.slice(1).filter(({ text }) => text !== undefined && text.length < MAX_NOTE_CHARS);
  let left = limits.MAX_TEXT_BYTES - MAX_NOTE_CHARS * 4 * (notes.length + 1);
  const out: unknown[] = [];
  for (const block of content) {
    if (block.text === undefined || notes.includes(block)) out.push(block);
    else {
      const { text, truncated } = truncateUtf8(block.text, Math.max(left, 0));
      left -= Buffer.byteLength(text);
      out.push({ ...block, text });
      if (truncated) out.push(...cutNotes(host, block.text, text));
    }
  }
  return out;
}

/** A block after the first that is shorter is a note about it, and stays. */
const MAX_NOTE_CHARS = 2000;

function cutNotes(host: Host, whole: string, kept: string): unknown[] {
  const link = linkSpilled(host, whole, "whole output");
  const text = `[cut: ${Buffer.byteLength(kept)} of ${Buffer.byteLength(whole)} bytes are shown. Ask for less, or read the rest with resources/read of ${String(link["uri"])}?offset=${Buffer.byteLength(kept)}]`;
  return [{ type: "text", text }, link];
}

function tooLarge(host: Host, { members }: Outcome): Outcome {
  const failure = new Failure(
    "too_large",
    `Cannot send the result: it is ${Buffer.byteLength(members)} bytes`,
    {
      hint: "Ask for less. The whole result is in the linked resource.",
    },
  );
  const failed = failureOutcome(failure.data);
  const link = JSON.stringify(linkSpilled(host, `{${members}}`, "whole result"));
  return { ...failed, isCut: true, members: failed.members.replace("}]", () => `},${link}]`) };
}
