/**
 * A model that follows a script: it calls the tool of each turn in order and then says "done". One small server speaks the
 * four wires that agents use, so that every client meets the same model, and tells what each request of a client held.
 *
 * Invariant: a turn is chosen by how many results the conversation has, and by nothing that is kept here. A client may
 * repeat a request, or ask for a title beside; the script stays where it is.
 */
import { existsSync } from "node:fs";
import { until } from "../waits/until.ts";
import { anthropicMessages } from "./wires/anthropic-messages.ts";
import { chatCompletions } from "./wires/chat-completions.ts";
import { geminiGenerate } from "./wires/gemini-generate.ts";
import { openaiResponses } from "./wires/openai-responses.ts";
import type { Body, Conversation, Reply, ServerEvent, WireFormat } from "./wires/wire-format.ts";

/** A call of the script, under the name that the client offers the tool by. */
export interface Turn {
  readonly name: string;
  readonly args: object;
  /** The model goes on from the result of this call only when this file is there. */
  readonly holds?: string;
}

const FORMATS: readonly WireFormat[] = [anthropicMessages, chatCompletions, openaiResponses, geminiGenerate];

/** @param onAsked is told of every request that offers tools; the others are titles and summaries */
export function startMockModel(
  script: readonly Turn[],
  onAsked: (asked: Conversation) => void,
): { readonly port: number } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const format = FORMATS.find(({ fits }) => fits(pathname));
      if (request.method !== "POST" || format === undefined) return Response.json({ data: [], models: [] });
      const conversation = format.read((await request.json()) as Body);
      if (conversation.offered.length > 0) onAsked(conversation);
      const hold = script[conversation.results.length - 1]?.holds;
      if (conversation.offered.length > 0 && hold !== undefined) await until(hold, () => existsSync(hold));
      return toStream(format.write(chooseReply(script, conversation)));
    },
  });
  return { port: server.port ?? 0 };
}

function chooseReply(script: readonly Turn[], { offered, results }: Conversation): Reply {
  const turn = offered.length === 0 ? undefined : script[results.length];
  if (turn === undefined) return { kind: "say", text: "done" };
  return { kind: "call", id: `call_${results.length}`, name: turn.name, args: turn.args };
}

function toStream(events: readonly ServerEvent[]): Response {
  const text = events
    .map(({ event, data }) => {
      const line = typeof data === "string" ? data : JSON.stringify(data);
      return `${event === undefined ? "" : `event: ${event}\n`}data: ${line}\n\n`;
    })
    .join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}
