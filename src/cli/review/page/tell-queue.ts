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
  /** What stands against a proposal that was looked at. */
  noteProblem(id: string, problem: string | undefined): void;
}

export function createQueueTeller(desk: ReviewDesk, tell: (queue: readonly QueueItem[]) => void): QueueTeller {
  const problems = new Map<string, string | undefined>();
  let told = "";
  const look = async (): Promise<boolean> => {
    const proposals = await desk.list();
    const items = itemsOf(proposals.map((one) => withProblem(one, problems)));
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
      problems.set(id, problem);
      void look();
    },
  };
}

function withProblem(proposal: ListedProposal, problems: ReadonlyMap<string, string | undefined>): ListedProposal {
  if (!problems.has(proposal.id)) return proposal;
  const { problem: _, ...others } = proposal;
  const problem = problems.get(proposal.id);
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
