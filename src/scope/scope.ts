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
import type { Backend, Links, Opened } from "./backend.ts";
import { createDenyRules, type DenyRules } from "./deny.ts";
import { failureOf, notFound } from "./scope-failure.ts";
import { fsName, showName } from "./names.ts";
import { outsideScope, parsePath, quotable } from "./parse-path.ts";
import { openRoots, type OpenRoot, type RootSpec } from "./roots.ts";
import { chooseBackend, type Containment } from "./choose-backend.ts";

export interface ScopeOptions {
  readonly roots: readonly RootSpec[];
  /** picomatch globs relative to each root. */
  readonly deny?: readonly string[];
  /** Absolute directories that no tool may see, for example the state folder. */
  readonly hidden?: readonly string[];
  readonly containment?: Containment;
  /** Descriptors of the roots that somebody else opened, holds and closes, by index. */
  readonly rootFds?: readonly number[];
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
  /** With links in the parents resolved. */
  readonly at: Located;
}

export class Scope implements Disposable {
  readonly roots: readonly OpenRoot[];
  readonly #backend: Backend;
  readonly #deny: DenyRules;

  constructor(options: ScopeOptions) {
    this.#backend = chooseBackend(options.containment ?? "auto");
    this.roots = openRoots(options.roots, this.#backend, options.rootFds ?? []);
    this.#deny = createDenyRules([...(options.deny ?? []), ...hiddenGlobs(this.roots, options.hidden ?? [])]);
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
    if (this.denies(at)) throw denied(at, verb);
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

  /** The same object under the innermost root that holds it: of nested roots the most specific one rules. */
  innermost(at: Located): Located {
    if (this.roots.length === 1) return at;
    const path = this.absolute(at);
    let best = at;
    for (const root of this.roots) {
      const base = root.handle.canonical;
      const inside = path === base || path.startsWith(base === "/" ? base : `${base}/`);
      if (inside && base.length > best.root.handle.canonical.length)
        best = { ...at, root, rel: path === base ? "" : path.slice(base === "/" ? 1 : base.length + 1) };
    }
    return best;
  }

  denies(at: Located): boolean {
    return this.#deny.active && this.#deny.denies(at.rel);
  }

  /** The path as callers see and may give it: relative in the first root, absolute in the others. */
  show(at: Located): string {
    if (at.root.index === 0) return at.rel === "" ? "." : showName(at.rel);
    return showName(this.absolute(at));
  }

  /** The absolute path by name, for people; never to be opened. */
  absolute(at: Located): string {
    const base = at.root.handle.canonical;
    return at.rel === "" ? base : `${base === "/" ? "" : base}/${at.rel}`;
  }

  /** Opens a regular file for reading. FIFOs, sockets and devices are refused without waiting for them. */
  openFile(at: Located, verb: string, links: Links = "follow"): OpenFile {
    const opened = this.#open(at, verb, constants.O_RDONLY | constants.O_NONBLOCK, links);
    const stat = fstatSync(opened.fd, { bigint: true });
    if (stat.isFile() && !at.mustBeDirectory)
      return { fd: opened.fd, stat, at, [Symbol.dispose]: () => closeSync(opened.fd) };
    closeSync(opened.fd);
    if (stat.isFile()) throw notFound(this, at, verb, "it is a file, and the path ends in a slash");
    if (stat.isDirectory())
      throw new Failure("invalid_input", `Cannot ${verb} "${quotable(at.asked)}": it is a directory`, {
        hint: "Use list_directory, glob or grep on it.",
      });
    throw new Failure(
      "denied",
      `Cannot ${verb} "${quotable(at.asked)}": it is ${kindName(stat)}, and only regular files are read`,
    );
  }

  openDirectory(at: Located, verb: string, links: Links = "follow"): OpenDirectory {
    const opened = this.#open(at, verb, constants.O_RDONLY | constants.O_DIRECTORY, links);
    return { path: opened.path, fd: opened.fd, at, [Symbol.dispose]: () => close(opened) };
  }

  /** The directory, or `undefined` when it cannot be opened for whatever reason; no suggestions are made. */
  tryDirectory(at: Located): OpenDirectory | undefined {
    try {
      const opened = this.#backend.open(
        at.root.handle,
        at.rel,
        constants.O_RDONLY | constants.O_DIRECTORY,
        "follow",
      );
      if (this.#deny.active) this.#refuseDenied(opened, at, "list");
      return { path: opened.path, fd: opened.fd, at, [Symbol.dispose]: () => close(opened) };
    } catch {
      return undefined;
    }
  }

  /** The object itself, a link not followed. */
  lstat(at: Located, verb: string): BigIntStats {
    if (at.rel === "") return this.#statRoot(at, verb);
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
    const cut = at.rel.lastIndexOf("/");
    const parentAt: Located = { ...at, rel: cut < 0 ? "" : at.rel.slice(0, cut), mustBeDirectory: true };
    const parent = this.#open(parentAt, verb, constants.O_RDONLY | constants.O_DIRECTORY, "follow");
    const name = at.rel.slice(cut + 1);
    const parentRel = this.#backend.realRel(at.root.handle, parent);
    const rel = parentRel === undefined ? undefined : parentRel === "" ? name : `${parentRel}/${name}`;
    const resolved = rel === undefined ? undefined : { ...at, rel };
    if (!resolved || this.denies(resolved)) {
      close(parent);
      throw resolved ? denied(at, verb) : outsideScope(verb, at.asked);
    }
    return {
      entry: entryPath(parent, name),
      parent,
      name,
      at: resolved,
      [Symbol.dispose]: () => close(parent),
    };
  }

  /** Follows links to the object and returns where it really is. @throws Failure `not_found`, `outside_scope`, `denied` */
  resolve(at: Located, verb: string): Located {
    const opened = this.#open(at, verb, constants.O_RDONLY | constants.O_NONBLOCK, "follow");
    try {
      const rel = this.#backend.realRel(at.root.handle, opened);
      if (rel === undefined) throw outsideScope(verb, at.asked);
      return { ...at, rel };
    } finally {
      close(opened);
    }
  }

  #open(at: Located, verb: string, flags: number, links: Links): Opened {
    let opened: Opened;
    try {
      opened = this.#backend.open(at.root.handle, at.rel, flags, links);
    } catch (thrown) {
      throw failureOf(thrown, this, at, verb);
    }
    if (this.#deny.active) this.#refuseDenied(opened, at, verb);
    return opened;
  }

  #refuseDenied(opened: Opened, at: Located, verb: string): void {
    const rel = this.#backend.realRel(at.root.handle, opened);
    if (rel !== undefined && !this.#deny.denies(rel)) return;
    close(opened);
    throw rel === undefined ? outsideScope(verb, at.asked) : denied(at, verb);
  }

  /** `dir/..` and the root have no last name of their own: open them and use the name they really have. */
  #named(at: Located, verb: string): Located {
    const real = this.resolve({ ...at, mustBeDirectory: true }, verb);
    if (real.rel !== "") return real;
    throw new Failure("denied", `Cannot ${verb} "${quotable(at.asked)}": it is the root itself`);
  }

  #statRoot(at: Located, verb: string): BigIntStats {
    using directory = this.openDirectory(at, verb);
    return lstatSync(fsName(`${directory.path}/.`), { bigint: true });
  }
}

