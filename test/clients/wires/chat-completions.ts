/**
 * Chat completions, which every provider's "compatible" endpoint speaks; opencode, Copilot CLI and Qwen Code use them here:
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
import { textOf, type Body, type ServerEvent, type WireFormat } from "./wire-format.ts";

export const chatCompletions: WireFormat = {
  fits: (path) => path.endsWith("/chat/completions"),
  read: (body) => {
    const messages = (body["messages"] ?? []) as Body[];
    return {
      offered: ((body["tools"] ?? []) as Body[]).map((tool) =>
        String((tool["function"] as Body | undefined)?.["name"]),
      ),
      results: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
      system: messages
        .filter(({ role }) => role === "system" || role === "developer")
        .map(({ content }) => textOf(content))
        .join("\n"),
    };
  },
  write: (reply) => {
    if (reply.kind === "say") return [chunk({ content: reply.text }), chunk({}, "stop"), usage(), { data: "[DONE]" }];
    const call = { name: reply.name, arguments: JSON.stringify(reply.args) };
    return [
      chunk({ tool_calls: [{ index: 0, id: reply.id, type: "function", function: call }] }),
      chunk({}, "tool_calls"),
      usage(),
      { data: "[DONE]" },
    ];
  },
};

function chunk(delta: object, finish: string | null = null): ServerEvent {
  return {
    data: { ...HEAD, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: finish }] },
  };
}

function usage(): ServerEvent {
  return {
    data: { ...HEAD, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  };
}

const HEAD = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "mock" };
