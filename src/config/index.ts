/**
 * Configuration: from what a person said to what the host obeys; the environment; what was built.
 *
 * To be read in this order: `options` (the table), `settings` (its types), `resolve-config`, `load-config`, then `layers`
 * and `file-schema`, which are loaded only when there is a file.
 */
export {
  BUILD,
  cleanEnvironment,
  foundLoaderVariables,
  hasDesktop,
  restartEnvironment,
  scrubEnvironment,
  secretFromEnvironment,
  startArguments,
  START_MARK,
  takeStartMark,
  type BuildInfo,
} from "./environment.ts";
export { loadConfig, type LoadedConfig } from "./load-config.ts";
export { loadCommands } from "./load-commands.ts";
export { loadPacks } from "./load-packs.ts";
export { fileKey, flagName, optionRows, settingName } from "./option-names.ts";
export type { Option } from "./options.ts";
export { DIALECTS, oneOf, resolveConfig, resolveSettings } from "./resolve-config.ts";
export { hostFlags, parseRoot, rootFlags } from "./roots.ts";
export type { Budgets, Config, HookText, Overrides, RawConfig, StructuredSettings } from "./settings.ts";
