/**
 * What becomes of a wish: the desk decides, and the state says what came of it. Nothing here asks anything; whoever wished has
 * been asked.
 */
import { Failure, failureText, nowMs, reportBug, toFailure } from "../../base/index.ts";
import {
  batchOf,
  grantedInWords,
  groupQueue,
  historyEntries,
  lastOwn,
  staleLines,
  type BatchMember,
  type RuleSheet,
} from "../../review/index.ts";
import type { ReviewDesk } from "../review/review-desk.ts";
import { diffRowSpans } from "./draw/draw-diff.ts";
import { span } from "./draw/spans.ts";
import { keyFor } from "./keys/keymap.ts";
import { openEditor } from "./open-editor.ts";
import {
  listedOf,
  READING,
  withLines,
  type OpenProposal,
  type ScreenMessage,
  type ScreenState,
  type ScreenWish,
  type StateChange,
} from "./screen-state.ts";

/** What a wish needs besides the desk. */
export interface Means {
  readonly desk: ReviewDesk;
  /** Gives the terminal away while the work runs. */
  readonly away: (work: () => Promise<void>) => Promise<void>;
  readonly redraw: () => void;
}

type Changes = StateChange;

export async function carryOut(wish: ScreenWish, state: ScreenState, means: Means): Promise<Changes> {
  const { desk } = means;
  switch (wish.kind) {
    case "apply": {
      const { review, choices } = wish.open;
      const done = await desk.apply(review, choices);
      if (done.status === "approved") return said("Approved; the host that waits makes the call.");
      const own = new Set(state.own).add(done.transaction);
      return { own, ...said(`Applied: ${done.summary ?? review.summary}; ${keyFor(state, "undo")} takes it back.`) };
    }
    case "reject": {
      const { review, choices } = wish.open;
      const { summary } = await desk.reject(review, wish.reason, choices.comments);
      return said(`Rejected: ${summary}`);
    }
    case "offer-batch":
      return await offerBatch(state, desk);
    case "batch":
      return await applyBatch(wish.batch, state, desk);
    case "history":
      return await showHistory(state, desk);
    case "offer-undo":
      return await offerUndo(wish.transaction, state, desk);
    case "undo": {
      const { summary } = await desk.undo(wish.transaction, false);
      return said(`Taken back: ${summary}`);
    }
    case "cover":
      return await coverRule(wish.sheet, desk);
    case "grant":
      return said(grantedInWords(wish.sheet, await desk.grant(wish.sheet)));
    case "compare":
      return await compareFiles(wish.open, desk);
    case "look":
      await means.away(async () => await openEditor(wish.path, wish.line));
      return {};
    case "edit":
      return await editText(wish, state, means);
    case "around":
      return await showAround(wish, state, desk);
    case "stop":
      await means.away(stopHere);
      return {};
    case "redraw":
      means.redraw();
      return {};
    case "leave":
      return {};
  }
}

function said(text: string, isWarning = false): { readonly message: ScreenMessage } {
  return { message: { text, isWarning } };
}

/** The shell gets the terminal until it lets this process go on. */
function stopHere(): Promise<void> {
  process.kill(process.pid, "SIGSTOP");
  return Promise.resolve();
}

async function offerBatch(state: ScreenState, desk: ReviewDesk): Promise<Changes> {
  const groups = groupQueue(listedOf(state), nowMs());
  const group = groups.find(({ entries }) => entries.some(({ id }) => id === state.selected));
  if (!group) return said("Nothing waits.");
  const looked = new Map<string, BatchMember>();
  for (const { id, risk } of group.entries)
    if (risk <= "R2") {
      const review = await desk.load(id);
      const choices = state.open?.review.label === review.label ? state.open.choices : desk.draft(review);
      looked.set(id, { review, choices });
    }
  const batch = batchOf(group.entries, (id) => looked.get(id));
  const title = (id: string): string => group.entries.find((entry) => entry.id === id)?.title ?? id;
  if (batch.taken.length === 0)
    return said("Nothing of this group is ordinary and seen whole: each is decided by itself.", true);
  const lines = [
    ...batch.taken.map(({ review }) => `apply   ${review.risk} ${review.summary}`),
    ...batch.left.map(({ id, why }) => `waits   ${title(id)}: ${why}`),
  ];
  const question = `Apply ${batch.taken.length} of ${group.entries.length} proposals?`;
  return { mode: { kind: "confirm", title: question, lines, top: 0, wish: { kind: "batch", batch } } };
}

