/**
 * `docs/dialects.md`: the words of `dialects-head.md` beside this file and the tables of src/dialects as they are used.
 * Written by `bun run docs`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS } from "../../src/config/index.ts";
import { createRegistry } from "../../src/contract/index.ts";
import { openDialect, type Dialect } from "../../src/dialects/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { allPackTools } from "./pack-tools.ts";

type Name = Exclude<(typeof DIALECTS)[number], "ringfence">;

const TOOLS = createRegistry([...builtinTools, ...(await allPackTools()), ...commandTools({}, true)]);
const NAMES = DIALECTS.filter((name): name is Name => name !== "ringfence");
export function dialectsPage(): string {
  const head = readFileSync(join(import.meta.dir, "dialects-head.md"), "utf8").trimEnd();
  return `${[head, ...SECTIONS].join("\n\n")}\n`;
}

function section(name: Name, { rows }: Dialect): string {
  const lines = rows.map(({ row: { name: called, parameters, preset, dryRun }, tool }) => {
    const shown = Object.entries(parameters).filter(([, { older }]) => !older);
    return row(
      `\`${called}\``,
      `\`${tool.name}\``,
      shown
        .map(([one, { to, as, choose, members }]) =>
          one === dryRun ? `\`${one}\` (nothing is made)` : parameter(one, { to, as, choose, members }),
        )
        .join(", "),
      preset === undefined ? "" : `\`${JSON.stringify(preset)}\``,
    );
  });
  return [
    `## ${name}`,
    [
      row("tool", "ours", "parameters, and ours where they have another name", "unless the call says else"),
      row("---", "---", "---", "---"),
      ...lines,
    ].join("\n"),
  ].join("\n\n");
}

interface Named {
  readonly to: string | undefined;
  readonly as: string | undefined;
  readonly choose: Readonly<Record<string, object>> | undefined;
  readonly members: Readonly<Record<string, { readonly to: string }>> | undefined;
}

function parameter(name: string, { to, as, choose, members }: Named): string {
  if (choose) {
    const meant = Object.entries(choose).map(([value, ours]) => `${value}: ${JSON.stringify(ours)}`);
    return `\`${name}\` (\`${meant.join(", ")}\`)`;
  }
  if (to === undefined) return `\`${name}\` (no effect)`;
  if (members)
    return `\`${name}\` of {${Object.entries(members)
      .map(([one, our]) => parameter(one, { ...NONE, to: our.to }))
      .join(", ")}}`;
  const how = as === undefined ? "" : ` ${HOW[as] ?? as}`;
  return to === name && as === undefined ? `\`${name}\`` : `\`${name}\` (\`${to}\`${how})`;
}

const NONE: Named = { to: undefined, as: undefined, choose: undefined, members: undefined };

const HOW: Readonly<Record<string, string>> = {
  rounded_down: "rounded down",
  list: "with this one",
  seconds: "in seconds",
  zero_based: "from 0",
  dollar_and: "`$&` is `$0`",
  unless_zero: "unless 0",
  unless_empty: "unless empty",
  timeout: "at most the longest there is",
  ready_pattern: "as its pattern",
  ready_timeout: "as its time",
  end_line: "up to this line",
  argv: "as words",
  paths: "as paths",
  plain_paths: "as paths",
  whole_paths: "as paths, each with a `limit` of all lines",
  head: "from the first line",
  tail: "from the end",
  anchored: "from the directory",
  anywhere: "at any depth",
};

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}

/** Made when the page is asked for the first time: the tables are loaded one by one. */
const SECTIONS: readonly string[] = await Promise.all(
  NAMES.map(async (name) => section(name, await openDialect(name, TOOLS))),
);
