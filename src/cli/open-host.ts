/**
 * A host for one command: the same pipeline as `serve`, without the wire.
 */
import { resolveConfig, resolveSettings, type RawConfig } from "../config/index.ts";
import { Host } from "../host/index.ts";

/** @throws Failure `invalid_input` without a root */
export function openHost(raw: RawConfig): Host {
  return new Host({ config: resolveConfig(raw), loadTools: loadBuiltin });
}

/** For what concerns the state folder alone: proposals bring the roots they were made in. */
export function openRootlessHost(raw: RawConfig): Host {
  return new Host({ config: resolveSettings(raw), loadTools: loadBuiltin });
}

async function loadBuiltin(): Promise<typeof import("../tools/index.ts").builtinTools> {
  return (await import("../tools/index.ts")).builtinTools;
}
