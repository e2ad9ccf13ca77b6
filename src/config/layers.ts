/**
 * The layers of the configuration, one over the other: built-in < machine < user < `--config` < command line. A later
 * one replaces a value; what denies, asks, hooks or excepts is added up, so that nobody can leave out what an earlier
 * layer said. A machine's file can lock keys against all later ones, and what a root says can only narrow.
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Failure } from "../base/index.ts";
import { narrowMode, type Mode } from "../policy/index.ts";
import { existingFiles, rootFileOf, type ConfigFile } from "./config-files.ts";
import { fromFile, optionRows, toFile, type FileValues } from "./option-names.ts";
import { OPTIONS, type Option } from "./options.ts";
import { parseFile, type FileKind } from "./parse-file.ts";
import { modeOf } from "./resolve-config.ts";
import type { RawConfig } from "./settings.ts";

export interface Layered {
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
export function layerConfig(
  builtin: RawConfig,
  typed: RawConfig,
  files: readonly ConfigFile[] = existingFiles(typed.config),
): Layered {
  const layers: Layer[] = [
    { origin: "built-in", values: toFile(builtin) },
    ...files.map(({ path, kind }) => ({
      origin: path,
      kind,
      values: absolutePaths(parseFile(path, kind), path),
    })),
    { origin: "command line", values: toFile(typed) },
  ];
  const locked = refuseLocked(layers);
  const origins = new Map<string, string[]>();
  let merged: FileValues = {};
  for (const layer of layers) {
    merged = mergeLayer(merged, layer, origins);
    if (layer.kind === "machine") merged = withLockedMode(merged, layer, locked, origins);
  }
  const rooted = narrowByRoots(merged, origins);
  return {
    raw: { ...fromFile(rooted.values), config: typed.config },
    origins,
    files: [...files.map(({ path }) => path), ...rooted.files],
  };
}

/** @returns the keys that are locked */
function refuseLocked(layers: readonly Layer[]): ReadonlySet<string> {
  const machine = layers.find(({ kind }) => kind === "machine");
  const locked = new Set(machine ? ((machine.values["lock"] as string[] | undefined) ?? []) : []);
  for (const { origin, values, kind } of layers.slice(1)) {
    if (kind === "machine") continue;
    if (values["lock"] !== undefined)
      throw new Failure(
        "invalid_input",
        `Cannot use the configuration "${origin}": only the machine's file may lock keys`,
        { hint: "Leave out lock; the machine's file lies in /etc/ringfence." },
      );
    const key = Object.keys(values).find((one) => locked.has(one));
    if (key !== undefined)
      throw new Failure("denied", `Cannot start: "${key}" (${origin}) is locked by "${machine?.origin}"`, {
        hint: "Leave it out; who runs this machine has decided it.",
      });
  }
  return locked;
}

/** Locking `mode` locks the mode that holds so far, because a profile of a later layer could bring another one. */
function withLockedMode(
  values: FileValues,
  machine: Layer,
  locked: ReadonlySet<string>,
  origins: Map<string, string[]>,
): FileValues {
  if (!locked.has("mode") || values["mode"] !== undefined) return values;
  return mergeLayer(values, { ...machine, values: { mode: modeOf(fromFile(values)) } }, origins);
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
  const out: Record<string, unknown> = { ...old, ...fresh };
  for (const list of ["deny", "except"]) {
    const both = [old[list], fresh[list]].filter(Array.isArray) as unknown[][];
    if (both.length > 0) out[list] = both.flat();
  }
  return out;
}

/** Makes the paths of a file absolute; they are relative to the file. */
function absolutePaths(values: FileValues, path: string): FileValues {
  const base = dirname(resolve(path));
  const from = (one: string): string => (isAbsolute(one) ? one : join(base, one));
  const out: Record<string, unknown> = { ...values };
  for (const [key, option] of optionRows()) {
    const value = option.paths ? values[key] : undefined;
    if (typeof value === "string") out[key] = from(value);
    else if (Array.isArray(value)) out[key] = (value as string[]).map(from);
  }
  return out;
}

/** Applies the files in the roots. Whoever can write in a root can only take something away. */
function narrowByRoots(
  values: FileValues,
  origins: Map<string, string[]>,
): { readonly values: FileValues; readonly files: readonly string[] } {
  const files = ((values["roots"] as string[] | undefined) ?? []).flatMap((root) => rootFileOf(root));
  let out = values;
  for (const path of files) out = narrow(out, parseFile(path, "root"), path, origins);
  return { values: out, files };
}

function narrow(values: FileValues, asked: FileValues, path: string, origins: Map<string, string[]>): FileValues {
  const mode = (values["mode"] ?? "default") as Mode;
  const narrower = narrowMode(mode, asked["mode"]);
  const kept: Record<string, unknown> = { ...asked };
  if (narrower === mode) delete kept["mode"];
  if (asked["read_only"] !== true) delete kept["read_only"];
  return mergeLayer(values, { origin: path, values: kept }, origins);
}
