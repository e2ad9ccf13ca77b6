/**
 * What `await_review` tells: the decisions about proposals of this process. A call that a person approved meanwhile is made
 * once, and its answer belongs to the news.
 */
import type { ReviewNews, ReviewsApi } from "../../contract/index.ts";
import type { DecidedProposal } from "../../jobs/index.ts";
import type { Call } from "../call.ts";
import type { Ending } from "../../state/index.ts";
import { changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { makeApproved } from "./late-approvals.ts";
import { awaitDecisions, noteEnding, wordsOf } from "./review.ts";

/** The answer comes before the call's own time is over. */
const MARGIN_MS = 500;

export async function awaitNews(
  host: Services,
  call: Call,
  { ids: named, waitMs }: Parameters<ReviewsApi["wait"]>[0],
): Promise<readonly ReviewNews[]> {
  const ids = named ?? [...host.proposed.made.keys(), ...(await undecided(host))];
  if (ids.length === 0) return [];
  const most = host.policy.budget.timeoutMs(Infinity) - MARGIN_MS;
  const leftMs = Math.max(0, Math.min(waitMs, most));
  const endsMs = host.clock.monotonicMs() + leftMs;
  const decided = await awaitDecisions(host, call, { ids, waitMs: leftMs });
  const news: ReviewNews[] = [];
  for (const id of ids) news.push(await newsOf(host, { call, endsMs }, { id, decided }));
  return news;
}

/** Ends, without anything, when the time is over. */
async function inTime({ clock }: Services, endsMs: number): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  clock.after(Math.max(0, endsMs - clock.monotonicMs()), () => resolve(undefined)).unref();
  return await promise;
}

async function newsOf(
  host: Services,
  { call, endsMs }: { readonly call: Call; readonly endsMs: number },
  { id, decided }: { readonly id: string; readonly decided: readonly DecidedProposal[] },
): Promise<ReviewNews> {
  const { made, awaited } = host.proposed;
  const now = made.has(id) ? undefined : await stateNow(host, id, decided);
  if (now && "ending" in now) return endingNews(host, now.ending);
  // A call that waits for the approval makes it itself.
  if (now && !awaited.has(id)) makeApproved(host, now.approved.label);
  const news = made.get(id);
  if (!news) return waits(host, id);
  const told = await Promise.race([news, inTime(host, endsMs)]);
  if (!told) return { id, status: "waiting", text: "A person approved the call, and it is being made." };
  // Who gave up has not heard of it.
  if (!call.signal.aborted) host.proposed.forgetMade(id);
  return told;
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
  const { awaited, made } = host.proposed;
  return ids.filter((id) => !ended.has(id) && !awaited.has(id) && !made.has(id));
}

function waits(host: Services, id: string): ReviewNews {
  const summary = host.proposed.get(id)?.view.summary;
  return { id, status: "waiting", text: `Nobody has decided yet${summary === undefined ? "" : `: ${summary}`}.` };
}

function endingNews(host: Services, ending: Ending): ReviewNews {
  noteEnding(host, ending);
  const { id, outcome, reason, summary = host.proposed.get(id)?.view.summary } = ending;
  const what = summary === undefined ? "" : `: ${summary}`;
  const why = outcome === "rejected" && reason !== undefined ? [`Reason: ${reason}`] : [];
  return { id, status: outcome, text: [`${HEADS[outcome]}${what}.`, ...why, ...wordsOf(ending)].join("\n") };
}

const HEADS = {
  applied: "A person approved it, and it is applied",
  rejected: "A person rejected it",
  expired: "It expired before a person decided",
} as const;
