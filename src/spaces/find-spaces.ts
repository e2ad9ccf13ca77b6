/**
 * All spaces of the directories that the configuration names: such a directory is a space, or holds spaces. No two have one id: the
 * first holds, and the other is named. A space that tools can write is none, because what stands in it is started.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { realPathOf } from "../base/index.ts";
import { loadFileParsers } from "../config/index.ts";
import { isInside, type RootSpec } from "../scope/index.ts";
import { readSpace, type Space } from "./read-space.ts";
import { reasonOf } from "./small-file.ts";

/** More are not looked at. */
const MAX_SPACES = 1000;
const MARKS: readonly string[] = ["manifest.json", "space.manifest.json", "tools", "agent"];

export async function findSpaces(
  directories: readonly string[],
  roots: readonly RootSpec[],
): Promise<readonly Space[]> {
  if (directories.length === 0) return [];
  const parsers = await loadFileParsers();
  const writable = roots.filter(({ readOnly }) => !readOnly).map(({ path }) => realPathOf(path));
  const found: Space[] = [];
  const ids = new Map<string, Space>();
  for (const { path, problem } of foldersOf(directories)) {
    // A call in between is answered: there may be hundreds of spaces.
    await Bun.sleep(0);
    if (problem !== undefined) {
      found.push({ folder: path, id: "", tools: [], problems: [problem] });
      continue;
    }
    const space = allowed(readSpace(path, parsers), writable);
    const first = ids.get(space.id);
    if (first && space.id !== "")
      found.push({ ...space, id: "", tools: [], problems: [`${first.folder} has the id "${space.id}" already`] });
    else found.push(space);
    if (!first) ids.set(space.id, space);
  }
  return found;
}

/** The folder of a space by its path; a folder that is in none of the directories has none. */
export function isSpaceFolder(folder: string, directories: readonly string[]): boolean {
  return foldersOf(directories).some(({ path, problem }) => problem === undefined && realPathOf(path) === folder);
}

function allowed(space: Space, writable: readonly string[]): Space {
  const root = writable.find((one) => isInside(space.folder, one));
  if (root === undefined) return space;
  return {
    ...space,
    id: "",
    tools: [],
    problems: [`it lies in the writable root ${root}: keep spaces where no tool can change them`],
  };
}

interface Folder {
  readonly path: string;
  /** Why there is no space. */
  readonly problem?: string;
}

function foldersOf(directories: readonly string[]): Folder[] {
  const folders = directories.flatMap((directory): Folder[] => {
    if (MARKS.some((name) => existsSync(join(directory, name)))) return [{ path: directory }];
    try {
      return readdirSync(directory)
        .filter((name) => !name.startsWith(".") && isFolder(join(directory, name)))
        .sort()
        .map((name) => ({ path: join(directory, name) }));
    } catch (thrown) {
      return [{ path: directory, problem: reasonOf(thrown) }];
    }
  });
  return folders.slice(0, MAX_SPACES);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
