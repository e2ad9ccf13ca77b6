/**
 * What the pages show as data is what a host gives: the form of an audit id, and the members of a listed proposal.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "../host/in-memory-host.ts";

function page(name: string): string {
  return readFileSync(join(import.meta.dir, "../../docs", name), "utf8");
}

test("the audit id that wire.md shows has the form of one that a host gives", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" } });
  const { result } = await host.call("read_file", { path: "a.txt" });
  const [, shown = ""] = /"audit_id": "([^"]+)"/.exec(page("wire.md")) ?? [];
  const form = /^\d{8}T\d{9}Z-[\w-]+:\d{9}$/;
  expect(result._meta["dev.ringfence/auditId"]).toMatch(form);
  expect(shown).toMatch(form);
});

test("every member of a listed proposal is named by methods.md or, as what its call has, by wire.md", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" } });
  await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "1" });
  const [listed] = (await host.request("ringfence/proposals/list")).result.proposals;
  const words = page("methods.md") + page("wire.md");
  const isNamed = (key: string): boolean =>
    [`\`${key}\``, `\`${key}?\``, `"${key}"`].some((one) => words.includes(one));
  expect(Object.keys(listed).filter((key) => !isNamed(key))).toEqual([]);
});
