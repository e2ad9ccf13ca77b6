/**
 * A command line against a pattern in which `*` is any text; of an allow, text that begins no second command and sends the
 * output nowhere else.
 *
 * The first place where a piece fits is always right: a piece of signs that a star may stand for can be left to the next
 * star, and one with any other sign fits at one place only before the star would have to stand for that sign. So nothing is
 * tried twice, and it takes as many steps as there are signs.
 */

/** @param isOneCommand what a star stands for begins no other command */
export function createCommandMatch(pattern: string, isOneCommand: boolean): (command: string) => boolean {
  const pieces = pattern.split("*").map((text) => ({ text, borders: bordersOf(text) }));
  const [first, ...others] = pieces;
  const last = others.pop();
  const holds = (text: string): boolean => !isOneCommand || !OTHER_COMMAND.test(text);
  return (command) => {
    if (!first || !command.startsWith(first.text)) return false;
    if (!last) return command === first.text;
    let from = first.text.length;
    for (const piece of others) {
      const at = findPiece(command, piece, from);
      if (at < 0 || !holds(command.slice(from, at))) return false;
      from = at + piece.text.length;
    }
    const end = command.length - last.text.length;
    return end >= from && command.endsWith(last.text) && holds(command.slice(from, end));
  };
}

/** What begins another command, or sends the output of this one elsewhere. */
const OTHER_COMMAND = /[;&|<>`$(){}\\\n\r]/;

interface Piece {
  readonly text: string;
  /** Of each beginning of the text: how long the longest one is that it also ends with (Knuth, Morris, Pratt). */
  readonly borders: readonly number[];
}

function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    borders.push(length);
  }
  return borders;
}

function findPiece(command: string, { text, borders }: Piece, from: number): number {
  if (text === "") return from;
  for (let at = from, length = 0; at < command.length; at++) {
    while (length > 0 && command[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (command[at] === text[length]) length++;
    if (length === text.length) return at - length + 1;
  }
  return -1;
}
