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

export interface QueueTeller {
  /** @returns why it ended; never without `once`, which ends it when nothing waits */
  follow(once: boolean): Promise<string>;
  /** What stands against a proposal that was looked at; told at once when it is something else than before. */
  noteProblem(id: string, problem: string | undefined): void;
}

export function createQueueTeller(desk: ReviewDesk, tell: (queue: readonly QueueItem[]) => void): QueueTeller {
  // What was noted is newer than what the list has found, until the list looks once more and has something else for it.
  const noted = new WeakMap<ListedProposal, string | undefined>();
  let told = "";
  const look = async (): Promise<boolean> => {
    const proposals = await desk.list();
    const items = itemsOf(proposals.map((one) => (noted.has(one) ? withProblem(one, noted.get(one)) : one)));
    const text = JSON.stringify(items);
    if (text !== told) tell(items);
    told = text;
    return items.length > 0;
  };
  return {
    async follow(once) {
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<void>();
        using _ = desk.onLook(resolve);
        const isWaiting = await look();
        if (once && !isWaiting) return "nothing waits";
        while (await desk.checkSome()) await look();
        await promise;
      }
    },
    noteProblem(id, problem) {
      const note = async (): Promise<void> => {
        const listed = (await desk.list()).find((one) => one.id === id);
        if (listed) noted.set(listed, problem);
        await look();
      };
      // Where the list cannot be read, `follow` meets the same failure and ends by it.
      note().catch(() => undefined);
    },
  };
}

function withProblem(proposal: ListedProposal, problem: string | undefined): ListedProposal {
  const { problem: _, ...others } = proposal;
  return problem === undefined ? others : { ...others, problem };
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
