/**
 * A whole tree for searches that look at everything, directory by directory, in parts that end after some number of
 * entries and give back the directories that they did not come to. Another worker does parts while it has time. In which
 * order directories come is of no matter to these searches: they sort or add up.
 *
 * Usual mistake: to make an answer depend on who did a part, or when; what is put together must be the same in any order.
 */
import type { Located } from "../../scope/index.ts";
import type { SearchContext, StoppedBy } from "../context.ts";
import { chainAbove } from "../ignore/ignore-chain.ts";
import { LeftOut, type LeftOutCounts } from "./left-out.ts";
import { compareNames } from "./name-order.ts";
import { type LevelEntry, type LevelOptions, type LevelPlace, readLevel } from "./read-level.ts";
import { ReceivedChains, receivePlaces, sendPlaces, type SentPlaces } from "./sent-places.ts";

export interface TreeOptions extends LevelOptions {
  /** Whether a directory can hold anything wanted. */
  readonly enters?: ((rel: string) => boolean) | undefined;
}

/** The entries of one directory, which stands below the start. */
export type Visit = (entries: readonly LevelEntry[], directory: string) => void;

interface TreeWork<Found extends object> {
  /** The job's name in another worker, and its input. */
  readonly name: string;
  readonly request: (places: SentPlaces) => object;
  /** Makes what a part is put into. */
  readonly open: () => { readonly visit: Visit; readonly close: () => Found };
  readonly take: (found: Found) => void;
}

/** What was passed over in the whole tree. */
export interface WholeTree {
  readonly leftOut: LeftOut;
  /** Set when it ended before the tree did. */
  readonly stoppedBy: StoppedBy | undefined;
}

/** What the part of another worker answers. */
export type PartAnswer<Found extends object> = Found & {
  readonly leftOut: LeftOutCounts;
  readonly stoppedBy?: StoppedBy | undefined;
  readonly rest: SentPlaces;
};

/** Some milliseconds of walking: a small read waits behind one part, and the last part for nobody. */
const PART_ENTRIES = 1500;
/** Smaller trees are done sooner than another worker is asked. */
const ENTRIES_ALONE = 500;
/** At another worker at once: one that it does, and one so that it never waits. */
const MAX_SHARED = 2;
/** After a worker had no time: so many parts are done here before it is asked again. */
const PARTS_ALONE = 8;
/** Directories that go to another worker at once, which rarely comes to all of them. */
const MOST_SENT = 64;

export async function walkWhole<Found extends object>(
  ctx: SearchContext,
  start: Located,
  options: TreeOptions,
  work: TreeWork<Found>,
): Promise<WholeTree> {
  const tree = new Going(ctx, start, options, work);
  await tree.toTheEnd();
  return tree;
}

/** In the worker that was given the part. */
export function walkPart<Found extends object>(
  ctx: SearchContext,
  options: TreeOptions,
  sent: SentPlaces,
  { open }: Pick<TreeWork<Found>, "open">,
): PartAnswer<Found> {
  const root = ctx.scope.roots[sent.root];
  if (!root) throw new Error(`no root ${sent.root}`);
  const places = receivePlaces(sent, root, new ReceivedChains(ctx.scope, root));
  const leftOut = new LeftOut();
  const { visit, close } = open();
  const { stoppedBy } = walkSome({ ctx, options, leftOut }, places, PART_ENTRIES, visit);
  return { ...close(), leftOut: leftOut.counts(), stoppedBy, rest: sendPlaces(places, sent) };
}

class Going<Found extends object> implements WholeTree {
  readonly leftOut: LeftOut = new LeftOut();
  stoppedBy: StoppedBy | undefined;
  readonly #ctx: SearchContext;
  readonly #start: Located;
  readonly #options: TreeOptions;
  readonly #work: TreeWork<Found>;
  readonly #chains: ReceivedChains;
  /** Directories to come: the next one stands last. */
  #places: LevelPlace[];
  readonly #elsewhere = new Set<Promise<void>>();
  #alone: number;
  #seen = 0;
  #thrown: { readonly value: unknown } | undefined;

