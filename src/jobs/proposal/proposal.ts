/**
 * A proposal: what waits for a person. Stored is what applying it resumes, and nothing that is shown: the prepared
 * steps with the resulting bytes and the hashes of what they replace, or the call with its input. Its preview is made
 * anew each time (`preview.ts`). Its digest covers all that applying it does; docs/wire.md says what goes into it, and
 * whoever changes that changes the number of the form.
 */
import { canonicalDigest, type CallFacts, type ToolWords, type WaitingCall } from "../../approval/index.ts";
import type { LeftOut, PendingProposal, ProposalWhy } from "../../calls/index.ts";
import { Failure, limits, newId, nowMs } from "../../base/index.ts";
import { settlingRules, type Decision } from "../../policy/index.ts";
import type { StoredProposal } from "../../state/index.ts";
import type { PreparedStep } from "../../txn/index.ts";
import type { ChangeBench, MadeIn } from "../change/change-bench.ts";
import type { ScopeConfig } from "../worker-config.ts";

/**
 * The form of a stored proposal. In form 1 it had `sealed` and `call` for `resume`, and `foreign` for the kind `remote`. In form 2 a
 * call had no words of its tool.
 */
const FORM = 3;
const WORDS_SINCE = 3;

export interface Proposal extends StoredProposal {
  readonly form: number;
  readonly tool: string;
  /** The name that the client which proposed it gives itself: no part of the digest, because nothing is decided by it. */
  readonly client?: string | undefined;
  /** The session of the record in which it was made: no part of the digest either. */
  readonly session?: string | undefined;
  /** Where the content came from: shown, and no part of the digest, which has the content itself. */
  readonly from?: string | undefined;
  /** Why a person is asked: shown, and no part of the digest, because applying it decides nothing by it. */
  readonly why?: ProposalWhy | undefined;
  /** By the number of a step: where the old bytes of its file are among the contents. Their hash proves them. */
  readonly olds?: Readonly<Record<number, number>> | undefined;
  /** The roots it was made in: it can be applied in no others. */
  readonly scope: ScopeConfig;
  /** A person is asked at the client alone: only the process that made it applies it. */
  readonly ask?: "client";
  readonly resume: Resume;
  /** A person made it of another one: shown, and no part of the digest, because applying it writes nothing else by it. */
  readonly edits?: Edits | undefined;
  /** The call that made it had an idempotency key: once it is applied, a repeat is to be answered with that. */
  readonly repeat?: Repeat;
}

/** How a person made one proposal of another. */
export interface Edits {
  /** The id of the other one. The call that waits for it is answered when this one is applied. */
  readonly proposal: string;
  /** As the proposal names the file. */
  readonly path: string;
  /** From the text that was proposed to that of the person; for the agent to read, so it may be cut. */
  readonly diff: string;
  /** What the person left out before. */
  readonly left_out?: readonly LeftOut[] | undefined;
}

/** What applying a proposal does: it commits a prepared change, or makes a call. */
export type Resume =
  | { readonly kind: "changes"; readonly steps: readonly PreparedStep[] }
  | ({ readonly kind: "call" } & WaitingCall);

/** A proposal as form 1 stored it. */
interface FirstForm extends Omit<Proposal, "form" | "resume"> {
  readonly form?: undefined;
  readonly sealed?: { readonly steps: readonly PreparedStep[] };
  readonly call?: Omit<WaitingCall, "facts"> & { readonly facts?: { readonly kind: string } };
}

/** @param stored of this or an earlier form; what nobody could have made fails where it is looked at */
export function readProposal(stored: Proposal | FirstForm): Proposal {
  if (stored.form !== undefined) return stored.form < WORDS_SINCE ? withoutWords(stored) : stored;
  const { sealed, call, ...rest } = stored;
  if (!call) return { ...rest, form: 1, resume: { kind: "changes", steps: sealed?.steps as readonly PreparedStep[] } };
  const facts = call.facts?.kind === "foreign" ? { ...call.facts, kind: "remote" } : call.facts;
  return { ...rest, form: 1, resume: { kind: "call", ...call, facts: facts as CallFacts } };
}

