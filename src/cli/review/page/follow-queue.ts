/**
 * What waits, told to the page as it changes: at once by name, and then with the lines of each, for which its files have to be
 * looked at, a few at a time.
 */
import { nowMs } from "../../../base/index.ts";
import type { ListedProposal } from "../../../calls/index.ts";
import type { QueueItem } from "../../../page/index.ts";
import { groupQueue, nameOfGroup } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

export interface FollowOptions {
  readonly desk: ReviewDesk;
  /** The review ends when nothing waits. */
  readonly once: boolean;
}

/** @returns why it ended; never without `once` */
export async function followQueue(
  { desk, once }: FollowOptions,
  tell: (queue: readonly QueueItem[]) => void,
): Promise<string> {
  let told = "";
  const look = async (): Promise<boolean> => {
    const items = itemsOf(await desk.list());
    const text = JSON.stringify(items);
    if (text !== told) tell(items);
    told = text;
    return items.length > 0;
  };
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _ = desk.onLook(resolve);
    const isWaiting = await look();
    if (once && !isWaiting) return "nothing waits";
    while (await desk.checkSome()) await look();
    await promise;
  }
}

/** In the order of the groups. Nothing in it commands or hides, wherever it is shown. */
function itemsOf(proposals: readonly ListedProposal[]): QueueItem[] {
  const times = new Map(proposals.map(({ id, createdAt, expiresAt }) => [id, { createdAt, expiresAt }]));
  return groupQueue(proposals, nowMs()).flatMap((group) =>
    group.entries.map((entry): QueueItem => {
      const { id, title, tool, risk, isCall, paths, added, removed, problem } = entry;
      const { createdAt = "", expiresAt = "" } = times.get(id) ?? {};
      return {
        id,
        title: escapeLine(title),
        tool,
        risk,
        isCall,
        group: escapeLine(nameOfGroup(group)),
        createdAt,
        expiresAt,
        paths: paths.slice(0, MAX_PATHS).map((path) => escapeLine(path)),
        ...(added === undefined ? {} : { added }),
        ...(removed === undefined ? {} : { removed }),
        ...(problem === undefined ? {} : { problem: escapeLine(problem) }),
      };
    }),
  );
}

/** The list names a few; the proposal itself shows all. */
const MAX_PATHS = 20;
