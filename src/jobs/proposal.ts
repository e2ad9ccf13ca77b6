/**
 * A proposal: a sealed change set waiting for a person. It holds the resulting bytes and the hashes of what they
 * replace, so what was shown is what is applied.
 */
import { isoTime } from "../base/index.ts";
import type { StoredProposal } from "../state/index.ts";
import type { Sealed, SealedFile } from "../txn/index.ts";
import type { ScopeConfig } from "./worker-config.ts";

export interface Proposal extends StoredProposal {
  readonly tool: string;
  readonly risk: string;
  /** Grants of these would have let it happen at once; none: it is asked about each time. */
  readonly suggested_rules: readonly string[];
  /** The roots it was made in: it can be applied in no others. */
  readonly scope: ScopeConfig;
  readonly sealed: Sealed;
  /** Of a local tool: the stored input, and the hashes of the files that it named. */
  readonly local?: LocalPart;
  /** The call that made it had an idempotency key: once it is applied, a repeat is to be answered with that. */
  readonly repeat?: Repeat;
}

export interface Repeat {
  readonly key: string;
  readonly digest: string;
  /** The form that the caller gets its answers in. */
  readonly results: "text" | "structured";
}

export interface LocalPart {
  readonly input: unknown;
  readonly paths: readonly { readonly path: string; readonly hash: string }[];
}

/** As `ringfence/proposals/list` shows it, and as `_meta["dev.ringfence/proposal"]` of the call that made it. */
export interface ProposalView {
  readonly id: string;
  readonly tool: string;
  readonly summary: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly risk: string;
  readonly suggested_rules: readonly string[];
  readonly expiresAt: string;
  readonly warnings: readonly string[];
}

export interface ProposalDetails extends ProposalView {
  readonly createdAt: string;
  readonly files: readonly SealedFile[];
}

export function viewProposal(proposal: Proposal): ProposalView {
  const { id, tool, sealed, risk, suggested_rules, expires } = proposal;
  const paths = proposal.local?.paths.map(({ path }) => path) ?? sealed.files.map((file) => file.absolute);
  return {
    id,
    tool,
    summary: sealed.summary,
    paths,
    bytes: sealed.bytes,
    risk,
    suggested_rules,
    expiresAt: isoTime(expires),
    warnings: sealed.warnings,
  };
}

export function detailProposal(proposal: Proposal): ProposalDetails {
  return { ...viewProposal(proposal), createdAt: isoTime(proposal.created), files: proposal.sealed.files };
}
