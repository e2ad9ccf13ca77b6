/**
 * Gemini's `streamGenerateContent`, as Gemini CLI speaks it: https://ai.google.dev/api/generate-content
 */
import { textOf, type Body, type WireFormat } from "./wire-format.ts";

export const geminiGenerate: WireFormat = {
  fits: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  read: (body) => ({
    offered: ((body["tools"] ?? []) as Body[])
      .flatMap(({ functionDeclarations }) => (functionDeclarations ?? []) as Body[])
      .map(({ name }) => String(name)),
    results: ((body["contents"] ?? []) as Body[])
      .flatMap(({ parts }) => (parts ?? []) as Body[])
      .flatMap((part) =>
        part["functionResponse"] === undefined ? [] : [responseText(part["functionResponse"] as Body)],
      ),
    system: textOf(
      (((body["systemInstruction"] as Body | undefined)?.["parts"] ?? []) as Body[]).map(({ text }) => text),
    ),
  }),
  write: (reply) => [
    {
      data: {
        candidates: [{ index: 0, content: { role: "model", parts: [partOf(reply)] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        modelVersion: "mock",
      },
    },
  ],
};

function partOf(reply: Parameters<WireFormat["write"]>[0]): object {
  if (reply.kind === "say") return { text: reply.text };
  return { functionCall: { id: reply.id, name: reply.name, args: reply.args } };
}

/** The client gives `{output}` of what went well and `{error}` of what failed. */
function responseText({ response }: Body): string {
  const { output, error } = (response ?? {}) as Body;
  const text = output ?? error ?? response;
  return typeof text === "string" ? text : JSON.stringify(text);
}
