/**
 * Where `--dialect=filesystem` is not as the server that it stands in for, each by a rule of ours; the same list stands in
 * docs/dialects.md. What changes do in the modes that propose some of them.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callOne, openOurs, openPair, type Given, type Pair } from "./reference-servers.ts";

let pair: Pair;

beforeAll(async () => {
  pair = await openPair();
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
});

describe("differences by our rules", () => {
  const failing: [what: string, name: string, given: Given, code: string][] = [
    ["a path outside", "read_text_file", { path: "/etc/passwd" }, "outside_scope"],
    ["a file that is not there", "read_text_file", { path: "ROOT/none.txt" }, "not_found"],
    ["head and tail at once", "read_text_file", { path: "ROOT/umlaut.md", head: 1, tail: 1 }, "invalid_input"],
    [
      "an edit without a place",
      "edit_file",
      { path: "ROOT/umlaut.md", edits: [{ oldText: "none", newText: "x" }] },
      "no_match",
    ],
    ["a move onto a file", "move_file", { source: "ROOT/umlaut.md", destination: "ROOT/ticks.md" }, "already_exists"],
    ["an argument missing", "write_file", { path: "ROOT/x.txt" }, "invalid_input"],
  ];
  test.each(failing)("failures have our words: %s", async (_what, name, given, code) => {
    const [mine, theirs] = await pair.both(name, given);
    expect([mine.isError, theirs.isError]).toEqual([true, true]);
    expect(mine.content[0]?.text).toStartWith(`${code}: `);
  });

  test("an edit of what occurs twice is refused, and not made at the first place", async () => {
    await pair.both("write_file", { path: "ROOT/twice.txt", content: "x\nx\n" });
    const [mine, theirs] = await pair.both("edit_file", {
      path: "ROOT/twice.txt",
      edits: [{ oldText: "x", newText: "y" }],
    });
    expect([mine.isError, theirs.isError]).toEqual([true, undefined]);
    expect(mine.content[0]?.text).toStartWith("ambiguous: ");
  });

  test("an edit that was made before is not made again, and that is said below the empty diff", async () => {
    await pair.both("write_file", { path: "ROOT/twice.txt", content: "alpha\nthe old line\nomega\n" });
    const given = { path: "ROOT/twice.txt", edits: [{ oldText: "the old line", newText: "the new line" }] };
    await pair.both("edit_file", given);
    const [mine, theirs] = await pair.both("edit_file", given);
    expect([mine.isError, theirs.isError]).toEqual([undefined, true]);
    expect(mine.content[0]?.text).toMatch(/\tmodified\n```\n\nNote: The old text is not in the file, .* made before\./);
    const typo = { path: "ROOT/twice.txt", edits: [{ oldText: "the bew line\nomega", newText: "omega" }] };
    const [refused, failed] = await pair.both("edit_file", typo);
    expect([refused.isError, failed.isError]).toEqual([true, true]);
    expect(refused.content[0]?.text).toStartWith("no_match: ");
  });

  test("missing parents of a new file are made", async () => {
    const [mine, theirs] = await pair.both("write_file", { path: "ROOT/p/q.txt", content: "x" });
    expect([mine.isError, theirs.isError]).toEqual([undefined, true]);
  });

  test("lines that end in CR LF stay so in an edit", async () => {
    const given = { path: "ROOT/crlf.txt", edits: [{ oldText: "second", newText: "2nd" }] };
    const [mine, theirs] = await pair.both("edit_file", given);
    expect(mine).toEqual(theirs);
    expect(readFileSync(join(pair.ours.root, "crlf.txt"), "utf8")).toBe("first\r\n2nd\r\nthird\r\n");
    expect(readFileSync(join(pair.reference.root, "crlf.txt"), "utf8")).toBe("first\n2nd\nthird\n");
  });

  test("an argument that there is not is named", async () => {
    const [mine, theirs] = await pair.both("read_text_file", { path: "ROOT/umlaut.md", haed: 1 });
    expect([mine.isError, theirs.isError]).toEqual([true, undefined]);
    expect(mine.content[0]?.text).toContain("Did you mean head?");
  });

  test("bytes that are no text are described", async () => {
    const [mine] = await pair.both("read_text_file", { path: "ROOT/data.bin" });
    expect(mine.content[0]?.text).toContain("is binary");
  });
});

describe("in the mode accept_edits", () => {
  test("ordinary changes are the same, and the others are proposed in words that say so", async () => {
    const careful = await openOurs(["--mode=accept_edits", "--baseline=if_known"]);
    await using _ = careful;
    const calls: [string, Given][] = [
      ["write_file", { path: "ROOT/fresh.txt", content: "x\n" }],
      ["edit_file", { path: "ROOT/src/style.css", edits: [{ oldText: "{}", newText: "{ }" }] }],
      ["create_directory", { path: "ROOT/fresh/er" }],
      ["move_file", { source: "ROOT/fresh.txt", destination: "ROOT/fresh/er/moved.txt" }],
    ];
    for (const [name, given] of calls)
      expect(await callOne(careful, name, given)).toEqual(await callOne(pair.reference, name, given));
    const replaced = await callOne(careful, "write_file", { path: "ROOT/big.dat", content: "x" });
    expect(replaced.content[0]?.text).toMatch(/^Proposed: Overwrite big\.dat [^]*Nothing is written yet\. /);
    expect(replaced.structuredContent).toEqual({ content: replaced.content[0]?.text });
  });
});
