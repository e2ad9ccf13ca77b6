/**
 * The documentation: `bun run docs` writes what is made from the sources (the pages and types in `PAGES`), `bun run docs --
 * --check` says whether it is up to date. Both check that every relative link in a Markdown file of the repository leads to
 * a file that exists, a `#fragment` in it to a heading, and that no text names a path of the machine it was written on.
 *
 * Usual mistake: a link that works on the hosting site only because it starts with `/`; those are refused too.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MACHINE_PATHS } from "./checks/file-rules.ts";
import { apiPage } from "./docs/api-page.ts";
import { clientPages } from "./docs/client-blocks.ts";
import { configPage, configSchema, rootSchema } from "./docs/config-page.ts";
import { dialectsPage } from "./docs/dialects-page.ts";
import { housePicture } from "./docs/house-picture.ts";
import { findLinks, headingIds } from "./docs/links.ts";
import { methodsPage } from "./docs/methods-page.ts";
import { toolTypesPage } from "./docs/tool-types.ts";
import { toolsPage } from "./docs/tools-page.ts";

const ROOT = dirname(import.meta.dir);

/** By path: what stands there. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  // First: the page of the API quotes these types.
  ...toolTypesPage(),
  "docs/tools.md": toolsPage,
  "docs/methods.md": methodsPage,
  "docs/api.md": apiPage,
  "docs/dialects.md": dialectsPage,
  "docs/configuration.md": configPage,
  ...clientPages(),
  "docs/house.svg": housePicture,
  "docs/ringfence.schema.json": configSchema,
  "docs/ringfence-root.schema.json": rootSchema,
};

await main();

async function main(): Promise<void> {
  const handle = process.argv.includes("--check") ? checkPage : writePage;
  const written: string[] = [];
  for (const [path, page] of Object.entries(PAGES)) written.push(...handle(path, await page()));
  const problems = [...written, ...markdownFiles().flatMap(checkFile)];
  for (const problem of problems) console.error(problem);
  console.log(`docs: ${markdownFiles().length} files, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function writePage(path: string, page: string): string[] {
  writeFileSync(join(ROOT, path), page);
  return [];
}

function checkPage(path: string, page: string): string[] {
  const isCurrent = existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), "utf8") === page;
  return isCurrent ? [] : [`${path}: Cannot accept it: it differs from the sources; run \`bun run docs\``];
}

function markdownFiles(): string[] {
  return ["*.md", "docs/**/*.md", "examples/**/*.md", "bench/*.md"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(ROOT),
  ]);
}

function checkFile(path: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const links = findLinks(text).flatMap(({ line, link }) => {
    const problem = problemOf(path, link);
    return problem === undefined ? [] : [`${path}:${line}: ${problem}`];
  });
  const machine = MACHINE_PATHS.exec(text)?.[0];
  const paths = machine === undefined ? [] : [`${path}: Cannot name "${machine}": it exists on one machine only`];
  return [...links, ...paths];
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
