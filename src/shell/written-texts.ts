/**
 * What earlier commands of a line certainly wrote to files, so that it is judged where a later one runs it. Bounded, because a
 * line may copy and append for ever, and a text may run its own file: what is no longer kept is not known.
 */

/** One for each time that the file was begun: a command before may not run, so both count. */
const MAX_VERSIONS = 8;
/** UTF-16 units of all texts that a line writes. */
const MAX_CHARS = 32 * 1024;

export class WrittenTexts {
  readonly #texts: Map<string, readonly string[]> = new Map();
  readonly #judged: Set<string> = new Set();
  /** Texts that are being judged. */
  readonly #running: Set<string> = new Set();
  #left = MAX_CHARS;

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

  /** Judges the texts of the files, each of them once in a place. */
  judge<Judged>(files: readonly string[], place: string, judge: (text: string) => Judged): Judged[] {
    return files.flatMap((file) =>
      (this.#texts.get(file) ?? []).flatMap((text) => {
        const key = `${place}\0${text}`;
        if (this.#judged.has(key)) return [];
        this.#judged.add(key);
        this.#running.add(text);
        try {
          return [judge(text)];
        } finally {
          this.#running.delete(text);
        }
      }),
    );
  }

  #keep(file: string, before: readonly string[], more: readonly string[]): boolean {
    const all = [...new Set([...before, ...more])];
    this.#left -= more.reduce((sum, { length }) => sum + length + 1, 0);
    const isKnown = all.length <= MAX_VERSIONS && this.#left >= 0;
    if (isKnown) this.#texts.set(file, all);
    return isKnown;
  }
}
