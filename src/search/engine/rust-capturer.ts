/**
 * The texts of groups by the Rust regex crate, for replacements.
 */
import { type Captured, type Capturer, TextTooLong } from "./capturer.ts";
import { type MatcherOptions, patternFailure } from "./matcher.ts";
import { loadRustEngine } from "./rust-engine.ts";
import { aroundBody, compileOrFail, readPattern } from "./rust-matcher.ts";

/**
 * The groups of a pattern that `createRustMatcher` takes. The texts of one match are told apart by a sign that the whole text
 * does not hold, because the package leaves out groups that took no part.
 *
 * @throws Failure `invalid_input`
 */
export async function createRustCapturer(options: MatcherOptions): Promise<Capturer> {
  const engine = await loadRustEngine();
  const { source, flags, isCrLf, isCommented } = readPattern(options);
  if (isCommented && (options.word || options.line))
    throw patternFailure(options.pattern, "x is no flag for a pattern of whole words or lines");
  // Flags in front, and not around it, where a comment would swallow the end of the group.
  const pattern = isCommented ? `(?${flags})${source}` : aroundBody(options, `(?${flags}:${source})`, isCrLf);
  const regex = compileOrFail(engine, pattern, options.pattern);
  return {
    groups: regex.groupNames(),
    endsInCrLf: isCrLf,
    find(text, used, most) {
      const sign = unusedSign(text);
      const template = [0, ...used].map((group) => `${sign}\${${group}}`).join("") + sign;
      const [first = "", ...parts] = regex.replaceFirst(text, most, template).split(sign);
      const found: Captured[] = [];
      let at = first.length;
      for (let index = 0; index < parts.length; index += used.length + 2) {
        const [whole = "", ...texts] = parts.slice(index, index + used.length + 1);
        found.push({ start: at, end: at + whole.length, texts });
        at += whole.length + (parts[index + used.length + 1] ?? "").length;
      }
      return found;
    },
    [Symbol.dispose]: () => regex[Symbol.dispose](),
  };
}

/** Characters that no text is meant to hold: https://www.unicode.org/faq/private_use.html#nonchar1 */
function unusedSign(text: string): string {
  for (let point = 0xfdd0; point <= 0xfdef; point++) {
    const sign = String.fromCodePoint(point);
    if (!text.includes(sign)) return sign;
  }
  throw new TextTooLong("the text holds every sign that could mark a match in it");
}
