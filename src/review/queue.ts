/**
 * What waits, as a reviewer sees it: in groups by the client and its session, each oldest first, with age, expiry, risk, size
 * and why a person is asked. Pure: the list of a host in, data out; every surface only writes it down.
 */
import type { ListedProposal, ProposalWhy } from "../calls/index.ts";

export interface QueueGroup {
  /** Names the group: the same client and session give the same key. */
  readonly key: string;
  /** What the client calls itself; nothing is decided by it. */
  readonly client: string | undefined;
  readonly session: string | undefined;
  readonly entries: readonly QueueEntry[];
}

export interface QueueEntry {
  readonly id: string;
  /** What would be done to what, in one line. */
  readonly title: string;
  readonly tool: string;
  readonly risk: string;
  /** A call, which is approved or rejected as a whole. */
  readonly isCall: boolean;
  readonly ageMs: number;
  /** Until it expires; 0 when it has. */
  readonly leftMs: number;
  /** Lines, once somebody has looked at the files. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
  /** Why it cannot be applied now, once somebody has looked. */
  readonly problem: string | undefined;
  readonly paths: readonly string[];
  readonly why: ProposalWhy | undefined;
  /** The id of the proposal that a person made this one of. */
  readonly edits: string | undefined;
}

/** @param nowMs milliseconds since 1970 */
export function groupQueue(proposals: readonly ListedProposal[], nowMs: number): readonly QueueGroup[] {
  const groups = new Map<string, QueueGroup & { readonly entries: QueueEntry[] }>();
  for (const proposal of proposals) {
    const { client, session } = proposal;
    const key = JSON.stringify([client ?? null, session ?? null]);
    const group = groups.get(key) ?? { key, client, session, entries: [] };
    groups.set(key, group);
    group.entries.push(entryOf(proposal, nowMs));
  }
  return [...groups.values()];
}

/** Gives the proposals with all these words in what one sees of them in the list. Case does not matter; no word leaves all. */
export function filterQueue(proposals: readonly ListedProposal[], words: string): readonly ListedProposal[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return proposals;
  return proposals.filter(({ change, tool, risk, client = "", session = "", paths }) => {
    const text = [change, tool, risk, client, session, ...paths].join("\n").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The order in which one goes from proposal to proposal. */
export function queueOrder(groups: readonly QueueGroup[]): readonly QueueEntry[] {
  return groups.flatMap(({ entries }) => entries);
}

/** A name for people: the client, and the end of its session where there is one. */
export function nameOfGroup({ client, session }: Pick<QueueGroup, "client" | "session">): string {
  const name = client ?? "a client without a name";
  return session === undefined ? name : `${name} (session ${session.slice(-SESSION_CHARS)})`;
}

/** The end of the name of a session differs between sessions; its beginning is the day. */
const SESSION_CHARS = 8;

function entryOf(proposal: ListedProposal, nowMs: number): QueueEntry {
  const { id, change, tool, risk, call, createdAt, expiresAt, added, removed, problem, paths, why, edits } = proposal;
  return {
    id,
    title: change,
    tool,
    risk,
    isCall: call === true,
    ageMs: Math.max(0, nowMs - Date.parse(createdAt)),
    leftMs: Math.max(0, Date.parse(expiresAt) - nowMs),
    added,
    removed,
    problem,
    paths,
    why,
    edits,
  };
}
