/**
 * A whole answer of a running host: from the request to the last byte, and the same for every further page that the
 * answer advises. What the client does with an answer in between is not in the time.
 */
import type { Run } from "./native.ts";
import { requestLine, type RawClient } from "../raw-client.ts";
import { nextArguments, textsOf } from "../tool-call.ts";

export interface Answer extends Run {
  readonly pages: number;
  /** What stands before the content of the last page. */
  readonly note: string;
}

/** One page. @throws Error when the tool failed */
export async function timedCall(
  client: RawClient,
  tool: string,
  args: object,
): Promise<{ ms: number; texts: string[] }> {
  const line = requestLine(1, "tools/call", { name: tool, arguments: args });
  const started = performance.now();
  client.write(line);
  const answer = await client.readLine();
  const ms = performance.now() - started;
  const message = JSON.parse(answer) as { result?: unknown };
  if (message.result === undefined) throw new Error(`Cannot call ${tool}: ${answer.slice(0, 300)}`);
  return { ms, texts: textsOf(tool, message.result) };
}

/** Every page. */
export async function wholeAnswer(client: RawClient, tool: string, args: object): Promise<Answer> {
  const texts: string[] = [];
  let ms = 0;
  let note = "";
  for (let next: object | undefined = args; next !== undefined;) {
    const page = await timedCall(client, tool, next);
    ms += page.ms;
    texts.push(page.texts.at(-1) ?? "");
    note = page.texts.length > 1 ? (page.texts[0] ?? "") : "";
    next = nextArguments(page.texts);
  }
  return { ms, text: texts.join("\n"), note, pages: texts.length };
}

export interface Counted {
  readonly files: number;
  readonly lines: number;
}

/** Adds up `path:count` lines; everything else is passed over. */
export function sumCounts(text: string): Counted {
  let files = 0;
  let lines = 0;
  for (const [, count] of text.matchAll(/^.+:(\d+)$/gm)) {
    files++;
    lines += Number(count);
  }
  return { files, lines };
}

/** Two programs that were asked the same. @throws Error when they do not agree */
export function expectAgreement(what: string, ours: object, reference: object): void {
  if (Bun.deepEquals(ours, reference)) return;
  throw new Error(
    `Cannot trust the run: ${what}: ours ${JSON.stringify(ours)}, reference ${JSON.stringify(reference)}`,
  );
}

/** Lines of an answer or of a program that prints one thing a line. */
export function countLines(text: string): number {
  const trimmed = text.trimEnd();
  return trimmed === "" ? 0 : trimmed.split("\n").length;
}
