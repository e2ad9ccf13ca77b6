/**
 * Directories to be walked as they travel between workers: paths below the root, and the ignore rules that come to each from
 * above. Not the rules travel, but the names of the files that hold them, which are read again on the other side. So nobody
 * looks for them again in every directory above a part.
 */
import type { Located, OpenRoot, Scope } from "../../scope/index.ts";
import { type ChainLink, extendChain, type IgnoreChain } from "../ignore/ignore-chain.ts";
import type { LevelPlace } from "./read-level.ts";

/** Where the search starts. */
interface SentStart {
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

type SentChain = readonly ChainLink[];

function sendChain(chain: IgnoreChain | undefined): SentChain {
  const links: ChainLink[] = [];
  for (let at = chain; at; at = at.parent) links.push(at.link);
  return links.reverse();
}

/** The chains of one search in one root, so that no ignore file is read twice. */
export class ReceivedChains {
  readonly #scope: Scope;
  readonly #root: OpenRoot;
  readonly #known = new Map<string, IgnoreChain | undefined>();

  constructor(scope: Scope, root: OpenRoot) {
    this.#scope = scope;
    this.#root = root;
  }

  /** What was sent from here need not be read when it comes back. */
  keep(sent: SentChain, chain: IgnoreChain | undefined): void {
    this.#known.set(JSON.stringify(sent), chain);
  }

  read(sent: SentChain): IgnoreChain | undefined {
    const last = sent.at(-1);
    if (!last) return undefined;
    const key = JSON.stringify(sent);
    if (this.#known.has(key)) return this.#known.get(key);
    const [rel, names] = last;
    const at: Located = { root: this.#root, rel, mustBeDirectory: true, asked: rel };
    // A file that cannot be read was counted where it was found.
    const chain = extendChain(this.#scope, this.read(sent.slice(0, -1)), at, names, () => {});
    this.#known.set(key, chain);
    return chain;
  }
}
