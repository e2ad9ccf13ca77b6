/**
 * A host with other MCP servers, real processes all of them, whose tools a person has approved before: one host on the same
 * state folder looks at them, and another one offers them.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { RawConfig } from "../../src/config/index.ts";
import { openUpstreamStore, reviewOf } from "../../src/upstream/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { openCommandHost } from "../proc/command-host.ts";

export type Servers = NonNullable<RawConfig["upstream"]>;

export const BUN: string = process.execPath;
const HOSTILE = join(import.meta.dir, "..", "fixtures", "upstream", "hostile-server.ts");

/** The server of our own that behaves as badly as it is told. */
export function hostile(mode: string, file = "", more: object = {}): Servers[string] {
  return { command: BUN, args: [HOSTILE, mode, file], ...more };
}

/** What the servers are asked before; another declaration of the same name stands in the host that is returned. */
export async function openUpstreamHost(
  servers: Servers,
  config: RawConfig = {},
  before: Servers = servers,
): Promise<TestHost> {
  const first = openCommandHost({ config: { ...config, upstream: before } });
  await lookAt(first, Object.keys(before));
  const { top } = first;
  // Its folders stay: the next host works in them.
  first.session.cancelAll();
  first.host[Symbol.dispose]();
  const second = openCommandHost({ config: { ...config, upstream: servers }, top });
  return Object.assign(second, {
    async [Symbol.asyncDispose]() {
      second.session.cancelAll();
      second.host[Symbol.dispose]();
      await Bun.sleep(10);
      rmSync(top, { recursive: true, force: true });
    },
  });
}

/** Approves what they have now. */
export async function lookAt(host: TestHost, names: readonly string[]): Promise<void> {
  await host.host.registry();
  const store = openUpstreamStore(host.stateDir);
  for (const name of names) {
    await host.host.upstreams?.server(name).look();
    const { seen } = reviewOf(store, name);
    if (seen) store.keepTools(name, "approved", seen);
  }
}

export async function toolNames(host: TestHost): Promise<string[]> {
  const { result } = await host.request("tools/list", {});
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  return names.filter((name) => name.startsWith("mcp_"));
}
