/**
 * The broker as programs see it: a proxy on this machine that serves the connections which keepers have registered, each by the
 * list of its program, and resets all others before it has read a byte of them.
 */
import { createServer, type Server, type Socket } from "node:net";
import type { BrokerReady, BrokerWord, ProgramConnection } from "../broker-protocol.ts";
import { parseReach, type ReachList } from "../reach-list.ts";
import { wayOutOf, type Resolve, type WayOut } from "./find-way.ts";
import { RegisteredPorts } from "./registered-ports.ts";
import { serveConnection, type ServedConnection } from "./serve-connection.ts";
import { resolveName } from "./system.ts";

/** What a broker says: where it is, and each connection when it has ended. */
export type BrokerSaid = BrokerReady | { readonly connection: ServedConnection & Pick<ProgramConnection, "program"> };

export interface ProgramBroker {
  /** A line of its input. @throws for one that is no word */
  readonly hear: (word: BrokerWord) => void;
  readonly close: () => void;
}

const MAX_CONNECTIONS = 512;
const MAX_LISTS = 10_000;
const OWN_ADDRESSES: readonly (string | undefined)[] = ["127.0.0.1", "::ffff:127.0.0.1"];

/** @param resolve default: the resolver of the system */
export function openProgramBroker(say: (said: BrokerSaid) => void, resolve: Resolve = resolveName): ProgramBroker {
  const ports = new RegisteredPorts();
  const lists = new Map<number, { readonly texts: readonly string[]; readonly list: ReachList }>();
  // Unknown until it is said: served without it, a connection would go past the proxy of a company.
  let out: WayOut | undefined;
  let open = 0;
  const server: Server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => void serve(client));
  server.listen({ host: "127.0.0.1", port: 0 }, () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) say({ ready: { port: address.port } });
  });
  return {
    hear(word) {
      if ("order" in word) out = wayOutOf(word.order, resolve);
      else if ("lists" in word) for (const [number, more] of Object.entries(word.lists)) addList(Number(number), more);
      else ports.register(word.register);
    },
    close: () => void server.close(),
  };

  function addList(number: number, more: readonly string[]): void {
    if (lists.size >= MAX_LISTS) return;
    const texts = [...new Set([...(lists.get(number)?.texts ?? []), ...more])];
    lists.set(number, { texts, list: parseReach(texts) });
  }

  async function serve(client: Socket): Promise<void> {
    // A connection that is reset has an error, and nobody to tell.
    client.on("error", () => undefined);
    open++;
    client.once("close", () => open--);
    const { remotePort = 0, remoteAddress } = client;
    const isOurs = OWN_ADDRESSES.includes(remoteAddress) && open <= MAX_CONNECTIONS;
    const registered = isOurs ? await ports.take(remotePort) : undefined;
    const list = registered && lists.get(registered.list)?.list;
    if (!registered || !list || !out) {
      client.resetAndDestroy();
      return;
    }
    try {
      const served = await serveConnection(client, list, out);
      if (served) say({ connection: { program: registered.program, ...served } });
    } catch {
      client.resetAndDestroy();
    }
  }
}
