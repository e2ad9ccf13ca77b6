/**
 * The names of settings in files (`read_only`) and in the program (`readOnly`), one way and back.
 */
import type { RawConfig } from "./resolve-config.ts";

/** Keys as they stand in a file. */
export type FileValues = Readonly<Record<string, unknown>>;

/** Without what was not said. */
export function toFile(raw: RawConfig): FileValues {
  const entries = Object.entries(raw).filter(([key, value]) => isSaid(value) && key !== "config");
  return Object.fromEntries(entries.map(([key, value]) => [snakeCase(key), value]));
}

/** A flag that was not given says nothing. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

export function fromFile(values: FileValues): RawConfig {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key === "tools" ? "toolList" : key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function snakeCase(key: string): string {
  return key === "toolList" ? "tools" : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
