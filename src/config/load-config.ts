/**
 * The configuration of one start: what was typed, with the configuration files below it when there are any, resolved into
 * what the host obeys.
 */
import { existingFiles, rootFileOf } from "./config-files.ts";
import { configDirectories } from "./environment.ts";
import { loadCommands } from "./load-commands.ts";
import { toFile } from "./option-names.ts";
import { resolveConfig, resolveSettings } from "./resolve-config.ts";
import type { Config, RawConfig } from "./settings.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** Where each value comes from, by its key in a file. Keys that nobody set are not in it. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** The roots as they were given, whether the command needs them or not. */
  readonly roots: readonly string[];
}

/**
 * @param builtin defaults of the command
 * @param needsRoots false for commands that work on the state folder alone
 * @throws Failure `invalid_input` that names the flag or file, `denied` for what a machine's file has locked
 */
export async function loadConfig(typed: RawConfig, builtin: RawConfig = {}, needsRoots = true): Promise<LoadedConfig> {
  const resolve_ = needsRoots ? resolveConfig : resolveSettings;
  // Where the next start would look is kept from tools like what this one has found.
  const places = Object.values(configDirectories());
  const hasFiles =
    existingFiles(typed.config).length > 0 || (typed.roots ?? []).some((root) => rootFileOf(root).length > 0);
  if (!hasFiles) {
    const raw = await loadCommands({ ...withDefaults(typed, builtin), configFiles: places });
    return { config: resolve_(raw), origins: originsOf(typed), roots: raw.roots ?? [] };
  }
  const { layerConfig } = await import("./layers.ts");
  const { raw, origins, files } = layerConfig(builtin, typed);
  return {
    config: resolve_(await loadCommands({ ...raw, configFiles: [...files, ...places] })),
    origins,
    roots: raw.roots ?? [],
  };
}

function originsOf(typed: RawConfig): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.keys(toFile(typed)).map((key) => [key, ["command line"]]));
}

function withDefaults(typed: RawConfig, builtin: RawConfig): RawConfig {
  const said = Object.entries(typed).filter(([, value]) => value !== undefined);
  return { ...builtin, ...Object.fromEntries(said) };
}
