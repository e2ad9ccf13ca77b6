/**
 * Circles of imports, and folders that are too large to be read. Types and `import()` count: a reader follows them like any
 * other import, and a bundler that leaves them out does not make them easier to follow.
 */
import { resolvePath } from "./layers.ts";
import { readImports, type SourceFile } from "./source-code.ts";

export const MAX_CIRCLE = 3;
export const MAX_FILES_OF_A_FOLDER = 15;

/** Circles of more than three files, and those of any size that leave a folder of `src`, as lines that name their files. */
export function findCircles(sources: readonly SourceFile[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      readImports(text)
        .map(({ specifier }) => resolvePath(path, specifier))
        .filter((target) => paths.has(target)),
    ]),
  );
  return stronglyConnected(imports)
    .filter((files) => files.length > MAX_CIRCLE || new Set(files.map(folderOf)).size > 1)
    .map((files) => `a circle of ${files.length} files: ${files.sort().join(", ")}`);
}

/** Folders of more source files than fifteen, tables of data apart, as `folder: count`, with what to do. */
export function findCrowdedFolders(sources: readonly SourceFile[], isTable: RegExp): string[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    if (isTable.test(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES_OF_A_FOLDER)
    .map(
      ([folder, count]) =>
        `${folder}: ${count} files, at most ${MAX_FILES_OF_A_FOLDER}: move those of one subject into a folder of it`,
    );
}

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

/** Groups of two files and more that reach each other, by Tarjan's algorithm. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return groups;
}
