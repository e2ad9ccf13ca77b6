/**
 * The observation beside every answer of a tool: how it ended, one line for a person, whether something is missing and where it
 * is, and how many results there were. It is there for failures too, and a caller can trust it without reading the text.
 */
import { expect, test } from "bun:test";
import type { Observation } from "../../src/calls/call-result.ts";
import { readResult } from "../../src/calls/call-result.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";
import { hostOfEachTest } from "../proc/command-host.ts";

const openWithPrograms = hostOfEachTest();

function observed({ result }: CallAnswer): Omit<Observation, "audit_id"> {
  const { audit_id, ...rest } = readResult(result).observation!;
  expect(audit_id).toBe(result._meta["dev.ringfence/auditId"]);
  return rest;
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d/f${String(at).padStart(3, "0")}.txt`, "needle\n"]));

const open = (config: object = {}): TestHost =>
  openTestHost({ files: { "src/a.ts": "one\ntwo\nthree\n", ".env": "A=1\n", ...many(30) }, config });

test("a read is observed with the lines that it gave, of how many", async () => {
  await using host = open();
  expect(observed(await host.call("read_file", { path: "src/a.ts" }))).toEqual({
    status: "ok",
    summary: "Read file: src/a.ts, 3 lines",
    truncated: false,
  });
  expect(observed(await host.call("read_file", { path: "src/a.ts", offset: 1, limit: 2 }))).toMatchObject({
    summary: "Read file: src/a.ts, lines 1-2 of 3",
  });
});

test("a change is observed as it was made, or as what waits for a person", async () => {
  await using host = open({ mode: "accept_edits" });
  const edit = { path: "src/a.ts", old_text: "two", new_text: "2" };
  expect(observed(await host.call("edit_file", edit, { "dev.ringfence/mode": "plan" }))).toEqual({
    status: "needs_approval",
    summary: "Edit file: src/a.ts, proposed, +1 -1",
    truncated: false,
  });
  expect(observed(await host.call("edit_file", edit))).toEqual({
    status: "ok",
    summary: "Edit file: src/a.ts, applied, +1 -1",
    truncated: false,
  });
});

test("a failure is observed by its message, whose place in the text stands for it on the wire", async () => {
  await using host = open({ mode: "accept_edits" });
  const missing = await host.call("read_file", { path: "no.txt" });
  expect(observed(missing)).toMatchObject({ status: "error", summary: missing.failure!.message });
  const [start, end] = missing.result._meta["dev.ringfence/observation"].summary;
  expect(missing.text.slice(start, end)).toBe(missing.failure!.message);
  expect(observed(await host.call("read_file", { path: ".env" }))).toMatchObject({ status: "denied" });
  expect(observed(await host.call("read_file", { path: "../x" }))).toMatchObject({ status: "denied" });
  expect(observed(await host.call("read_file", {}))).toMatchObject({ status: "error" });
  const asked = await host.call("grep", { pattern: "AKIA[0-9A-Z]{16}" });
  expect(observed(asked)).toMatchObject({ status: "needs_approval", summary: asked.failure!.message });
});

test("a failure is observed in the words of the dialect", async () => {
  await using host = openTestHost({
    files: { "a.txt": "x\nx\n" },
    config: { dialect: "claude", mode: "accept_edits" },
  });
  await host.call("Read", { file_path: `${host.root}/a.txt` });
  const edit = { file_path: `${host.root}/a.txt`, old_string: "x", new_string: "y" };
  const failed = await host.call("Edit", edit);
  expect(failed.failure?.code).toBe("ambiguous");
  expect(observed(failed)).toMatchObject({ status: "error", summary: failed.failure!.message });
});

const searches: [tool: string, args: object, counts: object][] = [
  ["grep", { pattern: "needle", path: "d" }, { matched: 30, returned: 30 }],
  ["grep", { pattern: "needle", path: "d", limit: 7 }, { matched: 7, returned: 7, at_least: true }],
  ["grep", { pattern: "needle", path: "d", output: "files" }, { matched: 30, returned: 30 }],
  ["grep", { pattern: "needle", path: "d", output: "count", limit: 5 }, { matched: 5, returned: 5, at_least: true }],
  ["grep", { pattern: "nothing like it" }, { matched: 0, returned: 0 }],
  ["glob", { pattern: "d/*.txt" }, { matched: 30, returned: 30 }],
  ["glob", { pattern: "d/*.txt", limit: 4 }, { matched: 30, returned: 4 }],
  ["glob", { pattern: "d/*.txt", limit: 4, sort: "name" }, { matched: 5, returned: 4, at_least: true }],
  ["list_directory", { path: "d", limit: 3 }, { matched: 30, returned: 3 }],
  ["list_directory", { path: "d" }, { matched: 30, returned: 30 }],
  ["tree", { path: "d", limit: 6 }, { matched: 30, returned: 6, at_least: true }],
  ["tree", { path: "d" }, { matched: 30, returned: 30 }],
  ["disk_usage", { path: "d", limit: 2 }, { matched: 30, returned: 2 }],
];

test.each(searches)("%s %j says how many results there are and how many it gives", async (tool, args, counts) => {
  await using host = open({ results: "structured" });
  const answer = await host.call(tool, args);
  const { matched, returned, at_least } = observed(answer);
  expect({ matched, returned, ...(at_least ? { at_least } : {}) }).toEqual(counts as never);
  const { structuredContent: structured } = answer.result;
  expect([structured.matched, structured.returned]).toEqual([matched, returned]);
});

test("a list that is cut says in its text how many it shows of how many", async () => {
  await using host = open();
  expect((await host.call("glob", { pattern: "d/*", limit: 4 })).all).toContain("4 paths shown of 30");
  expect((await host.call("tree", { path: "d", limit: 6 })).all).toContain("6 entries shown of at least 30");
  expect((await host.call("disk_usage", { path: "d", limit: 2 })).all).toContain("2 children shown of 30");
  expect(observed(await host.call("glob", { pattern: "d/*", limit: 4 })).summary).toBe(
    "Find files by pattern: 4 of 30 results",
  );
});

test("the line for a person shows a name that commands a terminal without its commands", async () => {
  await using host = open();
  const { summary } = observed(await host.call("list_directory", { path: "src" }));
  expect(summary).toBe("List directory: src, 1 result");
  const name = "d/\u001b[31m\u202ex";
  await using hostile = openTestHost({ files: { [`${name}.txt`]: "x\n" } });
  const answer = await hostile.call("read_file", {
    path: `bytes:${encodeURIComponent(`${name}.txt`).replaceAll("%2F", "/")}`,
  });
  expect(observed(answer).status).toBe("ok");
  const written = observed(await hostile.call("stat", { path: `${name}.txt` }));
  expect(JSON.stringify(written.summary)).not.toMatch(/\\u001b|\u202e/);
});

test.skipIf(process.platform === "win32")(
  "a command is observed with how it ended and without its secrets",
  async () => {
    const host = openWithPrograms({}, { shell: { enabled: true }, mode: "bypass" }, { "a.txt": "one\n" });
    const fine = observed(await host.call("shell", { command: "cat a.txt" }));
    expect(fine.summary).toMatch(/^Shell: cat a\.txt, exit code 0, [\d.]+ m?s$/);
    const bad = observed(await host.call("shell", { command: "cat none.txt; echo password=hunter2-correct-horse" }));
    expect(bad.summary).not.toContain("hunter2-correct-horse");
    const long = await host.call("shell", { command: "seq 1 200000" });
    const { truncated, ref } = observed(long);
    expect(truncated).toBe(true);
    expect(ref).toMatch(/^ringfence:\/\/spill\//);
    const read = await host.modern("resources/read", { uri: ref });
    expect(read.result.contents[0].text).toStartWith("1\n2\n3\n");
  },
);

test("the answer to a method or a resource has no observation", async () => {
  await using host = open();
  const { result } = await host.modern("resources/read", { uri: "ringfence://root/0/src/a.ts" });
  expect(JSON.stringify(result)).not.toContain("dev.ringfence/observation");
});
