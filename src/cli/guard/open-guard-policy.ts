/**
 * The policy that a guard asks: a host with the configuration of `serve` that starts nothing. Every line of a shell is read,
 * because the client has one whether or not ours is on.
 */
import { createRegistry } from "../../contract/index.ts";
import { loadConfig, type RawConfig } from "../../config/index.ts";
import type { GuardRow } from "../../clients/index.ts";
import { Host } from "../../host/index.ts";
import { builtinTools, commandTools } from "../../packs/index.ts";
import { COMMAND_DEFAULTS } from "../command.ts";
import type { GuardPolicy } from "./ask-policy.ts";

/** @throws Failure for a configuration that cannot be used, or has no root */
export async function openGuardPolicy(raw: RawConfig, row: GuardRow): Promise<GuardPolicy & Disposable> {
  const { config } = await loadConfig(raw, COMMAND_DEFAULTS);
  const { upstreams: _upstreams, dialect, ...rest } = config;
  const host = new Host({
    tools: [...builtinTools, ...commandTools({}, true)],
    config: {
      ...rest,
      commands: {},
      spaces: [],
      packSettings: {},
      dialect: "ringfence",
      fence: "off",
    },
  });
  return {
    host,
    row,
    async isOurName(name) {
      const registry = await host.registry();
      // An alias is what models say, and no client lists one.
      if (dialect === "ringfence") return registry.list().some((tool) => tool.name === name);
      const { openDialect } = await import("../../dialects/index.ts");
      return (await openDialect(dialect, createRegistry(registry.list()))).names.includes(name);
    },
    [Symbol.dispose]: () => host[Symbol.dispose](),
  };
}
