/**
 * Finds text in text without regard to the kind of line end, and nothing else. A text without CR is searched as it is
 * (one indexOf); otherwise with every ending read as LF, and the places are carried back.
 *
 * Usual mistake: normalising the file, editing that, and writing it back with one kind of ending.
 */

export interface EndingBlindText {
  /** The text with LF for every ending. */
  readonly flat: string;
  /** Carries ascending places in `flat` back to the original. */
  readonly toOriginal: (ascending: readonly number[]) => number[];
}

export function createEndingBlindText(text: string): EndingBlindText {
  if (!text.includes("\r")) return { flat: text, toOriginal: (places) => [...places] };
  return { flat: flatten(text), toOriginal: (places) => carryBack(text, places) };
}

export function flatten(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, () => "\n") : text;
}

/** Starts of occurrences, up to `max`: all of them, or only those that do not overlap an earlier one. */
export function findOccurrences(text: string, wanted: string, max: number, mayOverlap: boolean): number[] {
  const found: number[] = [];
  const step = mayOverlap ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at !== -1 && found.length < max; at = text.indexOf(wanted, at + step)) {
    found.push(at);
  }
  return found;
}

/** A place in the flat text lies as many characters further on as CRLFs stand wholly before it. */
function carryBack(text: string, ascending: readonly number[]): number[] {
  let pairs = 0;
  let next = text.indexOf("\r\n");
  return ascending.map((place) => {
    while (next !== -1 && next - pairs < place) {
      pairs++;
      next = text.indexOf("\r\n", next + 2);
    }
    return place + pairs;
  });
}
