/**
 * What a caller's path is on its way to an object (located in a root, then an open file or directory, or a place), and the
 * two ways of opening something below a root and nowhere else. Everything above this interface is one code for both ways: it
 * works on an open descriptor, or on a bare name below `Opened.path`. Only `Scope` makes a `Located`; everything else takes it
 * and never a string.
 *
 * Guarantee: `open` returns only descriptors of objects that were below the root it names at one moment during the call.
 * That is another root than the one it began in when a link on the way leads there.
 * Not guaranteed: hard links and mounts below the root lead where they lead.
 */
import type { BigIntStats } from "node:fs";

/** Links on the way: `follow` while they stay in the roots, or `refuse` any (walks, which report links and never follow). */
export type Links = "follow" | "refuse";

export interface Opened {
  /** -1 where directories cannot be opened (Windows). */
  readonly fd: number;
  /** Where node:fs reaches the object, valid while `fd` is open; a bare name may be put behind it. */
  readonly path: string;
}

/** An open object, and the root that it was opened from at the end. */
export interface Landed extends Opened {
  readonly root: OpenRoot;
}

export interface RootHandle extends Opened {
  /** The canonical path at start, for people and for telling roots apart. */
  readonly canonical: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** The descriptor is somebody else's to close. */
  readonly isBorrowed: boolean;
}

export interface RootSpec {
  /** Absolute path. */
  readonly path: string;
  /** Where it was when the host opened it, for a scope that is made later. Default: where it is. */
  readonly canonical?: string | undefined;
  readonly readOnly: boolean;
  /** The folder of the memory: only its tools see it, whatever is hidden or left of the roots by the client. */
  readonly isMemory?: true | undefined;
}

export interface OpenRoot {
  readonly index: number;
  readonly handle: RootHandle;
  readonly readOnly: boolean;
  readonly isMemory?: true | undefined;
  /** Absolute paths under which a caller may name it: as given, and canonical, at the start and now. */
  readonly spellings: readonly string[];
}

/** A path to open: where it begins, and every root in which it may end. */
export interface Way {
  readonly roots: readonly OpenRoot[];
  readonly root: OpenRoot;
  /** Below `root`; "" is the root itself. */
  readonly rel: string;
  readonly links: Links;
}

/** What stands at a path below a root, a link not followed. */
export type Look = (root: OpenRoot, rel: string) => { readonly link: string } | "directory" | "other" | "missing";

export interface Backend {
  readonly kind: "handle" | "portable";
  /** `held`: a descriptor of the root that was opened before; its path must still lead to it, or no longer matter. */
  openRoot(path: string, held?: number): RootHandle;
  /**
   * Opens the end of the way with `flags` of open(2); O_CLOEXEC and O_NOCTTY are added.
   * @throws an error with an errno `code`; `EXDEV` means that the path leaves the roots.
   */
  open(way: Way, flags: number): Landed;
  /** For a way that cannot be opened. */
  readonly look: Look;
  /** The path below its root that the object really has, links resolved; `undefined` when it was moved out or removed. */
  realRel(opened: Landed): string | undefined;
  /** Whether what was opened at the start has been removed, or can no longer be reached. */
  isGone(root: RootHandle): boolean;
}

/** A path that was parsed, not yet opened. */
export interface Located {
  readonly root: OpenRoot;
  /** Below the root, "" for the root itself; may hold `..` until the object is opened. */
  readonly rel: string;
  readonly mustBeDirectory: boolean;
  readonly asked: string;
}

export interface OpenFile extends Disposable {
  readonly fd: number;
  readonly stat: BigIntStats;
  readonly at: Located;
}

export interface OpenDirectory extends Disposable {
  /** Where node:fs lists it, while it is open. */
  readonly path: string;
  /** -1 where directories cannot be opened. */
  readonly fd: number;
  readonly at: Located;
}

/** A bare name below a verified, open parent: the form in which anything is created, replaced, moved or removed. */
export interface Place extends Disposable {
  /** For node:fs; the last component is never followed if the call says so (lstat, O_NOFOLLOW, rename, unlink). */
  readonly entry: string | Buffer;
  readonly parent: Opened;
  readonly name: string;
  /** With links in the parents resolved: also in another root, when one of them leads there. */
  readonly at: Located;
}

/** The directory above, by the words of the path, and the bare name in it. */
export function parentOf(at: Located): { readonly parentAt: Located; readonly name: string } {
  const cut = at.rel.lastIndexOf("/");
  const rel = cut < 0 ? "" : at.rel.slice(0, cut);
  return { parentAt: { ...at, rel, mustBeDirectory: true }, name: at.rel.slice(cut + 1) };
}

/** A path below an absolute directory, by name. */
export function joinPath(base: string, rel: string): string {
  if (rel === "") return base;
  return base.endsWith("/") ? base + rel : `${base}/${rel}`;
}

/** The absolute path by name. */
export function absoluteIn(root: OpenRoot, rel: string): string {
  return joinPath(root.handle.canonical, rel);
}

/** The absolute path by every name of the root, also by those that lead to another directory by now. */
export function spelledIn(root: OpenRoot, rel: string): string[] {
  return root.spellings.map((spelling) => joinPath(spelling, rel));
}

/** The part of an absolute path that lies below the root; `undefined` for any other. */
export function relIn(root: OpenRoot, path: string): string | undefined {
  return relBelow(root.handle.canonical, path);
}

/** The part of an absolute path that lies below another one, by name. */
export function relBelow(base: string, path: string): string | undefined {
  if (path === base) return "";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
