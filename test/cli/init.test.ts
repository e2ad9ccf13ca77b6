/**
 * `ringfence init` as a person or a script uses it, in a home of its own: what is written, what is left alone, and how it is
 * taken back. What the edits do to the text of a file is in `test/clients/edit-files.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runAtTerminal } from "./at-terminal.ts";
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

/** Every file of the home and of the project, by its path. */
function filesNow(): Record<string, string> {
  const below = (folder: string): [string, string][] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [[`${relative(place.path, path)}/`, ""], ...below(path)];
      return [[relative(place.path, path), entry.isSymbolicLink() ? "link" : readFileSync(path, "latin1")]];
    });
  return Object.fromEntries([...below(join(place.path, "home")), ...below(place.root)]);
}

function lay(name: string, text: string): string {
  const path = join(place.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const ALL = ["claude-code", "codex", "gemini-cli", "opencode", "cursor", "vs-code"];

describe("ringfence init", () => {
  test("init writes every client's files, writes nothing the second time, and --undo gives back every byte", async () => {
    lay("home/.codex/config.toml", '# mine\r\nmodel = "x"\r\n');
    lay("root/.mcp.json", '\uFEFF{\n  // mine\n  "mcpServers": { "other": { "command": "x" } },\n}\n');
    lay("root/opencode.jsonc", '{\n\t"theme": "x", // dark\n}');
    const before = filesNow();
    const first = await run("init", ...ALL, "--yes", "--no-check");
    expect([first.code, first.stderr]).toEqual([
      0,
      "info: Codex has no files of a project: this is for all folders of this user, " +
        `and ringfence serves only ${place.root} in them.\n`,
    ]);
    const written = filesNow();
    expect(
      Object.keys(written)
        .filter((name) => !(name in before) && !name.endsWith("/"))
        .sort(),
    ).toEqual([
      "root/.claude/settings.json",
      "root/.claude/settings.local.json",
      "root/.cursor/hooks.json",
      "root/.cursor/mcp.json",
      "root/.gemini/settings.json",
      "root/.github/agents/ringfence.agent.md",
      "root/.vscode/mcp.json",
    ]);
    expect(written["root/opencode.jsonc"]).toContain('"theme": "x", // dark');
    const second = await run("init", ...ALL, "--yes", "--no-check");
    expect(second.stdout.match(/everything is there already/g)).toHaveLength(ALL.length);
    expect(filesNow()).toEqual(written);
    const undone = await run("init", "--undo", "--yes");
    expect([undone.code, undone.stderr]).toEqual([0, ""]);
    expect(filesNow()).toEqual(before);
    expect((await run("init", "--undo", "--yes")).stderr).toContain("nothing that could be taken back");
  });

  test("init names this executable and the root by their whole paths, with the flags that were given", async () => {
    mkdirSync(join(place.path, "other"));
    await run(
      "init",
      "codex",
      "--yes",
      "--no-check",
      "--root",
      ".",
      "--root",
      "../other:ro",
      "--mode=plan",
      "--dialect=codex",
    );
    const { mcp_servers: servers } = Bun.TOML.parse(
      readFileSync(join(place.path, "home/.codex/config.toml"), "utf8"),
    ) as {
      mcp_servers: { ringfence: { command: string; args: string[] } };
    };
    const { command, args } = servers.ringfence;
    expect(existsSync(command) && statSync(command).size).toBeGreaterThan(1_000_000);
    const other = `${join(place.path, "other")}:ro`;
    expect(args).toEqual(["serve", "--root", place.root, "--root", other, "--dialect=codex", "--mode=plan"]);
  });

  test("init --dry-run shows the diff of each file and writes nothing", async () => {
    const before = filesNow();
    const { code, stdout } = await run("init", "claude-code", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(`+++ ${join(place.root, ".mcp.json")}`);
    expect(stdout).toContain('+    "deny": ["Bash"');
    expect(filesNow()).toEqual(before);
    expect(existsSync(join(place.path, "state-home", "ringfence", "setups.json"))).toBe(false);
  });

  test("init without a name sets up the clients that were used here, and says so when there are none", async () => {
    const none = await run("init", "--yes");
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining("No client was found. Name one: claude-code"),
    ]);
    mkdirSync(join(place.path, "home/.codex"));
    expect((await run("init", "--yes", "--no-check")).stdout).toContain("Written: ");
    expect(Object.keys(filesNow()).filter((name) => !name.endsWith("/"))).toEqual(["home/.codex/config.toml"]);
  });

  test("init at a terminal asks for what was not given, and writes only after a yes", async () => {
    const given = ["init", "codex", "--root=.", "--mode=default", "--dialect=ringfence", "--no-check"];
    const question = "Write this file for Codex? [y/N]";
    const no = await runAtTerminal(place, given, question, "\n");
    expect([no.code, no.screen]).toEqual([0, expect.stringContaining("nothing was written")]);
    expect(existsSync(join(place.path, ".codex"))).toBe(false);
    const yes = await runAtTerminal(place, given, question, "y\n");
    expect(yes.screen).toContain("\n+[mcp_servers.ringfence]\n");
    expect(existsSync(join(place.path, ".codex/config.toml"))).toBe(true);
    const asked = await runAtTerminal(place, ["init", "codex", "--mode=plan"], "may the client work in? [", "\u0003");
    expect([asked.code, asked.screen]).toEqual([1, expect.stringContaining(`[${place.root}]`)]);
  });

  test("init at a terminal asks again for what it cannot take", async () => {
    const given = ["init", "codex", "--root=.", "--dialect=ringfence", "--no-check"];
    const question = "How are changes decided? [default]";
    const answers = [[question, "plan\n"] as const, ["Write this file for Codex? [y/N]", "y\n"] as const];
    const { code, screen } = await runAtTerminal(place, given, question, "n\n", ...answers);
    expect([code, screen]).toEqual([0, expect.stringContaining('"n" is none of default, accept_edits, plan, bypass.')]);
    expect(readFileSync(join(place.path, ".codex/config.toml"), "utf8")).toContain("--mode=plan");
  });

  test("init refuses roots with which no host starts before it shows a diff", async () => {
    await run("init", "opencode", "--yes", "--no-check");
    const before = filesNow();
    for (const [root, said] of [
      ["/", 'the root "/" is the whole file system'],
      ["nowhere", "it does not exist"],
      ["../state-home/ringfence", "it is the state folder of this host"],
    ] as const) {
      const { code, stdout, stderr } = await run("init", "codex", "--yes", "--no-check", "--root", root);
      expect([root, code > 0, stdout, stderr]).toEqual([root, true, "", expect.stringContaining(said)]);
    }
    expect(filesNow()).toEqual(before);
  });

  test("init warns of a root that has the whole home directory in it, and of no other", async () => {
    const warning = "warn: the client will reach all of your home directory; name a project with --root DIR\n";
    expect((await run("init", "opencode", "--dry-run", "--root=../home")).stderr).toBe(warning);
    expect((await run("init", "opencode", "--dry-run", "--root=..")).stderr).toBe(warning);
    const settings = join(place.path, "home/.config/ringfence/ringfence.json");
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{ "allow_root_fs": true }');
    expect((await run("init", "opencode", "--dry-run", "--root=/")).stderr).toBe(warning);
    const project = join(place.path, "home", "project");
    mkdirSync(project);
    expect((await run("init", "opencode", "--dry-run", "--root", project)).stderr).toBe("");
  });

  test("init --scope=user says that the files of all folders name one directory", async () => {
    const { stderr } = await run("init", "gemini-cli", "--scope=user", "--yes", "--no-check");
    expect(stderr).toBe(
      `info: Gemini CLI: this is for all folders of this user, and ringfence serves only ${place.root} in them.\n`,
    );
  });

  test("init --scope=user of VS Code writes into the folders of the user, and nothing into the project", async () => {
    const { code, stdout } = await run("init", "vs-code", "--scope=user", "--yes", "--no-check");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Still to do: Choose the agent `ringfence`")]);
    const files = filesNow();
    expect(
      Object.keys(files)
        .filter((path) => !path.endsWith("/"))
        .sort(),
    ).toEqual(["home/.config/Code/User/mcp.json", "home/.copilot/agents/ringfence.agent.md"]);
    expect(JSON.parse(files["home/.config/Code/User/mcp.json"] ?? "")).toMatchObject({
      servers: { ringfence: { args: ["serve", "--root", place.root] } },
    });
    expect((await run("init", "--undo", "--yes")).code).toBe(0);
    expect(Object.keys(filesNow()).filter((path) => !path.endsWith("/"))).toEqual([]);
  });

  test("init writes through a link and keeps it, and keeps the mode of a file", async () => {
    const real = lay("dotfiles/codex.toml", 'model = "x"\n');
    chmodSync(real, 0o600);
    mkdirSync(join(place.path, "home/.codex"));
    const link = join(place.path, "home/.codex/config.toml");
    symlinkSync(real, link);
    expect((await run("init", "codex", "--yes", "--no-check")).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("[mcp_servers.ringfence]");
    expect(statSync(real).mode & 0o777).toBe(0o600);
    await run("init", "--undo", "--yes");
    expect(readFileSync(real, "utf8")).toBe('model = "x"\n');
  });

  test("init refuses a file that it cannot edit, says why, and sets up the other clients", async () => {
    const broken = lay("root/.mcp.json", '{ "mcpServers": \n');
    const readOnly = lay("root/opencode.json", "{}\n");
    chmodSync(readOnly, 0o444);
    symlinkSync("nowhere", join(place.root, ".gemini"));
    const { code, stderr } = await run("init", ...ALL, "--yes", "--no-check");
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot edit "${broken}": line `);
    expect(stderr).toContain(`Cannot edit "${readOnly}": it is read-only`);
    expect(stderr).toContain("Repair the link");
    expect([readFileSync(broken, "utf8"), readFileSync(readOnly, "utf8")]).toEqual(['{ "mcpServers": \n', "{}\n"]);
    expect(existsSync(join(place.root, ".claude"))).toBe(false);
    expect(existsSync(join(place.path, "home/.codex/config.toml"))).toBe(true);
  });

  test("init --undo takes out what is ours from a file that has changed since, and leaves what is unclear to the person", async () => {
    const path = lay("root/opencode.json", '{\n  "theme": "dark"\n}\n');
    await run("init", "opencode", "codex", "--yes", "--no-check");
    writeFileSync(path, readFileSync(path, "utf8").replace("dark", "light"));
    const config = join(place.path, "home/.codex/config.toml");
    writeFileSync(config, readFileSync(config, "utf8").replace("tool_timeout_sec = 3600", "tool_timeout_sec = 5"));
    const { code, stderr } = await run("init", "--undo", "--yes");
    expect(code).toBe(1);
    expect(readFileSync(path, "utf8")).toBe('{\n  "theme": "light"\n}\n');
    expect(stderr).toContain(`Cannot take it out of "${config}": it was changed since. By hand, take out:`);
    expect(readFileSync(config, "utf8")).toContain("tool_timeout_sec = 5");
  });

  test("init is on record and in the history like any other change", async () => {
    await run("init", "codex", "--yes", "--no-check");
    expect((await run("history")).stdout).toContain("config.toml");
    expect((await run("audit", "verify")).code).toBe(0);
  });

  test("init --print shows what belongs where, of clients whose files are not written too", async () => {
    const { code, stdout } = await run("init", "goose", "claude-desktop", "codex", "--print");
    expect(code).toBe(0);
    expect(stdout).toContain("# Goose: ~/.config/goose/config.yaml");
    expect(stdout).toContain("# Claude Desktop: claude_desktop_config.json");
    expect(stdout).toContain("[mcp_servers.ringfence]");
    expect((await run("init", "--print")).stdout).toContain("# Windsurf:");
  });

  const WRONG: [args: string, said: string][] = [
    ["codex", "nobody is at a terminal to look at the changes"],
    ["codx --yes", "did you mean codex?"],
    ["foo", 'there is no client "foo"; there are claude-code, codex, gemini-cli, opencode, cursor, vs-code'],
    ["goose --yes", "ringfence init goose --print shows what belongs there"],
    ["codex --yes --scope=all", "--scope takes project or user"],
    ["codex --yes --mode=yolo", "--mode takes default, accept_edits, plan, bypass"],
    ["codex --yes --dialect=klingon", "--dialect takes ringfence"],
    ["codex --yes --prefix=/x", "--prefix goes with --managed"],
    ["--undo codx --yes", "did you mean codex?"],
    ["nobody --print", 'there is no client "nobody"'],
  ];
  test.each(WRONG)("init %s is a wrong command line, and the error says what is right", async (args, said) => {
    const { code, stderr } = await run("init", ...args.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});