/** Words that no digest covers are nobody's. */
function withoutWords(stored: Proposal): Proposal {
  const { resume } = stored;
  return resume.kind === "call" ? { ...stored, resume: { ...resume, says: undefined } } : stored;
}

/** @throws Failure `unsupported` for a form that a later version stored */
export function refuseLaterForm({ id, form }: Proposal): void {
  if (!(form > FORM)) return;
  throw new Failure("unsupported", `Cannot read the proposal "${id}": a later version of ringfence made it`, {
    hint: "Apply it with that version, or reject it and make the change again.",
  });
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

/** What the process that made a proposal knows of it, and nobody can have changed. */
export interface KnownProposal {
  readonly view: PendingProposal;
  /** What a tool that describes its own changes says of them. */
  readonly says?: ToolWords;
  readonly told?: ToldOfChange;
}

/** What the call that made a proposal is told once it is approved, where its dialect counts places and names tolerances. */
export interface ToldOfChange {
  /** How many places were replaced, by the absolute path of the file. */
  readonly replacements: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** What the host keeps of a change, and puts on record. */
export interface ChangeFacts {
  readonly status: "proposed" | "applied" | "unchanged" | "tried";
  readonly proposal?: PendingProposal;
  readonly transaction?: string;
  readonly files: readonly {
    readonly path: string;
    readonly operation: string;
    readonly added?: number;
    readonly removed?: number;
    readonly hash?: string;
    /** Absolute, of a move or copy. */
    readonly source?: string;
  }[];
  /** Every operation in a line, as a person is shown it. */
  readonly operations?: readonly string[];
  readonly says?: KnownProposal["says"];
  readonly told?: ToldOfChange;
}

/** @param hashOf the SHA-256 of the new content that would be written */
export function digestOf(proposal: Proposal, hashOf: (index: number) => string): string {
  const { form, id, tool, created, scope, resume } = proposal;
  const what =
    resume.kind === "call"
      ? { call: callPart(resume, form) }
      : { steps: resume.steps.map((step) => (step.op === "put" ? { ...step, content: hashOf(step.content) } : step)) };
  return canonicalDigest({ form, id, tool, created, scope, ...what });
}

function callPart({ input, paths, facts, says }: WaitingCall, form: number): object {
  const isFirst = form === 1 && facts.kind === "remote";
  const words = form >= WORDS_SINCE && says ? { says } : {};
  return { input: input ?? null, paths, facts: isFirst ? { ...facts, kind: "foreign" } : facts, ...words };
}

type MadeProposal = Pick<Proposal, "tool" | "resume" | "client" | "session" | "from" | "why"> & {
  readonly repeat?: Repeat | undefined;
};

/** What is kept of the decisions by which a person is asked: the last one is the strictest. */
export function whyAsked(decisions: readonly Decision[]): ProposalWhy | undefined {
  const asked = decisions.findLast(({ type }) => type === "ask");
  if (!asked) return undefined;
  const { reason, rule, source } = asked;
  return { reason, rule, source, suggested_rules: settlingRules(decisions) };
}

/** A new proposal of what would be resumed, waiting from now on. */
export function createProposal(
  { tool, resume, client, session, from, why, repeat }: MadeProposal,
  { config }: ChangeBench,
): Proposal {
  const created = nowMs();
  return {
    form: FORM,
    id: newId("p"),
    created,
    expires: created + limits.PROPOSAL_TTL_MS,
    tool,
    scope: config.scope,
    resume,
    ...(config.policy.ask === "client" ? { ask: "client" } : {}),
    ...(client === undefined ? {} : { client }),
    ...(session === undefined || session === "" ? {} : { session }),
    ...(from === undefined ? {} : { from }),
    ...(why ? { why } : {}),
    ...(repeat ? { repeat } : {}),
  };
}
