/**
 * One name, one type: two folders of `src` do not export different interfaces or types under the same name, because a
 * reader who has seen one takes the other for it.
 */
import { blankOut, lineOf, type SourceFile } from "./source-code.ts";

/** Violations as `path:line: message`, one for each declaration of a name that stands in several folders. */
export function checkTypeNames(sources: readonly SourceFile[]): string[] {
  const declared = sources.flatMap(declarationsOf);
  const byName = Map.groupBy(declared, ({ name }) => name);
  return [...byName.values()].flatMap((all) => {
    const folders = [...new Set(all.map(({ folder }) => folder))];
    if (folders.length < 2) return [];
    return all.map(
      ({ path, line, name, folder }) =>
        `${path}:${line}: Cannot export the type ${name}: ${folders.filter((one) => one !== folder).join(", ")} exports one too`,
    );
  });
}

interface Declaration {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly line: number;
}

function declarationsOf({ path, text }: SourceFile): Declaration[] {
  const folder = /^src\/[^/]+(?=\/)/.exec(path)?.[0];
  if (folder === undefined) return [];
  const code = blankOut(text, "comments and strings");
  // `export type { Name } from` is no declaration.
  return [...code.matchAll(/^export (?:declare )?(?:interface|type) ([A-Z]\w*)(?=[ <={])/gm)].map(
    ({ 1: name = "", index }) => ({ name, folder, path, line: lineOf(code, index) }),
  );
}
