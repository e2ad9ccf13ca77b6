/**
 * Writes hunks as unified diff text, and bounds it. The format is that of GNU diff (POSIX `diff -u`): an empty side
 * counts from the line before it, and a file name with odd characters is quoted as git quotes it.
 *
 * Usual mistake: a cut diff that still looks whole; what was left out is said in the last line.
 */
import { formatBytes } from "./format-bytes.ts";
import { truncateUtf8 } from "./truncate-text.ts";

/** Lines carry their sign and no line feed; starts are 1-based, also for an empty side. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

export function formatHunk(hunk: Hunk): string {
  const oldLines = hunk.lines.filter((line) => line.startsWith("-") || line.startsWith(" ")).length;
  const newLines = hunk.lines.filter((line) => line.startsWith("+") || line.startsWith(" ")).length;
  const oldRange = `${oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart},${oldLines}`;
  const newRange = `${newLines === 0 ? hunk.newStart - 1 : hunk.newStart},${newLines}`;
  return `@@ -${oldRange} +${newRange} @@\n${hunk.lines.join("\n")}\n`;
}

/** An absolute path stands as it is: behind a prefix it would look like a relative one. */
export function formatFileName(side: "a/" | "b/", path: string): string {
  const prefix = /^(?:[A-Za-z]:)?[\\/]/.test(path) ? "" : side;
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return prefix + path;
  const quoted = path.replace(/["\\\u0000-\u001f\u007f]/g, (character) =>
    character === '"' || character === "\\"
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${prefix}${quoted}"`;
}

/** Whole lines up to the bound, then one line that says how much is missing. */
export function boundDiff(text: string, maxBytes: number): { text: string; truncated: boolean } {
  const cut = truncateUtf8(text, maxBytes);
  if (!cut.truncated) return { text, truncated: false };
  const kept = text.slice(0, cut.text.lastIndexOf("\n") + 1);
  const bytes = cut.totalBytes - Buffer.byteLength(kept);
  const lines = text.slice(kept.length).split("\n").length - 1;
  const what = `${lines} more ${lines === 1 ? "line" : "lines"} of the diff left out (${formatBytes(bytes)})`;
  return { text: `${kept}… ${what}\n`, truncated: true };
}
