/**
 * The parts of searches that one worker gives to another, by name: what `share` of the asking worker leads to.
 */
import type { SearchContext } from "./context.ts";
import { answerGlobPart } from "./glob.ts";
import { answerGrepPart } from "./grep/grep-tree.ts";
import { answerUsagePart } from "./usage.ts";

/** @param name without "part:". @returns the answer as JSON. @throws Failure as the search itself */
export async function answerPart(ctx: SearchContext, name: string, input: string): Promise<string> {
  // Collects the garbage of the part before.
  ctx.tidy?.();
  switch (name) {
    case "grep":
      return await answerGrepPart(ctx, input);
    case "glob":
      return answerGlobPart(ctx, input);
    case "usage":
      return answerUsagePart(ctx, input);
    default:
      throw new Error(`unknown part ${name}`);
  }
}
