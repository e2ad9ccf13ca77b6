/**
 * The roots, opened once when the host starts and held until it ends: what is opened here is what a root is from now on,
 * whatever happens to its path. Workers start later, and again after a crash, and work on these handles.
 *
 * The folder of the memory is a root of its own behind the others, which only its tools see: in the state folder, or inside a
 * root, so that a person can keep it in a repository. A link in a repository makes no memory of a folder elsewhere.
 *
 * Usual mistake: to let each worker open the path; by then it may lead somewhere else.
 */
import { closeSync, constants, openSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Failure, logLine } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import type { PackSource } from "../contract/index.ts";
import type { MemorySettings } from "../memory/index.ts";
import { makeMemoryFolder, openStateFolder } from "../state/index.ts";
import { isInside, isWholeSystem, rootFailure, type RootSpec } from "../scope/index.ts";

export interface HeldRoots extends Disposable {
  /** By index of the root; none where directories cannot be opened (Windows). */
  readonly fds: readonly number[];
  readonly specs: readonly RootSpec[];
  /** What the configuration says of the memory, where its pack is on. */
  readonly memory: MemorySettings | undefined;
  readonly memoryFolder: string | undefined;
}

/** @throws Failure `not_found`, `invalid_input` (a file), `denied` (unreadable) naming the root */
export function holdRoots(config: Pick<Config, "roots" | "stateDir">, packs: PackSource["settings"] = {}): HeldRoots {
  // The schema of the pack has checked it.
  const memory = packs["memory"] as MemorySettings | undefined;
  const own = memory && memoryRoot(config, memory);
  const roots = own ? [...config.roots, own] : config.roots;
  // The configuration has let it through, so somebody has asked for it; here it is said once for each host.
  for (const { path } of roots.filter((root) => isWholeSystem(root.path)))
    logLine(`WARNING: the root ${JSON.stringify(path)} is the WHOLE FILE SYSTEM: the tools reach every file of it`);
  const fds = process.platform === "win32" ? [] : roots.map(({ path }) => openRoot(path));
  const dispose = (): void => fds.forEach((fd) => closeSync(fd));
  const specs = roots.map((root) => ({ ...root, canonical: real(root.path) }));
  return { fds, specs, memory, memoryFolder: own?.path, [Symbol.dispose]: dispose };
}

function openRoot(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (thrown) {
    throw rootFailure(path, thrown);
  }
}

/** @throws Failure `invalid_input` for a folder that is in no root */
function memoryRoot(config: Pick<Config, "roots" | "stateDir">, { folder }: MemorySettings): RootSpec {
  if (folder !== undefined) return folderInRoot(folder, config);
  return { path: makeMemoryFolder(openStateFolder(config.stateDir).path), readOnly: false, isMemory: true };
}

function folderInRoot(folder: string, { roots }: Pick<Config, "roots">): RootSpec {
  const path = real(resolve(roots[0]?.path ?? "/", folder));
  const holders = roots.filter(
    (root) => path !== undefined && path !== real(root.path) && isInside(path, real(root.path) ?? root.path),
  );
  const [innermost] = holders.sort((a, b) => b.path.length - a.path.length);
  if (path !== undefined && innermost) return { path, readOnly: innermost.readOnly, isMemory: true };
  const why = path === undefined ? "it does not exist" : "it is not a folder inside a root";
  throw new Failure("invalid_input", `Cannot use ${JSON.stringify(folder)} as packs.memory.folder: ${why}`, {
    hint: "Make the folder inside a root, or leave the key out: the notes are in the state folder then.",
  });
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
