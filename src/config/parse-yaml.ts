/**
 * A YAML text as values. A key that stands twice in one mapping is an error, as in every other form of a configuration:
 * the runtime's own parser takes the last one in silence, so a file would not say what a reader of its first lines
 * believes. Loaded when the first such file is met: most hosts have none.
 */
import type * as Yaml from "yaml";

/** @throws Error whose first line says what is wrong, and where */
export function parseYaml(text: string): unknown {
  // A file is read synchronously, as every other one.
  const { parse } = require("yaml") as typeof Yaml;
  return parse(text, { logLevel: "error" });
}
