/**
 * Calls start in the order they came. A change waits for earlier calls on its paths and holds back later ones; reads
 * pass each other. Paths are compared as text here, which decides only order, never what may be reached.
 */
import { posix } from "node:path";

export interface Turn {
  /** `undefined`: at once. */
  readonly ready: Promise<unknown> | undefined;
  /** The call is over; whoever waits for it may start. */
  leave(): void;
}

interface Entry {
  readonly paths: readonly string[] | "all";
  readonly exclusive: boolean;
  readonly done: Promise<void>;
}

export interface Order {
  /** Called in the order of arrival, without waiting in between. */
  enter(paths: readonly string[] | "all", exclusive: boolean): Turn;
}

export function createOrder(base: string): Order {
  const entries = new Set<Entry>();
  let exclusives = 0;

  return {
    enter(asked, exclusive) {
      const paths = asked === "all" ? asked : asked.map((path) => posix.resolve(base, path));
      const waitFor = exclusive || exclusives > 0 ? blockers(entries, paths, exclusive) : [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry: Entry = { paths, exclusive, done: promise };
      entries.add(entry);
      if (exclusive) exclusives++;
      return {
        ready: waitFor.length === 0 ? undefined : Promise.all(waitFor),
        leave() {
          if (!entries.delete(entry)) return;
          if (exclusive) exclusives--;
          resolve();
        },
      };
    },
  };
}

function blockers(
  entries: ReadonlySet<Entry>,
  paths: readonly string[] | "all",
  exclusive: boolean,
): Promise<void>[] {
  const found: Promise<void>[] = [];
  for (const entry of entries)
    if ((exclusive || entry.exclusive) && overlap(entry.paths, paths)) found.push(entry.done);
  return found;
}

function overlap(a: readonly string[] | "all", b: readonly string[] | "all"): boolean {
  if (a === "all" || b === "all") return true;
  return a.some((one) => b.some((other) => within(one, other) || within(other, one)));
}

function within(path: string, directory: string): boolean {
  return path === directory || directory === "/" || path.startsWith(`${directory}/`);
}
