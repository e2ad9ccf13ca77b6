/**
 * What `init` would write, as diffs that hide nothing, coloured on a terminal.
 */
import { escapeControls, unifiedDiff } from "../../text/index.ts";
import type { FileToCommit } from "./commit-files.ts";
import { print } from "../print.ts";

/** Whole files are shown, and Claude Code keeps its history in one; the changes are near its beginning. */
const MAX_BYTES: number = 256 * 1024;

export function showFile({ path, before, after }: FileToCommit): void {
  const diff = unifiedDiff(textOf(before), after ?? "", {
    path,
    maxBytes: MAX_BYTES,
    missingBefore: before === undefined,
    missingAfter: after === undefined,
  });
  print(escapeControls(diff.text.replace(/\n$/, "")).split("\n").map(colored).join("\n"));
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

const COLORS: Readonly<Record<string, string>> = { "+": "32", "-": "31", "@": "36" };

function colored(line: string): string {
  // https://no-color.org: set and not empty.
  if (!process.stdout.isTTY || process.env["NO_COLOR"]) return line;
  const color = /^(?:\+\+\+|---) /.test(line) ? "1" : COLORS[line.charAt(0)];
  return color === undefined ? line : `\u001b[${color}m${line}\u001b[0m`;
}
