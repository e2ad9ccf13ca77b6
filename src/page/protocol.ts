/**
 * What the server of the page and the reviewer that started it say to each other, in lines of JSON over a pipe. The server
 * has no file and no network but its port; everything that it shows it asks for, and everything that is decided is asked of
 * the reviewer, with the digest of what was shown.
 *
 * The reviewer believes nothing of what the server says: each ask has a schema. Bounds are those of the methods behind them.
 */
import * as z from "zod";
import { limits, type FailureData } from "../base/index.ts";
import type { ListedProposal, ReviewComment, Transaction } from "../calls/index.ts";
import type { ProposalReview, ReviewChoices } from "../review/index.ts";
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
  side: z.enum(["before", "after"]).optional(),
  quote: z.string().max(limits.MAX_COMMENT_CHARS).optional(),
  text: z.string().min(1).max(limits.MAX_COMMENT_CHARS),
});
const comments = z.array(comment).max(limits.MAX_COMMENTS);

/** By the name of an ask: what it is about. */
export interface PageAsks {
  readonly load: { readonly id: string };
  readonly keep: { readonly choices: ReviewChoices };
  /** `unseen`: the person was told that parts were never on the screen, and wants to go on. */
  readonly apply: { readonly label: string; readonly choices: ReviewChoices; readonly unseen: boolean };
  readonly reject: { readonly label: string; readonly reason: string; readonly comments: readonly ReviewComment[] };
  readonly history: object;
  /** `dryRun`: only what it would do. */
  readonly undo: { readonly transaction: string; readonly dryRun: boolean };
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
const MAX_HOURS: number = 24 * 14;

export const PAGE_ASKS: { readonly [Name in PageAskName]: z.ZodType<PageAsks[Name]> } = {
  load: z.strictObject({ id: label }),
  keep: z.strictObject({ choices }),
  apply: z.strictObject({ label, choices, unseen: z.boolean() }),
  reject: z.strictObject({ label, reason: z.string().max(limits.MAX_REASON_CHARS), comments }),
  history: z.strictObject({}),
  undo: z.strictObject({ transaction: label, dryRun: z.boolean() }),
  record: z.strictObject({ hours: z.int().min(1).max(MAX_HOURS) }),
  policy: z.strictObject({}),
};

/** A proposal in the list, with nothing in it that commands or hides. */
export interface QueueItem extends Pick<ListedProposal, "id" | "tool" | "risk" | "createdAt" | "expiresAt"> {
  readonly change: string;
  readonly client: string;
  readonly paths: readonly string[];
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
  readonly problem?: string | undefined;
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

/** By the name of an ask: what is answered. */
export interface PageAnswers {
  readonly load: { readonly review: ProposalReview; readonly draft: ReviewChoices };
  readonly keep: { readonly kept: true };
  readonly apply: { readonly said: string; readonly transaction?: string | undefined };
  readonly reject: { readonly said: string };
  readonly history: { readonly transactions: readonly Transaction[] };
  readonly undo: { readonly said: string; readonly diff?: string | undefined };
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
