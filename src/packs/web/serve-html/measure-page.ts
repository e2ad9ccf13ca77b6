/**
 * Whether a page is one that people write. The parser that makes the tree looks, and stops where there is too much: a tree costs time
 * with its depth, its elements, and the square of the attributes of one element.
 */
import { Parser } from "htmlparser2";

/** Browsers nest no deeper than 512. */
const MAX_DEPTH = 200;
export const MAX_TAGS = 30_000;
const MAX_ATTRIBUTES = 150_000;
const MAX_ATTRIBUTES_OF_ONE = 200;

/** What the page has too much of, in words; `undefined` for a page as usual. */
export function excessOf(html: string): string | undefined {
  let [depth, tags, attributes, ofOne] = [0, 0, 0, 0];
  let excess: string | undefined;
  const stop = (why: string): void => {
    excess ??= why;
    parser.pause();
  };
  const parser = new Parser({
    onopentagname() {
      ofOne = 0;
      if (++depth > MAX_DEPTH) stop("is nested too deep");
      if (++tags > MAX_TAGS) stop("has too many elements");
    },
    onattribute() {
      if (++ofOne > MAX_ATTRIBUTES_OF_ONE || ++attributes > MAX_ATTRIBUTES) stop("has too many attributes");
    },
    onclosetag: () => void depth--,
  });
  parser.write(html);
  return excess;
}
