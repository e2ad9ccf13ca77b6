/**
 * What every form of a review does with a host: what waits, one proposal whole, and the decision. While a desk is open the
 * reviewer is attached, and drafts are on disk.
 */
import { Failure } from "../../base/index.ts";
import { parseLabel } from "../../approval/index.ts";
import type {
  AppliedProposal,
  Grant,
  ListedProposal,
  PassedProposal,
  RejectedProposal,
  ReviewComment,
  RuleCoverage,
  Transaction,
  Undone,
} from "../../calls/index.ts";
import type { Host } from "../../host/index.ts";
import {
  grantParams,
  loadReview,
  noChoices,
  partsOf,
  readStale,
  type AskMethods,
  type ProposalReview,
  type ReviewChoices,
  type RuleSheet,
  type StaleFile,
} from "../../review/index.ts";
import { EditFiles, openStateFolder, ProposalWatch, ReviewBoard } from "../../state/index.ts";
import { askHost } from "../open-host.ts";
import { editing } from "./edit-proposal.ts";
import { WaitingList } from "./waiting-list.ts";

export interface ReviewDesk extends Disposable {
  readonly stateDir: string;
  /** Whether calls wait for this reviewer; they do from the start. */
  attend(isThere: boolean): void;
  /** Gives what waits, oldest first. */
  list(): Promise<readonly ListedProposal[]>;
  /** Gives the ids of what waits, oldest first. */
  ids(): Promise<readonly string[]>;
  /** Ends when something waits that is not among these, or was decided; at once when `stop` says so. */
  change(known: readonly string[], stop: () => boolean): Promise<readonly string[]>;
  /** Calls back after something may have changed. @returns what takes the listener off */
  onLook(listener: () => void): Disposable;
  /** Looks up how many lines some proposals change. @returns whether there were any */
  checkSome(): Promise<boolean>;
  load(id: string): Promise<ProposalReview>;
  /** The choices that were made before about what has this digest. */
  draft(review: ProposalReview): ReviewChoices;
  keep(review: ProposalReview, choices: ReviewChoices): void;
  /** @throws Failure `stale`, `conflict`, and for choices that leave nothing `invalid_input` */
  apply(review: ProposalReview, choices: ReviewChoices): Promise<AppliedProposal | PassedProposal>;
  /** The whole text of a file as it would be written. */
  text(review: ProposalReview, path: string): Promise<string>;
  /**
   * Gives a person the text of a file with what is in, and makes a proposal of what they make of it.
   * @param edit ends when they are done. @returns `undefined` when they changed nothing
   */
  edit(review: ProposalReview, choices: ReviewChoices, path: string, edit: EditText): Promise<string | undefined>;
  reject(review: ProposalReview, reason: string, comments: readonly ReviewComment[]): Promise<RejectedProposal>;
  /** The changes that were made, newest first. */
  history(): Promise<readonly Transaction[]>;
  /** The files of a proposal that have changed since it was made. */
  compare(review: ProposalReview): Promise<readonly StaleFile[]>;
  /** What a rule would have allowed. @throws Failure `invalid_input` for a rule that cannot be read */
  cover(sheet: RuleSheet): Promise<RuleCoverage>;
  grant(sheet: RuleSheet): Promise<Grant>;
  /** @throws Failure for a change that cannot be taken back */
  undo(transaction: string, isDryRun: boolean): Promise<Undone>;
}

/** @param path of a file that a person may change until the promise is kept; its failure ends the edit */
export type EditText = (path: string) => Promise<void>;

/** Through what a person decides, as the record names it; whoever gives none records decisions by itself. */
export type ReviewedBy = "terminal" | "client";

