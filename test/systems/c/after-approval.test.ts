/**
 * What Clarvis' tools answer to a change that a person approved: the same as to one that is made at once, with the count of
 * the places and the note of a tolerance, in both eras of the protocol. `bun run test:clarvis --mode=default` relies on it.
 */
import { describe, expect, test } from "bun:test";
import { openAsker, type Asker } from "../../host/asker.ts";

const CONFIG = { dialect: "clarvis", baseline: "if_known" };
const FILES = { "a.txt": "foo foo\n", "b.txt": "  x\ny\nfoo\n" };
const ALL = { action: "accept", content: { decision: "apply" } };

async function approved(asker: Asker, name: string, args: object, given: object = ALL): Promise<string> {
  const { answer } = await asker.ask({ name, arguments: args as Record<string, unknown> });
  const result = await answer(given);
  expect(result.isError).not.toBe(true);
  return result.content.at(-1).text as string;
}

describe.each(["2025-11-25", "2026-07-28"])("approved in %s", (version) => {
  test("edit_file says how many places were replaced, and that one was matched without its blanks", async () => {
    await using asker = await openAsker(version, { files: FILES, config: CONFIG });
    const all = { path: "a.txt", old_string: "foo", new_string: "bar", replace_all: true };
    expect(await approved(asker, "edit_file", all)).toBe("Replaced 2 occurrences in a.txt.");
    const loose = { path: "b.txt", old_string: "\tx", new_string: "z" };
    expect(await approved(asker, "edit_file", loose)).toMatch(
      /^Replaced 1 occurrence in b\.txt\. \(whitespace-tolerant match: .* at line 1\. Check the result\.\)$/,
    );
    const edits = [{ old_string: "\ty", new_string: "Y" }];
    expect(await approved(asker, "multi_edit", { path: "b.txt", edits })).toStartWith(
      "Applied 1 edit to b.txt. (whitespace-tolerant match: ",
    );
    expect(asker.host.read("b.txt")).toBe("z\nY\nfoo\n");
  });

  test("the tool replace counts the places of each file that the person took, and of no other", async () => {
    await using asker = await openAsker(version, { files: FILES, config: CONFIG });
    const args = { pattern: "foo", replacement: "bar", glob: "*.txt", dry_run: false };
    const some = { action: "accept", content: { decision: "apply", files: ["a.txt"] } };
    expect(await approved(asker, "replace", args, some)).toBe(
      "Replaced 2 occurrence(s) in 1 file(s):\n  M a.txt (2 replacements)",
    );
    expect(await approved(asker, "replace", args)).toBe(
      "Replaced 1 occurrence(s) in 1 file(s):\n  M b.txt (1 replacement)",
    );
  });
});
