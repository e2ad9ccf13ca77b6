/**
 * What earlier commands of a line certainly wrote to files, so that it is judged where a later one runs it. Bounded, because a
 * line may copy and append for ever, and a text may run its own file: what is no longer kept is not known.
 */
import { askOpaque, judge, type Judgement } from "./model.ts";

/** One for each time that the file was begun: a command before may not run, so both count. */
const MAX_VERSIONS = 8;
/** UTF-16 units of all texts that a line writes. */
const MAX_CHARS = 32 * 1024;
/** Findings, paths and other facts of texts that are run again. */
const MAX_REPEATED = 20_000;

export class WrittenTexts {
  readonly #texts: Map<string, readonly string[]> = new Map();
  readonly #judged: Map<string, Judgement> = new Map();
  /** Texts that are being judged. */
  readonly #running: Set<string> = new Set();
  #left = MAX_CHARS;
  #repeats = MAX_REPEATED;

  get size(): number {
    return this.#texts.size;
  }

  /** @param isMore the text is put behind what is there @returns whether what the file may hold is known */
  write(file: string, text: string, isMore: boolean): boolean {
    const before = this.#texts.get(file) ?? [];
    const whole = isMore ? [...before.slice(-1), text].join("\n") : text;
    return this.#keep(file, isMore ? before.slice(0, -1) : before, [whole]);
  }

  /** @returns whether what the target may hold is known */
  copy(sources: readonly string[], target: string): boolean {
    const copied = sources.flatMap((source) => (source === target ? [] : (this.#texts.get(source) ?? [])));
    return copied.length === 0 || this.#keep(target, this.#texts.get(target) ?? [], copied);
  }

  /** Whether one of the files is run by its own text. */
  runsItself(files: readonly string[]): boolean {
    return files.some((file) => this.#texts.get(file)?.some((text) => this.#running.has(text)));
  }

  /**
   * What the texts of the files do. Each is judged once in a place, and its judgement counts for every run, because what is said of
   * one of them may be left out where it stands.
   *
   * @param how tells one way of judging a text from another
   */
  judge(files: readonly string[], how: string, judgeText: (text: string) => Judgement): Judgement[] {
    const texts = files.flatMap((file) => this.#texts.get(file) ?? []);
    return texts.filter((text) => !this.#running.has(text)).map((text) => this.#judgeOnce(text, how, judgeText));
  }

  #judgeOnce(text: string, how: string, judgeText: (text: string) => Judgement): Judgement {
    const key = `${how}\0${text}`;
    const known = this.#judged.get(key);
    if (known) return this.#repeat(known);
    this.#running.add(text);
    try {
      const judgement = judgeText(text);
      this.#judged.set(key, judgement);
      return judgement;
    } finally {
      this.#running.delete(text);
    }
  }

  #repeat(known: Judgement): Judgement {
    this.#repeats -= Object.values(known).reduce((sum: number, facts: readonly unknown[]) => sum + facts.length, 0);
    return this.#repeats >= 0 ? known : judge(askOpaque("it runs the same files too often to be read"));
  }

  #keep(file: string, before: readonly string[], more: readonly string[]): boolean {
    const all = [...new Set([...before, ...more])];
    this.#left -= more.reduce((sum, { length }) => sum + length + 1, 0);
    const isKnown = all.length <= MAX_VERSIONS && this.#left >= 0;
    if (isKnown) this.#texts.set(file, all);
    return isKnown;
  }
}
