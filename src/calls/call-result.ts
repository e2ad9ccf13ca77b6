/**
 * The answer of a tool as a program wants it: text, data, failure and proposal by name instead of by the keys of the wire.
 *
 * Some words of a failure or a proposal stand in the text of the result already. Several clients hand all of a result to a
 * model, `_meta` too, so `_meta` gives such words by their place in the text: `[start, end]`, as `String.slice` takes them.
 * Data stays as it is: codes, ids, paths, numbers, and the rule that a program hands back.
 */
import type { FailureData } from "./failure.ts";

/** One part of what a tool answers. Later versions may add members and types. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string };

/** A change that waits for approval, or a program that waits to be started. */
export interface PendingProposal {
  readonly id: string;
  /** The digest of all that the proposal would do: `ID@DIGEST` names what was shown. Not in a list. */
  readonly digest?: string;
  readonly tool: string;
  readonly summary: string;
  /** Absolute. */
  readonly paths: readonly string[];
  /** That it would write. */
  readonly bytes: number;
  /** R0 to R5. */
  readonly risk: string;
  /**
   * Grants of these would have let it happen at once; none: it is asked about each time. Of a host with `results: "text"`
   * only `proposals.get` and `proposals.list` have them.
   */
  readonly suggested_rules: readonly string[];
  /** ISO 8601 */
  readonly expiresAt: string;
  readonly warnings: readonly string[];
}

/** A proposal in the list of those that wait. */
export interface ListedProposal extends PendingProposal {
  /** What would be done to what, without sizes. */
  readonly change: string;
  /** Absolute: the roots in which something would change, or of a call those that it was made in. */
  readonly roots: readonly string[];
  /** Absolute: all roots of the host that proposed it. A grant that it settles holds for hosts with exactly these. */
  readonly host_roots?: readonly string[];
  /** ISO 8601 */
  readonly createdAt: string;
  /** How the client that proposed it calls itself. */
  readonly client?: string;
  /** The session in which it was proposed, as the record names it. */
  readonly session?: string;
  /** A call that changes no file by itself: it is approved or rejected as a whole. */
  readonly call?: true;
  /** The id of the proposal that a person made this one of, with a text of their own. */
  readonly edits?: string;
  /** Why a person is asked. */
  readonly why?: ProposalWhy;
  /** Lines, with `check`; not of what cannot be applied now, and not of calls. */
  readonly added?: number;
  readonly removed?: number;
  /** Why it cannot be applied now, with `check`. */
  readonly problem?: string;
}

/** Why a person is asked about a proposal, as the host decided when it was made. */
export interface ProposalWhy {
  readonly reason: string;
  readonly rule: string;
  /** Where the rule stands: `mode`, a file and line, or a grant. */
  readonly source: string;
  /** Grants of these would have let it happen at once. */
  readonly suggested_rules: readonly string[];
}

/** A file that has changed since a proposal was made, as three diffs; one that is absent cannot be made any more. */
export interface ComparedFile {
  readonly path: string;
  /** What stands in the way. */
  readonly why: string;
  /** What was proposed: from the old text to the new one. */
  readonly proposed?: string;
  /** What changed meanwhile: from the old text to what is there now. */
  readonly meanwhile?: string;
  /** What is left to do: from what is there now to the new text. */
  readonly now?: string;
}

/** An image that a proposal makes, replaces or removes. */
export interface ProposalImage {
  /** As the proposal names the file. */
  readonly path: string;
  /** What the proposal builds on; absent where there was no image, it is too large, or it was changed meanwhile. */
  readonly before?: ImageBytes;
  readonly after?: ImageBytes;
}

export interface ImageBytes {
  /** By its first bytes: `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly base64: string;
}

/** How many results there are, and how many of them an answer has. */
export interface ResultCounts {
  readonly matched: number;
  readonly returned: number;
  /** There may be more than `matched`: looking ended before the end. */
  readonly at_least?: true;
}

/** One answer as facts: how the call ended, in words for a person, and where the rest of a long output is. */
export interface Observation extends Partial<ResultCounts> {
  /** `needs_approval`: nothing happened yet. `denied`: by the policy or the roots. `error`: any other failure. */
  readonly status: "ok" | "error" | "denied" | "needs_approval";
  /** One line for a person: what was done to what, and how it ended. The text of the answer is for the model. */
  readonly summary: string;
  /** Whether the answer leaves something out. */
  readonly truncated: boolean;
  /** The resource that has the whole output of which the answer is a part. */
  readonly ref?: string;
  /** The id of the call in the record. */
  readonly audit_id: string;
}

/** What a tool answered. A failure of the tool is an answer too, with `isError`. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  /** The last text, exact. Texts before it in `content` are notes about it: what it is of, what was cut, the next call. */
  readonly text: string;
  /** Complete by itself. `undefined` of a failure, and from a host with `results: "text"`. */
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
  readonly failure: FailureData | undefined;
  /** Nothing has been changed yet: this is what `proposals.apply` takes. */
  readonly proposal: PendingProposal | undefined;
  /** The answer in a few facts. `undefined` from a host of an earlier version. */
  readonly observation: Observation | undefined;
  /** `_meta`: `dev.ringfence/auditId` and others. */
  readonly meta: Readonly<Record<string, unknown>>;
}

interface WireResult {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** @param wire the result of `tools/call` */
export function readResult(wire: unknown): CallResult {
  const { content = [], structuredContent, isError = false, _meta: meta = {} } = wire as WireResult;
  const text = content.findLast((block) => block.type === "text")?.text ?? "";
  const proposal = wordsFrom(text, meta["dev.ringfence/proposal"]) as PendingProposal | undefined;
  const { suggested_rules = [] } = (structuredContent ?? {}) as Partial<PendingProposal>;
  return {
    content,
    text,
    structured: structuredContent,
    isError,
    failure: wordsFrom(text, meta["dev.ringfence/failure"]) as FailureData | undefined,
    proposal: proposal && { ...proposal, suggested_rules },
    observation: wordsFrom(text, meta["dev.ringfence/observation"]) as Observation | undefined,
    meta,
  };
}

/** The members that are words, wherever they stand. */
const WORDS: ReadonlySet<string> = new Set("message hint reason diff text suggested_rule summary warnings".split(" "));

/** @param text the last text of the result */
export function wordsByPlace(text: string, value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    // A code may be a word of the text as well.
    const isData = !WORDS.has(name) || value === "" || (name === "reason" && !value.includes(" "));
    const at = isData ? -1 : text.indexOf(value);
    return at < 0 ? value : [at, at + value.length];
  }
  return mapMembers(value, name, (one, key) => wordsByPlace(text, one, key));
}

/** The way back. */
export function wordsFrom(text: string, value: unknown, name = ""): unknown {
  const [start, end] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (WORDS.has(name) && typeof start === "number" && typeof end === "number") return text.slice(start, end);
  return mapMembers(value, name, (one, key) => wordsFrom(text, one, key));
}

/** Elements of a list go by the name of the list. */
function mapMembers(value: unknown, name: string, map: (one: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => map(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one, key)]));
}
