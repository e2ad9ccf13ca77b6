/**
 * Proposals that an earlier version has left in the state folder are listed, shown and applied as what was shown then;
 * those of a later version are refused in words that say so.
 */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalDigest } from "../../src/approval/index.ts";
import { sha256 } from "../../src/base/index.ts";
import { openBridge, SNAPSHOT } from "../host/bridge-client.ts";
import { labelOf, openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

/** Rewrites the stored proposal of an answer. @returns what was stored */
function rewrite(host: TestHost, answer: CallAnswer, change: (stored: Json) => Json): Json {
  const file = join(host.stateDir, "proposals", `${answer.proposal?.id}.json`);
  const stored = change(JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(file, JSON.stringify(stored));
  return stored;
}

/** As form 1 stored it, which had no number. */
function asFirstForm({ form: _form, resume: { kind, steps = [], ...call }, ...rest }: Json): Json {
  if (kind === "changes") return { ...rest, sealed: { steps } };
  const facts = { ...call.facts, kind: call.facts.kind === "remote" ? "foreign" : call.facts.kind };
  return { ...rest, sealed: { steps }, call: { ...call, facts } };
}

test("a change of form 1 is listed, shown and applied by the digest that it had", async () => {
  await using host = openTestHost({ files: { "a.txt": "alpha\n" } });
  const answer = await host.call("write_file", { path: "a.txt", content: "beta\n" });
  const { id, tool, created, scope, sealed } = rewrite(host, answer, asFirstForm);
  const steps = sealed.steps.map((step: Json) => ({ ...step, content: sha256("beta\n") }));
  const digest = canonicalDigest({ form: 1, id, tool, created, scope, steps });
  const { proposals } = (await host.request("ringfence/proposals/list", { check: true })).result;
  expect(proposals).toMatchObject([{ id, change: "Overwrite a.txt", added: 1, removed: 1, roots: [host.root] }]);
  const { result } = await host.request("ringfence/proposals/get", { id: `${id}@${digest}` });
  expect(result.text).toContain("-alpha\n+beta\n");
  const applied = await host.request("ringfence/proposals/apply", { id: `${id}@${digest}` });
  expect(applied.result.status).toBe("applied");
  expect(host.read("a.txt")).toBe("beta\n");
});

test("a call of form 1 is shown and made, under the digest that it had", async () => {
  await using client = await openBridge();
  const { host } = client;
  const answer = await host.call(SNAPSHOT, { depth: 1 });
  const { id, tool, created, scope, call } = rewrite(host, answer, asFirstForm);
  expect(call.facts.kind).toBe("foreign");
  const digest = canonicalDigest({ form: 1, id, tool, created, scope, call });
  const { result } = await host.request("ringfence/proposals/get", { id: `${id}@${digest}` });
  expect(result.text).toStartWith("Call space.snapshot ");
  const applied = host.request("ringfence/proposals/apply", { id: `${id}@${digest}` });
  await client.answer({ result: { content: [{ type: "text", text: "seen" }] } });
  expect((await applied).result).toMatchObject({ id, status: "applied", result: { text: "seen" } });
});

test("a call of form 2, which had no words of its tool, is shown without any under the digest that it had", async () => {
  await using client = await openBridge();
  const { host } = client;
  const answer = await host.call(SNAPSHOT, { depth: 1 });
  const { id, tool, created, scope, resume } = rewrite(host, answer, (stored) => ({
    ...stored,
    form: 2,
    resume: { ...stored.resume, says: { summary: "words that nobody covered" } },
  }));
  const { kind: _kind, says: _says, ...call } = resume;
  const digest = canonicalDigest({ form: 2, id, tool, created, scope, call });
  await using other = openTestHost({ top: host.top });
  const { result } = await other.request("ringfence/proposals/get", { id: `${id}@${digest}` });
  expect(result.text).toStartWith("Call space.snapshot ");
  expect(JSON.stringify(result)).not.toContain("words that nobody covered");
});

test("a proposal of a later form is in no list, is not applied, and can be rejected", async () => {
  await using host = openTestHost({ files: { "a.txt": "alpha\n" } });
  const answer = await host.call("write_file", { path: "a.txt", content: "beta\n" });
  rewrite(host, answer, (stored) => ({ ...stored, form: 4, resume: { kind: "message", to: "somebody" } }));
  expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  const refusal = { code: "unsupported", message: expect.stringContaining("a later version of ringfence made it") };
  const id = labelOf(answer);
  expect((await host.request("ringfence/proposals/get", { id })).error.data).toMatchObject(refusal);
  expect((await host.request("ringfence/proposals/apply", { id })).error.data).toMatchObject(refusal);
  expect(host.read("a.txt")).toBe("alpha\n");
  const rejected = await host.request("ringfence/proposals/reject", { id: answer.proposal?.id });
  expect(rejected.result.status).toBe("rejected");
});
