/**
 * The methods of the bridge: what a client that does not shake hands offers, and what became of an offer.
 */
import type { MethodResults } from "../calls/index.ts";
import { Failure } from "../base/index.ts";
import type { Services } from "../pipeline/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import * as z from "zod";

const offerMethod: Method = defineMethod({
  name: "ringfence/bridge/offer",
  summary:
    "Offers [tools of the client](bridge.md), once, before the first `tools/list` is answered. A later or a different offer fails as `conflict`.",
  result: "As of `ringfence/bridge/tools`.",
  params: z.strictObject({
    tools: z.array(z.unknown()).describe("The tools, as `tools/list` of an MCP server has them"),
  }),
  order: "none",
  async answer(host, { tools }) {
    const why = host.config.bridge.enabled ? host.bridge.offer(tools) : "this host takes none";
    if (why !== undefined)
      throw new Failure("conflict", `Cannot take the tools that are offered: ${why}`, {
        hint: "No other offer is taken while this host runs; ringfence/bridge/tools says what became of the first.",
        retry: "never",
      });
    return await stateOf(host);
  },
});

const toolsMethod: Method = defineMethod({
  name: "ringfence/bridge/tools",
  summary: "Says what became of the tools that the client offers.",
  result:
    "`{tools: [{name, aliases, offered}], refused: [{offered, why}], fixed}`; `name` is that of `tools/list`, `offered` that of the client.",
  params: z.strictObject({}),
  order: "none",
  answer: stateOf,
});

async function stateOf(host: Services): Promise<MethodResults["ringfence/bridge/tools"]> {
  // What is refused is known only when it is read.
  await host.registry();
  const { tools, refused, isFixed } = host.bridge;
  return { tools, refused, fixed: isFixed };
}

export const bridgeMethods: readonly Method[] = [offerMethod, toolsMethod];