async function applyBatch({ taken }: WishOf<"batch">["batch"], state: ScreenState, desk: ReviewDesk): Promise<Changes> {
  const own = new Set(state.own);
  const failed: string[] = [];
  for (const { review, choices } of taken)
    try {
      const done = await desk.apply(review, choices);
      if (done.status === "applied") own.add(done.transaction);
    } catch (thrown) {
      failed.push(`${review.summary}: ${failureText(toFailure(thrown, () => reportBug(thrown)).data)}`);
    }
  const words = `Applied ${taken.length - failed.length} of ${taken.length} proposals.`;
  return { own, ...said([words, ...failed].join(" "), failed.length > 0) };
}

async function showHistory(state: ScreenState, desk: ReviewDesk): Promise<Changes> {
  const entries = historyEntries(await desk.history(), state.own, nowMs());
  return { mode: { kind: "history", entries, at: 0 } };
}

async function offerUndo(given: string | undefined, state: ScreenState, desk: ReviewDesk): Promise<Changes> {
  const known = historyEntries(await desk.history(), state.own, nowMs());
  const transaction = given ?? lastOwn(known)?.transaction;
  if (transaction === undefined)
    return said(
      `Nothing was applied in this review that could be taken back; ${keyFor(state, "history")} shows the history.`,
    );
  const { canUndo, error, summary, diff = "" } = await desk.undo(transaction, true);
  if (!canUndo)
    return { mode: READING, ...said(`It cannot be taken back: ${error ?? "its files have changed"}`, true) };
  const lines = diff.trimEnd().split("\n");
  return {
    mode: { kind: "confirm", title: `Take this back? ${summary}`, lines, top: 0, wish: { kind: "undo", transaction } },
  };
}

async function editText(
  { open, path, line }: WishOf<"edit">,
  state: ScreenState,
  { desk, away }: Means,
): Promise<Changes> {
  const { review, choices } = open;
  const id = await desk.edit(
    review,
    choices,
    path,
    async (file) => await away(async () => await openEditor(file, line)),
  );
  if (id === undefined) return said("You changed nothing.");
  const text = `This is your proposal, beside that of the agent: ${keyFor(state, "apply")} applies it, and answers the agent with what you changed.`;
  return { selected: id, open: undefined, mode: READING, ...said(text) };
}

type WishOf<Kind> = Extract<ScreenWish, { kind: Kind }>;

/** The text is fetched once; what the reader did meanwhile stays. */
async function showAround(
  { open, path, count }: WishOf<"around">,
  state: ScreenState,
  desk: ReviewDesk,
): Promise<Changes> {
  const known = state.open?.around.get(path)?.lines;
  const lines = known ?? linesOf(await desk.text(open.review, path));
  return ({ open: now }) => {
    if (now?.review.label !== open.review.label) return {};
    const around = new Map(now.around).set(path, { lines, count });
    const words =
      count === Infinity
        ? `the whole file; ${keyFor(state, "whole")} shows its changes`
        : `${count} more lines around each hunk`;
    return { open: withLines(now, { around }), ...said(words) };
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** A rule that cannot be read is told on its sheet. */
async function coverRule(sheet: RuleSheet, desk: ReviewDesk): Promise<Changes> {
  try {
    return { mode: { kind: "rule", sheet: { ...sheet, coverage: await desk.cover(sheet) } } };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { mode: { kind: "rule", sheet: { ...sheet, problem: thrown.message } } };
  }
}

async function compareFiles({ review }: OpenProposal, desk: ReviewDesk): Promise<Changes> {
  const files = await desk.compare(review);
  if (files.length === 0) return said("Its files are what they were when it was made.");
  const lines = staleLines(files).map((line) =>
    line.kind === "head" ? [span(line.text, "file")] : diffRowSpans(line.row),
  );
  return { mode: { kind: "sheet", title: "Old, new and now", lines, top: 0 } };
}
