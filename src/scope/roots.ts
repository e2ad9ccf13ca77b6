/**
 * The roots of a scope, and which backend opens below them: openat2 where the kernel offers it, else the portable way. What
 * is opened here is what the root is from now on, whatever happens to its path; the host hands in what it opened at its
 * start, so that a scope made later is of the same directories.
 */
import { statSync } from "node:fs";
import { parse, resolve } from "node:path";
import { Failure } from "../base/index.ts";
import { errnoOf, loadOpenat2, type Openat2 } from "../sys/index.ts";
import {
  absoluteIn,
  relIn,
  spelledIn,
  type Backend,
  type Located,
  type OpenRoot,
  type RootHandle,
  type RootSpec,
} from "./backend.ts";
import type { DenyOptions } from "./deny.ts";
import { createHandleBackend } from "./handle-backend.ts";
import { createPortableBackend } from "./portable-backend.ts";
import { isInside, type Narrowed } from "./within.ts";

/** `auto` takes the handle backend where it works; `portable` is for tests of the other platforms' way. */
export type Containment = "auto" | "handle" | "portable";

export interface ScopeOptions extends Narrowed, DenyOptions {
  readonly roots: readonly RootSpec[];
  readonly containment?: Containment;
  /** Descriptors of the roots that somebody else opened, holds and closes, by index. */
  readonly rootFds?: readonly number[];
}

let openat2: Openat2 | undefined | "unknown" = "unknown";

/** @throws Failure `unsupported` when `handle` is asked and the system cannot */
export function chooseBackend(containment: Containment): Backend {
  if (containment === "portable") return createPortableBackend();
  if (openat2 === "unknown") openat2 = loadOpenat2();
  if (openat2) return createHandleBackend(openat2);
  if (containment === "auto") return createPortableBackend();
  throw new Failure("unsupported", "Cannot hold paths by handle: this system has no openat2", {
    hint: "Leave --containment out to use the portable way, whose gaps SECURITY.md lists.",
  });
}

/** @throws Failure `not_found`, `invalid_input` (a file), `denied` (unreadable) naming the root */
export function openRoots(specs: readonly RootSpec[], backend: Backend, held: readonly number[]): OpenRoot[] {
  const roots = specs.map((spec, index) => {
    const given = resolve(spec.path);
    const handle = openOne(given, backend, held[index]);
    const { readOnly, isMemory, canonical = given } = spec;
    return { index, handle, readOnly, isMemory, spellings: [...new Set([given, canonical, handle.canonical])] };
  });
  return roots.map((root) => ({ ...root, readOnly: roots.some((one) => one.readOnly && isSame(one, root)) }));
}

/** One directory that was given twice, perhaps by other names: it is read-only if it was called so once. */
function isSame(a: OpenRoot, b: OpenRoot): boolean {
  return a.handle.dev === b.handle.dev && a.handle.ino === b.handle.ino;
}

/** Names the object under the innermost root that holds it. */
export function innermostOf(roots: readonly OpenRoot[], at: Located): Located {
  if (roots.length === 1) return at;
  const path = absoluteIn(at.root, at.rel);
  return roots.reduce((best, root) => {
    const rel = relIn(root, path);
    const isInner = root.handle.canonical.length > best.root.handle.canonical.length;
    return rel !== undefined && isInner ? { ...at, root, rel } : best;
  }, at);
}

/**
 * Whether nothing may be changed there: its root is for reading only, or it has the name of such a root or lies below that,
 * whatever another program has put there in the meantime.
 */
export function isReadOnly({ roots }: { readonly roots: readonly OpenRoot[] }, at: Located): boolean {
  if (innermostOf(roots, at).root.readOnly) return true;
  return spelledIn(at.root, at.rel).some((path) => nearestNamed(roots, path)?.readOnly === true);
}

/** Whether the directory that has this path is a root, holds one, or holds the name of one. */
export function holdsRoot({ roots }: { readonly roots: readonly OpenRoot[] }, at: Located): boolean {
  const tops = spelledIn(at.root, at.rel);
  return roots.some(({ spellings }) => spellings.some((path) => tops.some((top) => isInside(path, top))));
}

/** The root whose name is the nearest one at or above an absolute path. */
function nearestNamed(roots: readonly OpenRoot[], path: string): OpenRoot | undefined {
  let best: { readonly root: OpenRoot; readonly length: number } | undefined;
  for (const root of roots)
    for (const { length } of root.spellings.filter((spelling) => isInside(path, spelling)))
      if (length > (best?.length ?? -1)) best = { root, length };
  return best?.root;
}

function openOne(path: string, backend: Backend, held: number | undefined): RootHandle {
  try {
    return backend.openRoot(path, held);
  } catch (thrown) {
    throw rootFailure(path, thrown);
  }
}

/** Whether the path leads to the top of the file system: `/`, `//`, `/..`, a link to it, or a mount of all of it. */
export function isWholeSystem(path: string): boolean {
  try {
    const [top, root] = [parse(path).root, path].map((one) => statSync(one, { bigint: true }));
    return root?.dev === top?.dev && root?.ino === top?.ino;
  } catch {
    // What cannot be looked at is refused when it is opened.
    return false;
  }
}

/** One wording for a root that cannot be opened, at the start of the host and in a worker. */
export function rootFailure(path: string, thrown: unknown): Failure {
  const what = `Cannot open the root "${path}"`;
  const hint = "Give an existing directory: --root DIR, or --root DIR:ro for reading only.";
  const code = errnoOf(thrown) ?? String(thrown);
  switch (code) {
    case "ENOENT":
      return new Failure("not_found", `${what}: it does not exist`, { hint });
    case "ENOTDIR":
      return new Failure("invalid_input", `${what}: it is not a directory`, { hint });
    case "ESTALE":
      return new Failure("denied", `${what}: it was replaced since the host started`);
    default:
      return new Failure("denied", `${what}: ${code}`, { hint });
  }
}
