/**
 * What the server of the page and the reviewer that started it say to each other, in lines of JSON over a pipe. The server
 * has no file and no network but its port; everything that it shows it asks for, and everything that is decided is asked of
 * the reviewer, with the digest of what was shown.
 *
 * The reviewer believes nothing of what the server says: each ask has a schema. Bounds are those of the methods behind them.
 */
import * as z from "zod";
import { limits, type FailureData } from "../base/index.ts";
import type { ProposalImage, ReviewComment } from "../calls/index.ts";
import type {
  BareHunk,
  GrantLifetime,
  HistoryEntry,
  ProposalReview,
  QueueEntry,
  ReviewChoices,
  ReviewedFile,
} from "../review/index.ts";
import type { PageAssets } from "./bundle-page.ts";

/** The first line, which starts the server. */
export interface PageOrder {
  readonly port: number;
  /** SHA-256 of the capability, in hex: the server can check it and cannot give it away. */
  readonly capability: string;
  /** SHA-256 of the one-time code of the launch file. */
  readonly code: string;
  readonly assets: PageAssets;
  /** After so long without a page the server ends. */
  readonly idleMs: number;
}

const MAX_PATH_CHARS = 4096;
const MAX_FILES = 100_000;
const label = z.string().min(1).max(200);
const path = z.string().max(MAX_PATH_CHARS);
const places = z.array(z.string().max(40)).max(MAX_FILES);

const comment = z.strictObject({
  path: path.optional(),
  line: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
  side: z.enum(["before", "after"]).optional(),
  quote: z.string().max(limits.MAX_COMMENT_CHARS).optional(),
  text: z.string().min(1).max(limits.MAX_COMMENT_CHARS),
});
const comments = z.array(comment).max(limits.MAX_COMMENTS);

/** By the name of an ask: what it is about. */
export interface PageAsks {
  /** `known`: the label of what the server has of it. */
  readonly load: { readonly id: string; readonly known?: string | undefined };
  readonly keep: { readonly choices: ReviewChoices };
  /** `unseen`: the person was told that parts were never on the screen, and wants to go on. */
  readonly apply: { readonly label: string; readonly choices: ReviewChoices; readonly unseen: boolean };
  readonly reject: { readonly label: string; readonly reason: string; readonly comments: readonly ReviewComment[] };
  /** The images of a proposal. */
  readonly images: { readonly label: string };
  /** What of the group of a proposal can be applied together. */
  readonly batch: { readonly id: string };
  /** These, as they were offered last. */
  readonly together: { readonly labels: readonly string[] };
  /** The sheet of a rule that would settle a proposal; without a rule the narrowest. */
  readonly rule: {
    readonly id: string;
    readonly rule?: string | undefined;
    readonly lifetime?: GrantLifetime | undefined;
  };
  /** Grants what a sheet has shown. */
  readonly grant: { readonly id: string; readonly rule: string; readonly lifetime: GrantLifetime };
  readonly history: object;
  /** `dryRun`: only what it would do. Without a transaction: what was applied last on this page. */
  readonly undo: { readonly transaction?: string | undefined; readonly dryRun: boolean };
  /** The last so many hours. */
  readonly record: { readonly hours: number };
  readonly policy: object;
}

export type PageAskName = keyof PageAsks;

const choices = z.strictObject({
  label,
  out: z.record(path, z.union([z.literal("all"), places])),
  comments,
  seen: z.record(path, z.array(z.int().min(1)).max(MAX_FILES)),
});
const lifetime = z.enum(["host", "hour", "roots"]);
const rule = z.string().min(1).max(MAX_PATH_CHARS);
const MAX_HOURS: number = 24 * 14;

export const PAGE_ASKS: { readonly [Name in PageAskName]: z.ZodType<PageAsks[Name]> } = {
  load: z.strictObject({ id: label, known: label.optional() }),
  keep: z.strictObject({ choices }),
  apply: z.strictObject({ label, choices, unseen: z.boolean() }),
  reject: z.strictObject({ label, reason: z.string().max(limits.MAX_REASON_CHARS), comments }),
  images: z.strictObject({ label }),
  batch: z.strictObject({ id: label }),
  together: z.strictObject({ labels: z.array(label).min(1).max(limits.MAX_PROPOSALS) }),
  rule: z.strictObject({ id: label, rule: rule.optional(), lifetime: lifetime.optional() }),
  grant: z.strictObject({ id: label, rule, lifetime }),
  history: z.strictObject({}),
  undo: z.strictObject({ transaction: label.optional(), dryRun: z.boolean() }),
  record: z.strictObject({ hours: z.int().min(1).max(MAX_HOURS) }),
  policy: z.strictObject({}),
};

