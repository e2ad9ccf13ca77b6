/**
 * A tool that sends something away and is asked about every time: a call that becomes a proposal and is no change.
 */
import * as z from "zod";
import { Failure } from "../../src/base/index.ts";
import { defineTool, type Tool } from "../../src/contract/index.ts";

interface Sender {
  readonly tool: Tool;
  /** What was sent so far. */
  sent: string[];
  isFailing: boolean;
}

export function createSender(): Sender {
  const sender = { sent: [] as string[], isFailing: false };
  const tool = defineTool({
    name: "send_page",
    title: "Send a page",
    summary: "Sends a page.",
    effect: "reach",
    needs: ["http"],
    asked: "always",
    input: z.strictObject({ text: z.string().describe("What to send.") }),
    output: z.looseObject({}),
    access: () => [],
    preview: ({ text }) => ({
      paths: [],
      summary: `Send ${text.length} characters to far.example`,
      bytes: text.length,
    }),
    run({ text }) {
      if (sender.isFailing) throw new Failure("command_failed", "Cannot send the page: far.example is away");
      sender.sent.push(text);
      return { text: `sent ${text}`, structured: {} };
    },
  });
  return Object.assign(sender, { tool });
}
