/**
 * The files of the repository that the checks look at, as text.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceFile } from "./source-code.ts";

/** Every TypeScript file in the given top-level folders, fixtures left out, sorted by path. */
export function readSources(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(REPOSITORY)])
    .filter((path) => !path.includes("/fixtures/") && !path.includes("/node_modules/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), "utf8") }));
}

/** The path of every file of the repository that a comment may name. */
export function repositoryPaths(): string[] {
  return ["src", "workers", "scripts", "test", "bench", "examples", "docs"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: REPOSITORY, dot: true }),
  ]);
}

/** The root of the repository. */
export const REPOSITORY: string = dirname(dirname(import.meta.dir));
