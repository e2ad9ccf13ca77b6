/**
 * Configuration: from what a person said to what the host obeys; the environment; what was built.
 *
 * To be read in this order: `options` (the table), `settings` (its types and names), `resolve-config`, `load-config`, then
 * `layers` and `file-schema`, which are loaded only when there is a file. It may import `base`, `text`, `pattern`, `reach`,
 * `scope`, `state`, `proc`, `policy`, `contract`, `packs` and `dialects`.
 */
export {
  BUILD,
  cleanEnvironment,
  foundLoaderVariables,
  hasPreloadFile,
  hasDesktop,
  restartEnvironment,
  takeHome,
  scrubEnvironment,
  secretFromEnvironment,
  startArguments,
  START_MARK,
  takeStartMark,
  type BuildInfo,
} from "./environment.ts";
export { denyProblems } from "./deny-globs.ts";
export { hostFlags, parseRoot, rootFlags } from "./config-files.ts";
export { importConfig, loadCommands, loadConfig, loadFileParsers, parseSent } from "./load-config.ts";
export type { FileParsers, LoadedConfig } from "./load-config.ts";
export { loadPacks, packsOf, planPacks, type PlannedPack } from "./load-packs.ts";
export type { Option } from "./option.ts";
export { DIALECTS, oneOf, resolveConfig, resolveSettings } from "./resolve-config.ts";
export {
  fileKey,
  flagName,
  optionRows,
  settingName,
  type Budgets,
  type Config,
  type HookText,
  type Overrides,
  type RawConfig,
  type StructuredSettings,
} from "./settings.ts";
