/**
 * Two servers on loopback for programs behind the broker: a web server that says how long a body was, and one that sends back what
 * it is sent.
 */
import { createServer, type Server } from "node:net";
import { until } from "../waits/until.ts";

export class ListedSites implements AsyncDisposable {
  /** Each request of the web server: its method, its path, and the host that it named. */
  heard: string[] = [];
  /** What the other server was sent, a byte a character. */
  received = "";
  readonly #site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      this.heard.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("host")}`);
      return new Response(`here ${(await request.bytes()).length}`);
    },
  });
  readonly #echo: Server;

  private constructor(greeting: string) {
    this.#echo = createServer((socket) => {
      if (greeting !== "") socket.write(greeting);
      socket.on("data", (bytes: Buffer) => (this.received += bytes.toString("latin1")));
      socket.pipe(socket);
      socket.on("error", () => undefined);
    });
  }

  /** @param greeting what the second server says first. Default nothing. */
  static async open(greeting = ""): Promise<ListedSites> {
    const sites = new ListedSites(greeting);
    sites.#echo.listen(0, "127.0.0.1");
    await until("the echo server", () => sites.#echo.listening);
    return sites;
  }

  get sitePort(): number {
    return this.#site.port ?? 0;
  }

  get echoPort(): number {
    const address = this.#echo.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  forget(): void {
    [this.heard, this.received] = [[], ""];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#echo.close();
    await this.#site.stop(true);
  }
}
