/**
 * What this process has shown of files: the hash of the whole, the lines that were seen, and while there is room the
 * answer itself, so that a change against it can show what is different now.
 *
 * Known by the words of the path. A file that is named otherwise is known by its hash alone.
 */
import type { PlaceTarget } from "./place-target.ts";

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
  readonly hash?: string;
}

interface Known {
  /** "" while only something else was proposed. */
  hash: string;
  /** Ranges of lines, sorted and apart; "all" when nothing is left to be seen. */
  seen: "all" | [first: number, last: number][];
  /** The members of the answer that showed all of it. */
  answer?: string | undefined;
  /** Other contents that the caller knows: what it proposed, what it changed. */
  others?: readonly { readonly hash: string; readonly isWhole: boolean }[] | undefined;
  /** What this process wrote or proposed, the newest last. */
  made?: readonly string[] | undefined;
}

/** Of `others`, and of `made`. */
const MAX_OTHERS = 8;
const MAX_FILES = 10_000;
const MAX_ANSWER_CHARS: number = 8 * 1024 * 1024;

export class Baselines {
  readonly #place: PlaceTarget;
  readonly #files: Map<string, Known> = new Map();
  #chars = 0;

  constructor(place: PlaceTarget) {
    this.#place = place;
  }

  /** @param answer members of the answer, when it shows the whole file */
  note({ path, hash, lines, isUnchanged }: SeenFile, answer?: string): void {
    const key = this.#keyOf(path);
    const before = this.#files.get(key);
    const old = before?.hash === hash ? before : undefined;
    if (isUnchanged && old) return;
    this.#forget(key);
    const isWhole = !lines || (lines[0] <= 1 && lines[1] >= lines[2]);
    const seen = isWhole || old?.seen === "all" ? "all" : addRange(old?.seen ?? [], lines);
    const kept =
      isWhole && !isUnchanged && answer !== undefined && answer.length <= MAX_ANSWER_CHARS / 8
        ? answer
        : old?.answer;
    this.#keep(key, { hash, seen, answer: kept, others: before?.others, made: before?.made });
  }

  /**
   * What a change makes of files, also when it is only proposed: somebody may apply it at any time, in another process too.
   * What was written whole is known, and what was edited as far as it was known before.
   */
  noteChange(files: readonly ChangedFile[], isApplied: boolean): void {
    for (const { path, hash, operation } of files) {
      if (hash === undefined) continue;
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
      const own = isApplied
        ? { hash, seen: isWhole ? ("all" as const) : [] }
        : (known ?? { hash: "", seen: [] });
      this.#keep(key, { ...own, others: others.slice(-MAX_OTHERS), made });
    }
  }

  /** What was there before is back; the caller has to look again. */
  forget(paths: readonly string[]): void {
    for (const path of paths) this.#forget(this.#keyOf(path));
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

  answerOf(path: string): string | undefined {
    return this.#files.get(this.#keyOf(path))?.answer;
  }

  #keyOf(path: string): string {
    return this.#place(path).absolute ?? path;
  }

  #keep(key: string, known: Known): void {
    this.#files.set(key, known);
    this.#chars += known.answer?.length ?? 0;
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MAX_FILES && this.#chars <= MAX_ANSWER_CHARS) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#chars -= this.#files.get(key)?.answer?.length ?? 0;
    this.#files.delete(key);
  }
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
