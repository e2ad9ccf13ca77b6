/**
 * The layers of the configuration, one over the other: built-in < machine < user < `--config` < command line. A later
 * one replaces a value; what denies, asks, hooks or excepts is added up, so that nobody can leave out what an earlier
 * layer said. A machine's file can lock keys against all later ones, and what a root says can only narrow.
 *
 * A file is JSON with comments, YAML or TOML by its extension, and held to the schema. Every key that is not known is an
 * error with the nearest name: a typo must not leave something open.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, resolve } from "node:path";
import { Failure, isObject } from "../base/index.ts";
import { narrowMode, type Mode } from "../policy/index.ts";
import { existingFiles, rootFileOf, type ConfigFile, type FileKind } from "./config-files.ts";
import { expandHome } from "./environment.ts";
import { CONFIG_KEY_NAMES, configFile, rootFile } from "./file-schema.ts";
import { describeIssue, noKey } from "./parse/describe-issue.ts";
import { safeParse } from "./parse/safe-parse.ts";
import { liftTools } from "./parse/lift-tools.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";
import { parseText } from "./parse/parse-text.ts";
import { DEFAULT_PROFILE, modeOf } from "./resolve-config.ts";
import { fromFile, optionRows, toFile, type FileValues, type RawConfig } from "./settings.ts";

interface Layered {
  readonly raw: RawConfig;
  /** Where the value of each key of a file comes from; all layers in order for values that are added up. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** Every file that was read. */
  readonly files: readonly string[];
}

interface Layer {
  readonly origin: string;
  readonly values: FileValues;
  readonly kind?: FileKind;
}

/** @throws Failure for a file that cannot be used, `denied` for a key that is locked */
export async function layerConfig(
  builtin: RawConfig,
  typed: RawConfig,
  files: readonly ConfigFile[] = existingFiles(typed.config),
): Promise<Layered> {
  const layers: Layer[] = [{ origin: "built-in", values: toFile(builtin) }];
  for (const { path, kind } of files)
    layers.push({ origin: path, kind, values: absolutePaths(await parseFile(path, kind), path) });
  layers.push({ origin: "command line", values: toFile(typed) });
  const locked = refuseLocked(layers);
  const origins = new Map<string, string[]>();
  let merged: FileValues = {};
  for (const layer of layers) {
    merged = mergeLayer(merged, layer, origins);
    // Locking `mode` locks the mode that holds so far, because a profile of a later layer could bring another one.
    if (layer.kind === "machine" && locked.has("mode") && merged["mode"] === undefined)
      merged = mergeLayer(merged, { ...layer, values: { mode: modeOf(fromFile(merged)) } }, origins);
  }
  const rootFiles = ((merged["roots"] as string[] | undefined) ?? []).flatMap((root) => rootFileOf(root));
  for (const path of rootFiles)
    merged = mergeLayer(merged, { origin: path, values: narrower(merged, await parseFile(path, "root")) }, origins);
  return {
    raw: { ...fromFile(merged), config: typed.config },
    origins,
    files: [...files.map(({ path }) => path), ...rootFiles],
  };
}

/** @returns the keys that are locked */
function refuseLocked(layers: readonly Layer[]): ReadonlySet<string> {
  const machine = layers.find(({ kind }) => kind === "machine");
  const locked = new Set(machine ? ((machine.values["lock"] as string[] | undefined) ?? []) : []);
  const chosen = locked.has("profile") ? chosenProfile(layers) : undefined;
  for (const { origin, values, kind } of layers.slice(1)) {
    if (kind === "machine") continue;
    if (values["lock"] !== undefined)
      throw new Failure(
        "invalid_input",
        `Cannot use the configuration "${origin}": only the machine's file may lock keys`,
        { hint: "Leave out lock; the machine's file lies in /etc/ringfence." },
      );
    const own = optionRows().find(([name, { only }]) => only === "machine" && values[name] !== undefined);
    if (own !== undefined)
      throw new Failure(
        "invalid_input",
        `Cannot use the configuration "${origin}": only the machine's file may say ${own[0]}`,
        { hint: `Leave out ${own[0]}; the machine's file lies in /etc/ringfence.` },
      );
    const key = Object.keys(values).find((one) => locked.has(one)) ?? redefined(values, chosen);
    if (key !== undefined)
      throw new Failure("denied", `Cannot start: "${key}" (${origin}) is locked by "${machine?.origin}"`, {
        hint: "Leave it out; who runs this machine has decided it.",
      });
  }
  return locked;
}

/** The profile that holds up to the machine's file. */
function chosenProfile(layers: readonly Layer[]): string {
  const end = layers.findIndex(({ kind }) => kind === "machine") + 1;
  const said = layers.slice(0, end).findLast(({ values }) => values["profile"] !== undefined);
  return (said?.values["profile"] as string | undefined) ?? DEFAULT_PROFILE;
}

/** Locking `profile` locks what its name means too, because a later layer could put another profile under it. */
function redefined(values: FileValues, chosen: string | undefined): string | undefined {
  if (chosen === undefined || !Object.hasOwn(values["profiles"] ?? {}, chosen)) return undefined;
  return `profiles.${chosen}`;
}

