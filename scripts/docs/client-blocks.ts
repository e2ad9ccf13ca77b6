/**
 * What the README and `docs/clients.md` say about clients, from the table that `ringfence init` writes files by: between the lines
 * `<!-- made: NAME -->` and `<!-- end -->` stands what is made here, and everything else is written by hand.
 *
 * Usual mistake: to mend a configuration in the page. It is mended in `src/clients/table`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CLIENTS,
  freshText,
  OTHER_CLIENTS,
  printedText,
  type ClientRow,
  type ClientScope,
  type Setup,
} from "../../src/clients/index.ts";
import { REPOSITORY } from "../checks/read-sources.ts";

/** The pages that have such blocks, as they should be. */
export function clientPages(): Readonly<Record<string, () => string>> {
  const pages = ["README.md", "docs/clients.md"];
  return Object.fromEntries(
    pages.map((path) => [path, () => fillBlocks(readFileSync(join(REPOSITORY, path), "utf8"))]),
  );
}

/** @throws Error for a block that nothing is made for */
export function fillBlocks(page: string): string {
  return page.replace(BLOCK, (_, name: string) => {
    const make = Object.hasOwn(BLOCKS, name) ? BLOCKS[name] : undefined;
    if (!make) throw new Error(`Cannot make the block "${name}": no client of the table has this name`);
    return `<!-- made: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
}

const BLOCK = /<!-- made: ([\w -]+) -->\n[^]*?<!-- end -->/g;

/** As a reader puts it in: the directory and the place of the executable are theirs. */
const SETUP: Setup = {
  program: ["/usr/local/bin/ringfence"],
  roots: ["/path/to/project"],
  flags: [],
  trustsProject: false,
  guards: false,
};
const PLACES = { home: "~", project: "", prefix: "", platform: "linux", variables: {} };

/** Policies of a project are not read by Gemini CLI, and what is left there is deprecated. */
const SCOPES: Readonly<Record<string, ClientScope>> = { "gemini-cli": "user" };

const DOCUMENTED = OTHER_CLIENTS.filter(({ ownTools }) => ownTools !== undefined);

const BLOCKS: Readonly<Record<string, () => string>> = {
  clients: clientTable,
  "clients by what becomes of their tools": groupTable,
  ...Object.fromEntries(CLIENTS.map((row) => [row.name, () => setupOf(row)])),
  ...Object.fromEntries(
    DOCUMENTED.map((other) => [other.name, () => shownFile(other.file, printedText(other, SETUP))] as const),
  ),
};

/** Short, for a person who has two minutes. */
function groupTable(): string {
  const groups = Map.groupBy([...CLIENTS, ...DOCUMENTED], ({ ownTools = "" }) => ownTools);
  const rows = [...groups].map(([ownTools, clients]) => {
    const links = clients.map(({ title }) => `[${title}](docs/clients.md#${idOf(title)})`);
    return `| ${ownTools} | ${links.join(", ")} |`;
  });
  return ["| its own file tools and shell | client |\n| --- | --- |", ...rows].join("\n");
}

function clientTable(): string {
  const rows = [...CLIENTS, ...DOCUMENTED].map(({ title, ownTools = "", showsForms = false }) => {
    const approved = showsForms ? "a form in the client, or a terminal" : "a terminal";
    return `| [${title}](#${idOf(title)}) | ${ownTools} | ${approved} |`;
  });
  const head = "| client | its own file tools and shell | how a change is approved |\n| --- | --- | --- |";
  return [head, ...rows].join("\n");
}

function setupOf(row: ClientRow): string {
  const scope = SCOPES[row.name] ?? row.scopes[0] ?? "user";
  return row
    .files(SETUP, PLACES, scope)
    .map((file) => shownFile(file.path, freshText(file)))
    .join("\n\n");
}

/** As `test/clients/snippets.ts` reads it: the path in backticks, and the whole file. */
function shownFile(path: string, text: string): string {
  const name = path.replace(/^\//, "");
  const where = path.startsWith("/") ? " in the project" : "";
  const language = /\.(\w+)$/.exec(name)?.[1] ?? "";
  return `\`${name}\`${where}:\n\n\`\`\`${language}\n${text}\`\`\``;
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
