/**
 * Directories to be walked as they travel between workers: paths below the root, and which ignore rules come to each from
 * above.
 */
import type { OpenRoot } from "../../scope/index.ts";
import type { IgnoreChain } from "../ignore/ignore-chain.ts";
import type { LevelPlace } from "./read-level.ts";
import { sendChain, type ReceivedChains, type SentChain } from "./sent-chains.ts";

/** Where the search starts. */
export interface SentStart {
  readonly root: number;
  /** Below the root. */
  readonly start: string;
}

export interface SentPlaces extends SentStart {
  /** Below the root, joined by what no path holds; one string, because many cross slowly. */
  readonly rels: string;
  readonly chains: readonly SentChain[];
  /** For each directory the index of its chain. */
  readonly chainOf: readonly number[];
}

const BETWEEN = "//";

/** @param known where chains are kept for when they come back */
export function sendPlaces(
  places: readonly LevelPlace[],
  { root, start }: SentStart,
  known?: ReceivedChains,
): SentPlaces {
  const indexes = new Map<IgnoreChain | undefined, number>();
  const chains: SentChain[] = [];
  const chainOf = places.map(({ above }) => {
    let index = indexes.get(above);
    if (index === undefined) {
      index = chains.push(sendChain(above)) - 1;
      indexes.set(above, index);
      known?.keep(chains[index] ?? [], above);
    }
    return index;
  });
  return { root, start, rels: places.map(({ at }) => at.rel).join(BETWEEN), chains, chainOf };
}

export function receivePlaces(sent: SentPlaces, root: OpenRoot, known: ReceivedChains): LevelPlace[] {
  if (sent.chainOf.length === 0) return [];
  const chains = sent.chains.map((chain) => known.read(chain));
  const cut = sent.start === "" ? 0 : sent.start.length + 1;
  return sent.rels.split(BETWEEN).map((rel, index) => ({
    at: { root, rel, mustBeDirectory: true, asked: rel },
    rel: rel.slice(cut),
    above: chains[sent.chainOf[index] ?? 0],
  }));
}
