/**
 * `ringfence guard` as a client calls it: a message on stdin, the answer in that client's form on stdout. Whatever goes wrong ends
 * with 2, because clients go on at every other failure.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { HANG_MS } from "../waits/until.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.root, "src"));
  mkdirSync(join(place.root, "keys"));
  writeFileSync(join(place.root, "src/a.ts"), "a\n");
  writeFileSync(join(place.root, "keys/.env"), "KEY=zanzibar\n");
  symlinkSync("keys/.env", join(place.root, "innocent.txt"));
  mkdirSync(join(place.root, "src/far/below"), { recursive: true });
  symlinkSync("src/far/below", join(place.root, "deep"));
});
afterEach(() => place[Symbol.dispose]());

async function guard(client: string, told: object | string, ...args: string[]): Promise<CliResult> {
  const input = typeof told === "string" ? told : JSON.stringify(told);
  return await runRingfence(place, ["guard", "--client", client, "--root", place.root, ...args], { input });
}

/** What Claude Code reads: `pass`, or the decision with its reason. */
async function claude(tool: string, input: object, ...args: string[]): Promise<[decision: string, reason: string]> {
  const told = { hook_event_name: "PreToolUse", cwd: place.root, tool_name: tool, tool_input: input };
  const { code, stdout, stderr } = await guard("claude-code", told, ...args);
  expect([code, stderr]).toEqual([0, ""]);
  const { hookSpecificOutput: said } = JSON.parse(stdout) as {
    hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string };
  };
  return said ? [said.permissionDecision, said.permissionDecisionReason] : ["pass", ""];
}

async function cursor(tool: string, ...args: string[]): Promise<string> {
  const told = { hook_event_name: "preToolUse", workspace_roots: [place.root], tool_name: tool, tool_input: "{}" };
  return (JSON.parse((await guard("cursor", told, ...args)).stdout) as { permission: string }).permission;
}

const NO_WAY = expect.stringContaining("Use the tools of the MCP server ringfence in its place.");

