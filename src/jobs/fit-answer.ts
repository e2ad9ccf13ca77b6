/**
 * The answer of what pages, within the budget of one call: it is made again with less room until it fits, so that its note
 * names what is left out. What cannot be made to fit is left to the budget, which refuses it.
 */
import type { AnswerBounds } from "../base/index.ts";
import type { ResultText } from "../pool/index.ts";
import type { AnswerLimits } from "./worker-config.ts";

/** One or two are enough where the text is alike everywhere. */
const MAX_TRIES = 5;
/** Numbers in the note may have more digits than before. */
const SLACK_BYTES = 16;

export async function fitAnswer<Facts>(
  answers: AnswerLimits,
  make: (bounds: AnswerBounds) => Promise<ResultText<Facts>>,
): Promise<ResultText<Facts>> {
  const { resultBytes = Infinity } = answers;
  let made = await make(answers);
  let room = answers.mostBytes;
  for (let tries = 0; tries < MAX_TRIES && Buffer.byteLength(made.text) > resultBytes; tries++) {
    const { has, may } = textOf(made.text, resultBytes);
    // What a tool puts around its text is not in the room that it is given.
    room = Math.min(room, has) - (has - may) - SLACK_BYTES;
    if (room < 1) break;
    made = await make({ ...answers, usualBytes: room, mostBytes: room });
  }
  return made;
}

interface Members {
  readonly content?: readonly { readonly text?: string }[];
  readonly contents?: readonly { readonly text?: string; readonly blob?: string }[];
  readonly structuredContent?: unknown;
}

/** The text that there is, and as much as leaves room for its note and its envelope, which do not change with it. */
function textOf(payload: string, bytes: number): { readonly has: number; readonly may: number } {
  const { content = [], contents, structuredContent } = JSON.parse(`{${payload}}`) as Members;
  const [first] = contents ?? [];
  const text =
    first?.text ?? first?.blob ?? content.findLast((block) => block.text !== undefined)?.text ?? "";
  const growing = sizeOf(text) + (structuredContent === undefined ? 0 : sizeOf(structuredContent));
  const fixed = Buffer.byteLength(payload) - growing;
  const has = Buffer.byteLength(text);
  return { has, may: Math.floor(((bytes - fixed) * has) / growing) };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
