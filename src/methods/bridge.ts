/**
 * The methods of the bridge: what a client that does not shake hands offers, and what became of an offer.
 */
import { Failure } from "../base/index.ts";
import type { Services } from "../pipeline/index.ts";

type Members = Readonly<Record<string, unknown>>;

/** @throws Failure `conflict` for an offer that comes too late or is a second one, `invalid_input` */
export async function answerBridge(host: Services, method: string, params: Members): Promise<Members> {
  if (method === "ringfence/bridge/offer") {
    const { enabled } = host.config.bridge;
    const why = enabled ? host.bridge.offer(params["tools"]) : "this host takes none";
    if (why !== undefined)
      throw new Failure(
        Array.isArray(params["tools"]) ? "conflict" : "invalid_input",
        `Cannot take the tools that are offered: ${why}`,
      );
  }
  // What is refused is known only when it is read.
  await host.registry();
  const { tools, refused, isFixed } = host.bridge;
  return { tools, refused, fixed: isFixed };
}
