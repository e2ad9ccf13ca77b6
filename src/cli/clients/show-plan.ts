/**
 * What `init` would write, as diffs that hide nothing, coloured on a terminal.
 */
import { unifiedDiff } from "../../text/index.ts";
import type { FileToCommit } from "./commit-files.ts";
import { printDiffs } from "../print.ts";

/** Whole files are shown, and Claude Code keeps its history in one; the changes are near its beginning. */
const MAX_BYTES: number = 256 * 1024;

export function showFile({ path, before, after }: FileToCommit): void {
  const diff = unifiedDiff(textOf(before), after ?? "", {
    path,
    maxBytes: MAX_BYTES,
    missingBefore: before === undefined,
    missingAfter: after === undefined,
  });
  printDiffs(diff.text.replace(/\n$/, ""));
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
