/**
 * Checks the documentation: `bun run docs -- --check`. Every relative link in a Markdown file of the repository must
 * lead to a file that exists, and a `#fragment` in it to a heading.
 *
 * Usual mistake: a link that works on the hosting site only because it starts with `/`; those are refused too.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLinks, headingIds } from "./docs/links.ts";

const ROOT = dirname(import.meta.dir);

main();

function main(): void {
  const problems = markdownFiles().flatMap(checkFile);
  for (const problem of problems) console.error(problem);
  console.log(`docs: ${markdownFiles().length} files, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function markdownFiles(): string[] {
  return ["*.md", "docs/**/*.md", "examples/**/*.md", "bench/*.md"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(ROOT),
  ]);
}

function checkFile(path: string): string[] {
  return findLinks(readFileSync(join(ROOT, path), "utf8")).flatMap(({ line, link }) => {
    const problem = problemOf(path, link);
    return problem === undefined ? [] : [`${path}:${line}: ${problem}`];
  });
}

function problemOf(path: string, link: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  if (link.startsWith("/")) return `Cannot follow "${link}": it must be relative`;
  const [file = "", fragment] = link.split("#");
  const target = file === "" ? join(ROOT, path) : join(ROOT, dirname(path), decodeURI(file));
  if (!existsSync(target)) return `Cannot follow "${link}": there is no such file`;
  if (fragment === undefined || statSync(target).isDirectory()) return undefined;
  const ids = headingIds(readFileSync(target, "utf8"));
  return ids.has(fragment) ? undefined : `Cannot follow "${link}": there is no such heading`;
}
