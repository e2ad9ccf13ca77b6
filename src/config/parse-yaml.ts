/**
 * A YAML text as values, with the meaning of YAML 1.2 and `<<`. A key that stands twice in one mapping is an error, as in
 * every other form of a configuration: the runtime's own parser takes the last one in silence, so a file would not say what
 * a reader of its first lines believes.
 *
 * The package is loaded when the first such file is met, which takes about 15 ms: most hosts have none.
 */
import type * as Yaml from "yaml";

/** It is YAML, but says something in a way that its reader might not see. */
export class UnfitYaml extends Error {}

/** @throws Error whose message says what is wrong, and where; `UnfitYaml` */
export function parseYaml(text: string): unknown {
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
  if (error?.code === "MULTIPLE_DOCS") throw new UnfitYaml("it holds several documents");
  if (error) throw new Error(error.message.split("\n")[0]?.replace(/:$/, ""));
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) refuseRepeated(key as Yaml.Node | null, seen, lines);
    },
  });
  return document.toJS();
}

function refuseRepeated(key: Yaml.Node | null, seen: Set<string>, lines: Yaml.LineCounter): void {
  const name = nameOf(key && "value" in key ? key.value : key);
  const where = key?.range ? ` in line ${lines.linePos(key.range[0]).line}` : "";
  if (name === undefined) throw new UnfitYaml(`a key${where} is not plain text`);
  if (seen.has(name)) throw new UnfitYaml(`the key ${JSON.stringify(name)} is there twice, again${where}`);
  seen.add(name);
}

/** As a member of an object; `undefined` for what is none: a list, a mapping, an alias. */
function nameOf(key: unknown): string | undefined {
  if (typeof key === "string") return key;
  // `<<` is one.
  if (typeof key === "symbol") return key.description;
  if (typeof key === "number" || typeof key === "boolean") return String(key);
  return key === null ? "" : undefined;
}