export function denied(at: Located, verb: string): Failure {
  return new Failure("denied", `Cannot ${verb} "${quotable(at.asked)}": a deny rule of this host covers it`);
}

/** "a directory", "a FIFO": for messages. */
export function kindName(stat: BigIntStats): string {
  if (stat.isFile()) return "a file";
  if (stat.isDirectory()) return "a directory";
  if (stat.isSymbolicLink()) return "a link";
  if (stat.isFIFO()) return "a FIFO";
  if (stat.isSocket()) return "a socket";
  return "a device";
}

function entryPath(parent: Opened, name: string): string | Buffer {
  return fsName(`${parent.path}/${name}`);
}

function close(opened: Opened): void {
  if (opened.fd >= 0) closeSync(opened.fd);
}

/** A hidden directory as deny globs of the roots that hold it; glob signs in its name are taken literally. */
function hiddenGlobs(roots: readonly OpenRoot[], hidden: readonly string[]): string[] {
  const globs: string[] = [];
  for (const root of roots) {
    const prefix = root.handle.canonical === "/" ? "/" : `${root.handle.canonical}/`;
    for (const path of hidden)
      if (path.startsWith(prefix))
        globs.push(path.slice(prefix.length).replace(/[\\*?[\]{}()!+@|]/g, "\\$&"));
  }
  return globs;
}
