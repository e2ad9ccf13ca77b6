/**
 * A person edits what an agent proposed: a proposal of their own, approved like any other, after which the agent's call reads
 * what they changed.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStateFolder, ReviewBoard } from "../../src/state/index.ts";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const LINES = Array.from({ length: 30 }, (_, index) => `line ${String(index + 1).padStart(2, "0")}\r\n`).join("");

let host: TestHost;
let reviewer: TestHost;
let attached: Disposable;

beforeEach(() => {
  host = openTestHost({ files: { "a.txt": LINES, "b.txt": "b\n" }, config: { ask: "both", results: "structured" } });
  reviewer = openTestHost({ top: host.top });
  attached = new ReviewBoard(openStateFolder(host.stateDir).review).attach();
});

afterEach(async () => {
  attached[Symbol.dispose]();
  await reviewer[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const edit = async (...pairs: readonly [from: string, to: string][]): Promise<CallAnswer> =>
  await host.call("edit_file", {
    path: "a.txt",
    edits: pairs.map(([old_text, new_text]) => ({ old_text, new_text })),
  });

const ask = async (method: string, params: object): Promise<Json> =>
  await reviewer.request(`ringfence/proposals/${method}`, params);

async function waiting(count = 1): Promise<readonly Json[]> {
  return await until(`${count} wait`, async () => {
    const { result } = await ask("list", {});
    return result.proposals.length === count ? (result.proposals as Json[]) : undefined;
  });
}

async function labelOf(id: string): Promise<string> {
  const { result } = await ask("get", { id });
  return `${id}@${result.digest}`;
}

async function firstLabel(): Promise<string> {
  const [first] = await waiting();
  return await labelOf(first?.id);
}

test("an edited proposal is one of its own, and the call that waits reads what the person changed", async () => {
  const answer = edit(["line 02", "line two"], ["line 29", "line last"]);
  const label = await firstLabel();
  // Hunk 2 is left out before the rest is edited.
  const parts = { path: "a.txt", hunks: { "a.txt": [1] } };
  const { text } = (await ask("text", { id: label, ...parts })).result;
  expect(text).toBe(LINES.replace("line 02\r\n", "line two\r\n"));
  const { result: made } = await ask("edit", { id: label, ...parts, text: text.replace("line two", "line II") });
  expect(host.read("a.txt")).toBe(LINES);
  const [first, second] = await waiting(2);
  expect(second).toMatchObject({ id: made.id, edits: first?.id, tool: "edit_file" });
  expect(second?.warnings).toContain("A person edited this: it is not what the agent proposed.");
  const comments = [{ path: "a.txt", line: 2, text: "Roman numbers." }];
  const applied = await ask("apply", { id: `${made.id}@${made.digest}`, comments });
  expect(applied.result.status).toBe("applied");
  // The edit keeps the bytes of every other line.
  expect(host.read("a.txt")).toBe(LINES.replace("line 02\r\n", "line II\r\n"));
  const { text: said, result } = await answer;
  expect(said).toContain("A person approved it, and edited it before, and left out parts of it.");
  expect(said).toContain("Left out: a.txt, hunk 2.\n");
  expect(said).toContain("The person changed your text of a.txt before it was written:\n");
  expect(said).toContain("-line two");
  expect(said).toContain("+line II");
  expect(said).toContain("a.txt:2: Roman numbers.");
  expect(result.structuredContent).toMatchObject({ status: "applied", edited: [{ path: "a.txt" }] });
  expect(await waiting(0)).toEqual([]);
  // The agent knows the file, so its next edit needs no new read.
  const next = edit(["line 03", "line three"]);
  await ask("apply", { id: await firstLabel() });
  expect((await next).text).toStartWith("Applied");
  expect(reviewer.audit()).toContain(`"by":"person","edits":${JSON.stringify(label)}`);
});

test("an edited proposal that is rejected leaves the agent's own one waiting", async () => {
  const answer = edit(["line 02", "line two"]);
  const label = await firstLabel();
  const { text } = (await ask("text", { id: label, path: "a.txt" })).result;
  const { result: made } = await ask("edit", { id: label, path: "a.txt", text: `${text}mine\r\n` });
  await ask("reject", { id: made.id });
  expect(await waiting(1)).toMatchObject([{ id: label.split("@")[0] }]);
  await ask("apply", { id: label });
  expect((await answer).text).not.toContain("edited");
  expect(host.read("a.txt")).toBe(LINES.replace("line 02\r\n", "line two\r\n"));
});

test("what was edited twice ends both, and tells both changes in their order", async () => {
  const answer = edit(["line 02", "line two"]);
  const label = await firstLabel();
  const { text } = (await ask("text", { id: label, path: "a.txt" })).result;
  const once = (await ask("edit", { id: label, path: "a.txt", text: text.replace("line two", "once") })).result;
  const onceLabel = `${once.id}@${once.digest}`;
  const twice = (await ask("edit", { id: onceLabel, path: "a.txt", text: text.replace("line two", "twice") })).result;
  await ask("apply", { id: `${twice.id}@${twice.digest}` });
  const { text: said } = await answer;
  expect(said.indexOf("+once")).toBeGreaterThan(0);
  expect(said.indexOf("+twice")).toBeGreaterThan(said.indexOf("+once"));
  expect(await waiting(0)).toEqual([]);
  expect(host.read("a.txt")).toBe(LINES.replace("line 02\r\n", "twice\r\n"));
});

test("a text is edited only when it is what was shown, is text, and was changed", async () => {
  const answer = edit(["line 02", "line two"]);
  const label = await firstLabel();
  const { text } = (await ask("text", { id: label, path: "a.txt" })).result;
  const failure = async (params: object): Promise<Json> =>
    (await ask("edit", { id: label, text, ...params })).error.data;
  expect(await failure({ path: "a.txt" })).toMatchObject({ code: "invalid_input" });
  expect(await failure({ path: "b.txt", text: "x" })).toMatchObject({ code: "unsupported" });
  const other = `${label.slice(0, -4)}0000`;
  expect(await failure({ path: "a.txt", text: "x", id: other })).toMatchObject({ code: "conflict" });
  writeFileSync(join(host.root, "a.txt"), LINES.replace("line 09", "theirs"));
  expect(await failure({ path: "a.txt", text: "x" })).toMatchObject({ code: "stale" });
  await ask("reject", { id: label });
  expect((await answer).result.isError).toBe(true);
});

test("a file that would be deleted has no text to edit", async () => {
  const answer = host.call("delete", { path: "b.txt" });
  const label = await firstLabel();
  const { error } = await ask("text", { id: label, path: "b.txt" });
  expect(error.data).toMatchObject({ code: "unsupported", message: expect.stringContaining("its change has no text") });
  await ask("reject", { id: label });
  await answer;
});
