/**
 * A whole tree for searches that look at everything, directory by directory, in parts (`shared-parts.ts`) that end
 * after some number of entries and give back the directories that they did not come to. The order in which directories
 * come does not matter to these searches: they sort or add up.
 *
 * Directories travel between workers as paths below the root, each with the names of the ignore files above it. The
 * rules themselves stay behind and are read again on the other side, so nobody looks for them in every directory above
 * a part.
 */
import type { Located, OpenRoot, Scope } from "../../scope/index.ts";
import type { SearchContext, StoppedBy } from "../context.ts";
import { chainAbove, type ChainLink, extendChain, type IgnoreChain } from "../ignore/ignore-chain.ts";
import { compareNames } from "./name-order.ts";
import {
  type LevelContext,
  type LevelEntry,
  type LevelOptions,
  type LevelPlace,
  readLevel,
  Skipped,
  type SkippedCounts,
} from "./read-level.ts";
import { inParts } from "./shared-parts.ts";

export type Visit = (entries: readonly LevelEntry[], directory: string) => void;

interface TreeWork<Found extends object> {
  readonly name: string;
  readonly request: (places: SentPlaces) => object;
  /** Makes a collector for what one part finds. */
  readonly open: () => { readonly visit: Visit; readonly close: () => Found };
  readonly take: (found: Found) => void;
}

/** What was passed over in the whole tree. */
export interface WholeTree {
  readonly skipped: Skipped;
  readonly stoppedBy: StoppedBy | undefined;
}

/** Some milliseconds of walking: a small read waits behind one part, and the last part for nobody. */
const PART_ENTRIES = 1500;
/** Smaller trees are done sooner than another worker is asked. */
const ENTRIES_ALONE = 500;
/** Directories that go to another worker at once, which rarely comes to all of them. */
const MOST_SENT = 64;

export async function walkWhole<Found extends object>(
  ctx: SearchContext,
  start: Located,
  options: LevelOptions,
  work: TreeWork<Found>,
): Promise<WholeTree> {
  const skipped = new Skipped();
  const chains = new ReceivedChains(ctx.scope, start.root);
  const above = options.useIgnore ? chainAbove(ctx.scope, start, () => skipped.unreadable++) : undefined;
  // Directories to come: the next one stands last.
  let places: LevelPlace[] = [{ at: start, rel: "", above }];
  let seen = 0;
  let stoppedBy: StoppedBy | undefined;
  const walkHere = (most: number): Answer<Found> => {
    const { visit, close } = work.open();
    const walked = walkSome({ ctx, options, skipped }, places, most, visit);
    ctx.progress((seen += walked.seen), undefined, "entries looked at");
    return { ...close(), stoppedBy: walked.stoppedBy };
  };
  const take = (answer: Answer<Found>): boolean => {
    work.take(answer);
    if (answer.skipped) skipped.add(answer.skipped);
    if (answer.rest) places = [...receivePlaces(answer.rest, start.root, chains), ...places];
    stoppedBy ??= answer.stoppedBy;
    return stoppedBy !== undefined;
  };
  if (!take(walkHere(ENTRIES_ALONE)))
    await inParts<readonly LevelPlace[], Answer<Found>>(ctx, {
      name: work.name,
      request(part) {
        if (part.length === 0) return undefined;
        const sent = sendPlaces(part, { root: start.root.index, start: start.rel }, chains);
        return JSON.stringify(work.request(sent));
      },
      next(isShared) {
        if (places.length === 0) return undefined;
        // The directories that would come last lead to most of what is still to be done.
        const most = isShared && places.length > 1 ? Math.min(MOST_SENT, Math.ceil(places.length / 4)) : 0;
        return places.splice(0, most);
      },
      here(part) {
        places = [...part, ...places];
        return walkHere(PART_ENTRIES);
      },
      take: (_part, answer) => take(answer),
    });
  return { skipped, stoppedBy };
}

/** What a part found; one of another worker also says what it passed over, and which directories it did not come to. */
type Answer<Found extends object> = Found & {
  readonly skipped?: SkippedCounts;
  readonly stoppedBy?: StoppedBy | undefined;
  readonly rest?: SentPlaces;
};

export function walkPart<Found extends object>(
  ctx: SearchContext,
  options: LevelOptions,
  sent: SentPlaces,
  { open }: Pick<TreeWork<Found>, "open">,
): Answer<Found> {
  const root = ctx.scope.roots[sent.root];
  if (!root) throw new Error(`no root ${sent.root}`);
  const places = receivePlaces(sent, root, new ReceivedChains(ctx.scope, root));
  const skipped = new Skipped();
  const { visit, close } = open();
  const { stoppedBy } = walkSome({ ctx, options, skipped }, places, PART_ENTRIES, visit);
  return { ...close(), skipped: skipped.counts(), stoppedBy, rest: sendPlaces(places, sent) };
}

/** Takes directories from the end of `places` and puts those below them there, until it has seen enough. */
function walkSome(looking: LevelContext, places: LevelPlace[], most: number, visit: Visit) {
  const { ctx, skipped } = looking;
  const options = { ...looking.options, inAnyOrder: true };
  let seen = 0;
  while (seen < most) {
    const state = ctx.cancel.state();
    if (state !== "none") return { stoppedBy: state, seen };
    const place = places.pop();
    if (!place) break;
    const level = readLevel({ ctx, options, skipped }, place);
    if (!level) continue;
    const { entries, chain: above } = level;
    // Also a directory without anything in it is one that was looked at.
    seen += entries.length + 1;
    const below: LevelEntry[] = [];
    for (const entry of entries) {
      if (skipped.count(entry.type) === "directory") below.push(entry);
    }
    visit(entries, place.rel);
    // What comes first by name is done first, and stands last.
    below.sort((a, b) => compareNames(b.name, a.name));
    for (const { at, rel } of below) if (options.enters?.(rel) !== false) places.push({ at, rel, above });
  }
  return { stoppedBy: undefined, seen };
}

/** Where the search starts. */
interface SentStart {
  readonly root: number;
  readonly start: string;
}

export interface SentPlaces extends SentStart {
  /** Below the root, joined by what no path holds; one string, because many cross slowly. */
  readonly rels: string;
  readonly chains: readonly SentChain[];
  readonly chainOf: readonly number[];
}

const BETWEEN = "//";

/** @param known where chains are kept for when they come back */
function sendPlaces(places: readonly LevelPlace[], { root, start }: SentStart, known?: ReceivedChains): SentPlaces {
  const indexes = new Map<IgnoreChain | undefined, number>();
  const chains: SentChain[] = [];
  for (const { above } of places) {
    if (indexes.has(above)) continue;
    const chain = sendChain(above);
    indexes.set(above, chains.push(chain) - 1);
    known?.keep(chain, above);
  }
  const chainOf = places.map(({ above }) => indexes.get(above) ?? 0);
  return { root, start, rels: places.map(({ at }) => at.rel).join(BETWEEN), chains, chainOf };
}

function receivePlaces(sent: SentPlaces, root: OpenRoot, known: ReceivedChains): LevelPlace[] {
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
  return chain ? [...sendChain(chain.parent), chain.link] : [];
}

/** The chains of one search in one root, so that no ignore file is read twice. */
class ReceivedChains {
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
