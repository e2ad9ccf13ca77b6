/**
 * Reads SEARCH/REPLACE blocks: the path on the line above (or that of the block before), `<<<<<<< SEARCH`, the old
 * lines, `=======`, the new lines, `>>>>>>> REPLACE`, with five to nine signs each. An empty SEARCH makes a new file.
 *
 * Lines that both halves share become context, so that the file's own bytes stay there.
 */
import { diffArrays } from "diff";
import { findPlaceholder } from "../lines/sent-lines.ts";
import { placeholderRefusal, isFence, SEARCH_MARKER, type PatchLine } from "./build-hunk.ts";
import {
  refusal,
  type Hunk,
  type HunkLine,
  type NamedFile,
  type PatchNotes,
  type PatchRefusal,
  type Section,
} from "./model.ts";
import { checkPath, spellAround } from "./diff-file.ts";

interface Block {
  readonly at: number;
  readonly search: readonly PatchLine[];
  /** The line number only decides between equal places. */
  readonly startLine?: number;
  readonly replace: readonly PatchLine[];
  readonly isEndBare: boolean;
  readonly next: number;
}

interface NamedBlock {
  readonly named: NamedFile;
  readonly block: Block;
}

export function parseSearchReplace(lines: readonly PatchLine[], first: number, notes: PatchNotes): Section[] {
  const blocks: NamedBlock[] = [];
  let outside = 0;
  let next = first;
  while (next < lines.length) {
    if (!SEARCH_MARKER.test(lines[next]?.text ?? "")) {
      next++;
      continue;
    }
    const named = findPath(lines, outside, next, notes) ?? blocks.at(-1)?.named;
    const at = lines[next]?.at ?? 1;
    if (named === undefined) {
      const hint = "Put the path of the file alone on the line above <<<<<<< SEARCH.";
      throw refusal("bad_path", at, "no path stands above this block", hint);
    }
    checkPath(named.path, at);
    const block = readBlock(lines, next);
    if (block.isEndBare) notes.add("An end without REPLACE was read as the end of its block", at);
    blocks.push({ named, block });
    next = block.next;
    outside = next;
  }
  return makeSections(blocks);
}

/** The nearest line above that is neither empty nor a fence, if it can be a path. */
function findPath(lines: readonly PatchLine[], from: number, marker: number, notes: PatchNotes): NamedFile | undefined {
  for (let index = marker - 1; index >= from; index--) {
    const line = lines[index];
    if (!line || line.text.trim() === "" || isFence(line.text)) continue;
    for (const { text, at } of lines.slice(from, index)) {
      if (text.trim() !== "" && !isFence(text)) notes.add("Text outside of the blocks was ignored", at);
    }
    const trimmed = line.text.trim();
    const path = asPath(trimmed);
    if (path === undefined) return undefined;
    // A label or a quote shows where the name ends.
    return path === trimmed ? spellAround(line.text, path) : { path };
  }
  return undefined;
}

const MAX_PATH_UNITS = 1024;

