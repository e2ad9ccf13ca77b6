/**
 * Skills by their manifests: what a manifest permits is held for every call that names the skill, and nothing else is left.
 * A broken manifest is named and left out.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands } from "../../../src/config/index.ts";
import type { RawConfig } from "../../../src/config/index.ts";
import type { ShellSettings } from "../../../src/proc/index.ts";
import { hasLandlock } from "../../binary/has-landlock.ts";
import { Place } from "../../binary/serve-process.ts";
import { runRingfence } from "../../cli/run-ringfence.ts";
import { component } from "../../components/component.ts";
import { openCommandHost } from "../../proc/command-host.ts";
import { openWebHost } from "../../packs/web/web-host.ts";
import { openMemoryHost } from "../../memory/memory-host.ts";
import { openReachHost } from "../../proc/reach-host.ts";
import { openTestHost } from "../../host/in-memory-host.ts";

const curl = component("curl");

class Skills implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-skills-")));
  readonly root = join(this.path, "root");

  constructor() {
    mkdirSync(join(this.root, "docs/notes"), { recursive: true });
    mkdirSync(join(this.path, "skills"));
    for (const name of ["top.txt", "docs/a.txt", "docs/notes/n.txt"]) writeFileSync(join(this.root, name), "needle\n");
  }

  put(name: string, manifest: unknown): void {
    mkdirSync(join(this.path, "skills", name), { recursive: true });
    const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
    writeFileSync(join(this.path, "skills", name, "manifest.json"), text);
  }

  async config(): Promise<RawConfig> {
    return await loadCommands({ roots: [this.root], skillFolders: [join(this.path, "skills")] });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

const AS = (name: string) => ({ "dev.ringfence/skill": name });

function writer({ root }: Skills, more: object = {}): object {
  const fs = { read: [`${root}/docs/**`], write: [`${root}/docs/notes/**`] };
  return { name: "writer", permissions: { tools: ["*"], fs, ...more } };
}

test("a skill reads and writes what its manifest names, and nothing else, links and trees included", async () => {
  using skills = new Skills();
  skills.put("writer", writer(skills));
  symlinkSync(join(skills.root, "top.txt"), join(skills.root, "docs/link.txt"));
  symlinkSync(skills.root, join(skills.root, "docs/notes/up"));
  await using host = openTestHost({ config: { ...(await skills.config()), mode: "bypass" } });
  const as = async (name: string, args: object) => (await host.call(name, args, AS("writer"))).failure?.code;
  expect(await as("read_file", { path: "docs/a.txt" })).toBeUndefined();
  expect(await as("read_file", { path: "docs/notes/n.txt" })).toBeUndefined();
  expect(await as("read_file", { path: "top.txt" })).toBe("denied");
  expect(await as("read_file", { path: "docs/link.txt" })).toBe("denied");
  expect(await as("write_file", { path: "docs/notes/new.txt", content: "x" })).toBeUndefined();
  expect(await as("write_file", { path: "docs/new.txt", content: "x" })).toBe("denied");
  expect(await as("write_file", { path: "docs/notes/up/docs/x.txt", content: "x" })).toBe("denied");
  expect(await as("delete", { path: "docs", recursive: true })).toBe("denied");
  expect(await as("delete", { path: "docs/notes/up/docs", recursive: true })).toBe("denied");
  expect(await as("move", { source: "docs/a.txt", destination: "docs/notes/a.txt" })).toBe("denied");
  const found = await host.call("grep", { pattern: "needle" }, AS("writer"));
  expect(found.text).toContain("docs/a.txt");
  expect(found.text).not.toContain("top.txt");
  expect((await host.call("read_file", { path: "top.txt" })).text).toBe("needle\n");
});

test("a skill with permissions sends nothing to an embedder, and writes notes only where its manifest names the tool", async () => {
  using skills = new Skills();
  skills.put("all", { permissions: { tools: ["*"], fs: { write: [] } } });
  skills.put("group", { permissions: { tools: ["group:memory"] } });
  skills.put("named", { permissions: { tools: ["memory.read", "memory.write"] } });
  const embedder = { url: "http://127.0.0.1:9/v1/embeddings", model: "m" };
  await using host = await openMemoryHost({ memory: { embedder }, config: await skills.config() });
  const as = async (skill: string, name: string, args: object) =>
    (await host.call(name, args, AS(skill))).failure?.code;
  expect(await as("all", "memory_search", { query: "x" })).toBe("denied");
  expect(await as("all", "memory_search", { query: "x", keyword_only: true })).toBeUndefined();
  const entry = { namespace: "n", content: "x" };
  expect(await as("all", "memory_write", entry)).toBe("denied");
  expect(await as("all", "memory_delete", { namespace: "n" })).toBe("denied");
  expect(await as("group", "memory_write", entry)).toBe("denied");
  expect(await as("named", "memory_write", entry)).toBeUndefined();
  expect(await as("all", "memory_read", { namespace: "n" })).toBeUndefined();
});

test("a skill without files in its permissions reaches none, and one that is unknown has no tools", async () => {
  using skills = new Skills();
  skills.put("bare", { permissions: { tools: ["file.read", "system.info"] } });
  skills.put("silent", { name: "silent" });
  await using host = openTestHost({ config: await skills.config() });
  const as = async (skill: string, name: string, args: object) =>
    (await host.call(name, args, AS(skill))).failure?.code;
  expect(await as("bare", "system_info", {})).toBeUndefined();
  expect(await as("bare", "read_file", { path: "top.txt" })).toBe("denied");
  expect(await as("bare", "write_file", { path: "x", content: "x" })).toBe("denied");
  expect(await as("silent", "system_info", {})).toBe("denied");
  expect(await as("nobody", "system_info", {})).toBe("denied");
});

test("tools of a manifest hold instead of its groups, under the names of Flynn", async () => {
  using skills = new Skills();
  const fs = { read: [skills.root] };
  skills.put("one", { permissions: { tools: ["file.list"], tool_groups: ["group:fs"], fs } });
  skills.put("two", { permissions: { tool_groups: ["group:fs"], fs } });
  await using host = openTestHost({ config: await skills.config() });
  const read = async (skill: string) => (await host.call("read_file", { path: "top.txt" }, AS(skill))).failure?.code;
  expect(await read("one")).toBe("denied");
  expect(await read("two")).toBeUndefined();
  expect((await host.call("list_directory", { path: "." }, AS("one"))).text).toContain("top.txt");
});

test("a glob of a manifest is one of Flynn's names, and one of ours is taken too", async () => {
  using skills = new Skills();
  const fs = { read: [skills.root] };
  skills.put("reads", { permissions: { tools: ["*.read"], fs } });
  skills.put("ours", { permissions: { tools: ["read_*"], fs } });
  await using host = openTestHost({ config: await skills.config() });
  const as = async (skill: string, name: string) => (await host.call(name, { path: "." }, AS(skill))).failure?.code;
  expect((await host.call("read_file", { path: "top.txt" }, AS("reads"))).text).toBe("needle\n");
  expect((await host.call("read_file", { path: "top.txt" }, AS("ours"))).text).toBe("needle\n");
  expect([await as("reads", "list_directory"), await as("ours", "list_directory")]).toEqual(["denied", "denied"]);
});

test.skipIf(process.platform !== "linux")(
  "a program of a skill is held to its directories, network and secrets",
  async () => {
    using skills = new Skills();
    skills.put("writer", writer(skills, { secrets: ["NAMED_TOKEN"] }));
    skills.put("globs", { permissions: { tools: ["*"], fs: { read: [`${skills.root}/**/*.txt`] } } });
    const shell = {
      enabled: true,
      network: "internet" as const,
      environment: { NAMED_TOKEN: "given", OTHER_TOKEN: "kept back", PLAIN: "plain" },
    };
    await using host = openCommandHost({ config: { ...(await skills.config()), shell, fence: "auto" } });
    const run = async (command: string, skill = "writer") =>
      await host.call("shell", { command, cwd: "docs" }, AS(skill));
    const line = "cat a.txt; echo new > notes/new.txt; printenv NAMED_TOKEN; printenv OTHER_TOKEN; printenv PLAIN";
    expect((await run(line)).text).toMatch(/needle\ngiven\nplain$/);
    const seen = await run('cat ../top.txt "$PWD/../top.txt"; echo over > a.txt; echo done');
    expect(seen.failure?.code ?? seen.text).not.toContain("needle");
    expect((await run("echo kept")).all).toContain("no network");
    expect((await run("echo x", "globs")).failure?.code).toBe("denied");
  },
);

test.skipIf(process.platform !== "linux")(
  "a program of a skill that a person would be asked about is refused, not proposed",
  async () => {
    using skills = new Skills();
    skills.put("writer", writer(skills));
    const config = { ...(await skills.config()), shell: { enabled: true }, mode: "default" };
    await using host = openCommandHost({ config });
    expect((await host.call("shell", { command: "make" }, AS("writer"))).failure?.code).toBe("denied");
    expect((await host.call("shell", { command: "make" })).proposal).toBeDefined();
  },
);

/** What a program of the skill gets from these hosts, as curl says it: 200, 403 by the broker, 000 without a connection. */
async function expectStatuses(
  expected: string,
  skills: Skills,
  network: NonNullable<ShellSettings["network"]>,
  skill: string,
  port = 0,
): Promise<void> {
  const shell = { enabled: true, network };
  await using host = openReachHost({ ...(await skills.config()), shell });
  const urls = ["both", "declared", "skill"].map((name) => `http://${name}.test:${port}/`);
  const command = `for url in ${urls.join(" ")}; do curl -sS -m 20 -o /dev/null -w '%{http_code}. ' $url; done; true`;
  const { text } = await host.call("shell", { command, cwd: "docs" }, AS(skill));
  // Where they differ, what curl said of it is shown as well.
  expect([...text.matchAll(/(\d{3})\. /g)].map(([, code]) => code).join(" "), text).toBe(expected);
}