/** A proposal in the list, with nothing in it that commands or hides. */
export interface QueueItem extends Pick<QueueEntry, "id" | "title" | "tool" | "risk" | "isCall" | "paths"> {
  /** The client and its session, for people. */
  readonly group: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
  readonly problem?: string | undefined;
}

/** A proposal as it comes over the pipe; the server makes the pieces of its rows as they are shown. */
export interface BareReview extends Omit<ProposalReview, "files"> {
  readonly files: readonly BareFile[];
}

export interface BareFile extends Omit<ReviewedFile, "hunks"> {
  readonly hunks: readonly BareHunk[];
}

/** What a proposal was made of, what is there now, or what is left to do: one of the diffs of a file that has changed. */
export interface StaleSection {
  readonly title: string;
  readonly hunks: readonly BareHunk[];
}

/** The sheet of a rule, in words. */
export interface RuleView {
  readonly rule: string;
  readonly candidates: readonly string[];
  readonly lifetime: GrantLifetime;
  readonly lifetimes: readonly { readonly lifetime: GrantLifetime; readonly words: string }[];
  readonly lines: readonly string[];
  /** The rule was looked up, and nothing speaks against it. */
  readonly isUsable: boolean;
}

/** What can be applied together, and why the others cannot. */
export interface BatchView {
  readonly taken: readonly { readonly label: string; readonly summary: string }[];
  readonly left: readonly { readonly summary: string; readonly why: string }[];
}

/** Bars of one hour, or of one folder. */
export interface ActivityCount {
  readonly name: string;
  readonly calls: number;
  readonly asks: number;
  readonly changes: number;
}

/** A line of the record, in words. */
export interface RecordLine {
  readonly time: string;
  readonly event: string;
  readonly about: string;
}

export interface PolicyView {
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly rules: readonly { readonly action: string; readonly rule: string; readonly source: string }[];
  readonly grants: readonly { readonly rule: string; readonly roots: string; readonly at: string }[];
}

export interface LoadedProposal {
  readonly review: BareReview;
  readonly draft: ReviewChoices;
  /** Why a person is asked, in lines. */
  readonly why: readonly string[];
  /** Old, new and now, where the files have changed since. */
  readonly stale: readonly StaleSection[];
}

/** By the name of an ask: what is answered. */
export interface PageAnswers {
  readonly load: LoadedProposal | { readonly isSame: true; readonly draft: ReviewChoices };
  readonly keep: { readonly kept: true };
  readonly apply: { readonly said: string };
  readonly reject: { readonly said: string };
  readonly images: { readonly images: readonly ProposalImage[] };
  readonly batch: BatchView;
  /** `applied`: the labels of those that were. */
  readonly together: { readonly said: string; readonly applied: readonly string[] };
  readonly rule: RuleView;
  readonly grant: { readonly said: string };
  readonly history: { readonly entries: readonly HistoryEntry[] };
  readonly undo: { readonly said: string; readonly transaction: string; readonly diff: string };
  readonly record: {
    readonly hours: readonly ActivityCount[];
    readonly folders: readonly ActivityCount[];
    readonly lines: readonly RecordLine[];
  };
  readonly policy: PolicyView;
}

/** A line from the server. */
export type FromServer =
  | { readonly id: number; readonly ask: string; readonly about: unknown }
  /** The server listens. */
  | { readonly ready: number }
  /** So many pages are open; `opened` counts those that came. */
  | { readonly pages: number; readonly opened: number }
  /** The server cannot listen, or nobody has had a page open for long. */
  | { readonly over: string };

/** A line to the server, after the order. */
export type ToServer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: FailureData }
  | { readonly queue: readonly QueueItem[] };
