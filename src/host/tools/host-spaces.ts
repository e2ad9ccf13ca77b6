/**
 * The spaces of one host while it runs: looked at every second, read again where something has changed, and their tools added
 * and removed. A tool is there when a person has approved exactly this tool, here or at another command line.
 */
import { join } from "node:path";
import { Failure, logLine, reportBug, type Timer } from "../../base/index.ts";
import type { ChangedTools, LoadedSpaces, Services, ToolsToChange } from "../../pipeline/index.ts";
import {
  describeSpace,
  findSpaces,
  markSpaces,
  openSpaceStore,
  viewSpace,
  type Space,
  type SpaceView,
} from "../../spaces/index.ts";
import type { UpstreamStore } from "../../state/index.ts";
import { knownSpaceTools, reviewSpacesCommand } from "./space-tools.ts";

const LOOK_MS = 1000;

type Apply = (change: ToolsToChange) => Promise<ChangedTools>;

export class HostSpaces implements LoadedSpaces, Disposable {
  readonly #host: Services;
  readonly #store: UpstreamStore;
  readonly #command: string;
  /** What is offered, by the tool's name: the hash of the tool. */
  readonly #offered: Map<string, string> = new Map();
  readonly #unloaded: Set<string> = new Set();
  #spaces: readonly Space[] = [];
  #refused: ReadonlyMap<string, readonly string[]> = new Map();
  #mark = "";
  #told = "";
  #timer: Timer | undefined;
  #isOver = false;
  /** One change after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: Services) {
    this.#host = host;
    this.#store = openSpaceStore(host.config.stateDir);
    this.#command = reviewSpacesCommand(host.config);
  }

  /** @param apply changes the registry, which nobody else has seen yet */
  async open(apply: Apply): Promise<void> {
    await this.#read(apply);
    this.#watch();
  }

  views(): readonly SpaceView[] {
    return this.#spaces.map((space) => {
      const view = viewSpace(this.#store, space, !this.#unloaded.has(space.id));
      return { ...view, problems: [...view.problems, ...(this.#refused.get(space.folder) ?? [])] };
    });
  }

  lines(): readonly string[] {
    return this.views().map((view) => describeSpace(view, this.#command));
  }

  async reload(): Promise<ChangedTools> {
    return await this.#read(async (change) => await this.#host.changeTools(change));
  }

  async setLoaded(id: string, isLoaded: boolean): Promise<ChangedTools> {
    if (!this.#spaces.some((space) => space.id === id && id !== ""))
      throw new Failure("not_found", `Cannot find the space "${id.slice(0, 60)}": no space of this host has this id`, {
        hint: "ringfence/spaces/list names them; the key spaces of the configuration says where they are looked for.",
        candidates: this.#spaces.flatMap((space) => (space.id === "" ? [] : [space.id])).slice(0, 20),
      });
    if (isLoaded) this.#unloaded.delete(id);
    else this.#unloaded.add(id);
    return await this.reload();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }

  async #read(apply: Apply): Promise<ChangedTools> {
    const reading = this.#last.then(async () => await this.#readNow(apply));
    this.#last = reading.catch(() => undefined);
    return await reading;
  }

  async #readNow(apply: Apply): Promise<ChangedTools> {
    const { spaces, roots } = this.#host.config;
    this.#mark = await this.#markNow();
    this.#spaces = await findSpaces(spaces, roots);
    const loaded = this.#spaces.filter(({ id }) => !this.#unloaded.has(id));
    const known = knownSpaceTools(this.#store, loaded);
    const wanted = new Map(known.tools.flatMap((one) => (one.isApproved ? [[one.name, one]] : [])));
    const refused = new Map(known.refused);
    const remove = [...this.#offered].flatMap(([name, hash]) => (wanted.get(name)?.hash === hash ? [] : [name]));
    for (const name of remove) this.#offered.delete(name);
    const fresh = [...wanted.values()].filter(({ name }) => !this.#offered.has(name));
    const changed = await apply({ remove, add: fresh.map(({ tool }) => tool) });
    for (const name of changed.added) this.#offered.set(name, wanted.get(name)?.hash ?? "");
    for (const { name, why } of changed.refused) {
      const folder = wanted.get(name)?.folder ?? "";
      refused.set(folder, [...(refused.get(folder) ?? []), `${name}: ${why}`]);
    }
    this.#refused = refused;
    // What was added may be where a tool of the next look stands.
    this.#mark = await this.#markNow();
    this.#tell();
    return changed;
  }

  /** A person hears of what cannot be used, once for each time that it changes. */
  #tell(): void {
    const lines = this.views().flatMap((view) =>
      view.problems.length > 0 || view.waiting.length > 0 ? [describeSpace(view, this.#command)] : [],
    );
    const told = lines.join("\n");
    if (told !== this.#told) lines.forEach((line) => logLine(line));
    this.#told = told;
  }

  #watch(): void {
    if (this.#isOver) return;
    this.#timer = this.#host.clock.after(LOOK_MS, () => void this.#look());
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      if ((await this.#markNow()) !== this.#mark && !this.#isOver) await this.reload();
    } catch (thrown) {
      reportBug(thrown);
    } finally {
      this.#watch();
    }
  }

  async #markNow(): Promise<string> {
    const { spaces, stateDir } = this.#host.config;
    // Where approvals are kept.
    return await markSpaces(spaces, this.#spaces, [join(stateDir, "upstream")]);
  }
}
