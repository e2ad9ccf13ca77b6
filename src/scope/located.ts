/**
 * What a scope is opened with, and what a caller's path is on its way to an object: located in a root, then an open file or
 * directory, or a place. Only `Scope` makes these; everything else takes them and never a string.
 */
import type { BigIntStats } from "node:fs";
import type { Opened, OpenRoot, RootSpec } from "./backends/backend.ts";
import type { Containment } from "./backends/choose-backend.ts";
import type { DenyOptions } from "./limits/deny.ts";

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

/** What the roots of a client leave of the roots. */
export interface Narrowed {
  /** Canonical directories that are left; all of them by default, nothing when it is empty. */
  readonly within?: readonly string[] | undefined;
  /** What the client named as its roots; for the words of a failure. */
  readonly offered?: readonly string[] | undefined;
}

export interface ScopeOptions extends Narrowed, DenyOptions {
  readonly roots: readonly RootSpec[];
  readonly containment?: Containment;
  /** Descriptors of the roots that somebody else opened, holds and closes, by index. */
  readonly rootFds?: readonly number[];
}
