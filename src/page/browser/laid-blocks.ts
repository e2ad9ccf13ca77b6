/**
 * The lines of the proposal that is shown, in blocks that are fetched as they come near the screen: first plain, then with
 * colours. Lines of what was shown before never come among those of what is shown now, whenever they are answered.
 */
import type { LaidLine, ReviewLayout } from "../../review/index.ts";
import { BLOCK_LINES } from "../outline.ts";
import { ask } from "./ask-server.ts";

export interface BlockPlace {
  readonly label: string;
  readonly layout: ReviewLayout;
  readonly file: number;
  readonly number: number;
}

interface LinesAnswer {
  readonly lines: readonly LaidLine[];
}

export class LaidBlocks {
  readonly #onLines: () => void;
  readonly #onFailure: (thrown: unknown) => void;
  #blocks: Map<string, readonly LaidLine[]> = new Map();
  readonly #asked: Set<string> = new Set();

  constructor(onLines: () => void, onFailure: (thrown: unknown) => void) {
    this.#onLines = onLines;
    this.#onFailure = onFailure;
  }

  /** What is on the screen is fetched anew, for its colours. */
  askAgain(): void {
    this.#asked.clear();
  }

  /** Forgets all lines: the files are others. */
  clear(): void {
    this.#blocks = new Map();
    this.#asked.clear();
  }

  /** Takes the first lines of the first file. */
  putFirst({ label, layout }: Pick<BlockPlace, "label" | "layout">, lines: readonly LaidLine[]): void {
    for (let number = 0; number * BLOCK_LINES < lines.length; number++)
      this.#blocks.set(
        keyOf({ label, layout, file: 0, number }),
        lines.slice(number * BLOCK_LINES, (number + 1) * BLOCK_LINES),
      );
  }

  known(place: BlockPlace): readonly LaidLine[] | undefined {
    return this.#blocks.get(keyOf(place));
  }

  /** `undefined` until they are here; asking for them fetches them. */
  get(place: BlockPlace): readonly LaidLine[] | undefined {
    const key = keyOf(place);
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      this.#fetch(place, key).catch(this.#onFailure);
    }
    return this.#blocks.get(key);
  }

  async #fetch({ label, layout, file, number }: BlockPlace, key: string): Promise<void> {
    const blocks = this.#blocks;
    const about = { label, file, from: number * BLOCK_LINES, count: BLOCK_LINES, layout };
    const take = async (colors: boolean): Promise<void> => {
      const { lines } = await ask<LinesAnswer>("lines", { ...about, colors });
      blocks.set(key, lines);
      this.#onLines();
    };
    if (!blocks.has(key)) await take(false);
    await take(true);
  }
}

function keyOf({ label, layout, file, number }: BlockPlace): string {
  return `${label} ${layout} ${file} ${number}`;
}
