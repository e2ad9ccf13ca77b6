/**
 * `memory_list`: which notes there are, in pages by name.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { count } from "../../text/index.ts";
import { nextCall, noteOf, sizeAndTime } from "../answer.ts";
import { cut } from "../fields.ts";
import { noteTarget } from "./namespace-field.ts";

const USUAL = 200;
const MOST = 1000;

export const memoryList: Tool = defineTool({
  name: "memory_list",
  title: "List memory",
  summary: "Lists the notes of the memory by name, with size and time.",
  aliases: ["memory.list"],
  effect: "read",
  group: "memory",
  remembers: true,
  needs: ["memory"],
  idempotent: true,
  input: () =>
    z.strictObject({
      prefix: z.string().max(600).optional().describe("What the names begin with, for example project/."),
      limit: z.number().int().min(1).max(MOST).optional().describe(`Default ${USUAL}, at most ${MOST}.`),
      after: z.string().max(600).optional().describe("The name after which to go on."),
    }),
  output: () =>
    z.looseObject({
      namespaces: z.array(z.looseObject({ namespace: z.string(), size: z.number(), mtime: z.string() })),
      total: z.number(),
      ...cut(),
    }),
  access: ({ prefix }) => {
    const whole = prefix?.replace(/\/[^/]*$|^[^/]*$/, "") ?? "";
    return whole === "" ? [] : [noteTarget(whole, "metadata")];
  },
  async run(input, ctx) {
    const { namespaces, total, isCut, next } = await ctx.memory.list(input);
    return {
      text:
        namespaces.length === 0
          ? "No notes."
          : namespaces.map((one) => `${one.namespace}  ${sizeAndTime(one)}`).join("\n"),
      note: noteOf(
        isCut && "The memory has more notes than a memory may have: some of them are not listed",
        next && `${namespaces.length} of ${count(total, "note")}. ${nextCall("memory_list", next)}`,
      ),
      structured: { namespaces, total, truncated: isCut || next !== undefined, ...(next ? { next } : {}) },
      ...(isCut || next ? { truncated: true } : {}),
    };
  },
});
