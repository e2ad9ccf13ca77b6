/**
 * The names of one option: its key in a file (`read_only`), its setting in the program (`readOnly`) and its flag
 * (`--read-only`); and a configuration from one form into the other.
 */
import { OPTIONS, type Option } from "./options.ts";
import type { RawConfig } from "./settings.ts";

/** Values by their keys in a file. */
export type FileValues = Readonly<Record<string, unknown>>;

/** Every row of the table, in its order. */
export function optionRows(): [key: string, option: Option][] {
  return Object.entries(OPTIONS);
}

/** The flag without its hyphens. */
export function flagName(key: string): string {
  return key === "roots" ? "root" : key.replaceAll("_", "-");
}

/** A program hands in `tools` and `packs` of its own, so what is said of them by name has other names there. */
const OTHER_NAMES: Readonly<Record<string, string>> = { tools: "toolList", packs: "packSettings" };

export function settingName(key: string): string {
  if (Object.hasOwn(OTHER_NAMES, key)) return OTHER_NAMES[key] ?? key;
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function fileKey(name: string): string {
  const [other] = Object.entries(OTHER_NAMES).find(([, setting]) => setting === name) ?? [];
  if (other !== undefined) return other;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The values that were said, under their keys in a file. */
export function toFile(raw: RawConfig): FileValues {
  const entries = Object.entries(raw).filter(([name, value]) => isSaid(value) && name !== "config");
  return Object.fromEntries(entries.map(([name, value]) => [fileKey(name), value]));
}

/** A flag that was not given, and an empty list, are as if they were not there. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

export function fromFile(values: FileValues): RawConfig {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [settingName(key), value]));
}
