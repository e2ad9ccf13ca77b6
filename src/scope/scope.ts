/**
 * The only way from a caller's string to a file. Roots are opened once and held; every object is reached from a root's
 * handle through the backend, and everything after that through the handle that came back.
 *
 * Guarantees: no object outside the roots is opened, listed or named; deny rules hold on the resolved object and for
 * paths that do not exist; only regular files are read. Not guaranteed: hard links and mounts inside a root lead where
 * they lead (SECURITY.md).
 *
 * Usual mistake: to join a path and hand it to node:fs. Use `place` for a bare name below a verified parent.
 */
import { closeSync, constants, fstatSync, lstatSync, type BigIntStats } from "node:fs";
import { Failure } from "../base/index.ts";
import { fsName } from "../sys/index.ts";
import {
  absoluteIn,
  parentOf,
  type Backend,
  type Landed,
  type Links,
  type Located,
  type OpenDirectory,
  type Opened,
  type OpenFile,
  type OpenRoot,
  type Place,
  type Way,
} from "./backend.ts";
import { denyByRoot, type Closes, type RootDenyRules } from "./deny.ts";
import { expandLinks } from "./expand-links.ts";
import { isMadeUp } from "./mounts.ts";
import { showName } from "./names.ts";
import { outsideScope, parsePath } from "./parse-path.ts";
import { chooseBackend, innermostOf, openRoots, type ScopeOptions } from "./roots.ts";
import { denied, failureOf, isRoot, notFound, notRegular, rootGone } from "./scope-failure.ts";
import { createWithin, type Within } from "./within.ts";

export class Scope implements Disposable {
  readonly roots: readonly OpenRoot[];
  readonly #backend: Backend;
  readonly #deny: RootDenyRules;
  readonly #within: Within;
  readonly #isSecret: Closes | undefined;

