/**
 * The compiled binary serving cases of the path corpus, many in a row. It remembers which words must not come out for
 * which request, so that the record and stderr can be judged when the process has ended and everything is written.
 *
 * Invariant: what is judged is all that came out, so notifications and the answers of a proposal count too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PathCase, ToolCall } from "../scope/path-cases.ts";
import { ServeProcess, type WireMessage } from "./serve-process.ts";

export type Containment = "auto" | "portable";

export interface CaseAnswer {
  /** `ok` or the code of the failure, in the words of the corpus. */
  readonly outcome: string;
  /** Every message since the call was sent, as JSON. */
  readonly said: string;
}

export class CorpusHost {
  readonly #process: ServeProcess;
  readonly #stateDir: string;
  /** The words of each request, by its id. */
  readonly #secret: Map<unknown, readonly string[]> = new Map();
  #lastId = 0;

  private constructor(process: ServeProcess, stateDir: string) {
    this.#process = process;
    this.#stateDir = stateDir;
  }

  /** Works in `{OUTSIDE}` with no environment: a fallback to the current directory or to HOME would show. */
  static async start(one: PathCase, containment: Containment, stateDir: string): Promise<CorpusHost> {
    const { roots, deny = [] } = { roots: [join(one.top, "root")], ...one.config };
    const outside = join(one.top, "outside");
    const place = { path: outside, root: roots[0] ?? "", stateDir, [Symbol.dispose]: () => undefined };
    const command = [
      "serve",
      ...roots.flatMap((path) => ["--root", path]),
      ...deny.flatMap((glob) => ["--deny", glob]),
      `--state-dir=${stateDir}`,
      `--containment=${containment}`,
      "--baseline=if_known",
    ];
    const process = await ServeProcess.start(place, { command });
    // From its first answer on the roots are open; before that, what a case does to them would be done too early.
    await process.ask("ready", "ping");
    return new CorpusHost(process, stateDir);
  }

  /** The call, and its proposal applied when it made one. The arguments go as they are written. */
  async outcomeOf(one: PathCase, { tool }: ToolCall, argsText: string): Promise<CaseAnswer> {
    const seen = this.#process.messages.length;
    const id = this.#nextId(one);
    const params = `{"name":"${tool}","arguments":${argsText}}`;
    this.#process.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
    let answer = await this.#process.answer(id);
    const proposal = answer.result?._meta?.["dev.ringfence/proposal"];
    if (proposal) {
      const applying = this.#nextId(one);
      this.#process.request(applying, "ringfence/proposals/apply", { id: proposal.id });
      answer = await this.#process.answer(applying);
    }
    const messages = this.#process.messages.slice(seen);
    return {
      outcome: outcomeOfAnswer(answer),
      said: messages.map((message) => JSON.stringify(message)).join("\n"),
    };
  }

  /** Ends the process. @returns what is wrong with its end, its stderr or its record; none when all is well */
  async close(): Promise<string[]> {
    const code = await this.#process.endInput();
    const stderr = await this.#process.stderr;
    const words = new Set([...this.#secret.values()].flat());
    const problems = code === 0 ? [] : [`exit code ${code}`];
    for (const word of words) if (stderr.includes(word)) problems.push(`${word} on stderr: ${stderr}`);
    return [...problems, ...this.#judgeRecord()];
  }

  #judgeRecord(): string[] {
    const folder = join(this.#stateDir, "audit");
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
    if (lines.length < this.#secret.size) return [`${lines.length} lines for ${this.#secret.size} calls`];
    return lines.flatMap((line) => {
      const { request } = JSON.parse(line) as { request?: unknown };
      const words = this.#secret.get(request) ?? [];
      return words.filter((word) => line.includes(word)).map((word) => `${word} on record: ${line}`);
    });
  }

  #nextId(one: PathCase): number {
    this.#secret.set(++this.#lastId, one.no_leak);
    return this.#lastId;
  }
}

/** The corpus knows one word for everything that is not allowed, and one for arguments that no tool takes. */
function outcomeOfAnswer({ error, result }: WireMessage): string {
  const data =
    error === undefined ? result?._meta?.["dev.ringfence/failure"] : (error.data as { code?: string } | undefined);
  if (data?.code !== undefined) return data.code === "outside_scope" ? "denied" : data.code;
  return error === undefined && result?.["isError"] !== true ? "ok" : "invalid_input";
}
