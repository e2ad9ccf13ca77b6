/**
 * What this process has shown of files: the hash of the whole, the lines that were seen, and while there is room the
 * answers themselves, so that a change against them can show what is different now.
 *
 * Known by the words of the path. A file that is named otherwise is known by its hash alone.
 */
import { nowMs } from "../base/index.ts";
import type { KeptBaseline } from "../state/index.ts";
import type { PlacePath } from "./place-target.ts";

export interface SeenFile {
  readonly path: string;
  readonly hash: string;
  /** First and last line, and how many there are; absent: all of it. */
  readonly lines?: readonly [first: number, last: number, total: number];
  /** Nothing was shown, because it is as the caller knows it. */
  readonly isUnchanged?: boolean;
}

interface ChangedFile {
  readonly path: string;
  readonly operation: string;
  /** The sha256 of its new content; absent where the change brings no new one. */
  readonly hash?: string | undefined;
  /** Where a move or copy took it from. */
  readonly source?: string | undefined;
}

interface Page {
  /** The last line that was shown; Infinity for all lines. */
  readonly last: number;
  /** The members of the answer. */
  readonly answer: string;
}

interface Known {
  /** "" while only something else was proposed. */
  hash: string;
  /** Ranges of lines, sorted and apart; "all" when nothing is left to be seen. */
  seen: "all" | [first: number, last: number][];
  /** The answers that showed it from the first line on, page by page. */
  pages?: readonly Page[] | undefined;
  /** Other contents that the caller knows: what it proposed, what it changed. */
  others?: readonly { readonly hash: string; readonly isWhole: boolean }[] | undefined;
  /** What this process wrote or proposed, the newest last. */
  made?: readonly string[] | undefined;
  /** When it was seen, in ms since 1970. */
  atMs?: number;
  /** An earlier process of the client has shown it, and this one has not. */
  isResumed?: boolean;
}

/** Entries in `others`, and in `made`. */
const MAX_OTHERS = 8;
const MAX_FILES = 10_000;
const MAX_ANSWER_CHARS: number = 8 * 1024 * 1024;

export class Baselines {
  readonly #place: PlacePath;
  readonly #files: Map<string, Known> = new Map();
  #chars = 0;

  constructor(place: PlacePath) {
    this.#place = place;
  }