export function openReviewDesk(host: Host, by?: ReviewedBy): ReviewDesk {
  const folder = openStateFolder(host.config.stateDir);
  const board = new ReviewBoard(folder.review);
  const seat = takeSeat(board);
  const watch = new ProposalWatch(folder.proposals);
  const texts = new EditFiles(folder.review);
  texts.sweep(watch.waiting());
  const ask: AskMethods = async (method, params) => await askHost(host, method, params);
  const waiting = new WaitingList(watch, ask);
  const note = (decision: string, about: object): void => {
    if (by !== undefined) host.audit.record("reviewed", { by, ...about, decision });
  };
  if (by !== undefined) host.audit.record("review_started", { by });
  const ids = async (): Promise<readonly string[]> => (await waiting.look()).map(({ id }) => id);
  return {
    stateDir: host.config.stateDir,
    attend: (isThere) => seat.attend(isThere),
    list: async () => await waiting.look(),
    ids,
    change: async (known, stop) => await untilOther(watch, ids, known, stop),
    onLook: (listener) => watch.onLook(listener),
    checkSome: async () => await waiting.checkSome(),
    async load(id) {
      const { client, session, why, edits } = waiting.get(parseLabel(id).id) ?? {};
      return await loadReview(ask, id, client, { session, why, edits });
    },
    draft({ id, label }) {
      const kept = board.draft(id) as ReviewChoices | undefined;
      return kept?.label === label ? kept : noChoices(label);
    },
    keep: ({ id }, choices) => board.keepDraft(id, choices),
    ...editing(ask, board, texts, note),
    async apply({ id, label, isCall, files, edits }, choices) {
      note("apply", { proposal: id, label });
      const done = isCall
        ? await ask("ringfence/proposals/approve", { id: label })
        : await applyParts(host, label, partsOf(choices, files));
      for (const over of [id, ...(edits === undefined ? [] : [edits])]) board.keepDraft(over, undefined);
      return done;
    },
    async reject({ id, label }, reason, comments) {
      note("reject", { proposal: id, label });
      const said = comments.length === 0 ? {} : { comments };
      const words = { ...(reason === "" ? {} : { reason }), ...said };
      const rejected = await ask("ringfence/proposals/reject", { id, ...words });
      board.keepDraft(id, undefined);
      return rejected;
    },
    ...lookups(ask),
    async undo(transaction, isDryRun) {
      if (!isDryRun) note("undo", { transaction });
      return await ask("ringfence/history/undo", { transaction, dry_run: isDryRun });
    },
    [Symbol.dispose]() {
      watch[Symbol.dispose]();
      seat.attend(false);
    },
  };
}

/** Calls wait while somebody sits there, which is so from the start. */
function takeSeat(board: ReviewBoard): Pick<ReviewDesk, "attend"> {
  let taken: Disposable | undefined = board.attach();
  return {
    attend(isThere) {
      if (isThere) taken ??= board.attach();
      else {
        taken?.[Symbol.dispose]();
        taken = undefined;
      }
    },
  };
}

/** Ends when others wait than those that are known; at once when `stop` says so. */
async function untilOther(
  watch: ProposalWatch,
  ids: () => Promise<readonly string[]>,
  known: readonly string[],
  stop: () => boolean,
): Promise<readonly string[]> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _ = watch.onLook(resolve);
    const now = await ids();
    const isOther = now.length !== known.length || now.some((id, index) => id !== known[index]);
    if (isOther || stop()) return now;
    await promise;
  }
}

function lookups(ask: AskMethods): Pick<ReviewDesk, "compare" | "cover" | "grant" | "history"> {
  return {
    compare: async ({ id }) => readStale((await ask("ringfence/proposals/compare", { id })).files),
    cover: async ({ rule, roots }) => await ask("ringfence/grants/preview", { rule, roots: [...roots] }),
    grant: async (sheet) => (await ask("ringfence/grants/add", grantParams(sheet))).grant,
    history: async () => (await ask("ringfence/history/list", {})).transactions,
  };
}

async function applyParts(host: Host, id: string, parts: ReturnType<typeof partsOf>): Promise<AppliedProposal> {
  if (parts === "nothing")
    throw new Failure("invalid_input", "Cannot apply the proposal: all of it is left out", {
      hint: "Take a part of it in again, or reject it.",
    });
  return (await askHost(host, "ringfence/proposals/apply", { id, ...parts })) as AppliedProposal;
}
