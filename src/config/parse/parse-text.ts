/**
 * A text of JSON with comments, YAML or TOML as values, with every key of an object once. Most parsers take the last of two
 * equal keys in silence, so that a file would not say what a reader of its first lines believes, of `mode` or `deny` for
 * instance.
 */
import type * as JsoncParser from "jsonc-parser";
import type * as Yaml from "yaml";

/** The text has the right syntax, but says something in a way that its reader might not see. */
class Misleading extends Error {}

/**
 * @param extension `.json`, `.yaml`, `.yml` or `.toml`; JSON has no comments when `isStrict`
 * @throws Error whose message says what is wrong and where, for a person
 */
export function parseText(text: string, extension: string, isStrict = false): unknown {
  const kind = extension.toLowerCase();
  try {
    if (kind === ".yaml" || kind === ".yml") return parseYaml(text);
    if (kind === ".toml") return datesAsText(Bun.TOML.parse(text));
    return parseJson(text, isStrict);
  } catch (thrown) {
    if (thrown instanceof Misleading) throw thrown;
    const what = kind === ".toml" ? "TOML" : kind.startsWith(".y") ? "YAML" : "JSON";
    // The first line only: a parser quotes what it could not read.
    const why = thrown instanceof Error ? thrown.message.split("\n")[0]?.slice(0, 200) : "";
    // YAML says it itself, and the runtime's parsers do not.
    const line = what === "YAML" ? undefined : what === "TOML" ? lineOfToml(text) : lineOfJson(text);
    const where = line === undefined ? "" : `, in line ${line}`;
    throw new Error(`it is not ${what}${where}: ${why}`, { cause: thrown });
  }
}

/** A date or time of TOML is an object, which would pass for settings. No key takes one, so it is refused as a string. */
function datesAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(datesAsText);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return (value as Date).toJSON();
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, datesAsText(inner)]));
}

/** Where a parser that gives places finds the first fault. It is loaded for a text that is refused, in the form that can be bundled. */
function lineOfJson(text: string): number | undefined {
  const { parse } = require("jsonc-parser/lib/esm/main.js") as typeof JsoncParser;
  const errors: JsoncParser.ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors[0] && lineAt(text, errors[0].offset);
}

/** What begins behind the longest part that is right is wrong. */
function lineOfToml(text: string): number {
  const lines = text.split("\n");
  let good = lines.length - 1;
  while (good > 0 && !isToml(lines.slice(0, good).join("\n"))) good--;
  return good + 1;
}

function isToml(text: string): boolean {
  try {
    Bun.TOML.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function parseJson(text: string, isStrict: boolean): unknown {
  if (!isStrict && text.trim() === "") return {};
  const values: unknown = isStrict ? JSON.parse(text) : Bun.JSONC.parse(text);
  refuseUnseen(text);
  return values;
}

/** Comments, texts and signs; numbers and words are of no interest. */
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Refuses a key that stands twice, and what stands behind the end, which the runtime's parser passes over. @param text JSON that it has accepted */
function refuseUnseen(text: string): void {
  /** The keys so far of each object that is open; `undefined` for a list. */
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") {
      open.pop();
      const rest = text.slice(index + 1);
      if (open.length > 0 || isBlank(rest)) continue;
      throw new Misleading(`there is more behind its end in line ${lineAt(text, index)}`);
    } else if (token.startsWith('"')) last = token;
    else if (token === ":") {
      const keys = open.at(-1);
      const key = JSON.parse(last) as string;
      if (keys?.has(key)) throw isTwice(key, ` in line ${lineAt(text, index)}`);
      keys?.add(key);
    }
  }
}

function isTwice(key: string, where: string): Misleading {
  return new Misleading(`the key ${JSON.stringify(key)} is there twice, again${where}`);
}

function isBlank(text: string): boolean {
  return text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() === "";
}

/**
 * YAML 1.2 and `<<`. The package is loaded when the first such file is met, which takes about 15 ms: most hosts have none.
 */
function parseYaml(text: string): unknown {
  // A file is read synchronously, as every other one.
  const { LineCounter, parseDocument, visit } = require("yaml") as typeof Yaml;
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    logLevel: "error",
    merge: true,
    // Whatever the text says of its own version.
    schema: "core",
    resolveKnownTags: false,
    // Looked at below: two keys that are the same text are the same key, whatever they are to YAML.
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error?.code === "MULTIPLE_DOCS") throw new Misleading("it holds several documents");
  if (error) throw new Error(error.message.split("\n")[0]?.replace(/:$/, ""));
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) refuseRepeatedNode(key as Yaml.Node | null, seen, lines);
    },
  });
  return document.toJS();
}

function refuseRepeatedNode(key: Yaml.Node | null, seen: Set<string>, lines: Yaml.LineCounter): void {
  const name = nameOf(key && "value" in key ? key.value : key);
  const where = key?.range ? ` in line ${lines.linePos(key.range[0]).line}` : "";
  if (name === undefined) throw new Misleading(`a key${where} is not plain text`);
  if (seen.has(name)) throw isTwice(name, where);
  seen.add(name);
}

/** The name that a key has as a member of an object; `undefined` for a list, a mapping or an alias. */
function nameOf(key: unknown): string | undefined {
  if (typeof key === "string") return key;
  // `<<` is a symbol.
  if (typeof key === "symbol") return key.description;
  if (typeof key === "number" || typeof key === "boolean") return String(key);
  return key === null ? "" : undefined;
}
