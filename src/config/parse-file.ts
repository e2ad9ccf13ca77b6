/**
 * One configuration file: JSON with comments, YAML or TOML by its extension, then held to the schema. Every key that is
 * not known is an error with the nearest name: a typo must not leave something open.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import * as z from "zod";
import { Failure } from "../base/index.ts";
import { nearestNames } from "../text/index.ts";
import { configFile, rootFile } from "./file-schema.ts";
import type { FileValues } from "./option-names.ts";
import { parseText } from "./parse-text.ts";

export type FileKind = "machine" | "user" | "--config" | "root";

/** @throws Failure `invalid_input` for what cannot be read as one, `denied` for a machine's file that others may write */
export function parseFile(path: string, kind: FileKind): FileValues {
  const text = readText(path, kind);
  const schema = kind === "root" ? rootFile : configFile;
  const parsed = schema.safeParse(valuesOf(text, path));
  if (!parsed.success) throw refused(path, describeIssue(parsed.error.issues[0], schema));
  const [unknown] = ((parsed.data["lock"] ?? []) as string[]).filter((key) => !(key in configFile.shape));
  if (unknown !== undefined) throw refused(path, `lock: there is ${noKey(unknown, Object.keys(configFile.shape))}`);
  return withLines(parsed.data, text, path);
}

function readText(path: string, kind: FileKind): string {
  try {
    if (kind === "machine") requireRootOwned(path);
    // What a root holds was written by anybody: a link could lead anywhere.
    if (kind === "root" && !lstatSync(path).isFile()) throw refused(path, "it is not a regular file");
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw refused(path, `it cannot be read (${(thrown as NodeJS.ErrnoException).code ?? String(thrown)})`);
  }
}

/** Refuses a machine's policy that its users can write, or for which they can put another file. */
function requireRootOwned(path: string): void {
  if (process.platform === "win32") return;
  // The links on the way are as good as the directories that they lie in.
  const places = [...upwards(dirname(resolve(path))), ...upwards(realpathSync(path))];
  for (const one of places) {
    const { uid, mode } = statSync(one);
    // In a sticky directory nobody can replace what is root's.
    const isOthers = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if (uid === 0 && !isOthers) continue;
    throw new Failure("denied", `Cannot use the configuration "${path}": others than root may write it`, {
      hint: `It and every directory above it must belong to root and be writable by nobody else; "${one}" is not so.`,
    });
  }
}

function upwards(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
}

function valuesOf(text: string, path: string): unknown {
  try {
    return parseText(text, extname(path)) ?? {};
  } catch (thrown) {
    throw refused(path, (thrown as Error).message);
  }
}

function refused(path: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot use the configuration "${path}": ${why}`, {
    hint: "Correct the file; docs/configuration.md says what can stand there.",
  });
}

/** What is wrong, with the nearest name for a key that is not known. */
export function describeIssue(issue: z.core.$ZodIssue | undefined, schema: z.ZodType): string {
  if (!issue) return "it is not valid";
  const at = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return `${at === "" ? "it" : at} is wrong: ${issue.message}`;
  const key = issue.keys[0] ?? "";
  return `there is ${noKey(key, keysAt(schema, issue.path), at === "" ? "" : ` in ${at}`)}`;
}

function noKey(key: string, keys: readonly string[], where = ""): string {
  const [nearest] = nearestNames(key, keys, 1);
  return `no key ${JSON.stringify(key)}${where}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
}

/** The keys that an object at this place may have. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const part of path) {
    at = bare(at);
    if (at instanceof z.ZodObject) at = at.shape[String(part)] as unknown;
    else if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodRecord) at = at.valueType;
  }
  at = bare(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** Gives every rule the line on which it stands, for people who ask why. */
function withLines(values: FileValues, text: string, path: string): FileValues {
  const rules = values["rules"];
  if (!Array.isArray(rules)) return values;
  let from = 0;
  const located = (rules as { deny?: string; ask?: string; allow?: string }[]).map((rule) => {
    const said = rule.deny ?? rule.ask ?? rule.allow ?? "";
    const quoted = text.indexOf(JSON.stringify(said), from);
    const found = quoted < 0 ? text.indexOf(said, from) : quoted;
    if (found < 0) return { ...rule, source: path };
    from = found + 1;
    return { ...rule, source: `${path}:${text.slice(0, found).split("\n").length}` };
  });
  return { ...values, rules: located };
}
