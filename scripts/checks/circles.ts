/**
 * Circles of files that import each other, in which no file can be read first. Types and `import()` count: a type that two
 * steps share belongs into a file of its own.
 */
import { resolvePath } from "./layers.ts";
import { readImports, type SourceFile } from "./source-code.ts";

interface Visit {
  readonly at: number;
  low: number;
  isOpen: boolean;
}

/** Every circle as the paths of its files, after Tarjan. A file that imports itself is none. */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(files.map((file) => [file.path, importsOf(file).filter((to) => paths.has(to))]));
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(path: string): Visit {
    const own: Visit = { at: visits.size, low: visits.size, isOpen: true };
    visits.set(path, own);
    open.push(path);
    for (const to of imports.get(path) ?? []) {
      const known = visits.get(to);
      if (!known) own.low = Math.min(own.low, visit(to).low);
      else if (known.isOpen) own.low = Math.min(own.low, known.at);
    }
    if (own.low === own.at) {
      const circle = open.splice(open.indexOf(path));
      circle.forEach(close);
      if (circle.length > 1) circles.push(circle.sort());
    }
    return own;
  }

  function close(path: string): void {
    const visited = visits.get(path);
    if (visited) visited.isOpen = false;
  }

  for (const { path } of files) if (!visits.has(path)) visit(path);
  return circles;
}

function importsOf({ path, text }: SourceFile): string[] {
  return readImports(text).map(({ specifier }) => resolvePath(path, specifier));
}
