/**
 * The article on the runtime around a call: the observation, the audit events, the budgets and the intent. "The model proposes.
 * The system executes. Tool runtime owns all boundaries in between."
 */
import { expect, test } from "bun:test";
import { readResult } from "../../../src/calls/call-result.ts";
import { openTestHost, type Json, type TestHost } from "../../host/in-memory-host.ts";

const FILES = { "src/sum.ts": "export const sum = (a, b) => a - b\n".repeat(2), "src/other.ts": "export {}\n" };
const open = (config: object = {}): TestHost =>
  openTestHost({ files: FILES, config: { mode: "accept_edits", ...config } });
const EDIT = { file_path: "src/sum.ts", old_string: "a - b", new_string: "a + b" };

const linesOf = (host: TestHost): Json[] =>
  host
    .audit()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a ToolObservation has status, summary, truncated and auditId, and tool and data stand beside it", async () => {
  await using host = open({ results: "structured" });
  const { result } = await host.call("Read", { file_path: "src/other.ts" });
  const { observation, structured, text, meta } = readResult(result);
  expect(observation).toEqual({
    status: "ok",
    summary: "Read file: src/other.ts, 1 line",
    truncated: false,
    audit_id: String(meta["dev.ringfence/auditId"]),
  });
  expect([text, structured?.["text"]]).toEqual(["export {}\n", "export {}\n"]);
});

test("a failure is an observation that the next round of the model can correct", async () => {
  await using host = open();
  await host.call("Read", { file_path: "src/sum.ts" });
  const { result } = await host.call("Edit", EDIT);
  const { observation, isError } = readResult(result);
  expect([isError, observation?.status]).toEqual([true, "error"]);
  expect(observation?.summary).toContain("2 times");
  expect((await host.call("Edit", { ...EDIT, replace_all: true })).failure).toBeUndefined();
});

test("a denied call and one that waits for a person are observed as such", async () => {
  await using host = open({ mode: "default", rules: [{ deny: "read_file(src/other.ts)", reason: "not for agents" }] });
  const denied = readResult((await host.call("Read", { file_path: "src/other.ts" })).result).observation;
  expect(denied).toMatchObject({ status: "denied", summary: expect.stringContaining("not for agents") });
  await host.call("Read", { file_path: "src/sum.ts" });
  const asked = readResult((await host.call("Edit", { ...EDIT, replace_all: true })).result).observation;
  expect(asked).toMatchObject({ status: "needs_approval", summary: "Edit file: src/sum.ts, proposed, +2 -2" });
});

test("an edit leaves the intent, the decision and what happened on record, with hashes instead of contents", async () => {
  await using host = open();
  await host.call("Read", { file_path: "src/sum.ts" });
  const meta = { "dev.ringfence/messageId": "msg_7" };
  const { result } = await host.call("Edit", { ...EDIT, replace_all: true }, meta);
  const id = result._meta["dev.ringfence/auditId"];
  const lines = linesOf(host);
  const of = (event: string): Json => lines.find((line) => line.event === event && line.call === id);
  const intent = lines.find(({ event, message }) => event === "proposed" && message === "msg_7");
  expect(intent).toMatchObject({
    tool: "Edit",
    input: expect.stringMatching(/^[0-9a-f]{32}$/),
    time: expect.any(String),
  });
  expect(of("decided")).toMatchObject({ validated: true, decision: "allow", risk: "R2", reason: expect.any(String) });
  expect(of("started")).toMatchObject({ tool: "edit_file", changes: true });
  expect(of("change").files[0]).toMatchObject({ operation: "edit", added: 2, removed: 2 });
  expect(of("completed")).toMatchObject({ tool: "edit_file", ms: expect.any(Number) });
  expect(JSON.stringify(lines)).not.toContain("a + b");
});

test("arguments that are wrong are on record as validation that failed", async () => {
  await using host = open();
  await host.call("Edit", { file_path: 5 });
  expect(linesOf(host)).toContainEqual(expect.objectContaining({ event: "failed", validated: false }));
});

test("output that is cut is an event of its own, and tells the model where it goes on", async () => {
  await using host = openTestHost({
    files: { "long.txt": "x\n".repeat(9000) },
    config: { budgets: { call: { lines: 100 } } },
  });
  const answer = await host.call("Read", { file_path: "long.txt" });
  expect(answer.text.split("\n").length).toBe(101);
  expect(answer.all).toContain('To go on: read_file {"path":"long.txt","offset":101');
  expect(linesOf(host)).toContainEqual(expect.objectContaining({ event: "truncated", tool: "read_file" }));
});

test("outputBudget is kept in bytes and in lines", async () => {
  await using host = openTestHost({
    files: { "long.txt": "0123456789\n".repeat(500) },
    config: { budgets: { call: { bytes_out: 2000, lines: 50 } } },
  });
  const { result, text } = await host.call("Read", { file_path: "long.txt" });
  expect(Buffer.byteLength(JSON.stringify(result.content))).toBeLessThanOrEqual(2000);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(50);
});

test("deny carries more weight than allow, and a tool that is not visible is not there", async () => {
  const rules = [{ allow: "edit_file(**)" }, { deny: "edit_file(src/**)" }];
  await using host = open({ rules, toolList: { deny: ["grep"] } });
  await host.call("Read", { file_path: "src/sum.ts" });
  expect((await host.call("Edit", { ...EDIT, replace_all: true })).failure?.code).toBe("denied");
  const { result } = await host.request("tools/list", {});
  expect(result.tools.map(({ name }: { name: string }) => name)).not.toContain("grep");
});
