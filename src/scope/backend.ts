/**
 * The two ways of opening something below a root and nowhere else. Everything above this interface is the same code for
 * both: it works on an open descriptor, or on a bare name below `Opened.path`.
 *
 * Guarantee: `open` returns only descriptors of objects that were below the root at one moment during the call.
 * Not guaranteed: hard links and mounts below the root lead where they lead.
 */

/** Links on the way: `follow` while they stay inside, or `refuse` any (walks, which report links and never follow). */
export type Links = "follow" | "refuse";

export interface Opened {
  /** -1 where directories cannot be opened (Windows). */
  readonly fd: number;
  /** Where node:fs reaches the object, valid while `fd` is open; a bare name may be put behind it. */
  readonly path: string;
}

export interface RootHandle extends Opened {
  /** The canonical path at start, for people and for telling roots apart. */
  readonly canonical: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** The descriptor is somebody else's to close. */
  readonly isBorrowed: boolean;
}

export interface Backend {
  readonly kind: "handle" | "portable";
  /** `held`: a descriptor of the root that was opened before; its path must still lead to it, or no longer matter. */
  openRoot(path: string, held?: number): RootHandle;
  /**
   * Opens `rel` ("" is the root itself) with `flags` of open(2); O_CLOEXEC and O_NOCTTY are added.
   * @throws an error with an errno `code`; `EXDEV` means that the path leaves the root.
   */
  open(root: RootHandle, rel: string, flags: number, links: Links): Opened;
  /** The path below the root that the opened object really has, links resolved; `undefined` when it was moved out. */
  realRel(root: RootHandle, opened: Opened): string | undefined;
}

/** An errno as node:fs would throw it. */
export function errnoError(code: string): Error & { code: string } {
  return Object.assign(new Error(code), { code });
}
