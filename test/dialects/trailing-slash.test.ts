/**
 * A path that ends in a slash means a directory in every dialect too: no row turns it into the path of the file.
 */
import { expect, test } from "bun:test";
import { DIALECTS } from "../../src/config/index.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { readTree } from "../host/file-tree.ts";
import { ROW_CASES } from "./row-cases.ts";

test.each(DIALECTS.filter((name) => name !== "ringfence" && name !== "flynn-plain"))(
  "no tool of %s takes a file by a path that ends in a slash",
  async (dialect) => {
    const files = { "a.txt": "one\n", "b.txt": "two\n" };
    let tried = 0;
    for (const [name, { args }] of Object.entries(ROW_CASES[dialect] ?? {})) {
      const slashed = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, value === "a.txt" ? "a.txt/" : value]),
      );
      if (!Object.values(slashed).includes("a.txt/")) continue;
      await using host = openTestHost({ files, config: { dialect, mode: "bypass", baseline: "if_known" } });
      const before = readTree(host.root);
      const answer = await host.call(name, slashed);
      expect(answer.failure, `${name}: ${answer.all}`).toBeDefined();
      expect(readTree(host.root)).toEqual(before);
      tried++;
    }
    expect(tried).toBeGreaterThan(0);
  },
);
