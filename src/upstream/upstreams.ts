/**
 * The other MCP servers of one host. None of them is started before one of its tools is called; after it ended it is started
 * again, each time a little later, and its tools are held to what was approved before every call. A server that dies, hangs or
 * lies costs its own calls, no others.
 */
import { Failure, isoTime, limits, nowMs } from "../base/index.ts";
import type { Tool, RemoteContext } from "../contract/index.ts";
import type { UpstreamsConfig, Launch } from "../proc/index.ts";
import type { UpstreamStore, UpstreamStatus } from "../state/index.ts";
import { connect, describeEnd, failureOf, type Connection, type UpstreamClient } from "./connection.ts";
import { compareTools, hashTools, type ListedTool, reviewOf, viewServer, type ServerView } from "./review.ts";
import { offeredTools } from "./offered-tools.ts";

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

interface ServerWorld extends UpstreamClient {
  readonly launch: Launch;
  readonly store: UpstreamStore;
  /** Something happened to a server, in words. */
  readonly onEvent: (server: string, status: UpstreamStatus) => void;
}

type Arguments = Readonly<Record<string, unknown>>;

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;
/** After so long a life the next pause is the first one again. */
const LONG_LIFE_MS = 60_000;

class UpstreamServer {
  readonly name: string;
  readonly #world: ServerWorld;
  readonly #approved: ReadonlyMap<string, ListedTool>;
  #connection: Promise<Connection> | undefined;
  #calls = 0;
  #failures = 0;
  #notBefore = 0;
  #isClosed = false;
  #status: UpstreamStatus | undefined;

  constructor(name: string, approved: readonly ListedTool[], world: ServerWorld) {
    this.name = name;
    this.#world = world;
    this.#approved = new Map(approved.map((tool) => [tool.name, tool]));
  }

  /** An MCP `CallToolResult`, unchecked. @throws Failure */
  async call(tool: string, args: Arguments, ctx: RemoteContext): Promise<unknown> {
    const what = `Cannot call the tool "${tool}" of the MCP server "${this.name}"`;
    if (this.#calls >= limits.MAX_UPSTREAM_CALLS)
      throw new Failure("busy", `${what}: ${limits.MAX_UPSTREAM_CALLS} calls to it are under way`);
    this.#calls++;
    try {
      const connection = await this.#connected(what);
      ctx.signal.addEventListener("abort", () => void this.#endIfHung(connection));
      await this.#requireApproved(connection, tool, what, ctx.timeoutMs);
      return await this.#ask(connection, tool, args, ctx, what);
    } finally {
      this.#calls--;
    }
  }

  /** What it has now, which is kept as seen. For who approves it. @throws Failure */
  async look(): Promise<Awaited<ReturnType<Connection["tools"]>>> {
    const what = `Cannot ask the MCP server "${this.name}" for its tools`;
    const connection = await this.#connected(what);
    return await this.#toolsOf(connection, what);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#status?.state === "running")
      this.#world.store.keepStatus(this.name, {
        ...this.#status,
        state: "ended",
        said: "it ended with its host",
        at: isoTime(nowMs()),
      });
    void this.#connection?.then(({ close }) => close()).catch(() => undefined);
  }

