/**
 * From a question in words to what the full text engine is asked, and from a text to the words under which it is found.
 * A question is data: each of its words is put in quotes, so nothing of it is syntax. One word that fits is enough, because
 * people ask in sentences.
 *
 * Languages without blanks between words are indexed by pairs of signs, names such as `parseConfig` by their parts too.
 */

/** More words make no question clearer, and each costs time. */
const MAX_WORDS = 32;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const ONE_SIGN = new RegExp(`^(?:${CJK.source.slice(0, -1)})$`, "u");

/** Words that most entries have, in English, and German and French as far as they mean nothing else in English. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be been before being but by can could did do does doing done for from " +
    "had has have having he her here hers him his how i if in into is it its just let may me might more most must my no nor " +
    "not now of off on once only or other our out over own per please shall she should so some such than that the their them " +
    "then there these they this those to too up us very was we were what when where which while who whom why will with would " +
    "you your der das und oder ist sind ein eine einen einem einer des dem den wie wo wann warum mit von zu auf im " +
    "le la les un une et ou est sont du au aux dans avec pour sur que qui quoi quel quelle"
  ).split(" "),
);

export interface QuestionWords {
  /** For the index of words. Empty: nothing can be asked. */
  readonly match: string;
  /** What may be a part of a word, as it was asked. */
  readonly parts: readonly string[];
}

export function questionWords(query: string): QuestionWords {
  const found = wordsIn(query.normalize("NFKC"));
  const telling = found.filter((word) => !STOP_WORDS.has(word));
  // Of stop words alone, these are what was asked.
  const words = [...new Set(telling.length > 0 ? telling : found)].slice(0, MAX_WORDS);
  return { match: words.map(quoted).join(" OR "), parts: words.filter((word) => word.length >= MIN_PART) };
}

const MIN_PART = 4;

/** The words of a text, with what makes it found besides them. */
export function indexedText(text: string): string {
  const folded = text.normalize("NFKC");
  const more = [...pairsIn(folded), ...lastSignsIn(folded), ...partsIn(folded)];
  return more.length === 0 ? folded : `${folded}\n${more.join(" ")}`;
}

function wordsIn(text: string): string[] {
  const plain = text.replaceAll(CJK, " ");
  const words = [...plain.matchAll(WORD)].map(([word]) => word.toLowerCase());
  return [...words, ...[...partsIn(plain)].map((part) => part.toLowerCase()), ...pairsIn(text)];
}

/** `数据库` as `数据 据库`; one sign alone as itself. */
function* pairsIn(text: string): Generator<string> {
  for (const [run] of text.matchAll(CJK)) {
    const signs = Array.from(run);
    if (signs.length === 1) yield run;
    for (let at = 0; at + 1 < signs.length; at++) yield `${signs[at]}${signs[at + 1]}`;
  }
}

/** A sign that ends a run begins no pair, and is found by itself. */
function* lastSignsIn(text: string): Generator<string> {
  for (const [run] of text.matchAll(CJK)) {
    const last = Array.from(run).at(-1);
    if (last !== undefined && last !== run) yield last;
  }
}

/** `parse` and `Config` of `parseConfig`. */
function* partsIn(text: string): Generator<string> {
  for (const [name] of text.matchAll(WORD))
    if (CASE_CHANGES.test(name))
      for (const [part] of name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu)) if (part.length > 1) yield part;
}

const CASE_CHANGES = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/** A word of the question as the engine takes it: whatever it is, it is a text between quotes. One sign is what a pair begins with. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"${ONE_SIGN.test(word) ? "*" : ""}`;
}
