/**
 * `ringfence doctor --clients` after `ringfence init`, in a home of its own: what is said of each client, and what is left to do.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

function lay(name: string, text: string): void {
  const path = join(place.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const ALL = ["claude-code", "codex", "gemini-cli", "opencode", "cursor", "vs-code"];

async function levels(): Promise<Record<string, string>> {
  const { stdout } = await run("doctor", "--clients", "--json");
  const all = JSON.parse(stdout) as { client: string; level: string }[];
  return Object.fromEntries(all.map(({ client, level }) => [client, level]));
}

describe("ringfence doctor --clients", () => {
  test("doctor says of each client whether it is protected, by what its files say", async () => {
    expect((await run("doctor", "--clients")).stderr).toContain("No client that ringfence knows was found");
    mkdirSync(join(place.path, "home/.codex"));
    expect(await levels()).toEqual({ codex: "not" });
    await run("init", ...ALL, "--yes", "--trust", "--no-check");
    expect(await levels()).toEqual({
      "claude-code": "protected",
      codex: "protected",
      "gemini-cli": "protected",
      opencode: "protected",
      cursor: "partly",
      "vs-code": "partly",
    });
  });

  test("doctor names what is missing, and fails while a client is not protected", async () => {
    await run("init", "claude-code", "codex", "--yes", "--trust", "--no-check");
    expect((await run("doctor", "--clients")).code).toBe(0);
    lay(
      "root/.claude/settings.json",
      '{"permissions": {"deny": ["Bash", "PowerShell", "Edit", "Write", "Glob", "Grep", "NotebookEdit"]}}',
    );
    lay("home/.codex/config.toml", '[mcp_servers.ringfence]\ncommand = "/gone/ringfence"\nargs = ["serve"]\n');
    const { code, stdout } = await run("doctor", "--clients");
    expect(code).toBe(1);
    expect(stdout).toContain("Claude Code: partly protected\n  - permissions.deny lacks Read (");
    expect(stdout).toContain(
      'Codex: not protected\n  - the program of mcp_servers.ringfence is not there: "/gone/ringfence"',
    );
    lay("root/.mcp.json", "{");
    expect((await run("doctor", "--clients")).stdout).toContain("Claude Code: not protected\n  - Cannot read ");
    expect((await run("doctor", "--json")).stderr).toContain("--json goes with --clients");
  });

  test("doctor says where the tools of a client reach when it is another folder", async () => {
    const named = `Codex: protected\n  - its tools reach ${place.root}, not this folder (`;
    await run("init", "codex", "--yes", "--no-check");
    expect((await run("doctor", "--clients")).stdout).toBe("Codex: protected\n");
    mkdirSync(join(place.root, "sub"));
    mkdirSync(join(place.path, "other"));
    expect((await run("doctor", "--clients", "--root=sub")).stdout).toBe("Codex: protected\n");
    expect((await run("doctor", "--clients", "--root=../other")).stdout).toStartWith(named);
    const config = join(place.path, "home/.codex/config.toml");
    const written = readFileSync(config, "utf8");
    symlinkSync(place.root, join(place.path, "link"));
    expect((await run("doctor", "--clients", "--root=../link/sub")).stdout).toBe("Codex: protected\n");
    writeFileSync(config, written.replace(`"${place.root}"`, `"${join(place.path, "link")}"`));
    expect((await run("doctor", "--clients")).stdout).toBe("Codex: protected\n");
    expect((await run("doctor", "--clients", "--root=../other")).stdout).toContain("not this folder (");
    writeFileSync(config, written.replace(`"${place.root}"`, '"."'));
    expect((await run("doctor", "--clients", "--root=../other")).stdout).toBe("Codex: protected\n");
  });

  test("doctor names init only where it would write something", async () => {
    const named = "ringfence init cursor --dry-run shows what would be set up.";
    mkdirSync(join(place.path, "home/.cursor"));
    expect((await run("doctor", "--clients")).stdout).toContain(named);
    await run("init", "cursor", "--yes", "--no-check");
    const { stdout } = await run("doctor", "--clients");
    expect([stdout, stdout.includes(named)]).toEqual([expect.stringContaining("Cursor: partly protected"), false]);
  });

  test("doctor says what is left to do in a folder that Claude Code does not trust yet", async () => {
    await run("init", "claude-code", "--yes", "--no-check");
    const { stdout } = await run("doctor", "--clients");
    expect(stdout).toBe(
      "Claude Code: protected\n" +
        "  - to do: start claude once here and trust the folder (or init --trust); until then it has no tools\n",
    );
  });
});
