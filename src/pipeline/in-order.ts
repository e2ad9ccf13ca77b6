/**
 * The methods about proposals and the history, in the order of calls.
 */
import type { Caller } from "./call.ts";
import type { Services } from "./services.ts";

/** @param leave lets later calls pass before the end */
type Work<T> = (leave: () => void) => Promise<T>;

/** Every later call sees what is applied here. */
export async function changeInOrder<T>(host: Services, caller: Caller, work: Work<T>): Promise<T> {
  return await inOrder(host, caller, true, work);
}

/** The work sees what earlier calls apply; later ones that touch no files of theirs need not wait. */
export async function lookInOrder<T>(host: Services, caller: Caller, work: Work<T>): Promise<T> {
  return await inOrder(host, caller, false, work);
}

async function inOrder<T>(host: Services, caller: Caller, exclusive: boolean, work: Work<T>): Promise<T> {
  const turn = caller.turn ?? host.order.arrive();
  try {
    turn.enter("all", exclusive);
    await turn.ready;
    return await work(() => turn.leave());
  } finally {
    turn.leave();
  }
}
