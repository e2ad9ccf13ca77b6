/**
 * What a person allows "always" is the call that they saw and nothing beside it: of every tool its neighbours, by another
 * path, root, option, operation, line, directory or tool, are asked about as before.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type CallAnswer, type TestHost, type Json, type Members } from "../host/in-memory-host.ts";
import { fc } from "../property.ts";

const CALLS: Readonly<Record<string, Members>> = {
  list_directory: { path: "d" },
  read_file: { path: "d/a.txt" },
  read_files: { files: [{ path: "d/a.txt" }, { path: "d/b.txt" }] },
  stat: { path: "d/a.txt" },
  glob: { path: "d", pattern: "*.txt" },
  grep: { path: "d", pattern: "one" },
  disk_usage: { path: "d" },
  hash_file: { path: "d/a.txt" },
  tree: { path: "d" },
  diff_files: { a: "d/a.txt", b: "d/b.txt" },
  write_file: { path: "d/new.txt", content: "x" },
  edit_file: { path: "d/a.txt", old_text: "one", new_text: "two" },
  append_file: { path: "d/a.txt", content: "x" },
  create_directory: { path: "d/made" },
  move: { source: "d/a.txt", destination: "d/c.txt" },
  copy: { source: "d/a.txt", destination: "d/c.txt" },
  delete: { path: "d/a.txt" },
  apply_patch: { patch: "--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-one\n+two\n" },
  change_files: {
    operations: [
      { op: "append_file", path: "d/a.txt", content: "x" },
      { op: "delete", path: "d/b.txt" },
    ],
  },
  replace: { path: "d/a.txt", pattern: "one", replacement: "two", dry_run: false },
};

const PATHS = [
  "d/a.txt",
  "d/b.txt",
  "d/new.txt",
  "d",
  ".",
  "d/A.txt",
  '"d/a.txt',
  "d/a.txt2",
  "a.txt",
  "d/c.txt",
  "d/made",
  "e/a.txt",
];
const OPTIONS = ["overwrite", "recursive", "in_place", "replace_all", "hidden", "no_ignore", "follow"];
const PATH_NAMES = ["path", "source", "destination", "a", "b"];

function open(rules: readonly object[] = [{ ask: "*" }]): TestHost {
  const files = { "d/a.txt": "one\n", "d/b.txt": "one more\n", "e/a.txt": "one\n", "a.txt": "one\n" };
  return openTestHost({ files, config: { rules } });
}

async function decisionOf(host: TestHost, name: string, args: Members): Promise<string> {
  const { result } = await host.request("ringfence/policy/explain", { name, arguments: args });
  return result?.decision?.type ?? "refused";
}

async function suggested(host: TestHost, answer: CallAnswer): Promise<readonly string[]> {
  const decision = answer.failure?.details?.["decision"] as { suggested_rule?: string } | undefined;
  return decision?.suggested_rule === undefined ? await host.rulesOf(answer) : [decision.suggested_rule];
}

/** The call with another path, an option more, or by another tool. */
function neighbour(host: TestHost, tool: string): fc.Arbitrary<[string, Members]> {
  const args = CALLS[tool]!;
  const path = fc.oneof(
    fc.constantFrom(...PATHS),
    fc.constantFrom(...PATHS).map((one) => join(host.outside, one)),
    fc.string({
      unit: fc.constantFrom("d", "a", "/", ".", "*", "(", '"', "t", "x"),
      minLength: 1,
      maxLength: 12,
    }),
  );
  const moved = fc
    .tuple(fc.constantFrom(...PATH_NAMES.filter((one) => one in args), "path"), path)
    .map(([name, to]): [string, Members] => [tool, { ...args, [name]: to }]);
  const more = fc
    .tuple(fc.constantFrom(...OPTIONS), fc.boolean())
    .map(([name, is]): [string, Members] => [tool, { ...args, [name]: is }]);
  const other = fc
    .constantFrom(...Object.keys(CALLS).filter((one) => one !== tool))
    .map((name): [string, Members] => [name, { ...CALLS[name]!, ...args }]);
  return fc.oneof(moved, more, other);
}