describe.skipIf(!hasLandlock())("the network of a skill", () => {
  test.skipIf(curl.isMissing)(
    `a program of a skill reaches the hosts that both its manifest and its declaration name${curl.note}`,
    async () => {
      using skills = new Skills();
      await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
      const { port = 0 } = server;
      skills.put("writer", writer(skills, { net: [{ host: "both.test", ports: [port] }, `skill.test:${port}`] }));
      skills.put("other", { ...writer(skills, { net: ["elsewhere.test"] }), name: "other" });
      skills.put("silent", { ...writer(skills), name: "silent" });
      const list = { reach: [`both.test:${port}`, `declared.test:${port}`], unix: true };
      await expectStatuses("200 403 403", skills, list, "writer", port);
      await expectStatuses("200 403 200", skills, "internet", "writer", port);
      await expectStatuses("000 000 000", skills, "none", "writer", port);
      await expectStatuses("000 000 000", skills, list, "other", port);
      await expectStatuses("000 000 000", skills, list, "silent", port);
    },
  );

  test("whoever approves a program of a skill is told its hosts, and unix sockets are none of them", async () => {
    using skills = new Skills();
    skills.put("writer", writer(skills, { net: ["both.test"] }));
    const shell = { enabled: true, network: { reach: ["*.test:443"], unix: true } };
    await using host = openReachHost({ ...(await skills.config()), shell });
    const { all } = await host.call("shell", { command: "echo kept", cwd: "docs" }, AS("writer"));
    expect(all).toContain("network: both.test:443");
    expect(all).not.toContain("unix sockets");
  });
});

