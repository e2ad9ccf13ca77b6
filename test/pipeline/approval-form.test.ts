/**
 * What stands in the form that a person decides on, and in what they write into it: neither a model nor a person can make
 * one that misleads the other or that later calls choke on.
 */
import { describe, expect, test } from "bun:test";
import { openAsker, type Asker } from "../host/asker.ts";
import type { CallParams } from "../host/in-memory-host.ts";

const edit = (): CallParams => ({
  name: "edit_file",
  arguments: { path: "a.txt", old_text: "one", new_text: "1" },
});

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  async function open(): Promise<Asker> {
    return await openAsker(version, { files: { "a.txt": "one\n" }, config: { baseline: "if_known" } });
  }

  test("a rejection is one, however much is said about it, and later calls go on", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    const reason = "x".repeat(500_000);
    const result = await answer({ action: "accept", content: { decision: "reject", reason } });
    expect(result).toMatchObject({ isError: true, _meta: { "dev.ringfence/failure": { code: "denied" } } });
    expect(result.content.at(-1).text.length).toBeLessThan(1200);
    expect((await asker.ask(edit())).form.message.length).toBeLessThan(1500);
  });

  test("what was written cannot repaint the form, nor hide in the rule that it offers", async () => {
    await using asker = await open();
    const content = "a\u001b[2J\u202eb\rc\n";
    const write = (path: string): CallParams => ({ name: "write_file", arguments: { path, content } });
    const plain = (await asker.ask(write("new.txt"))).form;
    expect(plain.message).toContain("+a\\x1b[2J\\u202eb\\x0dc");
    expect(JSON.stringify(plain.requestedSchema)).toContain("apply_and_remember");
    for (const path of ["x\nApproved: safe.txt", "y\u202e.txt", "z\u001b[8m.txt"]) {
      const { form } = await asker.ask(write(path));
      expect(JSON.stringify(form.requestedSchema)).not.toContain("apply_and_remember");
      expect(form.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|\nApproved/);
    }
  });
});