test.each(Object.keys(CALLS))("a rule that allows %s always allows none of its neighbours", async (tool) => {
  await using host = open();
  const args = CALLS[tool]!;
  for (const rule of await suggested(host, await host.call(tool, args)))
    await host.request("ringfence/grants/add", { rule });
  expect(await decisionOf(host, tool, args)).toBe("allow");
  const same = JSON.stringify(args);
  await fc.assert(
    fc.asyncProperty(neighbour(host, tool), async ([name, given]) => {
      fc.pre(name !== tool || JSON.stringify(given) !== same);
      fc.pre(!isSamePlace(host, args, given) || name !== tool);
      expect([name, given, await decisionOf(host, name, given)]).not.toEqual([name, given, "allow"]);
    }),
    { numRuns: 530 },
  );
});

/** Another spelling of a place makes the same call; so does an option with its default, which the schema leaves out. */
function isSamePlace(host: TestHost, args: Members, given: Members): boolean {
  const placed = (all: Json): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(all)
          .map(([name, value]) => [
            name,
            PATH_NAMES.includes(name) ? join(host.root, String(value)).replace(/\/$/, "") : value,
          ])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ),
    );
  return placed(args) === placed(given);
}

function append(path: string): Members {
  return { op: "append_file", path, content: "x\n" };
}

describe("what was allowed always", () => {
  test("what was allowed always for appending to files deletes none of them", async () => {
    await using host = open([]);
    const both = { operations: [append("d/a.txt"), append("d/b.txt")] };
    for (const rule of await suggested(host, await host.call("change_files", both)))
      await host.request("ringfence/grants/add", { rule });
    expect((await host.call("change_files", both)).text).toStartWith("Applied");
    const deletes = { operations: ["d/a.txt", "d/b.txt"].map((path) => ({ op: "delete", path })) };
    const answer = await host.call("change_files", deletes);
    expect(answer.proposal).toBeDefined();
    expect(host.read("d/a.txt")).toContain("one");
  });

  test("a patch that edits a file, allowed always, does not delete it", async () => {
    await using host = open([]);
    for (const rule of await suggested(host, await host.call("apply_patch", CALLS["apply_patch"])))
      await host.request("ringfence/grants/add", { rule });
    const patch = "--- a/d/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
    expect((await host.call("apply_patch", { patch })).proposal).toBeDefined();
    expect((await host.call("apply_patch", CALLS["apply_patch"])).text).toStartWith("Applied");
  });

  test("a rule to make a file does not allow to overwrite it, nor what lies in another root", async () => {
    const top = open([]);
    await using first = top;
    const second = join(first.top, "second");
    mkdirSync(second);
    writeFileSync(join(second, "made.txt"), "theirs\n");
    await using host = openTestHost({
      top: first.top,
      config: { roots: [first.root, second], baseline: "required" },
    });
    const args = { path: "made.txt", content: "mine\n" };
    for (const rule of await suggested(host, await host.call("write_file", args)))
      await host.request("ringfence/grants/add", { rule });
    expect((await host.call("write_file", { ...args, path: join(second, "made.txt") })).text).not.toStartWith(
      "Applied",
    );
    expect((await host.call("write_file", args)).text).toStartWith("Applied");
    expect((await host.call("write_file", { ...args, content: "other\n", overwrite: true })).proposal).toBeDefined();
  });

  test.each([
    "write_file(exact:{})",
    'write_file(exact:{"call":1})',
    'write_file(exact:{"call":{"risk":"R5","acts":[["write","/r","a"]]}})',
    'write_file(exact:{"call":{"risk":"R2","acts":[]}})',
    'write_*(exact:{"call":{"risk":"R2","acts":[["write","/r","a"]]}})',
    'group:all(exact:{"call":{"risk":"R2","acts":[["write","/r","a"]]}})',
    'write_file(exact:{"call":{"risk":"R2","acts":[["write","/r","a"]],"more":1}})',
  ])("a rule to remember is refused when it is not what was suggested: %s", async (rule) => {
    await using host = open();
    const { error } = await host.request("ringfence/grants/add", { rule });
    expect(error.data.code).toBe("invalid_input");
  });
});
