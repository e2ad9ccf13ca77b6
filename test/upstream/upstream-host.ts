/**
 * A host with other MCP servers, real processes all of them, whose tools a person has approved before: one host on the same
 * state folder looks at them, and another one offers them.
 */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/base/index.ts";
import type { RawConfig } from "../../src/config/index.ts";
import { openUpstreamStore, reviewOf } from "../../src/upstream/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { removeTree } from "../host/remove-tree.ts";
import { openCommandHost } from "../proc/command-host.ts";

export type Servers = NonNullable<RawConfig["upstream"]>;

export const BUN: string = process.execPath;
const HOSTILE = join(import.meta.dir, "..", "fixtures", "upstream", "hostile-server.ts");

/** The server of our own that behaves as badly as it is told. */
export function hostile(mode: string, file = "", more: object = {}): Servers[string] {
  return { command: BUN, args: [HOSTILE, mode, file], ...more };
}

export interface UpstreamHostOptions {
  readonly config?: RawConfig;
  /** What the servers are while a person looks at them. Default: what they are afterwards. */
  readonly before?: Servers;
  /** The clock of the returned host. */
  readonly clock?: Clock;
}

/** A person has looked at the servers, at a host of their own, and approved what they had. */
export async function openUpstreamHost(
  servers: Servers,
  { config = {}, before = servers, clock }: UpstreamHostOptions = {},
): Promise<TestHost> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-upstream-host-")));
  {
    await using first = openCommandHost({ config: { ...config, upstream: before }, top });
    await lookAt(first, Object.keys(before));
  }
  const second = openCommandHost({
    config: { ...config, upstream: servers },
    top,
    ...(clock ? { clock } : {}),
  });
  const end = second[Symbol.asyncDispose].bind(second);
  return Object.assign(second, {
    async [Symbol.asyncDispose]() {
      try {
        await end();
      } finally {
        await removeTree(top);
      }
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
