/**
 * Ignore rules on their way to another worker: not the rules, but the files that they stand in, from the root down, which
 * are read again there. So nobody looks for them again in every directory above a part.
 */
import type { Located, OpenRoot, Scope } from "../../scope/index.ts";
import { extendChain, type ChainLink, type IgnoreChain } from "../ignore/ignore-chain.ts";

export type SentChain = readonly ChainLink[];

export function sendChain(chain: IgnoreChain | undefined): SentChain {
  const links: ChainLink[] = [];
  for (let at = chain; at; at = at.parent) links.push(at.link);
  return links.reverse();
}

/** Of one search in one root: what was read once is not read again. */
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
