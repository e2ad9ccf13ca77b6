/**
 * The methods about proposals and the history in the order of calls.
 */
import type { Services } from "./services.ts";

/** @param leave lets later calls pass before the end */
type Work<T> = (leave: () => void) => Promise<T>;

/** What is applied is seen by every later call. */
export async function changeInOrder<T>(host: Services, work: Work<T>): Promise<T> {
  return await inOrder(host, true, work);
}

/** What earlier calls apply is seen; later ones that touch no files of theirs need not wait. */
export async function lookInOrder<T>(host: Services, work: Work<T>): Promise<T> {
  return await inOrder(host, false, work);
}

async function inOrder<T>(host: Services, exclusive: boolean, work: Work<T>): Promise<T> {
  // Calls that came earlier wait for the same promise, and so enter the order before this.
  if (!host.loadedRegistry) await host.registry();
  const turn = host.order.enter("all", exclusive);
  try {
    await turn.ready;
    return await work(() => turn.leave());
  } finally {
    turn.leave();
  }
}
