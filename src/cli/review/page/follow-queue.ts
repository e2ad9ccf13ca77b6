/**
 * What waits, told to the page as it changes: at once by name, and a moment later with the lines of each, for which its files
 * have to be looked at.
 */
import type { ListedProposal } from "../../../calls/index.ts";
import type { QueueItem } from "../../../page/index.ts";
import { escapeLine } from "../../../text/index.ts";
import { askHost } from "../../open-host.ts";
import type { PageOptions } from "./review-on-page.ts";

type Counts = Pick<ListedProposal, "added" | "removed" | "problem">;

/** @returns why it ended; never without `once` */
export async function followQueue(
  { host, desk, once }: PageOptions,
  tell: (queue: readonly QueueItem[]) => void,
): Promise<string> {
  let known: readonly string[] = [];
  let counts: ReadonlyMap<string, Counts> = new Map();
  for (;;) {
    const { proposals } = await askHost(host, "ringfence/proposals/list", {});
    tell(proposals.map((one) => itemOf(one, counts.get(one.id))));
    known = proposals.map(({ id }) => id);
    if (known.some((id) => !counts.has(id))) {
      const checked = await askHost(host, "ringfence/proposals/list", { check: true });
      counts = new Map(checked.proposals.map((one) => [one.id, one]));
      tell(checked.proposals.map((one) => itemOf(one, one)));
      known = checked.proposals.map(({ id }) => id);
    }
    if (once && known.length === 0) return "nothing waits";
    await desk.change(known, () => false);
  }
}

/** Nothing in it commands or hides, wherever it is shown. */
function itemOf(proposal: ListedProposal, counts: Counts = {}): QueueItem {
  const { id, tool, risk, createdAt, expiresAt, change, client = "", paths } = proposal;
  const { added, removed, problem } = counts;
  return {
    id,
    tool,
    risk,
    createdAt,
    expiresAt,
    change: escapeLine(change),
    client: escapeLine(client),
    paths: paths.slice(0, MAX_PATHS).map((path) => escapeLine(path)),
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
    ...(problem === undefined ? {} : { problem: escapeLine(problem) }),
  };
}

/** The list names a few; the proposal itself shows all. */
const MAX_PATHS = 20;
