/**
 * The header of a folder's face says which folders it may import: "It may import `base`, `sys` and `text`.", or "It imports
 * nothing of ours." The sentence is a promise to whoever reads the folder, so it must be exact: an import that it does not name
 * is a violation, and so is a name that nothing imports any more.
 */
import { LAYERS, resolvePath } from "./layers.ts";
import { readImports, type SourceFile } from "./source-code.ts";

/** Violations as `path: message`. */
export function checkFaces(sources: readonly SourceFile[]): string[] {
  return LAYERS.flatMap((folder) => {
    const face = sources.find(({ path }) => path === `src/${folder}/index.ts`);
    if (!face) return [];
    const wanted = sentenceOf(importedBy(folder, sources));
    const header = headerOf(face.text);
    return header.includes(wanted) ? [] : [`${face.path}: its header must say: ${wanted}`];
  });
}

/** In the order of the layers. */
function importedBy(folder: string, sources: readonly SourceFile[]): string[] {
  const found = new Set(
    sources
      .filter(({ path }) => path.startsWith(`src/${folder}/`))
      .flatMap(({ path, text }) => readImports(text).map(({ specifier }) => resolvePath(path, specifier)))
      .map((target) => /^src\/([^/]+)\//.exec(target)?.[1]),
  );
  return LAYERS.filter((layer) => layer !== folder && found.has(layer));
}

function sentenceOf(folders: readonly string[]): string {
  const names = folders.map((name) => `\`${name}\``);
  const last = names.pop();
  if (last === undefined) return "It imports nothing of ours.";
  return `It may import ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}.`;
}

/** The first doc comment, in one line. */
function headerOf(text: string): string {
  const [, words = ""] = /^\/\*\*([^]*?)\*\//.exec(text) ?? [];
  return words.replaceAll(/\s*\n\s*\*\s?/g, " ");
}
