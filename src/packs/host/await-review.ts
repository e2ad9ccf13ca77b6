/**
 * Waits for what a person decides about proposals. It looks, and can decide nothing: the words of the person come back as a
 * text that a model can act on.
 */
import * as z from "zod";
import { Failure, limits } from "../../base/index.ts";
import { defineTool, type ReviewNews, type Tool } from "../../contract/index.ts";

const DEFAULT_SECONDS: number = limits.REVIEW_WAIT_MS / 1000;
const MAX_IDS = 100;

export const awaitReview: Tool = defineTool({
  name: "await_review",
  title: "Wait for a review",
  summary:
    "Waits until a person decides about proposals, and tells the decision, what was left out, the reason and the comments. It decides nothing.",
  group: "host",
  effect: "read",
  needs: ["reviews"],
  input: () =>
    z.strictObject({
      ids: z
        .array(z.string())
        .max(MAX_IDS)
        .optional()
        .describe("Ids of proposals. Default: all that this host has proposed and that are undecided."),
      seconds: z
        .number()
        .min(0)
        .max(limits.MAX_REVIEW_WAIT_MS / 1000)
        .optional()
        .describe(`How long to wait at most. Default ${DEFAULT_SECONDS}; 0 only looks.`),
    }),
  output: () =>
    z.strictObject({
      proposals: z.array(z.strictObject({ id: z.string(), status: z.string(), text: z.string() })),
    }),
  access: () => [],
  idempotent: true,
  waits: true,
  timeoutMs: limits.MAX_REVIEW_WAIT_MS + limits.DEFAULT_CALL_MS,
  async run({ ids, seconds = DEFAULT_SECONDS }, ctx) {
    const proposals = await ctx.reviews.wait({ ids: ids?.map(idOf), waitMs: seconds * 1000 });
    return { text: textOf(proposals), structured: { proposals } };
  },
});

/** Answers name a proposal as `ID@DIGEST`. @throws Failure `not_found` for a text that is no id */
function idOf(given: string): string {
  const [id = ""] = given.split("@");
  if (/^p_[\w-]{22}$/.test(id)) return id;
  throw new Failure("not_found", `Cannot wait for the proposal "${given.slice(0, 60)}": no such id`, {
    hint: "The answer of the call that made the proposal has its id.",
  });
}

function textOf(proposals: readonly ReviewNews[]): string {
  if (proposals.length === 0) return "Nothing waits for a person: this host has no undecided proposals.";
  return proposals.map(({ id, text }) => `${id}: ${text}`).join("\n\n");
}
