/**
 * A client that offers tools of its own to the in-memory host, in either era, and answers as a test says.
 */
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

export interface BridgeClient extends AsyncDisposable {
  readonly host: TestHost;
  /** The requests of the host that were not answered. */
  readonly asked: () => Promise<Json>;
  readonly answer: (members: object) => Promise<Json>;
}

/** Shakes hands with an offer. */
export async function openBridge(
  options: TestHostOptions = {},
  tools: unknown = TOOLS,
): Promise<BridgeClient> {
  const host = openTestHost(options);
  await shakeHands(host, { tools });
  let answered = 0;
  const calls = (): Json[] => host.messages.filter(({ method }) => method === "ringfence/bridge/call");
  const client: BridgeClient = {
    host,
    async asked() {
      for (let waited = 0; calls().length <= answered; waited++) {
        if (waited > 5000) throw new Error("the host did not call");
        await Bun.sleep(1);
      }
      return calls()[answered++];
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