  constructor(ctx: SearchContext, start: Located, options: TreeOptions, work: TreeWork<Found>) {
    this.#ctx = ctx;
    this.#start = start;
    this.#options = options;
    this.#work = work;
    this.#chains = new ReceivedChains(ctx.scope, start.root);
    this.#alone = ctx.share ? 0 : Infinity;
    const above = options.useIgnore
      ? chainAbove(ctx.scope, start, () => this.leftOut.unreadable++)
      : undefined;
    this.#places = [{ at: start, rel: "", above }];
  }

  async toTheEnd(): Promise<void> {
    this.#here(ENTRIES_ALONE);
    while (!this.stoppedBy && (this.#places.length > 0 || this.#elsewhere.size > 0)) {
      while (this.#alone <= 0 && this.#elsewhere.size < MAX_SHARED && this.#places.length > 1) this.#share();
      if (this.#places.length > 0) {
        this.#here(PART_ENTRIES);
        this.#alone--;
        const turn = this.#ctx.turn?.pause();
        if (turn) await turn;
        // Answers of other workers come between two parts only.
        else if (this.#elsewhere.size > 0) await new Promise((resolve) => setImmediate(resolve));
      } else await this.#away(Promise.race(this.#elsewhere));
      if (this.#thrown) throw this.#thrown.value;
    }
  }

  async #away(elsewhere: Promise<void>): Promise<void> {
    await (this.#ctx.turn?.away(elsewhere) ?? elsewhere);
  }

  #here(most: number): void {
    const { leftOut } = this;
    const { visit, close } = this.#work.open();
    const looking = { ctx: this.#ctx, options: this.#options, leftOut };
    const { stoppedBy, seen } = walkSome(looking, this.#places, most, visit);
    this.#work.take(close());
    this.stoppedBy ??= stoppedBy;
    this.#seen += seen;
    this.#ctx.progress(this.#seen, undefined, "entries looked at");
  }

  /** Those that would come last: they lead to the most that is still to be done. */
  #share(): void {
    const most = Math.min(MOST_SENT, Math.ceil(this.#places.length / 4));
    const places = this.#places.splice(0, most);
    const part = this.#elsewhereOrBack(places).finally(() => this.#elsewhere.delete(part));
    this.#elsewhere.add(part);
  }

  async #elsewhereOrBack(places: readonly LevelPlace[]): Promise<void> {
    try {
      const at = { root: this.#start.root.index, start: this.#start.rel };
      const sent = sendPlaces(places, at, this.#chains);
      const text = await this.#ctx.share?.(this.#work.name, JSON.stringify(this.#work.request(sent)));
      const answer = text === undefined ? undefined : (JSON.parse(text) as PartAnswer<Found>);
      const rest = answer ? receivePlaces(answer.rest, this.#start.root, this.#chains) : places;
      this.#places = [...rest, ...this.#places];
      if (!answer) {
        this.#alone = PARTS_ALONE;
        return;
      }
      this.#work.take(answer);
      this.leftOut.add(answer.leftOut);
      this.stoppedBy ??= answer.stoppedBy;
    } catch (thrown) {
      this.#thrown = { value: thrown };
    }
  }
}

interface Looking {
  readonly ctx: SearchContext;
  readonly options: TreeOptions;
  readonly leftOut: LeftOut;
}

/** Takes directories from the end of `places` and puts those below them there, until it has seen enough. */
function walkSome(
  looking: Looking,
  places: LevelPlace[],
  most: number,
  visit: Visit,
): { readonly stoppedBy?: StoppedBy; readonly seen: number } {
  const { ctx, leftOut } = looking;
  const options = { ...looking.options, inAnyOrder: true };
  let seen = 0;
  while (seen < most) {
    const state = ctx.cancel.state();
    if (state !== "none") return { stoppedBy: state, seen };
    const place = places.pop();
    if (!place) break;
    const level = readLevel({ ctx, options, leftOut }, place);
    if (!level) continue;
    const { entries, chain: above } = level;
    // Also a directory without anything in it is one that was looked at.
    seen += entries.length + 1;
    const below: LevelEntry[] = [];
    for (const entry of entries) {
      if (leftOut.count(entry.type) === "directory") below.push(entry);
    }
    visit(entries, place.rel);
    // What comes first by name is done first, and stands last.
    below.sort((a, b) => compareNames(b.name, a.name));
    for (const { at, rel } of below) if (options.enters?.(rel) !== false) places.push({ at, rel, above });
  }
  return { seen };
}
