/**
 * Clients that keep their own tools, with the hook that `ringfence init --guard` writes: their own tools do what the policy allows
 * and nothing else. The model follows a script; the clients, the hook and the executable are the real ones.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { npmClient, type ClientName } from "../components/npm-client.ts";
import { DRIVEN_CLIENTS } from "./driven-clients.ts";
import { ClientSession, setUpByInit, type Started } from "./play-client.ts";
import type { Step } from "./scenarios.ts";

interface GuardedClient {
  readonly name: ClientName;
  /** How it is started without a person. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file with the hook, in `home` or in `root`. */
  readonly hookFile: string;
  readonly steps: readonly Step[];
}

const own = (tool: string, args: object, says: Step["says"], hides?: string): Step => ({
  tool,
  args,
  says,
  isOwn: true,
  ...(hides === undefined ? {} : { hides }),
});

const OURS: Step = { tool: "stat", args: { path: "report.txt" }, says: ["report.txt"] };

const GUARDED: readonly GuardedClient[] = [
  {
    name: "claude-code",
    hookFile: "root/.claude/settings.json",
    args: ["-p", "PROMPT", "--allowedTools", "mcp__ringfence,Bash,Read"],
    steps: [
      own("Read", { file_path: "report.txt" }, ["Tide report"]),
      own("Bash", { command: "cat report.txt" }, ["Tide report"]),
      own("Read", { file_path: ".env" }, ["hold secrets"], "zanzibar"),
      own("Bash", { command: "cat .env" }, ["hold secrets"], "zanzibar"),
      own("Read", { file_path: "/etc/passwd" }, ["outside the roots"], "root:"),
      own("Bash", { command: "touch made.txt" }, []),
      OURS,
    ],
  },
  {
    name: "codex",
    hookFile: "home/.codex/hooks.json",
    args: ["exec", "--dangerously-bypass-hook-trust", "--sandbox=danger-full-access", "PROMPT"],
    steps: [
      own("exec_command", { cmd: "cat report.txt" }, ["Tide report"]),
      own("exec_command", { cmd: "cat .env" }, ["hold secrets"], "zanzibar"),
      own("exec_command", { cmd: "touch made.txt" }, ["this hook cannot ask one"]),
      OURS,
    ],
  },
  {
    name: "gemini-cli",
    hookFile: "root/.gemini/settings.json",
    args: ["-p", "PROMPT", "--approval-mode=yolo"],
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    steps: [
      own("read_file", { file_path: "report.txt" }, ["Tide report"]),
      own("run_shell_command", { command: "cat report.txt" }, ["Tide report"]),
      own("read_file", { file_path: "src/../keys/id_rsa" }, ["hold secrets"], "zanzibar"),
      own("run_shell_command", { command: "cat .env" }, ["hold secrets"], "zanzibar"),
      own("run_shell_command", { command: "touch made.txt" }, ["this hook cannot ask one"]),
      OURS,
    ],
  },
];

for (const guarded of GUARDED) {
  const client = DRIVEN_CLIENTS.find(({ name }) => name === guarded.name);
  if (!client) throw new Error(`there is no ${guarded.name}`);
  const { isMissing, note } = npmClient(guarded.name);

  const play = async (change: (hook: string) => string = (hook) => hook): Promise<ClientSession> =>
    await ClientSession.start(client, guarded.steps, async ({ place, home }): Promise<Started> => {
      mkdirSync(join(place.root, "keys"));
      writeFileSync(join(place.root, "keys/id_rsa"), "zanzibar");
      await setUpByInit([guarded.name, "--guard", "--trust"], { place, home });
      const path = join(place.path, guarded.hookFile);
      const binary = await binaryPath();
      const hook = readFileSync(path, "utf8");
      expect(hook).toContain(`${binary} guard`);
      writeFileSync(path, change(hook));
      return { args: guarded.args, env: guarded.env ?? {} };
    });

  describe(client.section, () => {
    test.skipIf(isMissing)(`the client's own tools are held to the policy by its hook${note}`, async () => {
      await using session = await play();
      await session.ended();
      for (const [index, { says, hides }] of guarded.steps.entries()) {
        const result = session.results[index];
        if (result === undefined) throw new Error(`the model was told nothing of ${index}; ${session.shown()}`);
        for (const part of says) expect(result).toMatch(part);
        if (hides !== undefined) expect(result).not.toContain(hides);
      }
      // What a person would be asked about is not done where nobody is.
      expect(existsSync(join(session.place.root, "made.txt"))).toBe(false);
    });

    test.skipIf(isMissing)(
      `the client's own tools are blocked where the program of its hook is gone${note}`,
      async () => {
        await using session = await play((hook) =>
          hook.replace(/[^\s"]*\/ringfence guard/, "/nowhere/ringfence guard"),
        );
        await session.ended();
        const told = session.results.slice(0, guarded.steps.filter(({ isOwn }) => isOwn).length);
        expect(told.length).toBeGreaterThan(1);
        for (const result of told) expect(result).not.toMatch(/Tide report|zanzibar|root:/);
        expect(told.filter((result) => result.includes("ringfence guard could not judge it"))).not.toEqual([]);
      },
    );
  });
}
