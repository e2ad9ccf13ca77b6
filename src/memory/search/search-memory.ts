/**
 * The whole of a search: the index is brought up to date, each leg gives an order of its own, and the orders are joined by
 * their ranks (reciprocal rank fusion), because their scores cannot be compared. The answer says which legs have looked.
 *
 * Usual mistake: to say nothing of a leg that could not look. An answer by words alone is another answer than one by meaning.
 */
import type { Database } from "bun:sqlite";
import { limits, monotonicMs, type Cancel } from "../../base/index.ts";
import { readRange } from "../../files/index.ts";
import { failureOf, type Located, type Scope } from "../../scope/index.ts";
import type { SearchContext } from "../../search/index.ts";
import { count, decodeText } from "../../text/index.ts";
import type { Origin } from "../entries.ts";
import { fileOfNamespace } from "../namespace.ts";
import { openDocuments, type IsOpenDocument } from "../open-documents.ts";
import type { EmbedderFolder } from "../settings.ts";
import { memoryRoot, walkNotes } from "../walk-notes.ts";
import { findByParts, findByWords, withinOf, type PiecesWithin } from "./find-words.ts";
import { fillHere } from "./fill-vectors.ts";
import { withIndex } from "./open-index.ts";
import { openStaticModel } from "./static-model.ts";
import { questionWords, type QuestionWords } from "./query-words.ts";
import { searchByMeaning, type AskedMeaning } from "./search-by-meaning.ts";
import { sourceDocuments, type SourceDocuments } from "./source-documents.ts";
import { updateIndex, type Document } from "./update-index.ts";

export interface MemoryQuestion {
  readonly query: string;
  readonly namespace?: string | undefined;
  readonly limit?: number | undefined;
  readonly keyword_only?: boolean | undefined;
  /** By the host, where the model is elsewhere. */
  readonly meaning?: AskedMeaning | undefined;
  readonly meaningOff?: string | undefined;
  /** As `MeaningAsk` has it. */
  readonly fillsUpTo?: number | undefined;
}

export interface MemoryHit {
  /** The note. */
  readonly namespace?: string;
  /** The document in a root. */
  readonly path?: string;
  readonly line: number;
  readonly text: string;
  readonly score: number;
  readonly by: readonly Leg[];
  /** When, by whom and in which call, by the mark of the host. */
  readonly written?: string;
}

export type Leg = "words" | "meaning";

export interface MemoryHits {
  readonly hits: readonly MemoryHit[];
  readonly searched: number;
  /** For each leg `on`, or why it did not look. */
  readonly legs: Readonly<Record<Leg, string>>;
  readonly notes: readonly string[];
  /** Entries that the model has still to see. */
  readonly missing: number;
}

export interface MemorySearchContext {
  /** What there is, whoever asks. */
  readonly whole: SearchContext;
  /** What the tool may see of it. */
  readonly scope: Scope;
  /** Where the index lies. */
  readonly file: string;
  readonly sources: readonly string[];
  /** Done to a whole document before it is cut, so that no line moves: in a piece of it the rest of a key would look like any text. */
  readonly hideSecrets: (text: string) => string;
  /** The folder of a model that is here. */
  readonly model?: EmbedderFolder | undefined;
  readonly cancel: Cancel;
  readonly deadlineMs: number;
}

const USUAL_HITS = 10;
/** Each leg gives more than are shown, so that what both find a little wins over what one finds well. */
const LEG_HITS = 60;
/** The index may take all of the time but this, and but a third of a short time. */
const ANSWER_MS = 3000;
const ANSWER_PART = 1 / 3;

