/**
 * The list of what waits: of each proposal what it would do to what, where, and who made it. Names and sizes come from
 * the steps. How many lines change, and whether it can still be applied, is found out by making the change once more,
 * and only when it is asked for.
 *
 * Usual mistake: to let one proposal that cannot be read keep all the others out of the list.
 */
import { join } from "node:path";
import type { ListedProposal, ProposalWhy } from "../../calls/index.ts";
import { Failure, isoTime, logLine, monotonicMs } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { pathsOf } from "../../txn/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import type { KnownProposal, Proposal } from "./proposal.ts";
import { listView, lookAgain, readable, stepsOf } from "./preview.ts";

export interface ListInput {
  readonly known?: Readonly<Record<string, KnownProposal>> | undefined;
  /** Whether the files are looked at too, for the lines and the problem of each. */
  readonly check?: boolean | undefined;
  /** Only these. Default: all. */
  readonly ids?: readonly string[] | undefined;
}

/** The time for looking at files; proposals that are left then are listed without. */
const CHECK_MS = 3000;

export function listProposals(
  { known = {}, check, ids }: ListInput,
  bench: ChangeBench,
  job: JobContext,
): readonly ListedProposal[] {
  const until = monotonicMs() + CHECK_MS;
  return bench.store.list(ids).flatMap((proposal) => {
    try {
      const isChecked = check === true && monotonicMs() < until;
      return {
        ...listView(proposal, bench, known[proposal.id]),
        ...readable(proposal, () => whereFrom(proposal)),
        ...(isChecked ? checked(proposal, bench, job) : {}),
      };
    } catch (thrown) {
      // Another host has ended it since the list was read.
      if (thrown instanceof Failure && bench.store.endingOf(proposal.id)) return [];
      // Any other failure, as the end of the call, says nothing about this one.
      if (!(thrown instanceof Failure) || !(thrown.code === "conflict" || thrown.code === "unsupported")) throw thrown;
      logLine(thrown.message);
      return [];
    }
  });
}

/** The name of the client is what it calls itself, unproven, and nothing is decided by it. */
function whereFrom(
  proposal: Proposal,
): Pick<ListedProposal, "createdAt" | "roots" | "host_roots" | "client" | "session" | "call" | "edits" | "why"> {
  const { created, client, session, why, scope, resume, edits } = proposal;
  const touched = new Set(
    stepsOf(proposal)
      .flatMap(pathsOf)
      .map(({ root }) => root),
  );
  const roots = scope.roots.filter((_, index) => resume.kind === "call" || touched.has(index));
  return {
    createdAt: isoTime(created),
    // What is no path throws here, and not where the list is printed.
    roots: roots.map(({ path }) => join(path)),
    host_roots: scope.roots.map(({ path }) => join(path)),
    ...(typeof client === "string" ? { client } : {}),
    ...(typeof session === "string" ? { session } : {}),
    ...(resume.kind === "call" ? { call: true } : {}),
    ...(typeof edits?.proposal === "string" ? { edits: edits.proposal } : {}),
    ...(why ? { why: readWhy(why) } : {}),
  };
}

/** @throws TypeError for what nobody could have stored */
function readWhy({ reason, rule, source, suggested_rules: rules }: ProposalWhy): ProposalWhy {
  return { reason: cutWhy(reason), rule: cutWhy(rule), source: cutWhy(source), suggested_rules: rules.map(String) };
}

function cutWhy(text: string): string {
  return text.slice(0, MAX_WHY_CHARS);
}

const MAX_WHY_CHARS = 2000;

function checked(
  proposal: Proposal,
  bench: ChangeBench,
  job: JobContext,
): Pick<ListedProposal, "added" | "removed" | "problem"> {
  if (proposal.resume.kind === "call") return {};
  const { files, problem } = lookAgain(proposal, bench, job);
  if (problem !== undefined) return { problem };
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