  async #ask(
    connection: Connection,
    tool: string,
    args: Arguments,
    ctx: RemoteContext,
    what: string,
  ): Promise<unknown> {
    try {
      return await connection.call(tool, args, ctx);
    } catch (thrown) {
      const end = await settledNow(connection.ended);
      if (!end) throw failureOf(thrown, what);
      throw new Failure("command_failed", `${what}: ${describeEnd(end)}`, {
        hint: "Whether it was carried out is not known. The server is started again with the next call.",
        retry: "later",
        cause: thrown,
      });
    }
  }

  /** One connection for all calls; while there is a pause after a failure there is none. */
  async #connected(what: string): Promise<Connection> {
    if (this.#connection) return await this.#connection;
    const left = this.#notBefore - this.#world.clock.monotonicMs();
    if (left > 0)
      throw new Failure("busy", `${what}: ${this.#status?.said ?? "it failed"}`, {
        hint: `It has failed ${this.#failures} times and is started again in ${Math.ceil(left / 1000)} seconds at the earliest.`,
        retry: "later",
      });
    const connecting = this.#connect(what);
    this.#connection = connecting;
    return await connecting;
  }

  async #connect(what: string): Promise<Connection> {
    const { launch, clock } = this.#world;
    const begun = clock.monotonicMs();
    let connection: Connection;
    try {
      connection = await connect(launch, this.name, this.#world);
    } catch (thrown) {
      const failure = failureOf(thrown, what);
      if (!this.#isClosed) this.#failed("failed", failure.message.slice(what.length + 2), begun);
      throw failure;
    }
    this.#note({
      state: "running",
      said: "it runs",
      starts: (this.#status?.starts ?? 0) + 1,
      fence: connection.fence,
    });
    if (this.#isClosed) connection.close();
    void this.#noteEnd(connection, begun);
    return connection;
  }

  async #noteEnd({ ended }: Connection, begun: number): Promise<void> {
    const end = await ended;
    if (!this.#isClosed) this.#failed("ended", describeEnd(end), begun);
  }

  async #requireApproved(connection: Connection, tool: string, what: string, timeoutMs: number): Promise<void> {
    const { tools } = await this.#toolsOf(connection, what, timeoutMs);
    const now = tools.find(({ name }) => name === tool);
    const approved = this.#approved.get(tool);
    if (now && approved && hashTools([now]) === hashTools([approved])) return;
    throw new Failure(
      "denied",
      `${what}: ${now ? "the server describes it in another way than was approved" : "the server no longer has it"}`,
      {
        hint: `It is withheld until a person has looked at it: \`${this.#world.store.reviewCommand(this.name)}\``,
        details: { server: this.name, tool },
      },
    );
  }

  async #toolsOf(connection: Connection, what: string, timeoutMs?: number): ReturnType<Connection["tools"]> {
    try {
      const listed = await connection.tools(timeoutMs);
      this.#keepSeen(listed);
      return listed;
    } catch (thrown) {
      throw failureOf(thrown, `${what}: it does not tell its tools`);
    }
  }

  /** What the next start, and the person who approves, are told. */
  #keepSeen({ tools, problems }: Awaited<ReturnType<Connection["tools"]>>): void {
    const { store } = this.#world;
    const hash = hashTools(tools);
    if (store.tools(this.name, "seen")?.hash === hash) return;
    store.keepTools(this.name, "seen", { hash, at: isoTime(nowMs()), tools, problems });
    const { changed, gone, added } = compareTools([...this.#approved.values()], tools);
    if (this.#approved.size > 0 && changed.length + gone.length + added.length > 0)
      this.#note({
        said: `its tools are not those that were approved: \`${store.reviewCommand(this.name)}\``,
      });
  }

  async #endIfHung(connection: Connection): Promise<void> {
    if ((await settledNow(connection.ended)) || (await connection.isAlive())) return;
    connection.close();
  }

  #failed(state: "ended" | "failed", said: string, begun: number): void {
    this.#connection = undefined;
    const now = this.#world.clock.monotonicMs();
    this.#failures = now - begun > LONG_LIFE_MS ? 1 : this.#failures + 1;
    this.#notBefore = now + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10), LAST_PAUSE_MS);
    this.#note({ state, said, failures: (this.#status?.failures ?? 0) + 1 });
  }

  #note(news: Partial<UpstreamStatus>): void {
    const before = this.#status ?? { state: "running", said: "", starts: 0, failures: 0 };
    this.#status = { ...before, ...news, at: isoTime(nowMs()) };
    this.#world.store.keepStatus(this.name, this.#status);
    this.#world.onEvent(this.name, this.#status);
  }
}

/** What it has come to, when it has. */
async function settledNow<T>(promise: Promise<T>): Promise<T | undefined> {
  // Its end is told a moment after its connection is lost.
  return await Promise.race([promise, Bun.sleep(50).then(() => undefined)]);
}