export async function searchMemory(ctx: MemorySearchContext, question: MemoryQuestion): Promise<MemoryHits> {
  const { namespace, limit = USUAL_HITS, query } = question;
  if (namespace !== undefined) fileOfNamespace(namespace, "search");
  const untilMs = ctx.deadlineMs - Math.min(ANSWER_MS, (ctx.deadlineMs - monotonicMs()) * ANSWER_PART);
  const isOver = (): boolean => monotonicMs() > untilMs;
  const { documents, large, isWhole, notes } = await documentsOf(ctx);
  return await withIndex(ctx.file, (index) => {
    const { db } = index;
    const { pending, unread } = updateIndex(db, documents, { isWhole, cancel: ctx.cancel, isOver });
    const within = withinOf(namespace);
    const words = questionWords(query);
    // What else the index has is not what lies on the disk, and in no answer.
    const current = new Set(documents.map(({ name }) => name));
    for (const name of [...pending, ...unread]) current.delete(name);
    const isOpen = openDocuments(ctx.scope);
    const isSeen = (name: string): boolean => current.has(name) && isOpen(name);
    const isWanted = openPieces(db, isSeen);
    const find = { within, limit: LEG_HITS, isWanted, isOpen, cancel: ctx.cancel };
    const byMeaning = searchByMeaning(index, question, ctx.model, find);
    const { missing } = byMeaning;
    if (missing > 0 && missing <= (question.fillsUpTo ?? 0))
      return { hits: [], searched: 0, legs: { words: "off", meaning: byMeaning.said }, notes: [], missing };
    const byWords = findByWords(db, words, within, LEG_HITS, isWanted);
    const byParts = byWords.length < limit ? findByParts(db, words, within, LEG_HITS, isWanted) : [];
    const ranked = fuse([
      ["words", byWords],
      ["words", byParts],
      ["meaning", byMeaning.ids],
    ]).slice(0, limit);
    return {
      hits: ranked.flatMap((one) => hitOf(db, one, words) ?? []),
      searched: countPieces(db, within, isSeen),
      legs: { words: words.match === "" ? "off, the question has no word" : "on", meaning: byMeaning.said },
      missing,
      notes: [
        ...notes,
        ...(pending.length > 0 ? [`${count(pending.length, "note")} not in the index yet: search again for all`] : []),
        ...notedCount("documents that could not be read, and were not searched", unread.filter(isOpen)),
        ...notedCount("documents that are too large, and were not searched", large.filter(isOpen)),
      ],
    };
  });
}