  /** Nothing was shown or changed yet. */
  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** @param answer members of the answer, when its text is that of the file */
  note({ path, hash, lines, isUnchanged }: SeenFile, answer?: string): void {
    const key = this.#keyOf(path);
    const before = this.#files.get(key);
    const old = before?.hash === hash ? before : undefined;
    if (isUnchanged && old) return;
    this.#forget(key);
    const isWhole = !lines || (lines[0] <= 1 && lines[1] >= lines[2]);
    const seen = isWhole || old?.seen === "all" ? "all" : addRange(old?.seen ?? [], lines);
    const pages = isUnchanged || answer === undefined ? old?.pages : addPage(old?.pages, answer, lines);
    const isKept = sizeOf(pages) <= MAX_ANSWER_CHARS / 8;
    this.#keep(key, {
      hash,
      seen,
      pages: isKept ? pages : undefined,
      others: before?.others,
      made: before?.made,
    });
  }

  /**
   * What a change makes of files, also when it is only proposed: somebody may apply it at any time, in another process too.
   * What was written whole is known, and what was edited as far as it was known before. What was moved or copied is known as
   * well as it was where it lay, and of what goes or comes back from the past the caller has to look again.
   */
  noteChange(files: readonly ChangedFile[], isApplied: boolean): void {
    for (const { path, hash, operation, source } of files) {
      if (hash === undefined) {
        if (isApplied && operation !== "none") this.#replace(path, source, operation === "move");
        continue;
      }
      const key = this.#keyOf(path);
      const known = this.#files.get(key);
      const isWhole = operation === "create" || operation === "overwrite" || known?.seen === "all";
      const made = [...(known?.made ?? []), ...(operation === "none" ? [] : [hash])].slice(-MAX_OTHERS);
      if (!isWhole && !isSeen(known)) {
        this.#keep(key, { hash: "", seen: [], ...known, made });
        continue;
      }
      const before = known && known.hash !== "" ? [{ hash: known.hash, isWhole: known.seen === "all" }] : [];
      const others = [...(known?.others ?? []), ...(isApplied ? before : [{ hash, isWhole }])];
      this.#forget(key);
      const own = isApplied ? { hash, seen: isWhole ? ("all" as const) : [] } : (known ?? { hash: "", seen: [] });
      this.#keep(key, { ...own, others: others.slice(-MAX_OTHERS), made });
    }
  }

  /** Every content of it that the caller knows. */
  hashesOf(path: string): { readonly hash: string; readonly isWhole: boolean }[] {
    const known = this.#files.get(this.#keyOf(path));
    if (!known) return [];
    const own = known.hash === "" ? [] : [{ hash: known.hash, isWhole: known.seen === "all" }];
    return [...own, ...(known.others ?? [])];
  }

  /** Every content of it that this process has made. */
  madeOf(path: string): readonly string[] {
    return this.#files.get(this.#keyOf(path))?.made ?? [];
  }

  /** As it was shown or written last. */
  hashOf(path: string): string | undefined {
    return this.#files.get(this.#keyOf(path))?.hash || undefined;
  }

  /** As this process itself has shown or written it last. */
  shownHashOf(path: string): string | undefined {
    const known = this.#files.get(this.#keyOf(path));
    return known?.isResumed ? undefined : known?.hash || undefined;
  }

  /** What is known of every file, for the next process of the client. */
  kept(): KeptBaseline[] {
    return [...this.#files].flatMap(([path, { atMs = 0 }]) => {
      const hashes = this.hashesOf(path);
      return hashes.length === 0 ? [] : [{ path, hashes, atMs }];
    });
  }

  /** What an earlier process of the client knew. What this one has seen since is newer. */
  restore(baselines: readonly KeptBaseline[]): void {
    for (const { path, hashes, atMs } of baselines) {
      const [first, ...others] = hashes;
      const known = this.#files.get(path);
      if (!first || (known && isSeen(known))) {
        if (first?.isWhole && known?.hash === first.hash) known.seen = "all";
        continue;
      }
      const seen = first.isWhole ? ("all" as const) : [];
      this.#files.set(path, { hash: first.hash, seen, others, made: known?.made, atMs, isResumed: true });
    }
  }

  /** The members of the answers that showed all of it, in the order of its lines. */
  answersOf(path: string): readonly string[] | undefined {
    const { pages, seen } = this.#files.get(this.#keyOf(path)) ?? {};
    return seen === "all" && pages?.at(-1)?.last === Infinity ? pages.map(({ answer }) => answer) : undefined;
  }

  /** Something else is in a place, with all below it: what lay at the source, or what nobody has shown. */
  #replace(path: string, source: string | undefined, isMove: boolean): void {
    const brought = source === undefined ? [] : this.#knownBelow(source);
    if (source !== undefined && isMove) for (const [below] of brought) this.#forget(this.#keyOf(source) + below);
    for (const [below] of this.#knownBelow(path)) this.#forget(this.#keyOf(path) + below);
    for (const [below, known] of brought) this.#keep(this.#keyOf(path) + below, known);
  }

  /** What is known in a place, by what its path has more: "" for the place itself. */
  #knownBelow(path: string): [below: string, known: Known][] {
    const top = this.#keyOf(path);
    return [...this.#files]
      .filter(([key]) => key === top || key.startsWith(`${top}/`))
      .map(([key, known]) => [key.slice(top.length), known]);
  }

  #keyOf(path: string): string {
    return this.#place(path).absolute ?? path;
  }

  #keep(key: string, known: Known): void {
    this.#files.set(key, { ...known, atMs: nowMs() });
    this.#chars += sizeOf(known.pages);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MAX_FILES && this.#chars <= MAX_ANSWER_CHARS) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#chars -= sizeOf(this.#files.get(key)?.pages);
    this.#files.delete(key);
  }
}

function sizeOf(pages: readonly Page[] = []): number {
  return pages.reduce((sum, { answer }) => sum + answer.length, 0);
}

/** A page that goes on where the last one ended; one that shows the beginning anew begins anew. */
function addPage(
  pages: readonly Page[] = [],
  answer: string,
  [first, last, total]: NonNullable<SeenFile["lines"]> = [1, Infinity, Infinity],
): readonly Page[] {
  const page = { last: last >= total ? Infinity : last, answer };
  if (first <= 1) return [page];
  return pages.at(-1)?.last === first - 1 ? [...pages, page] : pages;
}

/** Otherwise only what was made of it is known. */
function isSeen(known: Known | undefined): boolean {
  return known !== undefined && (known.hash !== "" || (known.others ?? []).length > 0);
}

function addRange(
  ranges: readonly [number, number][],
  [first, last, total]: readonly [number, number, number],
): Known["seen"] {
  const merged: [number, number][] = [];
  for (const range of [...ranges, [first, last] as [number, number]].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && range[0] <= previous[1] + 1) previous[1] = Math.max(previous[1], range[1]);
    else merged.push([...range]);
  }
  const [only] = merged;
  return merged.length === 1 && only && only[0] <= 1 && only[1] >= total ? "all" : merged;
}
