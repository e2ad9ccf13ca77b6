/**
 * A patch of one or more files, in the dialects that models write. Reading it is generous, placing it is strict, and
 * whatever was taken liberally is said, and proposed instead of made at once.
 */
import * as z from "zod";
import { Failure, limits } from "../../../base/index.ts";
import { defineTool, type ChangePart, type ChangeTool, type Target } from "../../../contract/index.ts";
import { parsePatch, type FilePatch, type ParsedPatch } from "../../../text/index.ts";
import { copy } from "./copy.ts";
import { deletePath } from "./delete.ts";
import { editFile } from "./edit-file.ts";
import * as fields from "../../fields.ts";
import { move } from "./move.ts";
import { writeFile } from "./write-file.ts";

export const applyPatch: ChangeTool = defineTool({
  name: "apply_patch",
  title: "Apply patch",
  summary:
    "Applies a patch to one or more files: all of it or nothing. Takes the *** Begin Patch format (Add File, Update File, Delete File, Move to), unified and git diffs, and SEARCH/REPLACE blocks. Every hunk must have exactly one place in the file as it is now; line numbers only decide between equal places. Add File does not replace a file unless overwrite is true. Files keep their encoding, line endings and mode. A failure names each hunk that has no place, with the nearest text. A hunk that is applied already changes nothing.",
  aliases: ["applyPatch", "patch"],
  effect: "change",
  destructive: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      patch: z.string().min(1).max(limits.MAX_WRITE_BYTES).describe("The patch as text."),
      if_hashes: z
        .array(
          z.strictObject({
            path: z.string().describe("A file of the patch, as the patch names it."),
            hash: z.string().describe("The content hash that it must have now, as read_file gave it."),
          }),
        )
        .optional()
        .describe("Files that must be as they were read; otherwise the call fails as stale."),
      overwrite: z
        .boolean()
        .optional()
        .describe("Let an added or moved file replace one that is there. Default false."),
    }),
  output: fields.changeResult,
  parameterAliases: { input: "patch", diff: "patch", text: "patch", content: "patch" },
  access: ({ patch }) => readPatch(patch).files.flatMap(accessOf),
  parts: ({ patch }) => readPatch(patch).files.map(partOf),
  plan: ({ patch, if_hashes, overwrite }) => {
    const { files, tolerances } = readPatch(patch);
    const ifHashes = Object.fromEntries((if_hashes ?? []).map((one) => [one.path, one.hash]));
    return { changes: [{ op: "patch", files, ifHashes, overwrite: overwrite ?? false, tolerances }] };
  },
});

/** @throws Failure `invalid_input` with the line of the patch; `unsupported` for what is no text */
function readPatch(text: string): ParsedPatch {
  const parsed = parsePatch(text);
  if (parsed.kind === "patch") return parsed;
  const code = parsed.code === "binary" || parsed.code === "unsupported" ? "unsupported" : "invalid_input";
  throw new Failure(code, `Cannot read the patch: ${parsed.message}`, {
    hint: parsed.hint,
    details: { reason: parsed.code, line: parsed.line },
  });
}

/** A section is what the tool of its kind would do: write_file adds, edit_file updates, and so on. */
function partOf(file: FilePatch): ChangePart {
  const tools = toolsOf(file).map(({ name, aliases, removes }) => ({
    name,
    aliases,
    removes,
    isSection: true as const,
  }));
  return { tools, access: accessOf(file) };
}

function toolsOf(file: FilePatch): readonly ChangeTool[] {
  switch (file.kind) {
    case "add":
      return [writeFile];
    case "replace":
      return [deletePath, writeFile];
    case "delete":
      return [deletePath];
    case "copy":
      return file.hunks.length > 0 || file.mode !== undefined ? [copy, editFile] : [copy];
    case "update": {
      const isMoved = file.moveTo !== undefined;
      return file.hunks.length > 0 || file.mode !== undefined || !isMoved
        ? [editFile, ...(isMoved ? [move] : [])]
        : [move];
    }
  }
}

/** Every spelling that may be meant: which of them it is only the disk knows. */
function accessOf(file: FilePatch): Target[] {
  if (file.kind === "copy")
    return [
      { path: file.from, mode: "read" },
      { path: file.path, mode: "write" },
    ];
  const paths = file.candidatesForPath ?? [file.path];
  const isTaken = file.kind === "delete" || (file.kind === "update" && file.moveTo !== undefined);
  const own = paths.map((path): Target => ({ path, mode: isTaken ? "remove" : "write" }));
  if (file.kind !== "update" || file.moveTo === undefined) return own;
  const below = file.pathBelow === undefined ? [] : [file.pathBelow];
  return [...own, ...[file.moveTo, ...below].map((path): Target => ({ path, mode: "write" }))];
}