test("a tool that reaches the network itself is refused to a skill, and the answer says what its hosts are for", async () => {
  using skills = new Skills();
  skills.put("writer", writer(skills, { net: ["both.test"] }));
  const web = { network: { reach: ["both.test"] } };
  await using host = await openWebHost({ web, config: { skill_folders: [join(skills.path, "skills")] } });
  const asked = { name: "web_fetch", arguments: { url: "http://both.test/" } };
  const { isError, content } = await host.ask("tools/call", { ...asked, _meta: AS("writer") });
  expect(isError).toBe(true);
  expect(content?.[0]?.text).toContain("denied: ");
  expect(content?.[0]?.text).toContain("the hosts that its permissions name are for programs");
});

test("a manifest that is broken is named on stderr and left out, and the others hold", async () => {
  using skills = new Skills();
  const permissions = { tools: ["system_info"] };
  skills.put("good", { permissions });
  skills.put("net", { permissions: { ...permissions, net: ["https://api.todoist.com"] } });
  skills.put("ports", { permissions: { ...permissions, net: [{ host: "api.todoist.com", ports: [0] }] } });
  skills.put("paths", { permissions: { ...permissions, net: [{ host: "api.todoist.com", path: "/v2" }] } });
  skills.put("types", { permissions: { tools: "all" } });
  skills.put("relative", { permissions: { ...permissions, fs: { read: ["docs/**"] } } });
  skills.put("typo", { permissions: { ...permissions, filesystem: {} } });
  skills.put("twice", '{"permissions": {"tools": ["a"], "tools": ["*"]}}');
  skills.put("text", "{");
  skills.put("large", `{"a": "${"x".repeat(10 * 1024 * 1024)}"}`);
  skills.put("host", { permissions: { ...permissions, execution_environment: "host" } });
  mkdirSync(join(skills.path, "skills/empty"));
  skills.put("z-again", { name: "good", permissions: { tools: ["*"] } });
  expect(Object.keys((await skills.config()).skills ?? {})).toEqual(["good"]);
  using place = new Place();
  const file = join(place.path, "ringfence.json");
  writeFileSync(file, JSON.stringify({ skill_folders: [join(skills.path, "skills")] }));
  const { code, stderr } = await runRingfence(place, ["tools", "--config", file, "--root", skills.root]);
  expect(code).toBe(0);
  for (const name of [
    "net",
    "ports",
    "paths",
    "types",
    "relative",
    "typo",
    "twice",
    "text",
    "large",
    "host",
    "empty",
    "z-again",
  ])
    expect(stderr).toContain(`the skill "${name}" is left out`);
  expect(stderr).toContain('the skill "net" is left out: Cannot reach "https://api.todoist.com": it is a URL');
});

test("a folder of skills that a tool could write is refused", async () => {
  using skills = new Skills();
  mkdirSync(join(skills.root, "skills"));
  const inRoot = loadCommands({ roots: [skills.root], skillFolders: [join(skills.root, "skills")] });
  expect(inRoot).rejects.toThrow("lies in the writable root");
  expect(loadCommands({ skillFolders: ["/nonexistent"] })).rejects.toThrow("cannot be read");
});
