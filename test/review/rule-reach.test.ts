/**
 * What an allow rule would have saved, from the record that a real host wrote: the calls come in by the front door, and their
 * lines are read back as they stand on disk.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readAudit } from "../../src/audit/index.ts";
import type { RawConfig } from "../../src/config/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { checkRule, type RuleText } from "../../src/policy/index.ts";
import { findRuleReach, placeIn, readAsks, type RecordedAsk, type RuleReach } from "../../src/review/index.ts";
import { openShellReader } from "../../src/shell/index.ts";
import { toolFacts } from "../../src/session/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { openCommandHost } from "../proc/command-host.ts";

const TOOLS = [...builtinTools, ...commandTools({}, true)].map(toolFacts);

async function hostOf(config: RawConfig = {}): Promise<TestHost> {
  const host = openCommandHost({
    files: { "a.txt": "a\n", "notes/one.txt": "1\n", "notes/two.txt": "2\n", "notes/keys.txt": "k\n" },
    config: { mode: "default", baseline: "if_known", ...config },
  });
  await host.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "agent", version: "1" },
  });
  host.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return host;
}

function asksOf(host: TestHost): RecordedAsk[] {
  host.audit();
  return readAsks(readAudit(join(host.stateDir, "audit"), {}));
}

const reader = await openShellReader();
const isOpaque = (line: string): boolean =>
  reader.assess(line, { cwd: "/", roots: ["/"], home: "/h", guarded: [] }).opaque;

function reachOf(text: string, host: TestHost, rules: readonly RuleText[] = []): RuleReach {
  const files = ["a.txt", "notes/one.txt", "notes/two.txt", "notes/keys.txt"].map((path) =>
    placeIn([host.root], join(host.root, path)),
  );
  return findRuleReach(text, {
    asks: asksOf(host),
    tools: TOOLS,
    rules: { rules: rules.map(checkRule), grants: [] },
    files,
    isOpaque,
  });
}

const edit = async (host: TestHost, path: string, old: string): ReturnType<TestHost["call"]> =>
  await host.call("edit_file", { path, old_text: old, new_text: `${old}!` });

test("readAsks() gives what a person was asked about, with what they answered, and no call that asked nobody", async () => {
  await using host = await hostOf();
  await host.call("read_file", { path: "a.txt" });
  expect((await edit(host, "a.txt", "not there")).failure?.code).toBe("no_match");
  const applied = await edit(host, "a.txt", "a");
  await host.apply(applied);
  const rejected = await edit(host, "notes/one.txt", "1");
  await host.request("ringfence/proposals/reject", { id: rejected.proposal?.id });
  await edit(host, join(host.root, "notes/two.txt"), "2");
  expect(asksOf(host).map(({ tool, paths, answer, client, by }) => [tool, paths, answer, client, by])).toEqual([
    ["edit_file", [join(host.root, "a.txt")], "approved", "agent", "mode:default"],
    ["edit_file", [join(host.root, "notes/one.txt")], "rejected", "agent", "mode:default"],
    ["edit_file", [join(host.root, "notes/two.txt")], "open", "agent", "mode:default"],
  ]);
});

test("findRuleReach() gives the asks and the files that a rule would have opened, and those that a person rejected", async () => {
  await using host = await hostOf();
  await edit(host, "a.txt", "a");
  await host.apply(await edit(host, "notes/one.txt", "1"));
  const { proposal } = await edit(host, "notes/two.txt", "2");
  await host.request("ringfence/proposals/reject", { id: proposal?.id });
  const reach = reachOf("edit_file(notes/**)", host);
  expect(reach.saved.map(({ paths }) => paths[0])).toEqual([
    join(host.root, "notes/one.txt"),
    join(host.root, "notes/two.txt"),
  ]);
  expect(reach.rejected.map(({ paths }) => paths[0])).toEqual([join(host.root, "notes/two.txt")]);
  expect(reach.files.map(({ rel }) => rel)).toEqual(["notes/one.txt", "notes/two.txt", "notes/keys.txt"]);
  expect(reach.denies).toEqual([]);
});

test("findRuleReach() lifts no deny, no more specific ask and no mode", async () => {
  await using host = await hostOf();
  await edit(host, "notes/keys.txt", "k");
  await edit(host, "notes/one.txt", "1");
  const deny = { deny: "group:fs(notes/keys*)" };
  const denied = reachOf("edit_file(notes/**)", host, [deny]);
  expect(denied.saved.map(({ paths }) => paths[0])).toEqual([join(host.root, "notes/one.txt")]);
  expect(denied.held.map(({ by }) => [by.type, by.rule])).toEqual([["deny", deny.deny]]);
  expect([denied.denies, denied.deniedFiles, denied.files.length]).toEqual([[deny.deny], 1, 2]);
  const asked = reachOf("edit_file(notes/**)", host, [{ ask: "edit_file(notes/one.txt)" }]);
  expect(asked.held.map(({ by }) => by.type)).toEqual(["ask"]);
  await using planning = await hostOf({ mode: "plan" });
  await edit(planning, "a.txt", "a");
  const planned = reachOf("edit_file", planning);
  expect([planned.saved.length, planned.held.length]).toEqual([0, 1]);
});

test("findRuleReach() knows the line of a command, and that no rule settles one that nobody can read", async () => {
  await using host = await hostOf({ shell: { enabled: true } });
  await host.call("shell", { command: "npm test" });
  await host.call("shell", { command: "npm run lint" });
  await host.call("shell", { command: 'eval "$X"' });
  expect(asksOf(host).map(({ line }) => line)).toEqual(["npm test", "npm run lint", 'eval "$X"']);
  expect(reachOf("shell(npm test*)", host).saved.map(({ line }) => line)).toEqual(["npm test"]);
  const wide = reachOf("shell(*)", host);
  expect(wide.saved.map(({ line }) => line)).toEqual(["npm test", "npm run lint"]);
});

test("findRuleReach() takes an exact rule for the call that it was suggested for", async () => {
  await using host = await hostOf();
  const asked = await edit(host, "a.txt", "a");
  await edit(host, "notes/one.txt", "1");
  const [exact = ""] = await host.rulesOf(asked);
  expect(reachOf(exact, host).saved.map(({ paths }) => paths)).toEqual([[join(host.root, "a.txt")]]);
  expect(reachOf(exact, host, [{ deny: "edit_file(a.txt)" }]).saved).toEqual([]);
});
