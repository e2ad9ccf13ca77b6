/**
 * A broker with a resolver of the test's own, and what it says to one request.
 */
import type { Clock } from "../../src/base/index.ts";
import type { BrokerOrder, ExchangeSaid, PackNetwork } from "../../src/reach/index.ts";
import { createBroker } from "../../src/reach/broker/broker.ts";

export type Said = ExchangeSaid & { readonly status?: number; readonly problem?: string; readonly why?: string };

interface Given {
  readonly pack?: Partial<PackNetwork>;
  readonly network?: BrokerOrder["network"];
  /** A name without addresses here, but a promise, is looked up for as long as that takes. */
  readonly names?: Readonly<Record<string, readonly string[] | Promise<readonly string[]>>>;
  readonly clock?: Pick<Clock, "monotonicMs">;
}

export interface TestBroker {
  readonly get: (url: string, more?: object) => Promise<Said>;
  readonly asked: readonly string[];
  readonly call: (name: string, ask: unknown) => Promise<unknown>;
}

export function brokerOf({ pack = {}, network = {}, names = {}, clock }: Given): TestBroker {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<readonly string[]> => {
    asked.push(host);
    return await Promise.resolve(names[host] ?? []);
  };
  const code = createBroker({ network, packs: { web: { reach: [], ...pack } } }, resolve, clock);
  const call = async (name: string, ask: unknown): Promise<unknown> =>
    await code(name, ask, new AbortController().signal);
  return {
    asked,
    call,
    get: async (url, more = {}) =>
      (await call("exchange", {
        pack: "web",
        url,
        method: "GET",
        headers: {},
        maxBytes: 1e6,
        timeoutMs: 5000,
        ...more,
      })) as Said,
  };
}
