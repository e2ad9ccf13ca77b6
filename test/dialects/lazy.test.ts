/**
 * A host without a dialect loads none of it: nothing in the sources imports the folder but types, and where one was chosen.
 */
import { expect, test } from "bun:test";
import { readSources } from "../../scripts/checks/read-sources.ts";

test("the tables are imported only when a dialect was chosen", () => {
  const imports = readSources(["src", "workers"])
    .filter(({ path }) => !path.startsWith("src/dialects/"))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line) => (line.includes('/dialects/index.ts"') ? [`${path}: ${line.trim()}`] : [])),
    );
  const eager = imports.filter((line) => !line.includes("import type ") && !line.includes("await import("));
  expect(imports.length).toBeGreaterThan(2);
  expect(eager).toEqual([]);
});
