/**
 * The answers of Clarvis' tools that change files: one line of what was done, and for its clients the diff in `_meta`.
 */
import { Failure } from "../../base/index.ts";
import { count } from "../../text/index.ts";
import type { Arguments, PlainAnswer, Show } from "../dialect-table.ts";
import { fitLines } from "../fit-answer.ts";

interface ChangedFile {
  readonly operation: string;
  readonly path: string;
  readonly source?: string;
  readonly diff?: string;
  readonly added: number;
  readonly removed: number;
  readonly size_after?: number;
  readonly replacements?: number;
  readonly replaces?: boolean;
}

function filesOf(structured: Arguments): readonly ChangedFile[] {
  return structured["files"] as readonly ChangedFile[];
}

/** The diff of what was done to files that were there; of new ones there is nothing to compare. */
export function metaOf({ given, structured }: PlainAnswer): Arguments {
  // A patch is a diff already.
  if (structured["status"] !== "applied" || "patch" in given) return {};
  const diffs = filesOf(structured)
    .filter(({ operation }) => operation === "edit" || operation === "overwrite")
    .flatMap(({ diff = "" }) => (diff === "" ? [] : [diff]));
  return diffs.length === 0 ? {} : { diff: diffs.join("") };
}

export const written: Show = ({ given, structured }) => {
  const [file] = filesOf(structured);
  const done = file?.operation === "create" ? "created" : "overwritten";
  // As it lies on the disk, with a byte order mark and in its encoding; what was there already is not described.
  const size = file?.size_after ?? Buffer.byteLength(String(given["content"]));
  return `Wrote ${size} bytes to ${String(given["path"])} (${done}).`;
};

interface Edit {
  readonly old_string?: string;
  readonly new_string?: string;
}

/** An edit that changes nothing is a slip there, also one of several. @throws Failure `invalid_input` */
export function checkEdits(given: Arguments): void {
  const { path, edits, ...edit } = given as unknown as Edit & { readonly path: string; readonly edits?: Edit[] };
  const isSame = ({ old_string: old, new_string: fresh }: Edit): boolean => old !== undefined && old === fresh;
  const at = (edits ?? [edit]).findIndex(isSame);
  if (at === -1) return;
  const which = edits ? `edit[${at}]: ` : "";
  throw new Failure("invalid_input", `Cannot edit "${path}": ${which}old_string and new_string are identical`, {
    hint: "Give the new text, or leave the edit out.",
    ...(edits ? { details: { edit: at } } : {}),
  });
}

export const edited: Show = ({ given, structured }) => {
  const times = filesOf(structured)[0]?.replacements ?? (given["replace_all"] === true ? undefined : 1);
  const path = String(given["path"]);
  const done =
    times === undefined
      ? `Replaced every occurrence in ${path}.`
      : `Replaced ${count(times, "occurrence")} in ${path}.`;
  return done + looselyMatched(structured);
};

export const editedInTurn: Show = ({ given, structured }) => {
  const edits = given["edits"] as readonly unknown[];
  return `Applied ${count(edits.length, "edit")} to ${String(given["path"])}.${looselyMatched(structured)}`;
};

function looselyMatched(structured: Arguments): string {
  const warnings = (structured["warnings"] ?? []) as readonly string[];
  const loose = warnings.filter((one) => one.includes("without regard to its blanks"));
  return loose.length === 0 ? "" : ` (whitespace-tolerant match: ${loose.join(" ")} Check the result.)`;
}

const LETTERS: Readonly<Record<string, string>> = { create: "A", delete: "D", move: "R" };

export const patched: Show = ({ structured, text }) => {
  if (structured["status"] === "unchanged") return text;
  const files = filesOf(structured);
  const moved = new Map(files.flatMap(({ operation, path, source }) => (operation === "move" ? [[source, path]] : [])));
  const lines = files
    .filter(({ operation, path }) => operation !== "none" && operation !== "create_directory" && !moved.has(path))
    .map((file) => {
      const { operation, path, source } = file;
      const counts = linesOf(files.filter((one) => one === file || (source !== undefined && one.path === source)));
      return `  ${LETTERS[operation] ?? "M"} ${source === undefined ? "" : `${source} -> `}${path}${counts}`;
    });
  return `Applied patch:\n${lines.join("\n")}`;
};

/** Lines of text that come and go; a file that only moves has none. */
function linesOf(parts: readonly ChangedFile[]): string {
  const sum = (lines: (one: ChangedFile) => number): number => parts.reduce((all, one) => all + lines(one), 0);
  const [added, removed] = [sum((one) => one.added), sum((one) => one.removed)];
  return added + removed === 0 ? "" : ` (+${added} -${removed})`;
}

/** @param done the past tense of what was done */
export function relocated(done: string): Show {
  return ({ given, structured }) => {
    const { source, destination } = given as { readonly source: string; readonly destination: string };
    const isOver = filesOf(structured).some(({ replaces }) => replaces === true);
    return `${done} ${source} → ${destination}${isOver ? " (overwritten)" : ""}.`;
  };
}

export const madeDirectory: Show = ({ given, structured }) =>
  structured["status"] === "unchanged"
    ? `Directory already exists: ${String(given["path"])}.`
    : `Created directory ${String(given["path"])}.`;

export const removed: Show = ({ given }) => `Removed ${String(given["path"])}.`;

const MORE_DIFFS = "[... output truncated: narrow path or glob to see the other diffs ...]";

export const replaced: Show = ({ structured, bytes }) => {
  const files = filesOf(structured).filter(({ operation }) => operation !== "none");
  if (files.length === 0) return "(no matches)";
  const known = files.every(({ replacements: n }) => n !== undefined);
  const sum = files.reduce((all, { replacements: n = 0 }) => all + n, 0);
  const total = known ? `${sum}` : "all";
  const places = `${files.length} file(s)`;
  if (structured["status"] === "tried") {
    const diffs = files.map(({ path, diff }) => diff ?? `  M ${path}`).join("\n");
    const head = `${total} replacement(s) across ${places} (dry run — pass dry_run: false to apply)`;
    return fitLines([head, ...diffs.split("\n")], bytes, () => MORE_DIFFS, false);
  }
  const lines = files.map(({ path, replacements: n }) =>
    n === undefined ? `  M ${path}` : `  M ${path} (${count(n, "replacement")})`,
  );
  return `Replaced ${total} occurrence(s) in ${places}:\n${lines.join("\n")}`;
};
