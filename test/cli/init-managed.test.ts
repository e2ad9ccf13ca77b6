/**
 * `ringfence init --managed`: the files of an administrator, written below a prefix, with tools that are off and with a guard.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.path, "home"));
});
afterEach(() => place[Symbol.dispose]());

const run = async (...args: string[]): Promise<CliResult> =>
  await runRingfence(place, args, {
    env: { HOME: join(place.path, "home"), XDG_STATE_HOME: join(place.path, "state-home"), PATH: "/usr/bin:/bin" },
  });

test("init --managed writes the administrator's files below a prefix, with ringfence as the only server", async () => {
  const prefix = join(place.path, "package");
  mkdirSync(prefix);
  const { code } = await run(
    "init",
    "claude-code",
    "codex",
    "gemini-cli",
    "--managed",
    "--prefix",
    prefix,
    "--yes",
    "--no-check",
  );
  expect(code).toBe(0);
  const read = (name: string): string => readFileSync(join(prefix, name), "utf8");
  expect(Object.keys(JSON.parse(read("etc/claude-code/managed-mcp.json")).mcpServers)).toEqual(["ringfence"]);
  const settings = JSON.parse(read("etc/claude-code/managed-settings.json"));
  expect(settings.allowedMcpServers[0].serverCommand).toContain("serve");
  expect(settings.permissions).toMatchObject({
    disableBypassPermissionsMode: "disable",
    deny: expect.arrayContaining(["Bash"]),
  });
  const requirements = Bun.TOML.parse(read("etc/codex/requirements.toml")) as { mcp_servers: object };
  expect(requirements).toMatchObject({ allowed_sandbox_modes: ["read-only"], features: { shell_tool: false } });
  expect(Object.keys(requirements.mcp_servers)).toEqual(["ringfence"]);
  expect(JSON.parse(read("etc/gemini-cli/settings.json")).mcp.allowed).toEqual(["ringfence"]);
  expect(read("etc/gemini-cli/policies/ringfence.toml")).toContain('decision = "deny"');
  const refused = await run("init", "cursor", "--managed", "--prefix", prefix, "--yes");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("it reads no file of an administrator")]);
});

test("init --managed --guard writes the hooks of the administrator, and ringfence is still the only server", async () => {
  const prefix = join(place.path, "package");
  mkdirSync(prefix);
  const clients = ["claude-code", "codex", "gemini-cli"];
  const flags = ["--managed", "--guard", "--prefix", prefix, "--yes", "--no-check"];
  expect((await run("init", ...clients, ...flags)).code).toBe(0);
  const read = (name: string): string => readFileSync(join(prefix, "etc", name), "utf8");
  for (const name of ["claude-code/managed-settings.json", "codex/hooks.json", "gemini-cli/settings.json"])
    expect([name, read(name)]).toEqual([name, expect.stringContaining("ringfence guard --client=")]);
  const requirements = Bun.TOML.parse(read("codex/requirements.toml")) as { mcp_servers: object };
  expect(Object.keys(requirements)).toEqual(["mcp_servers"]);
  expect(Object.keys(requirements.mcp_servers)).toEqual(["ringfence"]);
  expect(JSON.parse(read("gemini-cli/settings.json")).mcp.allowed).toEqual(["ringfence"]);
});
