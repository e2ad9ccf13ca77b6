/**
 * One character for all the cases of a character, for patterns that hold without regard to case. Wider than what a file
 * system folds is right where it denies or asks, and nothing else ignores case.
 */
export function foldCase(point: number): number {
  if (point < 0x80) return point >= 0x61 && point <= 0x7a ? point - 0x20 : point;
  const folded = String.fromCodePoint(point).toLowerCase().toUpperCase();
  const first = folded.codePointAt(0) ?? point;
  // Several characters stand for one only in words.
  return folded.length === (first > 0xffff ? 2 : 1) ? first : point;
}

export function foldText(text: string): string {
  return Array.from(text, (one) => String.fromCodePoint(foldCase(one.codePointAt(0) ?? 0))).join("");
}

export function inAnyCase(holds: (point: number) => boolean): (point: number) => boolean {
  return (point) => {
    if (holds(point)) return true;
    const text = String.fromCodePoint(point);
    const variants = [foldCase(point), text.toLowerCase().codePointAt(0), text.toUpperCase().codePointAt(0)];
    return variants.some((one) => one !== undefined && holds(one));
  };
}
