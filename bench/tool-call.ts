/**
 * Tool calls outside of timed runs: one call, its text blocks, and the next call that a cut answer advises. Following
 * the advice is what a model does, and checks on the way that it leads to the end.
 */
import type { RawClient } from "./raw-client.ts";

interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}

/** The text of each block: a note first, and the content last. @throws Error when the tool failed */
export async function callTool(client: RawClient, name: string, args: object): Promise<string[]> {
  return textsOf(name, await client.request("tools/call", { name, arguments: args }));
}

/** The texts of a result that another client received. */
export function textsOf(name: string, received: unknown): string[] {
  const result = received as CallResult;
  const texts = result.content.map((block) => block.text ?? "");
  if (result.isError === true) throw new Error(`Cannot call ${name}: ${texts.join(" ")}`);
  return texts;
}

/** The arguments after "To go on:" in the note of a cut answer, which is its first line. */
export function nextArguments(texts: readonly string[]): object | undefined {
  const json = /^\[.*To go on: \w+ (\{.*\})\](?:\n|$)/.exec(texts[0] ?? "")?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as object);
}

/** Every page of a call, to the end. */
export async function* pagesOf(client: RawClient, name: string, args: object): AsyncGenerator<string> {
  for (let next: object | undefined = args; next !== undefined;) {
    const texts = await callTool(client, name, next);
    yield texts.at(-1) ?? "";
    next = nextArguments(texts);
  }
}
