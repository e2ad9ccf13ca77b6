/**
 * The roots, opened once when the host starts and held until it ends: what is opened here is what a root is from now on,
 * whatever happens to its path. Workers start later, and again after a crash, and work on these handles.
 *
 * Usual mistake: to let each worker open the path; by then it may lead somewhere else.
 */
import { closeSync, constants, openSync } from "node:fs";
import { logLine } from "../base/index.ts";
import { isWholeSystem, rootFailure, type RootSpec } from "../scope/index.ts";

export interface HeldRoots extends Disposable {
  /** By index of the root; none where directories cannot be opened (Windows). */
  readonly fds: readonly number[];
  readonly specs: readonly RootSpec[];
}

/** @throws Failure `not_found`, `invalid_input` (a file), `denied` (unreadable) naming the root */
export function holdRoots(roots: readonly RootSpec[]): HeldRoots {
  // The configuration has let it through, so somebody has asked for it; here it is said once for each host.
  for (const { path } of roots.filter((root) => isWholeSystem(root.path)))
    logLine(`WARNING: the root ${JSON.stringify(path)} is the WHOLE FILE SYSTEM: the tools reach every file of it`);
  const fds = process.platform === "win32" ? [] : roots.map(({ path }) => openRoot(path));
  return { fds, specs: roots, [Symbol.dispose]: () => fds.forEach((fd) => closeSync(fd)) };
}

function openRoot(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (thrown) {
    throw rootFailure(path, thrown);
  }
}
