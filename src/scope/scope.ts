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
import type { Backend, Landed, Links, Opened, Way, OpenRoot } from "./backends/backend.ts";
import { chooseBackend, openExact } from "./backends/choose-backend.ts";
import { isMadeUp } from "./backends/made-up-files.ts";
import { openRoots } from "./backends/roots.ts";
import { denied, failureOf, isRoot, notFound, notRegular, rootGone } from "./failures/scope-failure.ts";
import { absoluteIn, denyByRoot, relIn, type Closes, type RootDenyRules } from "./limits/deny.ts";
import { createWithin, type Within } from "./limits/within.ts";
import { parentOf, type Located, type OpenDirectory, type OpenFile, type Place, type ScopeOptions } from "./located.ts";
import { showName } from "./paths/names.ts";
import { outsideScope, parsePath } from "./paths/parse-path.ts";

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
    const at = { root, rel: parsed.rel, mustBeDirectory: parsed.mustBeDirectory, asked };
    if (!this.#within.admits(root.handle.canonical, parsed.rel)) throw this.#within.failure(at, verb);
    if (this.denies(at)) throw this.#denied(at, at, verb);
    return at;
  }

  child(at: Located, name: string): Located {
    return {
      root: at.root,
      rel: at.rel === "" ? name : `${at.rel}/${name}`,
      mustBeDirectory: false,
      asked: name,
    };
  }

  /** Names the object under the innermost root that holds it: of nested roots the most specific one rules. */
  innermost(at: Located): Located {
    if (this.roots.length === 1) return at;
    const path = this.absolute(at);
    let best = at;
    for (const root of this.roots) {
      const rel = relIn(root, path);
      const isInner = root.handle.canonical.length > best.root.handle.canonical.length;
      if (rel !== undefined && isInner) best = { ...at, root, rel };
    }
    return best;
  }

  /**
   * Whether this is a directory that narrowing left whole, or one above it. Like a root it is never made or replaced.
   */
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
    return { path: opened.path, fd: opened.fd, at, [Symbol.dispose]: () => close(opened) };
  }

  /** The directory where it really is, or `undefined` when it cannot be opened for whatever reason; nothing is suggested. */
  tryDirectory(at: Located): OpenDirectory | undefined {
    let opened: Landed | undefined;
    try {
      opened = this.#backend.open(this.#way(at, "follow"), DIRECTORY);
      const real = this.#realOf(opened, at, "list");
      const { path, fd } = opened;
      return { path, fd, at: real, [Symbol.dispose]: () => close({ path, fd }) };
    } catch {
      if (opened) close(opened);
      return undefined;
    }
  }

  /** The object itself, a link not followed. */
  lstat(at: Located, verb: string): BigIntStats {
    if (at.rel === "" || this.isAtop(at)) return this.#statRoot(at, verb);
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
    if (at.rel === "" || /(?:^|\/)\.\.$/.test(at.rel)) return this.place(this.#named(at, verb), verb);
    if (this.isAtop(at)) throw isRoot(at, verb);
    const { parentAt, name } = parentOf(at);
    // Only on the way: what is denied is denied with all in it, and of what is asked about a rule may allow a part.
    const parent = this.#openUnchecked(this.#way(parentAt, "follow"), parentAt, verb, DIRECTORY);
    let resolved: Located;
    try {
      const inside = this.child(this.#realOf(parent, at, verb, true), name);
      resolved = { ...inside, asked: at.asked, mustBeDirectory: at.mustBeDirectory };
      if (this.denies(resolved)) throw this.#denied(at, resolved, verb);
    } catch (thrown) {
      close(parent);
      throw thrown;
    }
    return {
      entry: entryPath(parent, name),
      parent,
      name,
      at: resolved,
      [Symbol.dispose]: () => close(parent),
    };
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
    return { entry: entryPath(parent, name), parent, name, at, [Symbol.dispose]: () => close(parent) };
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

  #denied(at: Located, real: Pick<Located, "root" | "rel">, verb: string): Failure {
    return denied(at, verb, this.#isSecret?.(real.rel, absoluteIn(real.root, real.rel)) === true);
  }

  #way(at: Located, links: Links): Way {
    return { roots: this.roots, root: at.root, rel: at.rel, links };
  }

  #open(at: Located, verb: string, flags: number, links: Links): Landed {
    const way = this.#way(at, links);
    if (this.#deny.active && !this.#within.active && !this.denies(at)) {
      const exact = openExact(this.#backend, way, flags);
      if (exact) return exact;
    }
    const opened = this.#openUnchecked(way, at, verb, flags);
    if (!this.#deny.active && !this.#within.active) return opened;
    try {
      this.#realOf(opened, at, verb);
      return opened;
    } catch (thrown) {
      close(opened);
      throw thrown;
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
    if (!this.#within.holds(this.absolute(real))) throw this.#within.failure(at, verb);
    if (!isOnTheWay && this.denies(real)) throw this.#denied(at, real, verb);
    return real;
  }

  /** What is missing behind a denied name, or outside of what is left, is refused like what is there, however led to. */
  #refuseDeniedWay(way: Way, at: Located, verb: string): void {
    try {
      this.#backend.trace(way, (root, rel) => {
        if (!this.#within.isOnTheWay(absoluteIn(root, rel))) throw this.#within.failure(at, verb);
        if (this.#deny.denies(root, rel)) throw this.#denied(at, { root, rel }, verb);
      });
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
    }
  }

  /** `dir/..` and the root have no last name of their own: open them and use the name they really have. */
  #named(at: Located, verb: string): Located {
    const real = this.resolve({ ...at, mustBeDirectory: true }, verb);
    if (real.rel !== "") return real;
    throw isRoot(at, verb);
  }

  #statRoot(at: Located, verb: string): BigIntStats {
    using directory = this.openDirectory(at, verb);
    return lstatSync(fsName(`${directory.path}/.`), { bigint: true });
  }
}

const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY;

function entryPath(parent: Opened, name: string): string | Buffer {
  return fsName(`${parent.path}/${name}`);
}

function close(opened: Opened): void {
  if (opened.fd >= 0) closeSync(opened.fd);
}