function mergeLayer(below: FileValues, layer: Layer, origins: Map<string, string[]>): FileValues {
  const out: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(layer.values)) {
    if (value === undefined || key === "$schema" || key === "lock") continue;
    const rule = ruleOf(key);
    out[key] = mergeValue(rule, out[key], value);
    origins.set(key, rule === undefined ? [layer.origin] : [...(origins.get(key) ?? []), layer.origin]);
  }
  return out;
}

function ruleOf(key: string): Option["layers"] {
  return (OPTIONS as Readonly<Record<string, Option>>)[key]?.layers;
}

function mergeValue(rule: Option["layers"], below: unknown, value: unknown): unknown {
  if (below === undefined || rule === undefined) return value;
  if (rule === "appended") return [...(below as unknown[]), ...(value as unknown[])];
  const [old, fresh] = [below as FileValues, value as FileValues];
  if (rule === "merged by name") {
    const named = Object.entries(fresh).map(([name, one]) => [name, mergeNamed(ownOf(old, name), one)] as const);
    return { ...old, ...Object.fromEntries(named) };
  }
  const out: Record<string, unknown> = { ...old, ...fresh };
  for (const list of ["deny", "except"]) {
    const both = [old[list], fresh[list]].filter(Array.isArray) as unknown[][];
    if (both.length > 0) out[list] = both.flat();
  }
  return out;
}

function ownOf(values: FileValues, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** What one layer takes from a client stays taken where another says more about it. */
function mergeNamed(below: unknown, value: unknown): unknown {
  if (!isObject(below) || !isObject(value)) return value;
  const tools = mergeValue("merged", below["tools"], value["tools"] ?? {});
  return { ...below, ...value, ...(below["tools"] === undefined ? {} : { tools }) };
}

/** Makes the paths of a file absolute; they are relative to the file. */
function absolutePaths(values: FileValues, path: string): FileValues {
  const base = dirname(resolve(path));
  const from = (one: string): string => {
    const whole = expandHome(one);
    return isAbsolute(whole) ? whole : join(base, whole);
  };
  const out: Record<string, unknown> = { ...values };
  for (const [key, option] of optionRows()) {
    const value = option.paths ? values[key] : undefined;
    if (typeof value === "string") out[key] = from(value);
    else if (Array.isArray(value)) out[key] = (value as string[]).map(from);
  }
  return out;
}

/** What a file in a root asks for, as far as it is narrower: whoever can write in a root can only take something away. */
function narrower(values: FileValues, asked: FileValues): FileValues {
  const mode = (values["mode"] ?? "default") as Mode;
  const kept: Record<string, unknown> = { ...asked };
  if (narrowMode(mode, asked["mode"]) === mode) delete kept["mode"];
  if (asked["read_only"] !== true) delete kept["read_only"];
  return kept;
}

/** @throws Failure `invalid_input` for what cannot be read as one, `denied` for a machine's file that others may write */
async function parseFile(path: string, kind: FileKind): Promise<FileValues> {
  const text = readText(path, kind);
  const schemaOf = kind === "root" ? rootFile : configFile;
  const values = valuesOf(text, path);
  // A key that is not known is refused as one that the schema does not have.
  const parsed = safeParse(await schemaOf(Object.keys(Object(values) as object)), values);
  if (!parsed.success) throw refused(path, describeIssue(parsed.error.issues, await schemaOf()));
  const [unknown] = ((parsed.data["lock"] ?? []) as string[]).filter((key) => !CONFIG_KEY_NAMES.includes(key));
  if (unknown !== undefined) throw refused(path, `lock: there is ${noKey(unknown, CONFIG_KEY_NAMES)}`);
  return withLines(
    liftTools(parsed.data, (why) => refused(path, why)),
    text,
    path,
  );
}

function readText(path: string, kind: FileKind): string {
  try {
    if (kind === "machine") requireRootOwned(path);
    // What a root holds was written by anybody: a link could lead anywhere.
    if (kind === "root") requirePlainFile(path);
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const { code = String(thrown) } = thrown as NodeJS.ErrnoException;
    throw refused(path, UNREADABLE[code] ?? `it cannot be read (${code})`, "Give a file that this user may read.");
  }
}

function requirePlainFile(path: string): void {
  try {
    if (lstatSync(path).isFile()) return;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EACCES") throw thrown;
    // The directory is closed, and whether it has such a file cannot be known.
    throw new Failure("denied", `Cannot open the root "${dirname(path)}": it may not be entered by this user`, {
      hint: "Give a directory that this user may read and enter.",
    });
  }
  throw refused(path, "it is not a regular file");
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "it may not be read by this user",
};

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

function refused(
  path: string,
  why: string,
  hint = "Correct the file; docs/configuration.md says what can stand there.",
): Failure {
  return new Failure("invalid_input", `Cannot use the configuration "${path}": ${why}`, { hint });
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
