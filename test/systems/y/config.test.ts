/**
 * The configuration of Flynn: the example of its page works in a file of ours as it stands, and a whole file of its own is
 * written as one of ours. Hostile files fail with words.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { importConfig, loadConfig } from "../../../src/config/index.ts";
import { Place } from "../../binary/serve-process.ts";
import { runRingfence } from "../../cli/run-ringfence.ts";
import { allPackTools } from "../../../scripts/docs/pack-tools.ts";
import { builtinTools, commandTools } from "../../../src/packs/index.ts";
import { defineLocalTool } from "../../../src/contract/index.ts";
import { openTestHost } from "../../host/in-memory-host.ts";
import { FLYNN_PAGE } from "./sources.ts";

const EXAMPLE = `tools:
  profile: messaging
  allow: []
  deny: ["browser.*"]

  # Per-agent overrides
  agents:
    fast:
      profile: minimal
      allow: []
      deny: []

  # Per-provider overrides
  providers:
    ollama:
      profile: messaging
      allow: []
      deny: ["web.search"]
`;

async function loaded(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-flynn-"));
  try {
    const path = join(folder, "config.yaml");
    writeFileSync(path, text);
    return (await loadConfig({ config: path, stateDir: join(folder, "state") }, {}, false)).config;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the example of Flynn's page is a configuration of ours as it stands", async () => {
  const config = await loaded(EXAMPLE);
  expect(config.profile).toBe("messaging");
  expect(config.toolList).toEqual({ allow: [], deny: ["browser.*"] });
  expect(config.agents).toEqual({ fast: { profile: "minimal" } });
  expect(config.providers).toEqual({ ollama: { profile: "messaging", tools: { deny: ["web.search"] } } });
});

test("an agent that only adds tools has them besides the profile of the host", async () => {
  const text = "tools:\n  profile: minimal\n  autonomy: autonomous\n  agents: {coder: {allow: [write_file]}}\n";
  const config = await loaded(text);
  expect(config.mode).toBe("accept_edits");
  expect(config.agents).toEqual({ coder: { profile: "minimal", tools: { allow: ["write_file"] } } });
});

test("a value that is said by itself and in tools is refused by name", async () => {
  expect(loaded("profile: full\ntools: {profile: minimal}\n")).rejects.toThrow("profile is said twice");
  const agents = "agents: {a: {profile: full}}\ntools: {agents: {a: {profile: minimal}}}\n";
  expect(loaded(agents)).rejects.toThrow("agents.a is said twice");
  expect(loaded("tools: {agents: {a: {profil: minimal}}}\n")).rejects.toThrow("did you mean profile?");
});

test("a call of an agent that tools.agents names is held to its profile", async () => {
  const config = await loaded(EXAMPLE.replace("profile: messaging", "profile: coding"));
  await using host = openTestHost({ config: { profile: config.profile, agents: config.agents } });
  const write = { path: "a.txt", content: "x" };
  expect((await host.call("write_file", write)).failure).toBeUndefined();
  const refused = await host.call("write_file", write, { "dev.ringfence/agent": "fast" });
  expect(refused.failure?.code).toBe("denied");
});

test("a configuration of Flynn comes over with its tools by our names, and the rest is named", async () => {
  const text = `${EXAMPLE.replace('deny: ["browser.*"]', 'deny: ["browser.*", "shell.exec", "web.fetch", "mcp:git:log"]')}
hooks:
  confirm: ["file.write", "process.*"]
  log: ["web.*"]
autonomy: conservative
models: {default: {provider: anthropic}}
telegram: {bot_token: secret}
`;
  const { config, left } = await importConfig("flynn", text, ".yaml");
  expect(config).toEqual({
    tools: {
      profile: "messaging",
      allow: [],
      deny: ["group:browser", "shell", "web_fetch", "mcp:git:log"],
      agents: { fast: { profile: "minimal", allow: [], deny: [] } },
      providers: { ollama: { profile: "messaging", allow: [], deny: ["web_search"] } },
    },
    mode: "default",
    hooks: [
      { tool: "write_file", action: "confirm" },
      { tool: "process_*", action: "confirm" },
      { tool: "web_*", action: "log" },
    ],
  });
  expect(left).toEqual(["models: ringfence has no such setting", "telegram: ringfence has no such setting"]);
});

test.each([
  ["*.write", ["write_file", "memory_write"]],
  ["*.read", ["read_file", "memory_read"]],
  ["*.list", ["list_directory", "process_list", "sessions_list"]],
  ["*.edit", ["edit_file"]],
  ["file.e*", ["edit_file"]],
  ["*.exec", ["shell"]],
  ["*.kill", ["process_stop"]],
  ["process.s*", ["process_start", "process_list"]],
  ["file.[we]*", ["write_file", "edit_file"]],
  ["file.{write,edit}", ["write_file", "edit_file"]],
  ["minio.s*", ["object_share", "object_sync"]],
  ["web.f*", ["web_fetch"]],
  ["k8s.?ods", ["k8s_pods"]],
  ["[fs]*.*", ["group:fs", "shell", "sessions_*", "system_info"]],
  ["file*", ["group:fs", "file*"]],
  ["*", ["*"]],
  ["**", ["*"]],
  ["file.*", ["group:fs"]],
  ["process.*", ["process_*"]],
  ["minio.*", ["group:objects"]],
  ["mcp:git:*", ["mcp:git:*"]],
  ["group:web", ["group:web"]],
])("an import writes the glob %j as the names that it means: %j", async (glob, names) => {
  const text = JSON.stringify({
    tools: { deny: [glob], agents: { a: { allow: [glob] } } },
    hooks: { confirm: [glob] },
  });
  const { config, left, idle } = await importConfig("flynn", text, ".json");
  expect(left).toEqual([]);
  expect(idle.filter((said) => !said.includes(" is off. "))).toEqual([]);
  expect(config).toEqual({
    tools: { deny: names, agents: { a: { allow: names } } },
    hooks: names.map((tool) => ({ tool, action: "confirm" })),
  });
});

test("an import names what means no tool of Flynn, by a glob or whole, and keeps what it might deny", async () => {
  const text =
    "tools: {deny: ['*.remove', 'file.write'], agents: {a: {allow: ['fil.*', 'nope.tool', 'theirs', 'group:nope']}}}\nhooks: {log: ['gmail.*']}\n";
  const { config, left, idle } = await importConfig("flynn", text, ".yaml");
  expect(config).toEqual({
    tools: {
      deny: ["*.remove", "*_remove", "write_file"],
      agents: { a: { allow: ["fil.*", "fil_*", "nope.tool", "nope_tool", "theirs", "group:nope"] } },
    },
    hooks: [
      { tool: "gmail.*", action: "log" },
      { tool: "gmail_*", action: "log" },
    ],
  });
  expect(left).toEqual([]);
  expect(idle).toEqual([
    'tools.deny: "*.remove" means no tool of Flynn, and stays',
    'tools.agents.a.allow: "fil.*" means no tool of Flynn, and stays',
    'tools.agents.a.allow: "nope.tool" means no tool of Flynn, and stays',
    'tools.agents.a.allow: "theirs" means no tool of Flynn, and stays',
    'tools.agents.a.allow: "group:nope" means no tool of Flynn, and stays',
    'hooks.log: "gmail.*" means no tool of Flynn, and stays',
  ]);
});

test("a deny of an import takes somebody's own tool away, by its name or by another one", async () => {
  const { config } = await importConfig("flynn", "tools: {deny: [own.one, own.two]}\n", ".yaml");
  const { deny } = (config as { tools: { deny: string[] } }).tools;
  const given = { description: "Theirs.", input: z.strictObject({}), execute: () => 1 };
  const tools = [
    defineLocalTool({ ...given, name: "own_one" }),
    { ...defineLocalTool({ ...given, name: "second" }), aliases: ["own.two"] },
    defineLocalTool({ ...given, name: "third" }),
  ];
  await using host = openTestHost({ tools, config: { toolList: { deny } } });
  const { result } = await host.request("tools/list");
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(["third"]);
});

test("an import carries over the autonomy that stands in tools", async () => {
  const text = "tools: {profile: coding, autonomy: autonomous}\n";
  const { config, left } = await importConfig("flynn", text, ".yaml");
  expect(config).toEqual({ tools: { profile: "coding" }, mode: "accept_edits" });
  expect(left).toEqual(["autonomy: autonomous is accept_edits here; programs are still asked about"]);
});

test("an import says which tools of an allow list are off, and what turns them on", async () => {
  const text = "tools: {allow: [memory.write, file.read], deny: [web.search]}\n";
  const { left, idle } = await importConfig("flynn", text, ".yaml");
  expect(left).toEqual([]);
  expect(idle).toEqual([
    'tools.allow: the tool memory_write is off. It is there with "packs": {"memory":{}} in the configuration.',
  ]);
});

test("a deny of an import takes the tools away that its glob means in Flynn", async () => {
  const text = "tools: {profile: full, deny: ['*.write', 'file.e*', '*.exec']}\n";
  const { config } = await importConfig("flynn", text, ".yaml");
  const { deny } = (config as { tools: { deny: string[] } }).tools;
  await using host = openTestHost({ config: { dialect: "flynn", toolList: { deny } } });
  const { result } = await host.request("tools/list");
  const names = result.tools.map(({ name }: { name: string }) => name);
  expect(names).toContain("file.read");
  for (const gone of ["file.write", "file.edit", "shell.exec"]) expect(names).not.toContain(gone);
});

test("every tool of Flynn's page has a name of ours that is a tool", async () => {
  const packs = await allPackTools();
  const ours = [...builtinTools, ...packs, ...commandTools({}, true)].map(({ name }) => name);
  const text = JSON.stringify({ tools: { allow: [...FLYNN_PAGE, "process.output", "process.list"] } });
  const { config, idle } = await importConfig("flynn", text, ".json");
  for (const name of (config as { tools: { allow: string[] } }).tools.allow) expect(ours).toContain(name);
  expect(idle.filter((said) => said.includes("no tool of Flynn"))).toEqual([]);
  for (const name of FLYNN_PAGE) {
    const [family = "", own = ""] = name.split(".");
    const glob = JSON.stringify({ tools: { deny: [`${family}.?${own.slice(1)}`] } });
    expect((await importConfig("flynn", glob, ".json")).idle).toEqual([]);
  }
});

test.each([
  ["[1, 2]", "it is not an object"],
  ["tools: 7", "tools is not an object"],
  ["tools: {profile: root}", "tools.profile is not one of minimal"],
  ["tools: {deny: file.write}", "tools.deny is not a list of names"],
  ["tools: {deny: [1]}", "tools.deny is not a list of names"],
  ["tools: {agents: {fast: 1}}", "tools.agents.fast is not an object"],
  ["hooks: [confirm]", "hooks is not an object"],
  ["autonomy: total", "autonomy is not one of conservative"],
  ["tools: {profile: full}\ntools: {profile: minimal}", "is there twice"],
  ["a: [", "it is not YAML"],
  ["a: &x [1]\nb: [*x, *x]\nc: !!js/function x\n", "Cannot import"],
  ["", "it is not an object"],
])("an import of %j says what is wrong", async (text, why) => {
  await importConfig("flynn", text, ".yaml").then(
    ({ left }) => expect(`Cannot import ${left.join()}`).toContain(why),
    (thrown: Error) => expect(thrown.message).toContain(why),
  );
});

test("the command import writes a file that a host takes, and says by its exit code that something was left", async () => {
  using place = new Place();
  const file = join(place.root, "config.yaml");
  writeFileSync(file, EXAMPLE);
  const whole = await runRingfence(place, ["import", "flynn", file]);
  expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: "" });
  writeFileSync(file, `${EXAMPLE}telegram: {}\n`);
  const globs = join(place.root, "globs.yaml");
  writeFileSync(globs, "tools: {deny: ['*.remove']}\n");
  const unknown = await runRingfence(place, ["import", "flynn", globs]);
  expect(unknown.code).toBe(6);
  expect(unknown.stderr).toBe('warn: tools.deny: "*.remove" means no tool of Flynn, and stays\n');
  const out = join(place.path, "ringfence.json");
  const partly = await runRingfence(place, ["import", "flynn", file, "--out", out]);
  expect(partly.code).toBe(6);
  expect(partly.stderr).toContain("not carried over: telegram");
  expect(readFileSync(out, "utf8")).toBe(whole.stdout);
  expect((await runRingfence(place, ["tools", "--config", out, "--root", place.root])).stdout).toContain("read_file");
  expect((await runRingfence(place, ["import", "flynn", file, "--out", out])).stderr).toContain("it is there already");
});

test("the command import refuses what is no configuration, whatever its size", async () => {
  using place = new Place();
  const file = join(place.root, "config.yaml");
  writeFileSync(file, `tools: {profile: "${"x".repeat(10 * 1024 * 1024)}"}`);
  const large = await runRingfence(place, ["import", "flynn", file]);
  expect(large.code).toBe(2);
  expect(large.stderr).toContain("1048576 are the most");
  for (const args of [["import"], ["import", "other", file], ["import", "flynn"], ["import", "flynn", place.root]])
    expect((await runRingfence(place, args)).code).toBe(2);
  expect((await runRingfence(place, ["import", "flynn", "/nonexistent"])).stderr).toContain("no such file");
  expect(existsSync("/nonexistent")).toBe(false);
});
