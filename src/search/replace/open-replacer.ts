/**
 * The replacements in one text: the matcher says which lines have matches, the capturer what is in them, the template what
 * comes in their place. Offsets are bytes of the text in UTF-8, as everywhere in a search.
 */
import type { Cancel } from "../../base/index.ts";
import { dominantEnding, type TextSpan } from "../../text/index.ts";
import { createBacktrackingCapturer, createBacktrackingMatcher } from "../engine/backtracking-matcher.ts";
import type { Capturer } from "../engine/capturer.ts";
import { keptMatcher } from "../engine/create-matcher.ts";
import { type Matcher, type MatcherOptions, NEWLINE } from "../engine/matcher.ts";
import { createRustCapturer } from "../engine/rust-capturer.ts";
import { parseTemplate, type ReplacementTemplate } from "./replacement-template.ts";

/** There are more matches than one change may have. */
export class TooMany extends Error {}

interface Replaced {
  /** Where another text comes, in order. */
  readonly spans: readonly TextSpan[];
  /** Where each match begins, also of those that stay as they are. */
  readonly matches: readonly number[];
  /** Matches of nothing, which are left. */
  readonly empty: number;
}

export interface Replacer extends Disposable {
  /** @param decoded the text once more @throws TooMany, TextTooLong, BudgetSpent, MatchStopped */
  readonly replacements: (text: Buffer, decoded: string, most: number) => Replaced;
}

/** @throws Failure `invalid_input`, `unsupported` */
export async function openReplacer(options: MatcherOptions, replacement: string, cancel: Cancel): Promise<Replacer> {
  const linear = await keptMatcher(options);
  const matcher = linear?.matcher ?? (await createBacktrackingMatcher(options, cancel));
  const capturer = linear ? await createRustCapturer(options) : createBacktrackingCapturer(options, cancel);
  const template = parseTemplate(replacement, capturer.groups, options.literal === true);
  return {
    replacements: (text, decoded, most) => replaceText({ matcher, capturer, template }, text, decoded, most),
    [Symbol.dispose]: () => {
      capturer[Symbol.dispose]();
      (linear ?? matcher)[Symbol.dispose]();
    },
  };
}

interface Engines {
  readonly matcher: Matcher;
  readonly capturer: Capturer;
  readonly template: ReplacementTemplate;
}

function replaceText({ matcher, capturer, template }: Engines, text: Buffer, decoded: string, most: number): Replaced {
  const spans: TextSpan[] = [];
  const matches: number[] = [];
  let empty = 0;
  // Whoever names carriage returns says which line ends are meant.
  const ending = capturer.endsInCrLf ? dominantEnding(decoded) : undefined;
  for (const [at, unit] of matcher.spansLines ? [[0, text] as const] : linesWithMatches(matcher, capturer, text)) {
    const shown = unit.toString("utf8");
    const found = capturer.find(shown, template.used, most - matches.length + 1);
    if (matches.length + found.length > most) throw new TooMany();
    let [units, bytes] = [0, at];
    for (const { start, end, texts } of found) {
      const from = bytes + Buffer.byteLength(shown.slice(units, start));
      const was = shown.slice(start, end);
      [units, bytes] = [end, from + Buffer.byteLength(was)];
      if (start === end) {
        empty++;
        continue;
      }
      matches.push(from);
      const added = template.fill(texts, ending);
      if (added !== was) spans.push([from, bytes, added]);
    }
  }
  return { spans, matches, empty };
}

/** Without their ends, of which a carriage return is a part unless the pattern names one. */
function* linesWithMatches(
  matcher: Matcher,
  { endsInCrLf }: Capturer,
  text: Buffer,
): Generator<readonly [at: number, line: Buffer]> {
  const hits = matcher.lineHits(text);
  for (let index = 0; index < hits.length; index += 2) {
    const match = hits[index] ?? 0;
    const start = match === 0 ? 0 : text.lastIndexOf(NEWLINE, match - 1) + 1;
    const feed = text.indexOf(NEWLINE, match);
    const end = feed < 0 ? text.length : feed;
    const isEnded = endsInCrLf && end > start && text[end - 1] === CARRIAGE_RETURN;
    yield [start, text.subarray(start, isEnded ? end - 1 : end)];
  }
}

const CARRIAGE_RETURN = 13;
