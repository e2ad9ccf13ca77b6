/**
 * The names by which two calls are told to be about one file, whatever way each of them takes: by a link, by another spelling
 * of a root, by `bytes:` escapes, by a second name of the same inode. They decide the order of calls and nothing else; what may be
 * reached is decided where a path is opened.
 *
 * Only names inside of a root are looked at. A link that leads out of the roots is where the way ends, so nothing about what
 * lies outside can be told from the order.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { posix } from "node:path";
import { isPath, orderKey, type Target, type TargetPlace } from "../policy/index.ts";
import { readName, type RootSpec } from "../scope/index.ts";
import { fsName } from "../sys/index.ts";
import { createPlacePath } from "./place-target.ts";

export interface RealNames {
  /** By the text alone: absolute, below the real path of its root. */
  plain(path: string): string;
  /** What the path leads to now: its real path, and its inode where that has several names. */
  real(path: string): readonly string[];
}

type Keys = readonly string[] | "all";

/** What one call touches. What its paths lead to is looked up one time, when another call may be about the same. */
export class TouchedNames {
  #keys: Keys;
  #paths: readonly string[];
  readonly #names: RealNames;

  constructor(targets: readonly Target[] | "all", names: RealNames) {
    this.#names = names;
    this.#keys = targets === "all" ? targets : targets.map((target) => orderKey(target, (path) => names.plain(path)));
    this.#paths = targets === "all" ? [] : targets.filter(isPath).map(({ path }) => path);
  }

  meet(other: TouchedNames): boolean {
    return overlap(this.#keys, other.#keys) || overlap(this.#real(), other.#real());
  }

  #real(): Keys {
    const real = this.#paths.flatMap((path) => this.#names.real(path));
    this.#paths = [];
    if (this.#keys !== "all" && real.length > 0) this.#keys = [...this.#keys, ...real];
    return this.#keys;
  }
}

function overlap(a: Keys, b: Keys): boolean {
  if (a === "all" || b === "all") return true;
  return a.some((one) => b.some((other) => within(one, other) || within(other, one)));
}

function within(key: string, top: string): boolean {
  return key === top || key.startsWith(top === "/" ? top : `${top}/`);
}

/** As many as the kernel follows. */
const MAX_LINKS = 40;
/** The kernel takes no longer path, so it leads nowhere. */
const MAX_CHARS = 4096;

export function createRealNames(roots: readonly RootSpec[]): RealNames {
  const place = createPlacePath(roots);
  const base = roots[0]?.path ?? "/";

  function plain(path: string): string {
    const named = readName(path) ?? path;
    const { root, rel } = place(named);
    return root === undefined || rel === undefined ? posix.resolve(base, named) : posix.join(root, rel);
  }

  return {
    plain,
    real(path) {
      let way = place(plain(path));
      for (let links = 0; isLookedAt(way); links++) {
        const link = firstLink(way.root, way.rel.split("/"));
        if (link.to === undefined) return [link.at, ...inodeOf(link.at)];
        if (links === MAX_LINKS) return [link.at];
        way = place(link.to);
      }
      return [];
    },
  };
}

function isLookedAt(way: TargetPlace): way is TargetPlace & { readonly root: string; readonly rel: string } {
  return way.root !== undefined && way.rel !== undefined && way.rel.length <= MAX_CHARS;
}

/** @returns where the first link on the way leads to, or the whole way without `to` */
function firstLink(root: string, names: readonly string[]): { readonly at: string; readonly to?: string } {
  let at = root;
  for (const [index, name] of names.entries()) {
    const next = posix.join(at, name);
    const target = linkAt(next);
    // Below what is not there nothing is.
    if (target === null) return { at: posix.join(next, ...names.slice(index + 1)) };
    if (target !== undefined) return { at: next, to: posix.resolve(at, target, ...names.slice(index + 1)) };
    at = next;
  }
  return { at };
}

/** @returns `undefined` for what is no link, `null` for what cannot be looked at, which no call follows either */
function linkAt(path: string): string | undefined | null {
  try {
    return lstatSync(fsName(path)).isSymbolicLink() ? readlinkSync(fsName(path)) : undefined;
  } catch {
    return null;
  }
}

function inodeOf(path: string): readonly string[] {
  try {
    const stat = lstatSync(fsName(path), { bigint: true });
    return stat.isFile() && stat.nlink > 1n ? [`inode:${stat.dev}:${stat.ino}`] : [];
  } catch {
    return [];
  }
}
