/**
 * Other ways to read a hunk whose lines are not in the file as sent: context that lost its signs, escapes that were
 * escaped once more, line numbers copied from a read. Each is tried only when the plain reading is nowhere, taken only
 * if it is in exactly one place, and told.
 */
import { GUTTERS, unescapeOnce } from "../pasted-text.ts";
import type { HunkLine } from "./patch-model.ts";

/** The blank at the beginning of context lines taken as the file's own; `undefined` when no line has one. */
export function readContextRaw(lines: readonly HunkLine[]): HunkLine[] | undefined {
  if (!lines.some((line) => line.kind === "keep" && line.unprefixed !== true)) return undefined;
  return lines.map((line) =>
    line.kind === "keep" && line.unprefixed !== true ? { ...line, text: ` ${line.text}` } : line,
  );
}

/** `\n`, `\t`, `\"`, `\'` and `\\` as what they stand for, once. One line may become several. */
export function readUnescaped(lines: readonly HunkLine[]): HunkLine[] | undefined {
  if (!lines.some((line) => line.kind !== "insert" && ESCAPE.test(line.text))) return undefined;
  return lines.flatMap((line) =>
    unescapeOnce(line.text)
      .split("\n")
      .map((text) => ({ ...line, text })),
  );
}

const ESCAPE = /\\[ntr"'\\]/;
/** Without the gutter that every old line has; inserted lines lose it only if all of them have it too. */
export function readWithoutGutter(lines: readonly HunkLine[]): HunkLine[][] {
  const old = lines.filter(({ kind, text }) => kind !== "insert" && text !== "");
  const inserted = lines.filter(({ kind, text }) => kind === "insert" && text !== "");
  if (old.length === 0) return [];
  return GUTTERS.filter((gutter) => old.every(({ text }) => gutter.test(text))).map((gutter) => {
    const isInserted = inserted.every(({ text }) => gutter.test(text));
    return lines.map((line) =>
      line.kind === "insert" && !isInserted ? line : { ...line, text: line.text.replace(gutter, "") },
    );
  });
}
