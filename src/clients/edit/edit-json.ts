/**
 * JSON with comments and trailing commas, edited as text. A new member goes first into its object and a new element first
 * into its list, with the indentation that stands there, so that no comment changes the line that it speaks of.
 *
 * Usual mistake: to let a formatter do it. It reformats the neighbours, and moves a comment at the end under the new key.
 */
import {
  findNodeAtLocation,
  getNodeValue,
  parse,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { dominantEnding } from "../../text/index.ts";
import type { Json, ValueEdit } from "../client.ts";
import { guardIn, missingFrom } from "./apply-value.ts";
import type { EditedText, EditPiece } from "./edit-text.ts";

const OPTIONS = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };

/** An empty text says nothing, as an empty object does. @throws Error with line and column */
export function parseJsonText(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const [first] = errors;
  if (first) throw new Error(`${sayPlace(text, first.offset)}: ${printParseErrorCode(first.error)}`);
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it holds no object");
  return value;
}

function sayPlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** @throws Error where the text has no place for it */
export function editJson(text: string, edit: ValueEdit): EditedText {
  if (edit.op !== "object") return editOne(text, edit);
  const tree = parseTree(text, [], OPTIONS);
  if (!tree || !findNodeAtLocation(tree, [...edit.path])) return editOne(text, { ...edit, op: "set" });
  // Each goes first, so the last is put in first.
  return Object.entries(edit.value)
    .reverse()
    .reduce<EditedText>(
      (done, [key, value]) => {
        if (Bun.deepEquals(memberOf(done.text, [...edit.path, key]), value)) return done;
        const next = editOne(done.text, { op: "set", path: [...edit.path, key], value });
        return { text: next.text, pieces: [...done.pieces, ...next.pieces] };
      },
      { text, pieces: [] },
    );
}

function memberOf(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    parse(text, [], OPTIONS),
  );
}

function editOne(text: string, { op, path, value }: Exclude<ValueEdit, { op: "object" }>): EditedText {
  const tree = parseTree(text, [], OPTIONS);
  const style = styleOf(text, tree);
  if (!tree) {
    const inserted = `${render(nest(path, op === "guard" ? [value] : value), "", style)}${style.ending}`;
    return splice(text, 0, text.length, inserted);
  }
  const found = findNodeAtLocation(tree, [...path]);
  if (!found) return insertMember(text, tree, path, op === "guard" ? [value] : value, style);
  if (op === "include" && found.type === "array") {
    const list: unknown = parse(text.slice(found.offset, found.offset + found.length), [], OPTIONS);
    return insertFirst(text, found, "", missingFrom(list, value), style);
  }
  const owner = found.parent ?? found;
  const start = owner.type === "property" ? owner.offset : found.offset;
  if (op === "guard") return putGuard(text, found, start, { path, value, style });
  const fresh = text.slice(start, found.offset) + render(value, indentOf(text, start), style);
  return splice(text, start, found.offset + found.length, fresh);
}

interface GuardToPut {
  readonly path: readonly string[];
  readonly value: Json;
  readonly style: Style;
}

/** The piece begins with the key of the list: the same guard may stand under several, and an undo has to tell them apart. */
function putGuard(text: string, list: Node, start: number, { path, value, style }: GuardToPut): EditedText {
  const hooks = list.children ?? [];
  const old = hooks[guardIn(hooks.map(getNodeValue), path) ?? -1];
  if (old) {
    const fresh = text.slice(start, old.offset) + render(value, indentOf(text, old.offset), style);
    return splice(text, start, old.offset + old.length, fresh);
  }
  const put = insertFirst(text, list, "", [value], style);
  const removed = text.slice(start, list.offset + 1);
  return { text: put.text, pieces: put.pieces.map(({ inserted }) => ({ inserted: removed + inserted, removed })) };
}

/** Goes as deep as there are objects, and makes the rest. */
function insertMember(text: string, tree: Node, path: readonly string[], value: Json, style: Style): EditedText {
  let depth = path.length - 1;
  while (depth > 0 && !findNodeAtLocation(tree, path.slice(0, depth))) depth--;
  const holder = depth === 0 ? tree : findNodeAtLocation(tree, path.slice(0, depth));
  if (holder?.type !== "object") throw new Error(`what should hold "${path[depth] ?? ""}" is no object`);
  const key = `${JSON.stringify(path[depth])}: `;
  return insertFirst(text, holder, key, [nest(path.slice(depth + 1), value)], style);
}

/**
 * Puts parts directly behind the bracket that opens an object or a list.
 * @param key what stands before each of them: nothing in a list
 */
function insertFirst(text: string, holder: Node, key: string, parts: readonly Json[], style: Style): EditedText {
  const at = holder.offset + 1;
  const [first] = holder.children ?? [];
  if (first && !/[\r\n]/.test(text.slice(at, first.offset))) {
    const gap = text.slice(at, first.offset).startsWith(" ") ? " " : "";
    const line = parts.map((part) => key + flat(part)).join(", ");
    return splice(text, at, at, `${gap}${line},${gap === "" ? " " : ""}`);
  }
  const base = indentOf(text, holder.offset);
  const indent = first ? indentOf(text, first.offset) : base + style.unit;
  const lines = parts.map((part) => `${style.ending}${indent}${key}${render(part, indent, style)}`).join(",");
  if (first) return splice(text, at, at, `${lines},`);
  const inner = text.slice(at, holder.offset + holder.length - 1);
  return splice(text, at, at, /[\r\n]/.test(inner) ? lines : `${lines}${style.ending}${base}`);
}

interface Style {
  readonly unit: string;
  readonly ending: string;
}

function styleOf(text: string, tree: Node | undefined): Style {
  const ending = dominantEnding(text) ?? "\n";
  const [first] = tree?.children ?? [];
  const unit = first && /[\r\n]/.test(text.slice(0, first.offset)) ? indentOf(text, first.offset) : "";
  return { ending, unit: unit === "" ? "  " : unit };
}

/** The blanks at the beginning of the line of an offset. */
function indentOf(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function nest(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

/** Lists of plain values stay on one line while they are short. */
function render(value: Json, indent: string, style: Style): string {
  const inner = indent + style.unit;
  const lines = (open: string, parts: readonly string[], close: string): string =>
    `${open}${style.ending}${parts.map((part) => inner + part).join(`,${style.ending}`)}${style.ending}${indent}${close}`;
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) {
    const isPlain = value.every((one) => typeof one !== "object");
    if (isPlain && flat(value).length <= MAX_FLAT_CHARS) return flat(value);
    const parts = value.map((one) => render(one, inner, style));
    return lines("[", parts, "]");
  }
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${render(one, inner, style)}`);
  return members.length === 0 ? "{}" : lines("{", members, "}");
}

function flat(value: Json): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(flat).join(", ")}]`;
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flat(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

const MAX_FLAT_CHARS = 96;

function splice(text: string, start: number, end: number, inserted: string): EditedText {
  const piece: EditPiece = { inserted, removed: text.slice(start, end) };
  return { text: text.slice(0, start) + inserted + text.slice(end), pieces: [piece] };
}
