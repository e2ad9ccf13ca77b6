/**
 * A scope as the workers have it: what holds secrets is closed in every one of them, whatever it is opened for.
 */
import { createSecretRule, maySecretsBeIn } from "../policy/index.ts";
import { Scope, type Closes } from "../scope/index.ts";
import type { ScopeConfig } from "./worker-config.ts";

export function openScope(config: ScopeConfig, rootFds: readonly number[] = [], closes?: Closes): Scope {
  const { except = [], ...options } = config;
  return new Scope({ ...options, rootFds, isSecret: createSecretRule(except), maySecretsBeIn, closes });
}
