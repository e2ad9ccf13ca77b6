/**
 * Collects the liberties taken while a patch is read: one sentence for each kind, with the lines where it was needed.
 * Bounded, because a hostile patch may need the same liberty a million times.
 */

export interface PatchNotes {
  /** `sentence` without its full stop; the lines are put behind it. */
  readonly add: (sentence: string, line?: number) => void;
  readonly sentences: () => string[];
}

const MAX_LINES_NAMED = 8;
const MAX_SENTENCES = 50;

export function createPatchNotes(): PatchNotes {
  const found = new Map<string, { lines: number[]; count: number }>();
  return {
    add: (sentence, line) => {
      const entry = found.get(sentence) ?? { lines: [], count: 0 };
      if (entry.count === 0 && found.size >= MAX_SENTENCES) return;
      found.set(sentence, entry);
      if (line === undefined) return;
      entry.count++;
      if (entry.lines.length < MAX_LINES_NAMED) entry.lines.push(line);
    },
    sentences: () => [...found].map(([sentence, { lines, count }]) => finish(sentence, lines, count)),
  };
}

function finish(sentence: string, lines: readonly number[], count: number): string {
  if (lines.length === 0) return `${sentence}.`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : "";
  return `${sentence} (patch ${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}).`;
}
