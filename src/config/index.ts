/**
 * What the person said, resolved into what the host obeys; the environment; what was built.
 */
export { BUILD, type BuildInfo } from "./build-info.ts";
export {
  cleanEnvironment,
  foundLoaderVariables,
  hasDesktop,
  restartEnvironment,
  scrubEnvironment,
  secretFromEnvironment,
  startArguments,
  START_MARK,
  takeStartMark,
} from "./environment.ts";
export { hostFlags, rootFlags } from "./host-flags.ts";
export { loadConfig, type LoadedConfig } from "./load-config.ts";
export { loadCommands, type RawCommands } from "./load-commands.ts";
export { oneOf } from "./one-of.ts";
export { parseRoot } from "./parse-root.ts";
export { DIALECTS, resolveConfig, resolveSettings, type Config, type RawConfig } from "./resolve-config.ts";
export type { BudgetLimits, Budgets, HookText, Overrides, PolicyConfig, PolicySettings } from "./settings.ts";
