/**
 * What a client has read counts after a restart of its host: for that client and those roots, as long as the file is as it was
 * seen, and never for anybody else.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";
import { removeTree } from "../host/remove-tree.ts";
import { until } from "../waits/until.ts";

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(memoryFolder(), "ringfence-resume-")));
  mkdirSync(join(top, "root"));
  writeFileSync(join(top, "root", "a.txt"), "one\ntwo\nthree\n");
});
afterEach(async () => await removeTree(top));

async function open(client: string | undefined, more: object = {}): Promise<TestHost> {
  const host = openTestHost({ top, config: { mode: "bypass", baseline: "required", ...more } });
  const clientInfo = { name: client, version: "1" };
  if (client !== undefined)
    await host.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return host;
}

const READ = { path: "a.txt" };
const EDIT = { path: "a.txt", old_text: "two", new_text: "2" };
const kept = (): string[] =>
  readdirSync(join(top, "state", "baselines"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );

function hasKept(): boolean {
  return existsSync(join(top, "state", "baselines")) && kept().length > 0;
}

async function readWith(client: string | undefined, args: object = READ): Promise<void> {
  await using host = await open(client);
  expect((await host.call("read_file", args)).failure).toBeUndefined();
}

async function editWith(client: string | undefined, more: object = {}, edit: object = EDIT): Promise<CallAnswer> {
  await using host = await open(client, more);
  return await host.call("edit_file", edit);
}

test("a file that was read before a restart can be edited and overwritten after it", async () => {
  await readWith("agent");
  expect((await editWith("agent")).failure).toBeUndefined();
  await using host = await open("agent");
  const whole = await host.call("write_file", { path: "a.txt", content: "new\n", overwrite: true });
  expect(whole.failure).toBeUndefined();
  expect(readFileSync(join(top, "root", "a.txt"), "utf8")).toBe("new\n");
});

test("a file that was read in part can be edited after a restart, and not overwritten", async () => {
  await readWith("agent", { path: "a.txt", offset: 1, limit: 2 });
  await using host = await open("agent");
  const whole = await host.call("write_file", { path: "a.txt", content: "new\n", overwrite: true });
  expect(whole.failure?.code).toBe("stale");
  expect((await host.call("edit_file", EDIT)).failure).toBeUndefined();
});

test("a file that changed between two hosts is stale, whatever was kept of it", async () => {
  await readWith("agent");
  writeFileSync(join(top, "root", "a.txt"), "one\ntwo\nfour\n");
  expect((await editWith("agent")).failure?.code).toBe("stale");
});

test("what one client has read counts for no other client, for no script and for no other root", async () => {
  await readWith("agent");
  expect((await editWith("other")).failure?.code).toBe("stale");
  expect((await editWith(undefined)).failure?.code).toBe("stale");
  mkdirSync(join(top, "second"));
  expect((await editWith("agent", { roots: [join(top, "root"), join(top, "second")] })).failure?.code).toBe("stale");
  expect((await editWith("agent")).failure).toBeUndefined();
});

test("a script without a name leaves nothing behind", async () => {
  await readWith(undefined);
  expect(() => kept()).toThrow("ENOENT");
});

test("what a living process has shown counts for no other process of the same client", async () => {
  await using first = await open("agent");
  await first.call("read_file", READ);
  await until("what the first process knows to be kept", () => hasKept());
  await using second = await open("agent");
  expect((await second.call("edit_file", EDIT)).failure?.code).toBe("stale");
  expect((await first.call("edit_file", EDIT)).failure).toBeUndefined();
});

test("what was kept is taken over by one process, and not by two", async () => {
  await readWith("agent");
  await using first = await open("agent");
  await using second = await open("agent");
  const codes = [
    (await first.call("edit_file", EDIT, { "dev.ringfence/mode": "plan" })).failure?.code,
    (await second.call("edit_file", EDIT, { "dev.ringfence/mode": "plan" })).failure?.code,
  ];
  expect(codes).toEqual([undefined, "stale"]);
});

test("a re-read after a restart shows the text, because a new conversation has not seen it", async () => {
  await readWith("agent");
  await using host = await open("agent");
  await host.call("edit_file", EDIT, { "dev.ringfence/mode": "plan" });
  expect((await host.call("read_file", { ...READ, unless_hash: "known" })).text).toBe("one\ntwo\nthree\n");
  expect((await host.call("read_file", { ...READ, unless_hash: "known" })).text).not.toContain("two");
});

test("what was kept is forgotten after a day", async () => {
  await readWith("agent");
  const [name] = kept();
  const path = join(top, "state", "baselines", name!);
  const past = Date.now() - limits.BASELINES_TTL_MS - 60_000;
  const entries = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify(entries.map((one: object) => ({ ...one, atMs: past }))));
  expect((await editWith("agent")).failure?.code).toBe("stale");
  await readWith("agent");
  const left = kept().map((one) => join(top, "state", "baselines", one));
  for (const one of left) utimesSync(one, past / 1000, past / 1000);
  await readWith("somebody else");
  expect(
    kept()
      .map((one) => join(top, "state", "baselines", one))
      .filter((one) => left.includes(one)),
  ).toEqual([]);
});

const broken = [
  "",
  "{",
  "null",
  "[1]",
  '[{"path":1}]',
  '[{"path":"a","hashes":[{"hash":"x","isWhole":true}],"atMs":1}]',
];
test.each(broken)("a kept file that holds %j is as if it were not there", async (text) => {
  await readWith("agent");
  const [name] = kept();
  writeFileSync(join(top, "state", "baselines", name!), text);
  expect((await editWith("agent")).failure?.code).toBe("stale");
  await readWith("agent");
  expect((await editWith("agent")).failure).toBeUndefined();
});
