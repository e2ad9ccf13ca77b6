/**
 * A client that offers tools of its own to the in-memory host, in either era, and answers as a test says.
 */
import type { RawConfig } from "../../src/config/index.ts";
import { until } from "../waits/until.ts";
import { openTestHost, type Json, type TestHost, type TestHostOptions } from "./in-memory-host.ts";

export const BRIDGE = "dev.ringfence/bridge";

export const TOOLS: object[] = [
  {
    name: "space.snapshot",
    title: "Snapshot",
    description: "What is in the space.",
    inputSchema: { type: "object", properties: { depth: { type: "integer" } }, additionalProperties: false },
  },
  {
    name: "space.run_action",
    description: "Does it.",
    inputSchema: { type: "object", properties: { action: { type: "string" } }, required: ["action"] },
  },
];

/** A configuration that asks nobody about them. */
export const ALLOWED: RawConfig = { rules: [{ allow: "client_*" }] };
/** What the first of them is called here. */
export const SNAPSHOT = "client_space_snapshot";

export interface BridgeClient extends AsyncDisposable {
  readonly host: TestHost;
  /** The requests of the host that were not answered. */
  readonly asked: () => Promise<Json>;
  readonly answer: (members: object) => Promise<Json>;
}

/** Shakes hands with an offer. */
export async function openBridge(options: TestHostOptions = {}, tools: unknown = TOOLS): Promise<BridgeClient> {
  const host = openTestHost(options);
  await shakeHands(host, { tools });
  let answered = 0;
  const calls = (): Json[] => host.messages.filter(({ method }) => method === "ringfence/bridge/call");
  const client: BridgeClient = {
    host,
    async asked() {
      const next = await until("the host to call", () => calls()[answered]);
      answered++;
      return next;
    },
    async answer(members) {
      const call = await client.asked();
      host.burst([{ jsonrpc: "2.0", id: call.id, ...members }]);
      return call;
    },
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };
  return client;
}

export async function shakeHands(host: TestHost, settings?: object): Promise<void> {
  await host.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: settings ? { extensions: { [BRIDGE]: settings } } : {},
    clientInfo: { name: "space", version: "1" },
  });
}

export function said(text: string): object {
  return { result: { content: [{ type: "text", text }] } };
}

/** The tools of the client, as a client sees them. */
export async function listed(host: TestHost): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await host.request("tools/list", cursor === undefined ? {} : { cursor });
    names.push(...result.tools.map(({ name }: Json) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return names.filter((name) => name.startsWith("client_"));
}
