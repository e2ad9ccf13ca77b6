/**
 * The lines of the record, pinned: which events a read, a change, an approval and a refusal leave, in which order, and
 * what stands in each. Arguments never do.
 */
import { expect, test } from "bun:test";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

type Line = Readonly<Record<string, unknown>>;

function linesOf(host: TestHost): Line[] {
  return host
    .audit()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** Event and the names of its members, without those that every line has. */
function shapes(lines: readonly Line[]): string[] {
  return lines.map(({ event, seq: _seq, time: _time, hash: _hash, ...rest }) =>
    [event, ...Object.keys(rest)].join(" "),
  );
}

test("the record has a read, a proposal that is applied, an invalid call, an unknown tool and a grant", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" } });
  await host.call("read_file", { path: "a.txt" });
  await host.apply(await host.call("write_file", { path: "b.txt", content: "confidential words" }));
  await host.call("write_file", { path: "b.txt", contnt: "x" });
  await host.request("tools/call", { name: "no_such_tool" });
  await host.request("ringfence/grants/add", { rule: "move" });
  const call = ["proposed request tool input", "decided call request tool validated paths decision rule reason risk"];
  expect(shapes(linesOf(host))).toEqual([
    "segment pid previous",
    "start version commit target runtime config mode fence roots",
    ...call,
    "started call tool",
    "completed call tool ms bytes result",
    ...call,
    "started call tool changes",
    "change call request status proposal digest files operations",
    "completed call tool ms bytes result changes",
    "approved proposal digest",
    "applied proposal transaction",
    "proposed request tool input",
    "failed call request tool validated ms code",
    "proposed request tool input",
    "failed call tool validated code",
    "granted rule remember",
  ]);
  expect(host.audit()).not.toContain("confidential");
});

test("the lines of a change come before it, and say what it came to", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { mode: "bypass" } });
  await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "1\n2" });
  const change = linesOf(host).find(({ event }) => event === "change");
  expect(change).toMatchObject({
    status: "applied",
    transaction: expect.stringMatching(/^t_/),
    files: [{ operation: "edit", added: 2, removed: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
});

test("the record says whom a call was for, in both eras", async () => {
  await using host = openTestHost({ files: { "a.txt": "one\n" } });
  await host.request("initialize", { protocolVersion: "2025-11-25", clientInfo: { name: "some client" } });
  await host.call("stat", { path: "a.txt" }, { "dev.ringfence/agent": "planner", "dev.ringfence/provider": "p" });
  expect(linesOf(host).find(({ event }) => event === "proposed")).toMatchObject({
    client: "some client",
    agent: "planner",
    provider: "p",
  });
  await host.modern("tools/call", { name: "stat", arguments: { path: "a.txt" } });
  expect(linesOf(host).findLast(({ event }) => event === "proposed")).toMatchObject({ client: "test" });
});
