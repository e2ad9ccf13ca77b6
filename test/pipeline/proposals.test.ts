/**
 * A proposal's life by the extension methods: made, listed, shown, applied once, rejected, gone stale, expired. What was
 * shown is what is applied, and nothing else is ever written.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { labelOf, openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;

beforeEach(() => {
  host = openTestHost({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
});

const edit = async (path: string, from: string, to: string): Promise<CallAnswer> =>
  await host.call("edit_file", { path, old_text: from, new_text: to });

const failureOf = (message: Json): Json => {
  expect(message.error?.code).toBe(1);
  return message.error.data;
};

test("a proposal says in _meta what it is, and its text ends with its id", async () => {
  const { proposal, text, result } = await edit("a.txt", "one", "1");
  const { id, expiresAt } = result._meta["dev.ringfence/proposal"];
  const stored = readFileSync(join(host.stateDir, "proposals", `${id}.json`), "utf8");
  const { created, expires } = JSON.parse(stored);
  expect(text).toEndWith(`Proposal ${proposal?.id}@${proposal?.digest}`);
  expect(proposal).toMatchObject({
    id: expect.stringMatching(/^p_[A-Za-z0-9_-]{22}$/),
    digest: expect.stringMatching(/^[0-9a-f]{40}$/),
    summary: "Edit a.txt (4 bytes -> 2 bytes)",
    paths: [join(host.root, "a.txt")],
    bytes: 2,
    risk: "R2",
  });
  expect([expiresAt, expires - created]).toEqual([new Date(expires).toISOString(), 24 * 60 * 60 * 1000]);
  expect(host.read("a.txt")).toBe("one\n");
});

test("proposals that wait are listed in the order they were made, and shown with their diffs", async () => {
  const first = await edit("a.txt", "one", "1");
  const second = await edit("b.txt", "two", "2");
  const listed = await host.request("ringfence/proposals/list");
  expect(listed.result.proposals.map((one: Json) => one.id)).toEqual([first.proposal?.id, second.proposal?.id]);
  const shown = await host.request("ringfence/proposals/get", { id: second.proposal?.id });
  expect(shown.result.tool).toBe("edit_file");
  expect(shown.result.files[0].diff).toContain("-two\n+2\n");
});

test("a list says of each where it is and what it would do, and with check how many lines", async () => {
  await edit("a.txt", "one", "1\n2");
  await host.call("delete", { path: "b.txt" });
  const list = async (params: object): Promise<Json[]> =>
    (await host.request("ringfence/proposals/list", params)).result.proposals;
  const plain = await list({});
  expect(plain.map(({ change, roots }) => [change, roots])).toEqual([
    ["Edit a.txt", [host.root]],
    ["Delete b.txt", [host.root]],
  ]);
  expect(plain[0]).not.toContainAnyKeys(["added", "removed", "problem", "client"]);
  const lines = (await list({ check: true })).map(({ added, removed }) => [added, removed]);
  expect(lines).toEqual([
    [2, 1],
    [0, 0],
  ]);
  writeFileSync(join(host.root, "a.txt"), "other\n");
  const [stale, whole] = await list({ check: true });
  expect(stale).toMatchObject({ problem: expect.stringContaining("a.txt") });
  expect(stale).not.toContainKey("added");
  expect(whole).not.toContainKey("problem");
});

test("a list names only the roots in which something would change", async () => {
  const config = { roots: [host.root, host.outside], baseline: "if_known" };
  await using both = openTestHost({ top: host.top, config });
  writeFileSync(join(host.outside, "c.txt"), "c\n");
  await both.call("delete", { path: join(host.outside, "c.txt") });
  const [listed] = (await both.request("ringfence/proposals/list")).result.proposals;
  expect(listed.roots).toEqual([host.outside]);
});

test("it is applied once; the second time says that nothing is left to do", async () => {
  const answer = await edit("a.txt", "one", "1");
  const applied = await host.apply(answer);
  expect(applied.result).toMatchObject({ status: "applied", transaction: expect.stringMatching(/^t_/) });
  expect(host.read("a.txt")).toBe("1\n");
  const again = failureOf(await host.apply(answer));
  expect(again).toMatchObject({ code: "conflict", hint: "Nothing is left to do." });
  expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  expect(readdirSync(host.root).sort()).toEqual(["a.txt", "b.txt"]);
});

test("a proposal is applied by the id of its request, which must have made one", async () => {
  const answer = await edit("a.txt", "one", "1");
  const read = await host.call("read_file", { path: "a.txt" });
  const applied = await host.request("ringfence/proposals/apply", { request: answer.request });
  expect(applied.result.status).toBe("applied");
  const none = failureOf(await host.request("ringfence/proposals/apply", { request: read.request }));
  expect(none.code).toBe("not_found");
});

test("apply() by a request whose change was made at once says so, with its transaction", async () => {
  await using accepting = openTestHost({ config: { mode: "accept_edits", baseline: "if_known" } });
  const answer = await accepting.call("write_file", { path: "new.txt", content: "x" });
  const failure = failureOf(await accepting.request("ringfence/proposals/apply", { request: answer.request }));
  expect(failure).toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/^Cannot apply the proposal of request \d+: its change was applied at once, as t_/),
    hint: "Nothing is left to do.",
  });
});

test("several ids: each has its own ending", async () => {
  const first = await edit("a.txt", "one", "1");
  const second = await edit("b.txt", "two", "2");
  writeFileSync(join(host.root, "a.txt"), "changed\n");
  const ids = [first.proposal?.id, "p_unknown", second.proposal?.id];
  const { results } = (await host.request("ringfence/proposals/apply", { ids })).result;
  expect(results.map((one: Json) => one.failure?.code ?? one.status)).toEqual(["stale", "not_found", "applied"]);
  expect(host.read("a.txt")).toBe("changed\n");
  expect(host.read("b.txt")).toBe("2\n");
});

test("stale: nothing is written, and the new diff is in the answer", async () => {
  const answer = await edit("a.txt", "one", "1");
  writeFileSync(join(host.root, "a.txt"), "one\nmore\n");
  const failure = failureOf(await host.apply(answer));
  expect(failure.code).toBe("stale");
  expect(failure.details.diff).toContain("-one\n-more\n+1\n");
  expect(host.read("a.txt")).toBe("one\nmore\n");
  // It waits on: with the old content back it is what was shown.
  writeFileSync(join(host.root, "a.txt"), "one\n");
  expect((await host.apply(answer)).result.status).toBe("applied");
});

test("stale: the file is gone, or something is there by now", async () => {
  const removed = await edit("a.txt", "one", "1");
  renameSync(join(host.root, "a.txt"), join(host.root, "c.txt"));
  expect(failureOf(await host.apply(removed))).toMatchObject({
    code: "stale",
    message: expect.stringContaining("it is gone"),
  });
  const created = await host.call("write_file", { path: "new.txt", content: "mine\n" });
  writeFileSync(join(host.root, "new.txt"), "theirs\n");
  expect(failureOf(await host.apply(created))).toMatchObject({
    code: "stale",
    message: expect.stringContaining("something is there now"),
  });
  expect(host.read("new.txt")).toBe("theirs\n");
});

test("a touch that leaves the content as it is does not make it stale", async () => {
  const answer = await edit("a.txt", "one", "1");
  writeFileSync(join(host.root, "a.txt"), "one\n");
  expect((await host.apply(answer)).result.status).toBe("applied");
});

test("a file that is not in the proposal is refused by name when only some are applied", async () => {
  const answer = await edit("a.txt", "one", "1");
  const failure = failureOf(await host.apply(answer, { files: ["b.txt"] }));
  expect(failure).toMatchObject({ code: "invalid_input", candidates: ["a.txt"] });
  expect((await host.apply(answer, { files: ["a.txt"] })).result.files).toHaveLength(1);
});

test("rejected: it cannot be applied, and whoever asks about it sees the reason", async () => {
  const answer = await edit("a.txt", "one", "1");
  const params = { id: answer.proposal?.id, reason: "wrong file" };
  expect((await host.request("ringfence/proposals/reject", params)).result.status).toBe("rejected");
  const failure = failureOf(await host.apply(answer));
  expect(failure).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("it was rejected: wrong file"),
  });
  expect(host.read("a.txt")).toBe("one\n");
});

test("the next call that would make the same change sees the reason of the rejection", async () => {
  const answer = await edit("a.txt", "one", "1");
  await host.request("ringfence/proposals/reject", { id: answer.proposal?.id, reason: "keep the words" });
  const again = await edit("a.txt", "one", "uno");
  expect(again.all).toContain("keep the words");
  const elsewhere = await edit("b.txt", "two", "2");
  expect(elsewhere.all).not.toContain("keep the words");
});

test.each([
  [{ id: "p_AAAAAAAAAAAAAAAAAAAAAA" }, "not_found"],
  [{ id: "../../etc/passwd" }, "not_found"],
  [{ id: 5 }, "invalid_input"],
  [{}, "invalid_input"],
  [{ ids: [] }, "invalid_input"],
  [{ ids: "p_x" }, "invalid_input"],
])("an apply of %j is %s", async (params, code) => {
  expect(failureOf(await host.request("ringfence/proposals/apply", params)).code).toBe(code);
});

test("an expired one is stale and cannot be applied", async () => {
  const answer = await edit("a.txt", "one", "1");
  const file = join(host.stateDir, "proposals", `${answer.proposal?.id}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), expires: 1 }));
  expect(failureOf(await host.apply(answer))).toMatchObject({
    code: "stale",
    message: expect.stringContaining("expired"),
  });
  expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
});

test("two hosts apply one proposal at once: exactly one does", async () => {
  await using other = openTestHost({ top: host.top });
  for (let round = 0; round < 5; round++) {
    const answer = await host.call("append_file", { path: "a.txt", content: "x\n" });
    const both = await Promise.all([host.apply(answer), other.apply(answer, { id: labelOf(answer) })]);
    expect(both.filter((one) => one.result?.status === "applied")).toHaveLength(1);
    expect(["conflict", "busy"]).toContain(both.find((one) => one.error)?.error.data.code);
  }
  expect(host.read("a.txt")).toBe(`one\n${"x\n".repeat(5)}`);
});

test("two changes of one file: the second is stale once the first is applied", async () => {
  const first = await host.call("append_file", { path: "a.txt", content: "first\n" });
  const second = await host.call("append_file", { path: "a.txt", content: "second\n" });
  expect((await host.apply(first)).result.status).toBe("applied");
  expect(failureOf(await host.apply(second)).code).toBe("stale");
  expect(host.read("a.txt")).toBe("one\nfirst\n");
});

test("the record holds what was proposed, approved and applied, and no content", async () => {
  await host.apply(await edit("a.txt", "one", "a secret word"));
  const events = host
    .audit()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);
  expect(events).toEqual(
    expect.arrayContaining(["proposed", "decided", "started", "change", "completed", "approved", "applied"]),
  );
  expect(host.audit()).not.toContain("secret word");
});
