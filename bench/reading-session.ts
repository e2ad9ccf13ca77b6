/**
 * A started server and a small file that is read again and again. Before anything is timed, the warm-up reads the file
 * 2,000 times and checks every answer; timed runs then check that they received as many bytes as whole answers have.
 */
import type { Server } from "./bench.ts";
import { prepareReads, type PreparedReads } from "./prepared-reads.ts";
import { countNewlines, RawClient, requestLine } from "./raw-client.ts";

const WARM_UP_CALLS = 2000;
const WARM_UP_DEPTH = 50;

export class ReadingSession implements AsyncDisposable {
  readonly client: RawClient;
  readonly #reads: PreparedReads;
  #answerBytes = 0;

  private constructor(client: RawClient, reads: PreparedReads) {
    this.client = client;
    this.#reads = reads;
  }

  /** Opened and warmed up. @throws Error when an answer does not hold the text of the file */
  static async open(server: Server, path: string): Promise<ReadingSession> {
    return await ReadingSession.#open(server, path, WARM_UP_CALLS);
  }

  /** Opened, with one answered read. @throws Error when that does not hold the text of the file */
  static async openCold(server: Server, path: string): Promise<ReadingSession> {
    return await ReadingSession.#open(server, path, 1);
  }

  static async #open(server: Server, path: string, calls: number): Promise<ReadingSession> {
    const reads = prepareReads(server.readTool, path);
    const text = await Bun.file(path).text();
    const session = new ReadingSession(await RawClient.open(server), reads);
    try {
      await session.#warmUp(text, calls);
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
    return session;
  }

  /** Keeps `depth` calls in flight for a time or a number of calls, and waits for the last answer. */
  async run(depth: number, limit: { readonly ms: number } | { readonly calls: number }): Promise<TimedRun> {
    const { client } = this;
    const started = performance.now();
    const isOver = (sent: number): boolean =>
      "ms" in limit ? performance.now() - started >= limit.ms : sent >= limit.calls;
    let sent = depth;
    let calls = 0;
    let bytes = 0;
    client.write(this.#reads.next(depth));
    while (calls < sent) {
      const chunk = await client.readChunk();
      const answers = countNewlines(chunk);
      calls += answers;
      bytes += chunk.length;
      if (answers === 0 || isOver(sent)) continue;
      client.write(this.#reads.next(answers));
      sent += answers;
    }
    const ms = performance.now() - started;
    if (bytes !== calls * this.#answerBytes)
      throw new Error(`Cannot trust the run: ${bytes} bytes, not ${calls} answers of ${this.#answerBytes}`);
    return { calls, ms };
  }

  async #warmUp(text: string, calls: number): Promise<void> {
    const depth = Math.min(calls, WARM_UP_DEPTH);
    for (let done = 0; done < calls; done += depth) {
      this.client.write(this.#reads.next(depth));
      for (let at = 0; at < depth; at++) this.#check(await this.client.readLine(), text);
    }
  }

  #check(line: string, text: string): void {
    const answer = JSON.parse(line) as { result?: { content?: { text?: string }[] } };
    if (answer.result?.content?.at(-1)?.text !== text)
      throw new Error(`Cannot trust the server: an answer without the text: ${line.slice(0, 300)}`);
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#answerBytes !== 0 && this.#answerBytes !== bytes)
      throw new Error(`Cannot trust the server: answers of ${this.#answerBytes} and of ${bytes} bytes`);
    this.#answerBytes = bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}

/** What each of so many calls took, one after the other, in milliseconds. */
export async function callsOf(session: ReadingSession, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < count; at++) taken.push((await session.run(1, { calls: 1 })).ms);
  return taken;
}

/** What each of so many pings took, in milliseconds. */
export async function pingsOf({ client }: ReadingSession, count: number): Promise<number[]> {
  const taken: number[] = [];
  const line = requestLine(1, "ping");
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    client.write(line);
    await client.readLine();
    taken.push(performance.now() - started);
  }
  return taken;
}

export interface TimedRun {
  readonly calls: number;
  readonly ms: number;
}
