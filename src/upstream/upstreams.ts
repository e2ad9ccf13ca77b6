/**
 * The other MCP servers of one host. None of them is started before one of its tools is called.
 */
import { Failure } from "../base/index.ts";
import type { Tool } from "../contract/index.ts";
import type { UpstreamsConfig } from "../proc/index.ts";
import type { UpstreamStore } from "../state/index.ts";
import { offeredTools } from "./offered-tools.ts";
import { reviewOf, viewServer, type ServerView } from "./review.ts";
import { UpstreamServer, type ServerWorld } from "./server.ts";

export class Upstreams implements Disposable {
  readonly #config: UpstreamsConfig;
  readonly #store: UpstreamStore;
  readonly #servers: ReadonlyMap<string, UpstreamServer>;

  constructor(config: UpstreamsConfig, store: UpstreamStore, world: Omit<ServerWorld, "store">) {
    this.#config = config;
    this.#store = store;
    this.#servers = new Map(
      Object.keys(config.servers).map((name) => {
        const { approved } = reviewOf(store, name);
        return [name, new UpstreamServer(name, approved, { ...world, store })];
      }),
    );
  }

  tools(onProblem: (what: string) => void): Tool[] {
    return offeredTools(
      this.#config,
      this.#store,
      async (server, tool, args, ctx) => await this.server(server).call(tool, args, ctx),
      onProblem,
    );
  }

  /** @throws Failure `not_found` */
  server(name: string): UpstreamServer {
    const found = this.#servers.get(name);
    if (found) return found;
    throw new Failure("not_found", `Cannot find the MCP server "${name}": it is not in the configuration`, {
      hint: "The key upstream names them.",
      candidates: [...this.#servers.keys()],
    });
  }

  views(): ServerView[] {
    return Object.entries(this.#config.servers).map(([name, declared]) => viewServer(this.#store, name, declared));
  }

  [Symbol.dispose](): void {
    for (const server of this.#servers.values()) server.close();
  }
}
