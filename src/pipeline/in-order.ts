/**
 * The order of calls: which targets decide it for a call, and the methods about proposals and the history, which take part in it.
 */
import { EFFECTS } from "../policy/index.ts";
import type { Caller, Work } from "./call.ts";
import type { Services } from "./services.ts";

/**
 * Does the work in its turn. Every later call waits for a `change`; a `look` sees what earlier calls change, and later ones
 * that touch no files of theirs need not wait for it.
 *
 * @param work gets a function that lets later calls pass before the end
 */
export async function inOrder<T>(
  host: Services,
  caller: Caller,
  kind: "change" | "look",
  work: (leave: () => void) => Promise<T>,
): Promise<T> {
  const turn = caller.turn ?? host.order.arrive();
  try {
    turn.enter("all", kind === "change");
    await turn.ready;
    return await work(() => turn.leave());
  } finally {
    turn.leave();
  }
}

/** The targets that a call is ordered by. A search of the whole memory names no note, so it waits for every earlier change. */
export function touchedBy({ tool, targets }: Work): Work["targets"] {
  if (targets === "all" || tool.remembers !== true || !EFFECTS[tool.effect].onlyReads) return targets;
  return targets.some(({ kind }) => kind === "record") ? targets : "all";
}
