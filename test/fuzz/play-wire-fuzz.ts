/**
 * Sends broken messages to a host in a process of its own and watches that it lives: after every batch it must answer a
 * `ping`, every line that it writes must be one JSON-RPC message, and at the end of input it must end with 0.
 *
 * Questions of the host are answered with an error, as by a client that cannot: unanswered ones would only wait.
 */
import { createRandom, wireLine } from "./wire-messages.ts";
import { LineSplitter } from "../../scripts/start/line-splitter.ts";
import { settled } from "../waits/until.ts";

export interface FuzzOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly count: number;
  readonly seed: number;
}

export interface FuzzReport {
  readonly sent: number;
  readonly answers: number;
  /** What must not be: each with the seed it belongs to. */
  readonly problems: readonly string[];
}

const BATCH = 500;
const MAX_PROBLEMS = 20;

export async function playWireFuzz({ command, env, count, seed }: FuzzOptions): Promise<FuzzReport> {
  const child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  const random = createRandom(seed);
  const problems: string[] = [];
  const waiting = new Map<string, () => void>();
  let answers = 0;
  let sent = 0;

  function take(line: string): void {
    answers++;
    const message = parse(line);
    if (message === undefined) problems.push(`a line is no message: ${line.slice(0, 300)}`);
    else if (message.method !== undefined && message.id !== undefined) refuse(message.id);
    else if (typeof message.id === "string") waiting.get(message.id)?.();
  }

  function refuse(id: unknown): void {
    const error = { code: -32601, message: "cannot" };
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
    void child.stdin.flush();
  }

  async function isAlive(id: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting.set(id, () => resolve(true));
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    await child.stdin.flush();
    return await settled("the answer to a ping", Promise.race([promise, child.exited.then(() => false)])).catch(
      () => false,
    );
  }

  const reading = readLines(child.stdout, take);
  const errors = child.stderr.text();
  while (sent < count && problems.length < MAX_PROBLEMS) {
    for (let index = 0; index < BATCH; index++) {
      void child.stdin.write(wireLine(random));
      void child.stdin.write("\n");
    }
    sent += BATCH;
    if (!(await isAlive(`alive-${sent}`))) {
      problems.push(`no answer after ${sent} messages of seed ${seed}`);
      break;
    }
  }
  await child.stdin.end();
  const code = await settled("its end", child.exited).catch(() => undefined);
  if (code !== 0) problems.push(`it ended with ${code ?? "nothing: it hangs"} at seed ${seed}`);
  child.kill("SIGKILL");
  await reading;
  const bugs = (await errors).split("\n").filter((line) => line.includes("internal error"));
  problems.push(...bugs.slice(0, MAX_PROBLEMS).map((line) => `seed ${seed}: ${line}`));
  return { sent, answers, problems };
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of stream) {
    splitter.push(chunk).forEach(take);
  }
  if (splitter.rest !== "") take(splitter.rest);
}

interface Shape {
  readonly id?: unknown;
  readonly method?: unknown;
}

function parse(line: string): Shape | undefined {
  try {
    const message = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const kinds = ["method", "result", "error"].filter((key) => message[key] !== undefined);
    return message["jsonrpc"] === "2.0" && kinds.length === 1 ? message : undefined;
  } catch {
    return undefined;
  }
}
