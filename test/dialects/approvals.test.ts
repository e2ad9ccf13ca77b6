/**
 * A change that a person is asked about, called in a dialect: the form speaks our names, the answer the dialect's.
 */
import { describe, expect, test } from "bun:test";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { openAsker } from "../host/asker.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const OPTIONS = { files: { "a.txt": "one\n" }, config: { dialect: "filesystem", baseline: "if_known" } };
const EDIT = { name: "edit_file", arguments: { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] } };

describe.each(["2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  test("an applied change is answered in the form of the dialect", async () => {
    await using asker = await openAsker(version, OPTIONS);
    const { form, answer } = await asker.ask(EDIT);
    expect(form.message).toContain("-one\n+1");
    const result = await answer({ action: "accept", content: { decision: "apply" } });
    expect(result.content.at(-1).text).toMatch(/^```diff\nIndex: \/[^]*-one\n\+1\n```\n\n$/);
    expect(result.structuredContent).toEqual({ content: result.content.at(-1).text });
    expect(asker.host.read("a.txt")).toBe("1\n");
  });

  test("a rejected change is answered as a failure", async () => {
    await using asker = await openAsker(version, OPTIONS);
    const { answer } = await asker.ask(EDIT);
    const result = await answer({ action: "accept", content: { decision: "reject", reason: "wrong" } });
    expect(result.content.at(-1).text).toStartWith("denied: Cannot make the change: a person rejected it: wrong");
    expect(asker.host.read("a.txt")).toBe("one\n");
  });

  test("a dry run asks nobody", async () => {
    await using asker = await openAsker(version, OPTIONS);
    const result = await asker.call({ ...EDIT, arguments: { ...EDIT.arguments, dryRun: true } });
    expect(result.content.at(-1).text).toStartWith("```diff\n");
    expect(asker.host.read("a.txt")).toBe("one\n");
  });
});

test("an applied change is answered with its warnings", async () => {
  await using host = openTestHost({ ...OPTIONS, config: { ...OPTIONS.config, mode: "bypass" } });
  linkSync(join(host.root, "a.txt"), join(host.root, "b.txt"));
  const { all } = await host.call("write_file", { path: "a.txt", content: "x" });
  expect(all).toMatch(/^Successfully wrote to a\.txt\nNote: 2 names share this file; .*in_place: true/);
});
