/**
 * The digest of a proposal, over all that applying it does. docs/wire.md says what goes into it; whoever changes that changes the
 * number of the form.
 */
import { canonicalDigest, type WaitingCall } from "../approval/index.ts";
import { sha256 } from "../base/index.ts";
import type { Proposal } from "./proposal.ts";

const FORM = 1;

/** @param contentOf the new content that would be written */
export function digestOf(proposal: Proposal, contentOf: (index: number) => Uint8Array): string {
  const { id, tool, created, scope, sealed, call } = proposal;
  const what = call
    ? { call: callPart(call) }
    : {
        steps: sealed.steps.map((step) =>
          step.op === "put" ? { ...step, content: sha256(contentOf(step.content)) } : step,
        ),
      };
  return canonicalDigest({ form: FORM, id, tool, created, scope, ...what });
}

function callPart({ input, paths, facts }: WaitingCall): object {
  return { input: input ?? null, paths, facts };
}
