/**
 * The folder of the memory as a root of its own, which only the tools of the memory see: in the state folder, or where the
 * configuration says so a folder inside a root, which a person can keep in a repository.
 *
 * Usual mistake: to take the path as it stands. A link in a repository must not make a memory of a folder elsewhere.
 */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import type { ConfiguredPack } from "../contract/index.ts";
import type { MemorySettings } from "../memory/index.ts";
import { isInside, type RootSpec } from "../scope/index.ts";
import { makeMemoryFolder, openStateFolder } from "../state/index.ts";

/** None for a host without the memory. @throws Failure `invalid_input` for a folder that is in no root */
export function memoryRoots(config: Config, settings: MemorySettings | undefined): readonly RootSpec[] {
  if (!settings) return [];
  const { folder } = settings;
  if (folder !== undefined) return [folderInRoot(folder, config)];
  return [{ path: makeMemoryFolder(openStateFolder(config.stateDir).path), readOnly: false, isMemory: true }];
}

/** What the configuration says of the memory, where its pack is on. */
export function memorySettings(packs: readonly ConfiguredPack[]): MemorySettings | undefined {
  // The schema of the pack has checked it.
  return packs.find(({ pack, isOn }) => isOn && pack.name === "memory")?.settings as MemorySettings | undefined;
}

function folderInRoot(folder: string, { roots }: Config): RootSpec {
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
