/**
 * Anthropic's messages, as Claude Code speaks them: https://docs.anthropic.com/en/api/messages-streaming
 */
import { textOf, type Body, type Reply, type ServerEvent, type WireFormat } from "./wire-format.ts";

export const anthropicMessages: WireFormat = {
  fits: (path) => path === "/v1/messages",
  read: (body) => ({
    offered: ((body["tools"] ?? []) as Body[]).map(({ name }) => String(name)),
    results: ((body["messages"] ?? []) as Body[])
      .flatMap(({ content }) => (Array.isArray(content) ? (content as Body[]) : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
    system: textOf(body["system"]),
  }),
  write: (reply) => [
    event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "mock",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    ...block(reply),
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: reply.kind === "call" ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event("message_stop", {}),
  ],
};

function block(reply: Reply): ServerEvent[] {
  if (reply.kind === "say") {
    return [
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: reply.text } }),
    ];
  }
  const partial = JSON.stringify(reply.args);
  return [
    event("content_block_start", {
      index: 0,
      content_block: { type: "tool_use", id: reply.id, name: reply.name, input: {} },
    }),
    event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: partial } }),
  ];
}

function event(type: string, data: object): ServerEvent {
  return { event: type, data: { type, ...data } };
}
