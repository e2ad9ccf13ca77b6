/**
 * The places of edits in a text with plain line ends, from its start to its end. They are looked for on the way and kept by nobody,
 * because an edit of every occurrence can have as many as the text has characters.
 */
import { createEndingFitter, type EndingBlindText } from "../lines/lines.ts";
import type { Replacement } from "./splice.ts";

/** What one edit replaces: the first occurrence, or every one. */
export interface SoughtText {
  readonly by: number;
  /** With plain line ends. */
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

/** Places that start together come in the order of their ends. */
export function* foundPlaces(flat: string, sought: readonly SoughtText[]): Generator<Replacement> {
  const next = sought.flatMap((one) => placeFrom(flat, one, 0) ?? []).sort(byPlace);
  for (let first = next.shift(); first; first = next.shift()) {
    const { one, ...place } = first;
    yield place;
    const again = one.isEverywhere ? placeFrom(flat, one, place.end) : undefined;
    if (!again) continue;
    const at = next.findIndex((other) => byPlace(again, other) < 0);
    next.splice(at === -1 ? next.length : at, 0, again);
  }
}

/** Carries replacements to the original text, where new text takes the line ends of its place. */
export function* inOriginal(
  text: string,
  blind: EndingBlindText,
  ascending: Iterable<Replacement>,
): Generator<Replacement> {
  const carry = blind.carryBack();
  const fitEndings = createEndingFitter(text);
  for (const { by, start: from, end: to, text: newText } of ascending) {
    const [start, end] = [carry(from), carry(to)];
    yield { by, start, end, text: fitEndings(start, end, newText) };
  }
}

interface SoughtPlace extends Replacement {
  readonly one: SoughtText;
}

function placeFrom(flat: string, one: SoughtText, from: number): SoughtPlace | undefined {
  const start = flat.indexOf(one.oldText, from);
  return start === -1 ? undefined : { by: one.by, start, end: start + one.oldText.length, text: one.newText, one };
}

function byPlace(a: Replacement, b: Replacement): number {
  return a.start - b.start || a.end - b.end;
}
