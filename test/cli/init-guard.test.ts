/**
 * The hooks that `ringfence init` writes, and what `doctor --clients` says of them. What the hook answers is in `guard.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
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

describe("ringfence init --guard", () => {
  test("init --guard leaves the client's own tools on and writes its hook, with the roots and flags of the server", async () => {
    const args = ["claude-code", "codex", "gemini-cli", "cursor", "--guard", "--mode=plan", "--yes", "--no-check"];
    const { code, stdout } = await run("init", ...args);
    expect([code, stdout]).toEqual([0, expect.stringContaining("trust the new hook when it asks")]);
    const read = (name: string) => JSON.parse(readFileSync(join(place.path, name), "utf8"));
    const claude = read("root/.claude/settings.json");
    expect(claude.permissions).toEqual({ allow: ["mcp__ringfence__*"] });
    const [{ matcher, hooks }] = claude.hooks.PreToolUse;
    expect([matcher, hooks[0].onFailure]).toEqual(["*", "block"]);
    expect(hooks[0].command).toMatch(
      new RegExp(` guard --client=claude-code --root ${place.root} --mode=plan \\|\\| \\{ echo .* >&2; exit 2; \\}$`),
    );
    expect(read("home/.codex/hooks.json").hooks.PreToolUse[0].hooks[0].command).toContain("--client=codex");
    expect(readFileSync(join(place.path, "home/.codex/config.toml"), "utf8")).not.toContain("sandbox_mode");
    const gemini = read("root/.gemini/settings.json");
    expect([gemini.tools, gemini.mcpServers.ringfence.args]).toEqual([
      undefined,
      expect.not.arrayContaining(["--dialect=claude"]),
    ]);
    expect(gemini.hooks.BeforeTool[0].hooks[0].command).toContain("--client=gemini-cli");
    const { version, hooks: events } = read("root/.cursor/hooks.json");
    expect([version, Object.keys(events)]).toEqual([
      1,
      ["preToolUse", "beforeShellExecution", "beforeReadFile", "beforeTabFileRead"],
    ]);
    expect(events.preToolUse[0]).toMatchObject({
      failClosed: true,
      command: expect.stringContaining("--client=cursor"),
    });
    const refused = await run("init", "opencode", "--guard", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("it has no hook that ringfence answers"),
    ]);
    expect((await run("init", "--undo", "--yes")).code).toBe(0);
    const left = ["root/.claude/settings.json", "root/.cursor/hooks.json", "home/.codex/hooks.json"];
    expect(left.filter((name) => existsSync(join(place.path, name)))).toEqual([]);
  });

  const GUARDED: [client: string, file: string, events: readonly string[]][] = [
    ["claude-code", "root/.claude/settings.json", ["PreToolUse"]],
    ["codex", "home/.codex/hooks.json", ["PreToolUse"]],
    ["gemini-cli", "root/.gemini/settings.json", ["BeforeTool"]],
    [
      "cursor",
      "root/.cursor/hooks.json",
      ["preToolUse", "beforeShellExecution", "beforeReadFile", "beforeTabFileRead"],
    ],
  ];
  test.each(GUARDED)(
    "init %s --guard with other roots replaces its guard, and --undo takes both back",
    async (client, file, events) => {
      const path = join(place.path, file);
      mkdirSync(dirname(path), { recursive: true });
      const mine = { matcher: "x", hooks: [{ type: "command", command: "mine" }] };
      const before = `{\n  // mine\n  "hooks": ${JSON.stringify(Object.fromEntries(events.map((event) => [event, [mine]])))}\n}\n`;
      writeFileSync(path, before);
      const init = async (...flags: string[]): Promise<unknown> => {
        const { code, stderr } = await run(
          "init",
          client,
          "--guard",
          "--root",
          place.root,
          ...flags,
          "--yes",
          "--no-check",
        );
        expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
        return readFileSync(path, "utf8");
      };
      mkdirSync(join(place.path, "more"));
      const more = ["--root", join(place.path, "more"), "--mode=plan"];
      await init();
      const after = await init(...more);
      const { hooks } = parse(String(after)) as { hooks: Record<string, unknown[]> };
      for (const event of events) {
        expect(hooks[event]).toEqual([expect.anything(), mine]);
        expect(JSON.stringify(hooks[event]).match(/ guard --client=/g)).toHaveLength(1);
        expect(JSON.stringify(hooks[event])).toContain(`${place.path}/more --mode=plan ||`);
      }
      expect(await init(...more)).toBe(after);
      writeFileSync(path, String(after).replace("// mine", "// changed since"));
      expect((await run("init", "--undo", "--yes")).code).toBe(0);
      expect(readFileSync(path, "utf8")).toBe(before.replace("// mine", "// changed since"));
    },
  );

  test("init --guard refuses a file whose guard stands beside another command in one hook, and writes nothing", async () => {
    const path = join(place.root, ".claude/settings.json");
    mkdirSync(dirname(path));
    const hooks = ["/old/ringfence guard --client=claude-code --root /x || exit 2", "mine"];
    const shared = { matcher: "*", hooks: hooks.map((command) => ({ type: "command", command })) };
    const before = JSON.stringify({ hooks: { PreToolUse: [shared] } });
    writeFileSync(path, before);
    const { code, stderr } = await run("init", "claude-code", "--guard", "--yes", "--no-check");
    expect([code, stderr]).toEqual([1, expect.stringContaining("or one beside another command: take them out")]);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("doctor says of Cursor that its tools stay, and that a hook is missing where one is", async () => {
    await run("init", "cursor", "--yes");
    expect((await run("doctor", "--clients")).stdout).toContain("the guard answers for them, and no kernel holds them");
    const hooks = join(place.root, ".cursor/hooks.json");
    writeFileSync(hooks, '{"version": 1, "hooks": {"preToolUse": []}}');
    expect((await run("doctor", "--clients")).stdout).toContain(
      "Cursor: partly protected\n  - hooks.preToolUse has no ringfence guard (",
    );
  });
});