describe("ringfence guard", () => {
  test("guard leaves what the policy allows to the client, and closes secrets and what lies outside, by any name", async () => {
    expect(await claude("Read", { file_path: "src/a.ts" })).toEqual(["pass", ""]);
    expect(await claude("Bash", { command: "cat src/a.ts" })).toEqual(["pass", ""]);
    expect(await claude("Grep", { pattern: "a", path: "src" })).toEqual(["pass", ""]);
    const closed: [tool: string, input: object, why: string][] = [
      ["Read", { file_path: "keys/.env" }, "files of this name hold secrets"],
      ["Read", { file_path: `${place.root}/src/../innocent.txt` }, "secrets"],
      ["Read", { file_path: "/etc/passwd" }, "it is outside the roots"],
      ["Read", { file_path: "../state/x" }, "outside"],
      ["Read", { file_path: "none/../../state/x" }, "outside"],
      ["Read", { file_path: "src/a.ts/../../../state/x" }, "outside"],
      ["Read", { file_path: "deep/../../state/x" }, "outside"],
      ["Read", { file_path: "none/../keys/.env" }, "secrets"],
      ["Write", { file_path: "none/../../state/x", content: "" }, "outside"],
      ["Grep", { pattern: "x", path: "deep/../../state" }, "outside"],
      ["Write", { file_path: "/tmp/x", content: "" }, "outside"],
      ["Edit", { file_path: "keys/.env" }, "secrets"],
      ["Glob", { pattern: "/etc/*" }, "outside"],
      ["Grep", { pattern: "root", path: "/etc" }, "outside"],
      ["Bash", { command: "cat keys/.env" }, "secrets"],
      ["Bash", { command: "rm -rf /" }, "shell: deny"],
      ["Frobnicate", {}, "does not know this tool"],
    ];
    for (const [tool, input, why] of closed) {
      expect(await claude(tool, input)).toEqual(["deny", expect.stringContaining(why)]);
      expect(await claude(tool, input, "--mode=bypass")).toEqual(["deny", NO_WAY]);
    }
  });

  test("guard asks the client's person where the policy asks, and the mode and the rules are those of the policy", async () => {
    expect(await claude("Edit", { file_path: "src/a.ts" })).toEqual([
      "ask",
      `ringfence: edit_file ${place.root}/src/a.ts: changes are proposed before they are made (mode: default).`,
    ]);
    expect(await claude("Edit", { file_path: "src/a.ts" }, "--mode=accept_edits")).toEqual(["pass", ""]);
    expect((await claude("Edit", { file_path: "src/a.ts" }, "--mode=plan"))[0]).toBe("ask");
    expect((await claude("Bash", { command: "npm test" }, "--mode=accept_edits"))[0]).toBe("ask");
    expect(await claude("Grep", { pattern: "a" })).toEqual(["ask", expect.stringContaining("what is denied")]);
    expect((await claude("Grep", { pattern: "password", path: "src" }))[0]).toBe("ask");
    expect((await claude("WebFetch", { url: "https://x" }))[0]).toBe("ask");
    const config = join(place.path, "config.json");
    writeFileSync(
      config,
      JSON.stringify({
        rules: [{ allow: "shell(npm test)" }, { deny: "group:change(src/**)", reason: "written by a tool" }],
        clients: { "claude-code": { tools: { deny: ["delete"] } }, "codex-mcp-client": { read_only: true } },
      }),
    );
    expect(await claude("Bash", { command: "npm test" }, "--config", config)).toEqual(["pass", ""]);
    expect(await claude("Edit", { file_path: "src/a.ts" }, "--config", config)).toEqual([
      "deny",
      expect.stringContaining("written by a tool"),
    ]);
    expect((await claude("Edit", { file_path: "b.ts" }, "--config", config))[0]).toBe("ask");
    const patch = "*** Begin Patch\n*** Add File: b.ts\n+x\n*** End Patch";
    const told = {
      hook_event_name: "PreToolUse",
      cwd: place.root,
      tool_name: "apply_patch",
      tool_input: { command: patch },
    };
    const codex = await guard("codex", told, "--mode=accept_edits", "--config", config);
    expect(codex.stdout).toContain('the client \\"codex-mcp-client\\" may not use it');
  });

  test("guard follows the links of a change, and denies a line that would run where no tool may be", async () => {
    mkdirSync(join(place.root, ".git/hooks"), { recursive: true });
    symlinkSync(".git/hooks", join(place.root, "docs"));
    symlinkSync(".git/config", join(place.root, "notes.txt"));
    expect((await claude("Write", { file_path: "docs/pre-commit" }, "--mode=accept_edits"))[0]).toBe("ask");
    expect((await claude("Write", { file_path: "notes.txt" }, "--mode=accept_edits"))[0]).toBe("deny");
    const config = join(place.path, "config.json");
    writeFileSync(config, JSON.stringify({ deny: ["keys/**"], rules: [{ allow: "shell(npm test)" }] }));
    for (const [workdir, isDenied] of [
      ["..", true],
      ["keys", true],
      ["src", false],
    ] as const) {
      const input = { command: "npm test", workdir };
      const told = { hook_event_name: "PreToolUse", cwd: place.root, tool_name: "Bash", tool_input: input };
      const { stdout } = await guard("codex", told, "--config", config);
      expect([workdir, stdout.includes('"deny"')]).toEqual([workdir, isDenied]);
    }
  });

  test("guard turns a question into a refusal where the client cannot ask, and the command in it allows the call", async () => {
    const codex = {
      hook_event_name: "PreToolUse",
      cwd: place.root,
      tool_name: "Bash",
      tool_input: { command: "npm test" },
    };
    const { stdout } = await guard("codex", codex);
    const { hookSpecificOutput: said } = JSON.parse(stdout);
    expect(said).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "deny" });
    const reason = String(said.permissionDecisionReason);
    expect(reason).toContain("A person has to be asked, and this hook cannot ask one.");
    const [, command = ""] = /A person can allow it with: `ringfence ([^`]*)`\. Use the tools/.exec(reason) ?? [];
    const granted = Bun.spawnSync(["sh", "-c", `"$0" ${command}`, await binaryPath()], {
      cwd: place.root,
      env: { PATH: process.env["PATH"], HOME: place.path, XDG_STATE_HOME: place.path },
    });
    expect(granted.exitCode).toBe(0);
    expect((await guard("codex", codex)).stdout).toBe("{}\n");
    const line = {
      hook_event_name: "beforeShellExecution",
      workspace_roots: [place.root],
      cwd: "",
      command: "npm run x",
    };
    expect(JSON.parse((await guard("cursor", line)).stdout)).toEqual({
      permission: "deny",
      user_message: NO_WAY,
      agent_message: NO_WAY,
    });
    const read = {
      hook_event_name: "beforeReadFile",
      workspace_roots: [place.root],
      file_path: "src/a.ts",
      content: "a",
    };
    expect((await guard("cursor", read)).stdout).toBe('{"permission":"allow"}\n');
    const gemini = {
      hook_event_name: "BeforeTool",
      cwd: place.root,
      tool_name: "write_file",
      tool_input: { file_path: "x" },
    };
    expect(JSON.parse((await guard("gemini-cli", gemini)).stdout)).toEqual({ decision: "deny", reason: NO_WAY });
  });

  test("guard knows the tools of ringfence, asks about those of other servers, and leaves alone what it was told to", async () => {
    expect(await claude("mcp__ringfence__delete", {})).toEqual(["pass", ""]);
    expect((await claude("mcp__github__merge", {}))[0]).toBe("ask");
    expect(await claude("mcp__github__merge", {}, "--pass=mcp__github__*")).toEqual(["pass", ""]);
    expect((await claude("mcp__gitlab__merge", {}, "--pass=mcp__github__*"))[0]).toBe("ask");
    expect(await cursor("MCP:read_file")).toBe("allow");
    expect(await cursor("MCP:Grep")).toBe("deny");
    expect(await cursor("MCP:Grep", "--dialect=claude")).toBe("allow");
  });

  test.each([["mcp__ringfence__evil__run"], ["mcp__ringfence___run"], ["mcp__ringfence__evil__read_file"]])(
    "guard asks about %s, which may be a tool of a server whose name only begins like ours",
    async (tool) => {
      expect((await claude(tool, {}))[0]).toBe("ask");
      const told = { hook_event_name: "PreToolUse", cwd: place.root, tool_name: tool, tool_input: {} };
      expect((await guard("codex", told)).stdout).toContain('"permissionDecision":"deny"');
      // A pack of the host, which the guard does not load, and a tool of a server behind it.
      for (const ours of ["memory_read", "mcp_git_log"])
        expect(await claude(`mcp__ringfence__${ours}`, {})).toEqual(["pass", ""]);
    },
  );

  const WRONG: [title: string, client: string, told: string, args: readonly string[], says: string][] = [
    ["garbage", "codex", "garbage", [], "what came on stdin is not JSON"],
    ["nothing", "cursor", "", [], "the client says nothing"],
    [
      "an event that it does not know",
      "gemini-cli",
      '{"hook_event_name":"AfterTool"}',
      [],
      "no event that is answered",
    ],
    ["too much", "claude-code", " ".repeat(17 * 1024 * 1024), [], "has more than"],
    ["a client that it does not know", "codx", "{}", [], "did you mean codex?"],
    ["a flag that it does not know", "codex", "{}", ["--frob"], "there is no flag --frob"],
  ];
  test.each(WRONG)(
    "guard says why it blocks %s, and ends with the exit code 2",
    async (_, client, told, args, says) => {
      expect(await guard(client, told, ...args)).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(says),
      });
    },
  );

  test("guard blocks everything while its policy does not load or its record cannot be written", async () => {
    const told = {
      hook_event_name: "PreToolUse",
      cwd: place.root,
      tool_name: "Read",
      tool_input: { file_path: "src/a.ts" },
    };
    const config = join(place.path, "config.json");
    writeFileSync(config, '{"mode": "everything"}');
    for (const args of [
      ["--config", config],
      ["--config", "/nowhere.json"],
      ["--mode=everything"],
      ["--root", "/nowhere"],
    ]) {
      const { code, stdout, stderr } = await guard("codex", told, ...args);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^ringfence guard blocks the call: ./)]);
    }
    const state = join(place.path, "state-file");
    writeFileSync(state, "");
    chmodSync(state, 0o600);
    const denied = { ...told, tool_input: { file_path: "/etc/passwd" } };
    expect((await guard("codex", denied, "--state-dir", state)).code).toBe(2);
  });

  test("guard blocks where stdin is closed, and where nobody reads its answer", async () => {
    const command = [await binaryPath(), "guard", "--client=codex", "--root", place.root];
    const run = (line: string): number =>
      Bun.spawnSync(["sh", "-c", line, ...command], { env: { HOME: place.path }, timeout: HANG_MS }).exitCode;
    expect(run('"$0" "$@" <&-')).toBe(2);
    const told = join(place.path, "hook.json");
    writeFileSync(
      told,
      JSON.stringify({
        hook_event_name: "PreToolUse",
        cwd: place.root,
        tool_name: "Read",
        tool_input: { file_path: "x" },
      }),
    );
    expect(run(`"$0" "$@" < ${told} >/dev/full`)).toBe(2);
    expect(run(`"$0" "$@" < ${told}`)).toBe(0);
  });

  test("guard puts what it did not let through on record", async () => {
    await claude("Read", { file_path: "src/a.ts" });
    await claude("Read", { file_path: "/etc/passwd" });
    const { stdout } = await runRingfence(place, ["audit", "show", "--event=guarded", "--json"]);
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      event: "guarded",
      client: "claude-code",
      tool: "Read",
      decision: "deny",
    });
    expect((await runRingfence(place, ["audit", "verify"])).code).toBe(0);
  });
});
