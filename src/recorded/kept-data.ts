/**
 * What a session keeps of its own besides the record, and how that is deleted: its calls with their arguments (`keep_calls`), and
 * the outputs that were too long for an answer. The record, proposals, journals, undo, first answers and grants are nobody's to
 * delete here, because changes and their proof depend on them.
 */
import type { SessionFacts } from "../audit/index.ts";
import { Failure } from "../base/index.ts";
import { SessionStore, SpillStore, type StateFolder } from "../state/index.ts";

export interface KeptData {
  readonly calls_bytes: number;
  /** How many outputs are still there. */
  readonly outputs: number;
}

export interface DeletedSession extends KeptData {
  readonly id: string;
}

export function keptOf({ path }: Pick<StateFolder, "path">, { id, outputs }: SessionFacts): KeptData {
  const spilled = new SpillStore(path);
  return {
    calls_bytes: new SessionStore(path).size(id),
    outputs: outputs.filter((output) => spilled.has(output)).length,
  };
}

/** @throws Failure `busy` for a session that has not ended */
export function refuseRunning({ id, state }: SessionFacts): void {
  if (state !== "running") return;
  throw new Failure("busy", `Cannot delete the session "${id}": it is still running`, {
    hint: "It can be deleted when its host has ended.",
  });
}

/** @throws Failure `busy` for a session that has not ended */
export function deleteSession(folder: Pick<StateFolder, "path">, session: SessionFacts): DeletedSession {
  refuseRunning(session);
  const { id, outputs } = session;
  const kept = keptOf(folder, session);
  new SessionStore(folder.path).remove(id);
  const spilled = new SpillStore(folder.path);
  for (const output of outputs) spilled.remove(output);
  return { id, ...kept };
}
