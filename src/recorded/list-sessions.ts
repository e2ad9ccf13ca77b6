/**
 * Finds sessions: the newest ones, or one by its id. Only the segments of the sessions that are wanted are read.
 */
import { findSessions, isSegmentId, readSession, type SessionFacts } from "../audit/index.ts";
import { Failure } from "../base/index.ts";
import type { StateFolder } from "../state/index.ts";

export interface ListedSessions {
  /** The newest first. */
  readonly sessions: readonly SessionFacts[];
  /** Whether there are older ones. */
  readonly more: boolean;
}

export async function listSessions({ audit }: Pick<StateFolder, "audit">, limit: number): Promise<ListedSessions> {
  const sessions: SessionFacts[] = [];
  for (const found of findSessions(audit)) {
    if (sessions.length === limit) return { sessions, more: true };
    const facts = await readSession(audit, found);
    if (facts) sessions.push(facts);
  }
  return { sessions, more: false };
}

/** @throws Failure `invalid_input` for a text that is no id, `not_found` */
export async function sessionById({ audit }: Pick<StateFolder, "audit">, id: string): Promise<SessionFacts> {
  if (!isSegmentId(id))
    throw new Failure("invalid_input", `Cannot find the session "${id.slice(0, 80)}": that is no id of a session`, {
      hint: "An id looks like 20261123T093000000Z-a1B2c3D4. sessions_list and `ringfence sessions` list them.",
    });
  const found = findSessions(audit).find((one) => one.id === id);
  const facts = found && (await readSession(audit, found));
  if (facts) return facts;
  throw new Failure("not_found", `Cannot find the session "${id}": it is not on record`, {
    hint: "sessions_list and `ringfence sessions` list those that are.",
  });
}
