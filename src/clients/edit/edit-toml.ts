/**
 * TOML edited as text: a value of a line is replaced, a new key goes directly below the head of its table, a new table goes
 * to the end of the file, a new key without a table to the beginning. Everything else, comments too, stays as it is.
 *
 * Invariant: lines are looked for without a grammar, so a line inside of a text of several lines may be mistaken for a key.
 * Whoever calls this parses the result, and refuses it when it does not say exactly what was wanted (`edit-text.ts`).
 */
import { parse } from "smol-toml";
import { dominantEnding } from "../../text/index.ts";
import type { Json, ValueEdit } from "../client.ts";
import { missingFrom, valueAt } from "./apply-value.ts";
import type { EditedText } from "./edit-text.ts";

/** @throws Error with line and column */
export function parseTomlText(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    const { line, column, message } = thrown as { line?: number; column?: number; message: string };
    const [why = ""] = message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Error(line === undefined ? why : `line ${line}, column ${column ?? 1}: ${why}`, { cause: thrown });
  }
}

/** @throws Error for a value that has no place as a line */
export function editToml(text: string, edit: ValueEdit): EditedText {
  if (edit.op === "guard") throw new Error("a hook has no place in TOML");
  if (edit.op === "set") return setValue(text, edit.path, edit.value);
  if (edit.op === "include") {
    const old = (valueAt(parse(text), edit.path) ?? []) as Json[];
    return setValue(text, edit.path, [...missingFrom(old, edit.value), ...old]);
  }
  const table = edit.path;
  const isThere = valueAt(parse(text), table) !== undefined;
  if (!isThere) return appendTable(text, table, edit.value);
  const members = Object.entries(edit.value).reverse();
  return members.reduce<EditedText>(
    (done, [key, value]) => {
      if (Bun.deepEquals(valueAt(parse(done.text), [...table, key]), value)) return done;
      const next = setValue(done.text, [...table, key], value);
      return { text: next.text, pieces: [...done.pieces, ...next.pieces] };
    },
    { text, pieces: [] },
  );
}

function setValue(text: string, path: readonly string[], value: Json): EditedText {
  const ending = dominantEnding(text) ?? "\n";
  const table = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const lines = linesOf(text);
  const old = lines.find((line) => isKey(line, path));
  const said = toToml(value);
  if (old) {
    const [, head = "", , comment = ""] = /^(\s*[^=]+=\s*)(.*?)(\s*#[^"']*)?$/.exec(old.text) ?? [];
    return splice(text, old.at, old.at + old.text.length, `${head}${said}${comment}`);
  }
  const line = `${keyText(key)} = ${said}${ending}`;
  if (table.length === 0) return splice(text, 0, 0, text === "" ? line : `${line}${/^\s*\[/.test(text) ? ending : ""}`);
  const head = lines.find((one) => one.isHead && isSamePath(one.table, table));
  const sibling = lines.find((one) => isMemberOf(one, table));
  if (!head && sibling) {
    const dotted = [...table, key].slice(sibling.table.length).map(keyText).join(".");
    return splice(text, sibling.at, sibling.at, `${dotted} = ${said}${ending}`);
  }
  if (!head) return appendTable(text, table, { [key]: value });
  const end = head.at + head.text.length;
  if (end === text.length) return splice(text, end, end, `${ending}${line}`);
  const next = end + (text.startsWith("\r\n", end) ? 2 : 1);
  return splice(text, next, next, line);
}

function appendTable(text: string, table: readonly string[], values: Readonly<Record<string, Json>>): EditedText {
  const ending = dominantEnding(text) ?? "\n";
  const members = Object.entries(values).map(([key, value]) => `${keyText(key)} = ${toToml(value)}${ending}`);
  const gap = text === "" ? "" : text.endsWith("\n") ? ending : ending + ending;
  return splice(text, text.length, text.length, `${gap}[${table.map(keyText).join(".")}]${ending}${members.join("")}`);
}

interface TomlLine {
  readonly at: number;
  readonly text: string;
  /** The table in whose part of the file it stands. */
  readonly table: readonly string[];
  readonly isHead: boolean;
}

function linesOf(text: string): TomlLine[] {
  const lines: TomlLine[] = [];
  let table: readonly string[] = [];
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const head = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(match[0])?.[1];
    if (head !== undefined) table = splitKey(head);
    // What belongs to a list of tables is no place of ours.
    else if (/^\s*\[\[/.test(match[0])) table = ["[["];
    lines.push({ at: match.index, text: match[0], table, isHead: head !== undefined });
  }
  return lines;
}

function isKey(line: TomlLine, path: readonly string[]): boolean {
  const key = keyOf(line);
  return key !== undefined && isSamePath(key, path);
}

/** Whether the line is a key with dots that makes the table. */
function isMemberOf(line: TomlLine, table: readonly string[]): boolean {
  const key = keyOf(line);
  return key !== undefined && line.table.length < table.length && isSamePath(key.slice(0, -1), table);
}

/** The whole path of a line's key. */
function keyOf({ text, table, isHead }: TomlLine): readonly string[] | undefined {
  const key = isHead
    ? undefined
    : /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(text)?.[1];
  return key === undefined ? undefined : [...table, ...splitKey(key)];
}

function splitKey(text: string): readonly string[] {
  return (text.match(/[\w-]+|"[^"]*"|'[^']*'/g) ?? []).map((part) => part.replace(/^(["'])(.*)\1$/, "$2"));
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A text of TOML escapes as one of JSON does. */
function toToml(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toToml).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${keyText(key)} = ${toToml(one)}`)
    .join(", ")} }`;
}

function splice(text: string, start: number, end: number, inserted: string): EditedText {
  return {
    text: text.slice(0, start) + inserted + text.slice(end),
    pieces: [{ inserted, removed: text.slice(start, end) }],
  };
}