function notedCount(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${names.length}`];
}

interface FoundDocuments extends SourceDocuments {
  readonly notes: readonly string[];
}

async function documentsOf({ whole, sources, hideSecrets, cancel }: MemorySearchContext): Promise<FoundDocuments> {
  const found = walkNotes(whole.scope, cancel);
  const top = memoryRoot(whole.scope);
  const read = (scope: Scope, at: Located): string | undefined => {
    const text = readText(scope, at);
    return text === undefined ? undefined : hideSecrets(text);
  };
  const notes = found.notes.map(({ namespace, size, mtimeMs }): Document => ({
    name: `note:${namespace}`,
    size,
    mtimeMs,
    read: () => read(whole.scope, { ...top, rel: fileOfNamespace(namespace, "read"), mustBeDirectory: false }),
  }));
  const others = await sourceDocuments(whole, sources, read);
  return {
    documents: [...notes, ...others.documents],
    large: others.large,
    isWhole: !found.isCut && others.isWhole,
    notes: [
      ...(found.isCut ? ["the memory has more notes than are looked at"] : []),
      ...(others.isWhole ? [] : ["the roots have more documents than are indexed"]),
    ],
  };
}

/** `undefined` for what is no text. Links are not followed. @throws Failure for what cannot be read */
function readText(scope: Scope, at: Located): string | undefined {
  try {
    using file = scope.openFile(at, "search", "refuse");
    const size = Number(file.stat.size);
    if (size > limits.MAX_HASHED_READ_BYTES) return undefined;
    const decoded = decodeText(readRange(file.fd, 0, size));
    return decoded.kind === "text" ? decoded.text : undefined;
  } catch (thrown) {
    throw failureOf(thrown, scope, at, "search");
  }
}

/** Whether a piece is of such a document. */
function openPieces(db: Database, isOpen: IsOpenDocument): (id: number) => boolean {
  const nameOf = db.query("SELECT d.name FROM chunks c JOIN docs d ON d.id = c.doc WHERE c.id = ?");
  return (id) => {
    const [name] = (nameOf.values(id)[0] ?? []) as [string?];
    return name !== undefined && isOpen(name);
  };
}

/** The usual number: a piece that is first in one order is not worth much more than one that is third in two. */
const RANK_CONSTANT = 60;

interface Ranked {
  readonly id: number;
  readonly score: number;
  readonly by: readonly Leg[];
}

export function fuse(orders: readonly (readonly [leg: Leg, ids: readonly number[]])[]): Ranked[] {
  const found = new Map<number, { score: number; readonly by: Set<Leg> }>();
  for (const [leg, ids] of orders)
    for (const [rank, id] of ids.entries()) {
      const one = found.get(id) ?? { score: 0, by: new Set<Leg>() };
      one.score += 1 / (RANK_CONSTANT + rank + 1);
      one.by.add(leg);
      found.set(id, one);
    }
  return [...found]
    .map(([id, { score, by }]) => ({ id, score, by: [...by] }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

interface Piece {
  readonly name: string;
  readonly line: number;
  readonly text: string;
  readonly origin: string | null;
}

function hitOf(db: Database, { id, score, by }: Ranked, words: QuestionWords): MemoryHit | undefined {
  const piece = db
    .query("SELECT d.name, c.line, c.text, c.origin FROM chunks c JOIN docs d ON d.id = c.doc WHERE c.id = ?")
    .get(id) as Piece | null;
  if (!piece) return undefined;
  const { name, line, origin } = piece;
  const part = shownPart(piece.text, words);
  const place = name.startsWith("note:")
    ? { namespace: name.slice("note:".length) }
    : { path: name.slice("file:".length) };
  return {
    ...place,
    line: line + part.skippedLines,
    text: part.text,
    score: Math.round(score * 1e4) / 1e4,
    by,
    ...(origin === null ? {} : { written: saidOrigin(JSON.parse(origin) as Origin) }),
  };
}

const MAX_SHOWN_CHARS = 500;
const BEFORE_CHARS = 120;

/** What is around the first word of the question. */
function shownPart(text: string, { parts }: QuestionWords): { readonly text: string; readonly skippedLines: number } {
  if (text.length <= MAX_SHOWN_CHARS) return { text, skippedLines: 0 };
  const folded = text.toLowerCase();
  const places = parts.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(Math.min(...places, text.length) - BEFORE_CHARS, text.length - MAX_SHOWN_CHARS));
  const start = places.length === 0 ? 0 : from;
  const shown = text
    .slice(start, start + MAX_SHOWN_CHARS)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/^[\udc00-\udfff]/, "");
  const end = start + MAX_SHOWN_CHARS < text.length ? "..." : "";
  return {
    text: `${start > 0 ? "..." : ""}${shown}${end}`,
    skippedLines: text.slice(0, start).split("\n").length - 1,
  };
}

function saidOrigin({ at, client, agent, call }: Origin): string {
  return [at, client, agent, call].filter((one) => one !== undefined && one !== "").join(" ");
}

/** What a rule closes is not counted either: its number would tell of it. */
function countPieces(db: Database, { sql, values }: PiecesWithin, isSeen: IsOpenDocument): number {
  const only = sql === "" ? "" : `WHERE ${sql}`;
  const rows = db
    .query(`SELECT d.name, count(*) FROM chunks c JOIN docs d ON d.id = c.doc ${only} GROUP BY c.doc`)
    .values(...values) as [string, number][];
  return rows.reduce((sum, [name, pieces]) => sum + (isSeen(name) ? pieces : 0), 0);
}

/** What a local model has still to see is made, for about so long. @returns how many are missing then */
export async function fillMemory({ file, model, cancel, whole }: MemorySearchContext, ms: number): Promise<number> {
  if (!model) return 0;
  const found = openStaticModel(model.file);
  const until = { cancel, tidy: whole.tidy, untilMs: monotonicMs() + ms };
  return await withIndex(file, (index) => fillHere(index, found, until));
}

export { keepMade, takePending } from "./fill-vectors.ts";
