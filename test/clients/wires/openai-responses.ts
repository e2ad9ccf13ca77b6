/**
 * OpenAI's responses, as Codex speaks them: https://platform.openai.com/docs/api-reference/responses-streaming
 *
 * Codex offers the tools of a server inside a namespace, and a call names both.
 */
import { textOf, type Body, type Reply, type ServerEvent, type WireFormat } from "./wire-format.ts";

export const openaiResponses: WireFormat = {
  fits: (path) => path.endsWith("/responses"),
  read: (body) => {
    const input = (Array.isArray(body["input"]) ? body["input"] : []) as Body[];
    return {
      offered: ((body["tools"] ?? []) as Body[]).flatMap(namesOf),
      results: input.filter(({ type }) => type === "function_call_output").map(({ output }) => textOf(output)),
      system: [
        textOf(body["instructions"]),
        ...input.filter(({ role }) => role === "developer").map(({ content }) => textOf(content)),
      ].join("\n"),
    };
  },
  write: (reply) => [
    event("response.created", { response: { id: "resp_1" } }),
    event("response.output_item.added", { output_index: 0, item: itemOf(reply) }),
    event("response.output_item.done", { output_index: 0, item: itemOf(reply) }),
    event("response.completed", {
      response: {
        id: "resp_1",
        status: "completed",
        output: [itemOf(reply)],
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      },
    }),
  ],
};

function namesOf(tool: Body): string[] {
  if (tool["type"] !== "namespace") return [String(tool["name"] ?? tool["type"])];
  return ((tool["tools"] ?? []) as Body[]).map(({ name }) => `${String(tool["name"])}/${String(name)}`);
}

function itemOf(reply: Reply): object {
  if (reply.kind === "say") {
    return {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: reply.text, annotations: [] }],
    };
  }
  const [name, namespace] = reply.name.split("/").reverse();
  return {
    type: "function_call",
    id: `fc_${reply.id}`,
    call_id: reply.id,
    status: "completed",
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(reply.args),
  };
}

function event(type: string, data: object): ServerEvent {
  return { event: type, data: { type, ...data } };
}
