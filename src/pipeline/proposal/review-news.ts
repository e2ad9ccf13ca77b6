/**
 * What `await_review` tells: the decisions about proposals of this process. A call that a person approved meanwhile is made
 * here, once, and its answer belongs to the news.
 */
import type { ReviewNews, ReviewsApi } from "../../contract/index.ts";
import { toFailure, reportBug } from "../../base/index.ts";
import type { DecidedProposal } from "../../jobs/index.ts";
import type { Call } from "../call.ts";
import { changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { approveInOrder } from "./apply.ts";
import { awaitDecisions, noteEnding, wordsOf } from "./review.ts";

/** The answer comes before the call's own time is over. */
const MARGIN_MS = 500;

export async function awaitNews(
  host: Services,
  call: Call,
  { ids: named, waitMs }: Parameters<ReviewsApi["wait"]>[0],
): Promise<readonly ReviewNews[]> {
  const ids = named ?? (await undecided(host));
  if (ids.length === 0) return [];
  const most = host.policy.budget.timeoutMs(Infinity) - MARGIN_MS;
  const decided = await awaitDecisions(host, call, { ids, waitMs: Math.max(0, Math.min(waitMs, most)) });
  const news: ReviewNews[] = [];
  for (const id of ids) {
    const now = await stateNow(host, id, decided);
    // A call that waits for the approval makes it itself.
    const isOthers = now !== undefined && "approved" in now && host.proposed.awaited.has(id);
    news.push(now && !isOthers ? await newsOf(host, call, now) : waits(host, id));
  }
  return news;
}

/** What was seen as approved may have been made since, by a call that waited for it; then there is an ending by now. */
async function stateNow(
  host: Services,
  id: string,
  seen: readonly DecidedProposal[],
): Promise<DecidedProposal | undefined> {
  const found = seen.find((one) => one.id === id);
  if (found === undefined || "ending" in found) return found;
  const { decided } = await changeJob(host, "decisions", { ids: [id] });
  return decided.find((one) => one.id === id);
}

async function undecided(host: Services): Promise<readonly string[]> {
  const ids = Object.keys(host.proposed.all());
  const { decided } = await changeJob(host, "decisions", { ids });
  const ended = new Set(decided.flatMap((one) => ("ending" in one ? [one.id] : [])));
  return ids.filter((id) => !ended.has(id) && !host.proposed.awaited.has(id));
}

function waits(host: Services, id: string): ReviewNews {
  const summary = host.proposed.get(id)?.view.summary;
  return { id, status: "waiting", text: `Nobody has decided yet${summary === undefined ? "" : `: ${summary}`}.` };
}

async function newsOf(host: Services, call: Call, decided: DecidedProposal): Promise<ReviewNews> {
  const { id } = decided;
  if ("approved" in decided) return await made(host, call, id, decided.approved.label);
  const { ending } = decided;
  noteEnding(host, ending);
  const { outcome, reason, summary = host.proposed.get(id)?.view.summary } = ending;
  const what = summary === undefined ? "" : `: ${summary}`;
  const why = outcome === "rejected" && reason !== undefined ? [`Reason: ${reason}`] : [];
  return { id, status: outcome, text: [`${HEADS[outcome]}${what}.`, ...why, ...wordsOf(ending)].join("\n") };
}

const HEADS = {
  applied: "A person approved it, and it is applied",
  rejected: "A person rejected it",
  expired: "It expired before a person decided",
} as const;

/** The call that a person approved. */
async function made(host: Services, call: Call, id: string, label: string): Promise<ReviewNews> {
  host.proposed.awaited.add(id);
  try {
    const { members } = await approveInOrder(host, label, {}, call);
    const { content = [] } = JSON.parse(`{${members}}`) as { content?: readonly { readonly text?: string }[] };
    const text = content.flatMap((block) => block.text ?? []).join("\n");
    return { id, status: "applied", text: `A person approved the call. It answered:\n${text}` };
  } catch (thrown) {
    const { message, hint } = toFailure(thrown, () => reportBug(thrown)).data;
    return { id, status: "failed", text: `A person approved the call, and it failed: ${message}\n${hint}` };
  } finally {
    host.proposed.awaited.delete(id);
  }
}
