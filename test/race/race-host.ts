/**
 * The compiled binary under many calls at once. Unlike the other tests' way of driving it, an answer is handed out as
 * the line that came and then forgotten: a race asks some hundred thousand times.
 */
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { LineSplitter } from "../../scripts/start/line-splitter.ts";

/**
 * How a host is held in: by its handles alone, without the kernel's fence; the portable way with the fence around it; or
 * the portable way alone, as on a system that has no fence.
 */
export type Way = "handle" | "fenced portable" | "portable";

const WAY_FLAGS: Readonly<Record<Way, readonly string[]>> = {
  handle: ["--containment=handle", "--fence=off"],
  "fenced portable": ["--containment=portable", "--fence=require"],
  portable: ["--containment=portable", "--fence=off"],
};

export class RaceHost implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #waiting: Map<number, PromiseWithResolvers<string>> = new Map();
  readonly #stderr: Promise<string>;
  readonly #reading: Promise<void>;
  #lastId = 0;

  private constructor(child: Bun.Subprocess<"pipe", "pipe", "pipe">) {
    this.#child = child;
    this.#stderr = child.stderr.text();
    this.#reading = this.#read();
  }

  /** `top` holds `root`, `outside` and `state`. Changes are carried out at once. Returns when its roots are open. */
  static async start(top: string, way: Way): Promise<RaceHost> {
    const command = [
      await binaryPath(),
      "serve",
      `--root=${join(top, "root")}`,
      `--state-dir=${join(top, "state")}`,
      "--mode=bypass",
      "--results=structured",
      "--baseline=if_known",
      ...WAY_FLAGS[way],
    ];
    const streams = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const;
    const host = new RaceHost(Bun.spawn(command, { cwd: join(top, "outside"), env: {}, ...streams }));
    await host.request("ping", "{}");
    return host;
  }

  /** @returns the line of the answer */
  async call(tool: string, argsText: string): Promise<string> {
    return await this.request("tools/call", `{"name":"${tool}","arguments":${argsText}}`);
  }

  async request(method: string, paramsText: string): Promise<string> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<string>();
    this.#waiting.set(id, answer);
    void this.#child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${paramsText}}\n`);
    void this.#child.stdin.flush();
    return await answer.promise;
  }

  /** Ends it. @returns its exit code and all of its stderr */
  async close(): Promise<{ code: number; stderr: string }> {
    await this.#child.stdin.end();
    await this.#reading;
    return { code: await this.#child.exited, stderr: await this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const chunk of this.#child.stdout) {
      for (const line of splitter.push(chunk)) this.#receive(line);
    }
    for (const { reject } of this.#waiting.values()) reject(new Error("the host ended without an answer"));
  }

  #receive(line: string): void {
    // A notification has no id, and nobody waits for it.
    const id = Number(/^\{"jsonrpc":"2\.0","id":(\d+)[,}]/.exec(line)?.[1]);
    this.#waiting.get(id)?.resolve(line);
    this.#waiting.delete(id);
  }
}