  constructor(options: ScopeOptions) {
    this.#backend = chooseBackend(options.containment ?? "auto");
    this.roots = openRoots(options.roots, this.#backend, options.rootFds ?? []);
    this.#within = createWithin(options);
    this.#isSecret = options.isSecret;
    this.#deny = denyByRoot(this.roots, options);
  }

  get containment(): Backend["kind"] {
    return this.#backend.kind;
  }

  [Symbol.dispose](): void {
    for (const { handle } of this.roots) if (!handle.isBorrowed) close(handle);
  }

  /** @throws Failure `invalid_input`, `outside_scope`, `denied` */
  locate(asked: string, verb: string): Located {
    const parsed = parsePath(asked, this.roots, verb);
    const root = this.roots[parsed.root];
    if (!root) throw outsideScope(verb, asked);
    const at = { ...parsed, root, asked };
    if (!root.isMemory && !this.#within.admits(root.handle.canonical, at.rel)) throw this.#within.failure(at, verb);
    if (this.denies(at)) throw this.#denied(at, at, verb);
    return at;
  }

  child(at: Located, name: string): Located {
    const rel = at.rel === "" ? name : `${at.rel}/${name}`;
    return { root: at.root, rel, mustBeDirectory: false, asked: name };
  }

  /** Names the object under the innermost root that holds it: of nested roots the most specific one rules. */
  innermost(at: Located): Located {
    return innermostOf(this.roots, at);
  }

  /** Whether this is a directory that narrowing left whole, or one above it. Like a root it is never made or replaced. */
  isAtop(at: Located): boolean {
    return this.#within.isAtop(this.absolute(at));
  }

  denies(at: Located): boolean {
    return this.#deny.denies(at.root, at.rel);
  }

  /** Answers for the names in one directory, which is not denied itself: for listings. */
  deniesIn({ root, rel }: Located): (name: string) => boolean {
    return this.#deny.deniesIn(root, rel);
  }

  /** Whether the directory that was opened at the start has been removed. */
  isGone(root: OpenRoot): boolean {
    return this.#backend.isGone(root.handle);
  }

  /** The path as callers see and may give it: relative in the first root, absolute in the others. */
  show(at: Located): string {
    if (at.root.index === 0) return at.rel === "" ? "." : showName(at.rel);
    return showName(this.absolute(at));
  }

  /** The absolute path by name, for people; never to be opened. */
  absolute(at: Located): string {
    return absoluteIn(at.root, at.rel);
  }

  /** Opens a regular file for reading. FIFOs, sockets and devices are refused without waiting for them. */
  openFile(at: Located, verb: string, links: Links = "follow"): OpenFile {
    const opened = this.#open(at, verb, constants.O_RDONLY | constants.O_NONBLOCK, links);
    const stat = fstatSync(opened.fd, { bigint: true });
    const isFile = stat.isFile() && !isMadeUp(opened.fd, stat.dev);
    if (isFile && !at.mustBeDirectory) return { fd: opened.fd, stat, at, [Symbol.dispose]: () => closeSync(opened.fd) };
    closeSync(opened.fd);
    if (isFile) throw notFound(this, at, verb, "it is a file, and the path ends in a slash");
    throw notRegular(at, verb, stat);
  }

  openDirectory(at: Located, verb: string, links: Links = "follow"): OpenDirectory {
    const opened = this.#open(at, verb, DIRECTORY, links);
    if (at.rel === "" && this.isGone(at.root)) {
      close(opened);
      throw rootGone(at, verb);
    }
    return directoryOf(opened, at);
  }

  /** The directory where it really is, or `undefined` when it cannot be opened for whatever reason; nothing is suggested. */
  tryDirectory(at: Located): OpenDirectory | undefined {
    let opened: Landed | undefined;
    try {
      opened = this.#backend.open(this.#way(at, "follow"), DIRECTORY);
      return directoryOf(opened, this.#realOf(opened, at, "list"));
    } catch {
      if (opened) close(opened);
      return undefined;
    }
  }

  /** The object itself, a link not followed. */
  lstat(at: Located, verb: string): BigIntStats {
    if (at.rel === "" || this.isAtop(at)) {
      using directory = this.openDirectory(at, verb);
      return lstatSync(fsName(`${directory.path}/.`), { bigint: true });
    }
    using place = this.place(at, verb);
    try {
      return lstatSync(place.entry, { bigint: true });
    } catch (thrown) {
      throw failureOf(thrown, this, at, verb);
    }
  }

  /**
   * The parent directory by handle and the bare name in it. The object itself may be missing.
   * @throws Failure `not_found` when the parent is missing
   */
  place(at: Located, verb: string): Place {
    if (at.rel === "" || /(?:^|\/)\.\.$/.test(at.rel)) {
      // These have no last name of their own: open them and use the name they really have.
      const real = this.resolve({ ...at, mustBeDirectory: true }, verb);
      if (real.rel === "") throw isRoot(at, verb);
      return this.place(real, verb);
    }
    if (this.isAtop(at)) throw isRoot(at, verb);
    const { parentAt, name } = parentOf(at);
    // Only on the way: what is denied is denied with all in it, and of what is asked about a rule may allow a part.
    const parent = this.#openUnchecked(this.#way(parentAt, "follow"), parentAt, verb, DIRECTORY);
    try {
      const inside = this.child(this.#realOf(parent, at, verb, true), name);
      const resolved = { ...inside, asked: at.asked, mustBeDirectory: at.mustBeDirectory };
      if (this.denies(resolved)) throw this.#denied(at, resolved, verb);
      return placeIn(parent, name, resolved);
    } catch (thrown) {
      close(parent);
      throw thrown;
    }
  }

  /**
   * The place of a path that had no links on its way when it was made: they are refused, so it is what its name says.
   * @throws Failure `denied` with `details.link` when a link stands on the way now
   */
  exactPlace(at: Located, verb: string): Place {
    const { parentAt, name } = parentOf(at);
    if (at.rel === "" || this.isAtop(at)) throw isRoot(at, verb);
    if (this.denies(at)) throw this.#denied(at, at, verb);
    const parent = this.#open(parentAt, verb, DIRECTORY, "refuse");
    return placeIn(parent, name, at);
  }

  /** Follows links to the object and returns where it really is. @throws Failure `not_found`, `outside_scope`, `denied` */
  resolve(at: Located, verb: string): Located {
    const opened = this.#open(at, verb, constants.O_RDONLY | constants.O_NONBLOCK, "follow");
    try {
      return this.#realOf(opened, at, verb);
    } finally {
      close(opened);
    }
  }

  #denied(at: Located, { root, rel }: Pick<Located, "root" | "rel">, verb: string): Failure {
    return denied(at, verb, this.#isSecret?.(rel, absoluteIn(root, rel)) === true);
  }

  #way({ root, rel }: Located, links: Links): Way {
    return { roots: this.roots, root, rel, links };
  }

  #open(at: Located, verb: string, flags: number, links: Links): Landed {
    const way = this.#way(at, links);
    if (!this.#deny.active && !this.#within.active) return this.#openUnchecked(way, at, verb, flags);
    const exact = this.#openExact(way, at, flags);
    if (exact) return exact;
    const opened = this.#openUnchecked(way, at, verb, flags);
    try {
      this.#realOf(opened, at, verb);
      return opened;
    } catch (thrown) {
      close(opened);
      throw thrown;
    }
  }

  /**
   * Opens a path that has no link on its way: such a path is what it says, so what was decided on its words need not be
   * asked of the open object, which costs two more system calls. Most paths are such. Only the handle backend can tell:
   * elsewhere the name of an object may differ from the one it was opened by.
   *
   * @returns `undefined` for a link on the way, and for whatever else keeps it from being opened: the long way says what
   */
  #openExact(way: Way, at: Located, flags: number): Landed | undefined {
    if (this.containment !== "handle" || this.#within.active || INEXACT.test(way.rel) || this.denies(at))
      return undefined;
    try {
      return this.#backend.open({ ...way, links: "refuse" }, flags);
    } catch {
      return undefined;
    }
  }

  #openUnchecked(way: Way, at: Located, verb: string, flags: number): Landed {
    try {
      return this.#backend.open(way, flags);
    } catch (thrown) {
      if (this.#deny.active || this.#within.active) this.#refuseDeniedWay(way, at, verb);
      throw failureOf(thrown, this, at, verb);
    }
  }

  /** Where an open object really is, if it may be seen there. The caller closes it, also on a failure. */
  #realOf(opened: Landed, at: Located, verb: string, isOnTheWay = false): Located {
    const rel = this.#backend.realRel(opened);
    if (rel === undefined) throw outsideScope(verb, at.asked);
    const real = { ...at, root: opened.root, rel };
    if (!real.root.isMemory && !this.#within.holds(this.absolute(real))) throw this.#within.failure(at, verb);
    if (!isOnTheWay && this.denies(real)) throw this.#denied(at, real, verb);
    return real;
  }

  /** What is missing behind a denied name, or outside of what is left, is refused like what is there, however led to. */
  #refuseDeniedWay(way: Way, at: Located, verb: string): void {
    try {
      expandLinks(way, (root, rel) => {
        if (!this.#within.isOnTheWay(absoluteIn(root, rel))) throw this.#within.failure(at, verb);
        if (this.#deny.denies(root, rel)) throw this.#denied(at, { root, rel }, verb);
        return this.#backend.look(root, rel);
      });
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
    }
  }
}

const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY;

/** Empty names, `.` and `..`: not the path that is compared with rules. */
const INEXACT = /(?:^|\/)\.{0,2}(?:\/|$)/;

function directoryOf(opened: Opened, at: Located): OpenDirectory {
  return { path: opened.path, fd: opened.fd, at, [Symbol.dispose]: () => close(opened) };
}

function placeIn(parent: Opened, name: string, at: Located): Place {
  return { entry: fsName(`${parent.path}/${name}`), parent, name, at, [Symbol.dispose]: () => close(parent) };
}

function close(opened: Opened): void {
  if (opened.fd >= 0) closeSync(opened.fd);
}