function asPath(line: string): string | undefined {
  if (line.length > MAX_PATH_UNITS) return undefined;
  const label = /^(?:[#*`> ]*)(?:(?:file|path|filename) ?: ?)?/i.exec(line)?.[0] ?? "";
  let path = line.slice(label.length).trim();
  while (path !== "" && "*`:\"'".includes(path.at(-1) ?? "")) path = path.slice(0, -1);
  path = path.replace(/^["'`]/, () => "").trim();
  if (path === "") return undefined;
  // A sentence that announces a block is no path.
  if (!/\s/.test(path)) return /[./\\]/.test(path) || !line.endsWith(":") ? path : undefined;
  return !line.endsWith(":") && /[/\\]|\.\w{1,8}$/.test(path) ? path : undefined;
}

function readBlock(lines: readonly PatchLine[], start: number): Block {
  const { at, text } = lines[start] ?? { at: 1, text: "" };
  const signs = SEARCH_MARKER.exec(text)?.[1]?.length ?? 0;
  const end = findEnd(lines, start + 1, signs);
  if (end === undefined) throw unbalanced(at, ">>>>>>> REPLACE");
  const dividers: number[] = [];
  for (let index = start + 1; index < end; index++) {
    if (DIVIDER.test(lines[index]?.text ?? "")) dividers.push(index);
  }
  const same = dividers.filter((index) => lines[index]?.text.trim().length === signs);
  const [divider, another] = dividers.length === 1 ? dividers : same;
  if (dividers.length === 0) throw unbalanced(at, "=======");
  if (divider === undefined || another !== undefined) {
    const message = `${dividers.length} lines of this block can be its "======="`;
    const hint = "Use another number of signs (5 to 9) for the markers of this block, or another format.";
    throw refusal("bad_line", at, message, hint);
  }
  return {
    at,
    ...readSearch(lines.slice(start + 1, divider)),
    replace: lines.slice(divider + 1, end),
    isEndBare: !REPLACE_MARKER.test(lines[end]?.text ?? ""),
    next: end + 1,
  };
}

const DIVIDER = /^={5,9}\s*$/;
const REPLACE_MARKER = /^(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\s*$/i;

function findMarker(lines: readonly PatchLine[], from: number): number {
  for (let index = from; index < lines.length; index++) {
    const text = lines[index]?.text ?? "";
    if (REPLACE_MARKER.test(text) || SEARCH_MARKER.test(text)) return index;
  }
  return lines.length;
}

/** The marker of the end, or its signs alone where its word was left out. */
function findEnd(lines: readonly PatchLine[], from: number, signs: number): number | undefined {
  const marker = findMarker(lines, from);
  if (REPLACE_MARKER.test(lines[marker]?.text ?? "")) return marker;
  const bare = lines.slice(from, marker).findIndex(({ text }) => text.trimEnd() === ">".repeat(signs));
  return bare === -1 ? undefined : from + bare;
}

/** Some hosts ask for `:start_line:12` and a rule of dashes above the old lines. */
function readSearch(lines: readonly PatchLine[]): Pick<Block, "search" | "startLine"> {
  const first = lines.findIndex(({ text }) => !/^:(?:start|end)_line: ?\d+\s*$/.test(text));
  if (first < 1 || !/^-{5,9}\s*$/.test(lines[first]?.text ?? "")) return { search: lines };
  const number = /^:start_line: ?(\d{1,9})/.exec(lines[0]?.text ?? "")?.[1];
  const search = lines.slice(first + 1);
  return number === undefined ? { search } : { search, startLine: Math.max(1, Number(number)) };
}

function unbalanced(line: number, missing: string): PatchRefusal {
  const hint = "A block is <<<<<<< SEARCH, old lines, =======, new lines, >>>>>>> REPLACE.";
  return refusal("unbalanced_markers", line, `this block has no "${missing}"`, hint);
}

function makeSections(blocks: readonly NamedBlock[]): Section[] {
  const counts = new Map<string, number>();
  for (const { named } of blocks) counts.set(named.path, (counts.get(named.path) ?? 0) + 1);
  const sections: Section[] = [];
  for (const { named, block } of blocks) {
    const oldText = block.search.map(({ text }) => text).join("\n");
    const newText = block.replace.map(({ text }) => text).join("\n");
    const marker = findPlaceholder(newText, oldText);
    if (marker) throw placeholderRefusal(block.replace[marker.line - 1]?.at ?? block.at, marker.text);
    const isNew = block.search.every(({ text }) => text.trim() === "") && counts.get(named.path) === 1;
    if (isNew) {
      const content = newText === "" ? "" : `${newText}\n`;
      sections.push({ file: { kind: "add", ...named, content }, at: block.at });
    } else sections.push({ file: { kind: "update", ...named, hunks: [makeHunk(block)] }, at: block.at });
  }
  return sections;
}

function makeHunk({ at, search, replace, startLine }: Block): Hunk {
  const lines = compareLines(
    search.map(({ text }) => text),
    replace.map(({ text }) => text),
  );
  const number = startLine === undefined ? {} : { startLine };
  return { lines, anchors: [], anchorKind: "soft", ...number, endOfFile: false, insideLine: true, at };
}

/** Blocks that share too little are one removal and one insertion; the cost grows with the square. */
const MAX_CHANGED_LINES = 300;

function compareLines(search: readonly string[], replace: readonly string[]): HunkLine[] {
  const changes = diffArrays([...search], [...replace], { maxEditLength: MAX_CHANGED_LINES });
  const parts = changes ?? [
    { removed: true, added: false, value: search },
    { removed: false, added: true, value: replace },
  ];
  return parts.flatMap(({ removed, added, value }) => {
    const kind = removed ? "remove" : added ? "insert" : "keep";
    return value.map((text): HunkLine => ({ kind, text }));
  });
}
