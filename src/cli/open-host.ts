/**
 * A host for one command: the same pipeline as `serve`, without the wire.
 */
import { resolveConfig, resolveSettings, type Config, type RawConfig } from "../config/index.ts";
import type { AnyTool } from "../contract/index.ts";
import { checkStart, Host } from "../host/index.ts";

/** @throws Failure `invalid_input` without a root, `not_found` for one that is not there, `denied` for the state folder */
export function openHost(raw: RawConfig): Host {
  return open(resolveConfig(raw));
}

/** For what concerns the state folder alone: proposals bring the roots they were made in. */
export function openRootlessHost(raw: RawConfig): Host {
  return open(resolveSettings(raw));
}

function open(config: Config): Host {
  checkStart(config);
  return new Host({ config, loadTools: loadBuiltin });
}

async function loadBuiltin(): Promise<readonly AnyTool[]> {
  return (await import("../tools/index.ts")).builtinTools;
}
