/**
 * A proposal that was changed in the state folder is not applied: whatever was changed of what it does. What is shown
 * of it then is what it would do, and never a text that lies there.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { labelOf, openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;
let folder = "";

beforeEach(() => {
  host = openTestHost({});
  folder = join(host.top, "state", "proposals");
  writeFileSync(join(host.root, "a.txt"), "alpha\n");
  writeFileSync(join(host.root, "b.txt"), "bravo\n");
});
afterEach(async () => await host[Symbol.asyncDispose]());

async function propose(): Promise<CallAnswer> {
  return await host.call("write_file", { path: "a.txt", content: "beta\n" });
}

/** By its id, as the process may that made it, and by what was shown. */
async function refusals(answer: CallAnswer): Promise<Json[]> {
  const ids = [answer.proposal?.id, labelOf(answer)];
  return await Promise.all(
    ids.map(async (id) => (await host.request("ringfence/proposals/apply", { id })).error?.data),
  );
}

const other = { code: "conflict", message: expect.stringContaining("it is not what was shown as ") };

function forge(change: (proposal: Json) => void): void {
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".json"));
  const proposal = JSON.parse(readFileSync(join(folder, name), "utf8"));
  change(proposal);
  writeFileSync(join(folder, name), JSON.stringify(proposal));
}

const shown = async (answer: CallAnswer): Promise<Json> =>
  (await host.request("ringfence/proposals/get", { id: answer.proposal?.id })).result;

test("a stored change with another path is refused", async () => {
  const answer = await propose();
  forge(({ resume }) => (resume.steps[0].at.rel = "b.txt"));
  expect(await refusals(answer)).toMatchObject([other, other]);
  expect((await shown(answer)).operations).toEqual([
    `Overwrite ${join(host.root, "b.txt")} (6 bytes -> 5 bytes, mode 644, utf-8)`,
  ]);
  expect(host.read("b.txt")).toBe("bravo\n");
});

test("a stored change with another content is refused", async () => {
  const answer = await propose();
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".0.bin"));
  writeFileSync(join(folder, name), "evil\n");
  expect(await refusals(answer)).toMatchObject([other, other]);
  expect((await shown(answer)).text).toContain("-alpha\n+evil\n");
  expect(host.read("a.txt")).toBe("alpha\n");
});

test("a stored change with another folder as the root is refused", async () => {
  const answer = await propose();
  mkdirSync(join(host.outside, "victim"));
  forge(({ scope }) => (scope.roots[0].path = join(host.outside, "victim")));
  expect(await refusals(answer)).toMatchObject([other, other]);
  expect((await shown(answer)).operations[0]).toContain(join(host.outside, "victim", "a.txt"));
  expect(readdirSync(join(host.outside, "victim"))).toEqual([]);
});

test("fewer conditions, so that it would be written over anything", async () => {
  const answer = await propose();
  forge(({ resume }) => (resume.steps[0].follows = true));
  expect(await refusals(answer)).toMatchObject([other, other]);
  const { digest, problem } = await shown(answer);
  expect(problem).toContain("is not what it was when the change was made");
  const id = `${answer.proposal?.id}@${digest}`;
  const { error } = await host.request("ringfence/proposals/apply", { id });
  expect(error.data.code).toBe("conflict");
  expect(host.read("a.txt")).toBe("alpha\n");
});

test("an undo of something else in its place is refused", async () => {
  const answer = await propose();
  forge(({ resume }) => {
    const [{ at, before }] = resume.steps;
    resume.steps = [{ op: "restore", at, before, transaction: "t_x", name: "x" }];
  });
  const { digest, problem } = await shown(answer);
  expect(problem).toContain("only an undo does that");
  const id = `${answer.proposal?.id}@${digest}`;
  expect((await host.request("ringfence/proposals/apply", { id })).error.data.code).toBe("conflict");
});

const list = async (): Promise<Json[]> =>
  (await host.request("ringfence/proposals/list", { check: true })).result.proposals;

test("words that it is to be shown with are not read", async () => {
  const answer = await propose();
  const before = await shown(answer);
  const listedBefore = await list();
  forge((proposal) => {
    proposal.risk = "R0";
    proposal.change = "Read a.txt";
    proposal.roots = ["/harmless"];
    proposal.added = 0;
    proposal.expires = Date.now() + 1e12;
    proposal.suggested_rules = ["write_file(**)"];
    proposal.resume.summary = "Harmless";
    proposal.resume.warnings = ["All is well."];
    proposal.resume.files = [{ operation: "edit", path: "c", absolute: "/c", diff: "+harmless\n" }];
  });
  expect(await shown(answer)).toEqual(before);
  const { digest: _digest, ...view } = answer.proposal as Json;
  expect(await list()).toEqual(listedBefore);
  // The answer to the call has its rules in the text only.
  const { suggested_rules } = before;
  expect(listedBefore).toMatchObject([{ ...view, suggested_rules, added: 1, removed: 1 }]);
  expect(suggested_rules[0]).toStartWith("write_file(exact:");
});

test("one of no form at all is refused, and can be rejected", async () => {
  const answer = await propose();
  forge((proposal) => (proposal.resume = { kind: "changes", steps: [{ op: "put" }] }));
  for (const failure of await refusals(answer)) expect(failure.code).toBe("conflict");
  expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  const id = answer.proposal?.id;
  expect((await host.request("ringfence/proposals/reject", { id })).result.status).toBe("rejected");
});

test("by its id alone it is applied by nobody but the process that proposed it", async () => {
  const answer = await propose();
  await using next = openTestHost({ top: host.top });
  const { error } = await next.apply(answer);
  const { text } = (await next.request("ringfence/proposals/get", { id: answer.proposal?.id })).result;
  expect(error.data).toMatchObject({ code: "needs_approval", details: { label: labelOf(answer), text } });
  expect(error.data.hint).toContain("-alpha\n+beta");
  expect(host.read("a.txt")).toBe("alpha\n");
  expect((await next.apply(answer, { id: labelOf(answer) })).result.status).toBe("applied");
});
