/**
 * Finds what stands between `*** Begin Patch` and `*** End Patch`, once or several times, and tells what was left out.
 * Without any marker the file headers will do; one marker without the other means that a part is missing.
 *
 * A marker at the beginning of its line is preferred: ` *** End Patch` may be a context line of a file about patches.
 */
import { insideFences, isFence, type PatchLine } from "./patch-lines.ts";
import { isProblem, patchProblem, type PatchProblem } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";

export function selectBody(
  lines: readonly PatchLine[],
  first: number,
  notes: PatchNotes,
): readonly PatchLine[] | PatchProblem {
  const isPlain = lines.some(({ text }) => /^\*\*\* Begin Patch\s*$/i.test(text));
  const begin = isPlain ? /^\*\*\* Begin Patch\s*$/i : /^\s*\*\*\* Begin Patch\s*$/i;
  const isPlainEnd = lines.some(({ text }) => /^\*\*\* End Patch\s*$/i.test(text));
  const end = isPlainEnd ? /^\*\*\* End Patch\s*$/i : /^\s*\*\*\* End Patch\s*$/i;
  const isMarker = ({ text }: PatchLine): boolean =>
    text.includes("***") && (begin.test(text) || end.test(text));
  if (!lines.some(isMarker)) {
    notes.add("The markers *** Begin Patch and *** End Patch were missing");
    const { inside, outside } = insideFences(lines, first);
    noteOutside([...lines.slice(0, first), ...outside], notes);
    return inside;
  }
  const selected = collectBetween(lines, begin, end);
  if (isProblem(selected)) return selected;
  noteOutside(selected.outside, notes);
  return selected.body;
}

function collectBetween(
  lines: readonly PatchLine[],
  begin: RegExp,
  end: RegExp,
): { body: PatchLine[]; outside: PatchLine[] } | PatchProblem {
  const body: PatchLine[] = [];
  const outside: PatchLine[] = [];
  let opened: number | undefined;
  for (const line of lines) {
    const mayMark = line.text.includes("***");
    if (mayMark && begin.test(line.text)) {
      if (opened !== undefined) return unbalanced(opened, "*** Begin Patch", "*** End Patch");
      opened = line.at;
    } else if (mayMark && end.test(line.text)) {
      if (opened === undefined) return unbalanced(line.at, "*** End Patch", "*** Begin Patch");
      opened = undefined;
    } else (opened === undefined ? outside : body).push(line);
  }
  return opened === undefined ? { body, outside } : unbalanced(opened, "*** Begin Patch", "*** End Patch");
}

function unbalanced(line: number, there: string, missing: string): PatchProblem {
  return patchProblem(
    "unbalanced_markers",
    line,
    `"${there}" has no "${missing}": a part of the patch may be missing`,
    "Send the whole patch, with one marker before its first section and one after its last.",
  );
}

/** Shell, fence and terminator lines are a wrapper; other text may have been meant to matter. */
function noteOutside(lines: readonly PatchLine[], notes: PatchNotes): void {
  for (const { text, at } of lines) {
    if (text.trim() === "") continue;
    if (isWrapper(text)) notes.add("The patch was taken out of the shell command or fence around it");
    else notes.add("Text outside of the patch was ignored", at);
  }
}

function isWrapper(text: string): boolean {
  return (
    isFence(text) ||
    text.includes("<<") ||
    COMMAND.test(text) ||
    /^\s*(?:\w{1,20}\s*\)?['"]?|@['"]|['"]@.{0,80})\s*$/.test(text)
  );
}

const COMMAND = /^\s*(?:\$ )?(?:apply_?patch|bash|zsh|sh|cmd|cd|powershell|pwsh)\b/i;
