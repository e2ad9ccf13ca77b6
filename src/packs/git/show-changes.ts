/**
 * Changed files as text for a model: one line each, and under it the patch where there is one.
 */
import { count } from "../../text/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import type { GitChange, Changes } from "./changes.ts";

export function changesText({ files, totals }: Changes): string {
  if (totals.files === 0) return "No differences.";
  const head = `${count(totals.files, "file")}, +${totals.added} -${totals.removed}`;
  return [head, ...files.map(fileText)].join("\n");
}

function fileText({ path, from, status, added, removed, binary, patch }: GitChange): string {
  const name = from === undefined ? path : `${from} -> ${path}`;
  const size = binary === true ? "binary" : `+${added} -${removed}`;
  return [`${status}  ${name}  ${size}`, ...(patch ? [patch] : [])].join("\n");
}

/** @param tool the call that goes on, with its arguments */
export function changesNote(
  { leftOut, next, isCut, isPatchCut, totals, files }: Changes,
  tool: string,
  args: object,
): string {
  const shown = leftOut.slice(0, MAX_NAMED).join(", ");
  return noteOf(
    next && `${files.length} of ${count(totals.files, "file")} shown. ${nextCall(tool, { ...args, ...next })}`,
    leftOut.length > 0 &&
      `Left out, because it is closed to the tools: ${shown}${leftOut.length > MAX_NAMED ? ` and ${leftOut.length - MAX_NAMED} more` : ""}`,
    isCut && "There are more files than git may say at once: name a path",
    isPatchCut && "A patch is larger than 2 MB: only that much of it can be shown",
  );
}

const MAX_NAMED = 20;

export function changesData(
  { files, totals, leftOut, next, isCut, isPatchCut }: Changes,
  args: object,
): { readonly structured: Readonly<Record<string, unknown>>; readonly truncated?: true } {
  const truncated = next !== undefined || isCut || isPatchCut;
  return {
    structured: {
      files,
      totals,
      ...(leftOut.length > 0 ? { left_out: leftOut.slice(0, MAX_NAMED_DATA) } : {}),
      truncated,
      ...(next ? { next: { ...args, ...next } } : {}),
    },
    ...(truncated ? { truncated: true as const } : {}),
  };
}

const MAX_NAMED_DATA = 1000;
