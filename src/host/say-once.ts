/**
 * A result as it leaves the host: what its text says does not stand under `_meta` again. The rules that would settle a
 * proposal are for who approves it, and are left to `ringfence/proposals/get` and to the structured form.
 */
import { wordsByPlace } from "../calls/index.ts";
import { FAILURE_KEY, type Outcome } from "../mcp/index.ts";
import { PROPOSAL_KEY } from "./change-outcome.ts";

export function sayOnce(outcome: Outcome): Outcome {
  const { [FAILURE_KEY]: failure, [PROPOSAL_KEY]: proposal, ...meta } = outcome.meta ?? {};
  if (failure === undefined && proposal === undefined) return outcome;
  const { content } = JSON.parse(`{${outcome.members}}`) as {
    content: readonly { readonly text?: string }[];
  };
  const text = content.find((block) => block.text !== undefined)?.text ?? "";
  const { suggested_rules: _, ...shown } = (proposal ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...outcome,
    meta: {
      ...meta,
      ...(failure === undefined ? {} : { [FAILURE_KEY]: wordsByPlace(text, failure) }),
      ...(proposal === undefined ? {} : { [PROPOSAL_KEY]: wordsByPlace(text, shown) }),
    },
  };
}
