/**
 * A proposal: what waits for a person. It holds what would be done and nothing that is shown: the steps with the resulting
 * bytes and the hashes of what they replace, or the call with its input. All words about it are made anew
 * (`proposal-sheet.ts`). Its digest covers all that applying it does; docs/wire.md says what goes into it, and whoever
 * changes that changes the number of the form.
 */
import { canonicalDigest, type CallFacts, type FileChange, type WaitingCall } from "../../approval/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import type { StoredProposal } from "../../state/index.ts";
import type { PreparedStep } from "../../txn/index.ts";
import type { MadeIn } from "../change/change-bench.ts";
import type { ScopeConfig } from "../worker-config.ts";

export interface Proposal extends StoredProposal {
  readonly tool: string;
  /** The name that the client which proposed it gives itself: no part of the digest, because nothing is decided by it. */
  readonly client?: string;
  /** The roots it was made in: it can be applied in no others. */
  readonly scope: ScopeConfig;
  /** What would be changed; a call has no steps. */
  readonly sealed: { readonly steps: readonly PreparedStep[] };
  /** A person is asked at the client alone: only the process that made it applies it. */
  readonly ask?: "client";
  /** Instead of steps: a program, or a tool of somebody else. */
  readonly call?: WaitingCall;
  /** The call that made it had an idempotency key: once it is applied, a repeat is to be answered with that. */
  readonly repeat?: Repeat;
}

/** Where it was made, and how a person applies it at a terminal. */
export function madeIn({ id, scope }: Proposal): MadeIn {
  return { scope, verb: `apply the proposal "${id}"`, command: ["proposals", "apply", id] };
}

export interface Repeat {
  readonly key: string;
  readonly digest: string;
  /** The form that the caller gets its answers in. */
  readonly results: "text" | "structured";
}

export interface ProposalDetails extends PendingProposal {
  readonly digest: string;
  readonly createdAt: string;
  /** Every operation in a line. */
  readonly operations: readonly string[];
  readonly files: readonly FileChange[];
  /** Why it cannot be applied now. */
  readonly problem?: string;
  /** All that there is to see, in pages: as `ringfence proposals show` prints it. */
  readonly text: string;
  readonly page: number;
  readonly pages: number;
}

/** What the process that made a proposal knows of it, and nobody can have changed. */
export interface KnownProposal {
  readonly view: PendingProposal;
  /** What a tool that describes its own changes says of them. */
  readonly says?: { readonly summary: string; readonly diff?: string };
}

/** What the host keeps of a change, and puts on record. */
export interface ChangeFacts {
  readonly status: "proposed" | "applied" | "unchanged" | "tried";
  readonly proposal?: PendingProposal;
  readonly transaction?: string;
  readonly files: readonly { readonly path: string; readonly operation: string; readonly hash?: string }[];
  /** Every operation in a line, as a person is shown it. */
  readonly operations?: readonly string[];
  readonly says?: KnownProposal["says"];
}

/** A call as it lies in the store of proposals. */
export interface StoredCall {
  readonly tool: string;
  readonly input: unknown;
  readonly facts: CallFacts;
}

const FORM = 1;

/** @param hashOf the SHA-256 of the new content that would be written */
export function digestOf(proposal: Proposal, hashOf: (index: number) => string): string {
  const { id, tool, created, scope, sealed, call } = proposal;
  const what = call
    ? { call: callPart(call) }
    : {
        steps: sealed.steps.map((step) => (step.op === "put" ? { ...step, content: hashOf(step.content) } : step)),
      };
  return canonicalDigest({ form: FORM, id, tool, created, scope, ...what });
}

function callPart({ input, paths, facts }: WaitingCall): object {
  return { input: input ?? null, paths, facts };
}
