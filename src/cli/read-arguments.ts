/**
 * The arguments of a tool from the command line: `key=value` pairs over one JSON object, which may come from stdin.
 */
import type { StringArgDef } from "citty";
import { UsageError } from "./usage-error.ts";

export const ARGUMENT_FLAG: StringArgDef = {
  type: "string",
  description: "The arguments as one JSON object; - reads it from standard input.",
  valueHint: "OBJECT",
};

export async function readArguments(json: string | undefined, pairs: readonly string[]): Promise<unknown> {
  const fromPairs = Object.fromEntries(pairs.map(readPair));
  if (json === undefined) return fromPairs;
  const text = json === "-" ? await Bun.stdin.text() : json;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...fromPairs } : value;
  } catch {
    throw new UsageError("the value of --json is not JSON");
  }
}

/** `key=value`; a value that looks like a list or an object of JSON is one. */
function readPair(pair: string): [string, unknown] {
  const cut = pair.indexOf("=");
  if (cut <= 0) throw new UsageError(`${JSON.stringify(pair)} is not key=value`);
  const value = pair.slice(cut + 1);
  if (!/^[[{]/.test(value)) return [pair.slice(0, cut), value];
  try {
    return [pair.slice(0, cut), JSON.parse(value) as unknown];
  } catch {
    return [pair.slice(0, cut), value];
  }
}
