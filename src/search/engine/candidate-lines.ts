/**
 * The lines of a text that hold one of some needles, put together, so that the engine is shown nothing else; and its
 * answer brought back to places in the text.
 */
import { NEWLINE } from "./matcher.ts";
import { sharedScanner, type Needle } from "../../text/index.ts";

/** When so many of the bytes are candidates, the whole text is shown: copying would cost more than it saves. */
const MOST_SHARE = 0.5;

export class CandidateLines {
  readonly #needles: readonly Needle[];
  #packed: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
  }

  /**
   * @param engine places in the lines that it is given, in pairs, in order
   * @returns the same places in `bytes`; `undefined` when it should be shown the whole text
   */
  search(bytes: Buffer, engine: (lines: Buffer) => number[]): number[] | undefined {
    const scanner = sharedScanner();
    scanner.load(this.#needles);
    /** Where each run of lines starts in the text, and in what is packed. */
    const runs: number[] = [];
    let packed = 0;
    let last = -1;
    for (let at = scanner.find(bytes, 0); at >= 0;) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
      const feed = bytes.indexOf(NEWLINE, at);
      const end = feed < 0 ? bytes.length : feed + 1;
      if (packed + end - start > bytes.length * MOST_SHARE) return undefined;
      if (start !== last) runs.push(start, packed);
      this.#makeRoom(packed, packed + end - start);
      packed += bytes.copy(this.#packed, packed, start, end);
      last = end;
      at = scanner.find(bytes, end);
    }
    return packed === 0 ? [] : unpack(engine(this.#packed.subarray(0, packed)), runs);
  }

  #makeRoom(used: number, wanted: number): void {
    if (wanted <= this.#packed.length) return;
    const larger = Buffer.allocUnsafeSlow(wanted * 2);
    this.#packed.copy(larger, 0, 0, used);
    this.#packed = larger;
  }
}

function unpack(places: number[], runs: readonly number[]): number[] {
  let run = 0;
  return places.map((place) => {
    while ((runs[run + 3] ?? Infinity) <= place) run += 2;
    return (runs[run] ?? 0) + place - (runs[run + 1] ?? 0);
  });
}
