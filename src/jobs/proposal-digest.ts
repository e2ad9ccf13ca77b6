/**
 * The digest of a proposal, over all that applying it does. docs/wire.md says what goes into it; whoever changes that changes the
 * number of the form.
 */
import { canonicalDigest, type WaitingCall } from "../approval/index.ts";
import type { Proposal } from "./proposal.ts";

const FORM = 1;

/** @param hashOf the SHA-256 of the new content that would be written */
export function digestOf(proposal: Proposal, hashOf: (index: number) => string): string {
  const { id, tool, created, scope, sealed, call } = proposal;
  const what = call
    ? { call: callPart(call) }
    : {
        steps: sealed.steps.map((step) =>
          step.op === "put" ? { ...step, content: hashOf(step.content) } : step,
        ),
      };
  return canonicalDigest({ form: FORM, id, tool, created, scope, ...what });
}

function callPart({ input, paths, facts }: WaitingCall): object {
  return { input: input ?? null, paths, facts };
}
