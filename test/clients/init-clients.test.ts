/**
 * `ringfence init` in a fresh home, asked of the clients themselves: after it each says by its own `mcp list` that it reaches
 * ringfence, a second run changes nothing, and `--undo` gives back every byte.
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "../cli/run-ringfence.ts";
import { npmClient, type ClientName } from "../components/npm-client.ts";
import { inOwnNetwork } from "../components/own-network.ts";
import { HANG_MS } from "../waits/until.ts";

interface SetUpClient {
  readonly name: ClientName;
  readonly title: string;
  /** Default: the project. */
  readonly scope?: "user";
  /** As `init` looks for it in PATH. */
  readonly program: string;
  /** The client's own word for it. */
  readonly says: RegExp;
  /** What a person has in the files before, in `home` and in `root`, each in a form that this client reads. */
  readonly before: Readonly<Record<string, string>>;
  /** Further files that become ours. */
  readonly more: readonly string[];
}

const CLIENTS: readonly SetUpClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    program: "claude",
    says: /^Claude Code says \(claude mcp list\): ringfence: .*Connected$/m,
    before: {
      "root/.mcp.json":
        '{\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "/bin/false", "args": [] }\r\n\t}\r\n}\r\n',
      "root/.claude/settings.json": '{\n  "permissions": { "deny": ["WebFetch"] }\n}',
      "home/.claude.json": '{\n  "numStartups": 3\n}\n',
    },
    more: ["root/.claude/settings.local.json"],
  },
  {
    name: "codex",
    title: "Codex",
    program: "codex",
    says: /^Codex says \(codex mcp list\): ringfence .*enabled/m,
    before: {
      "home/.codex/config.toml":
        '# mine\r\nmodel = "x" # why\r\n\r\n[features]\r\n# on\r\nweb_search_request = false\r\n\r\n[mcp_servers.other]\r\ncommand = "/bin/false"\r\n',
    },
    more: [],
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    program: "gemini",
    says: /^Gemini CLI says \(gemini mcp list\): .*ringfence: .*Connected$/m,
    before: {
      "root/.gemini/settings.json":
        '{\n  // mine\n  "ui": { "theme": "GitHub" },\n  "tools": { "exclude": ["web_fetch"] } // last\n}\n',
      "home/.gemini/trustedFolders.json": '{\n    "/elsewhere": "TRUST_FOLDER"\n}',
    },
    more: [],
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    scope: "user",
    program: "gemini",
    says: /^Gemini CLI says \(gemini mcp list\): .*ringfence: .*Connected$/m,
    before: {
      "home/.gemini/settings.json": '{\r\n  // mine\r\n  "ui": { "theme": "GitHub" }\r\n}',
      "home/.gemini/trustedFolders.json": "{}",
    },
    more: ["home/.gemini/policies/ringfence.toml"],
  },
  {
    name: "opencode",
    title: "opencode",
    program: "opencode",
    says: /^opencode says \(opencode mcp list\): .*ringfence.*connected/m,
    before: {
      "root/opencode.jsonc":
        '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"theme": "x", // dark\n\t"permission": {\n\t\t"webfetch": "deny",\n\t},\n}',
    },
    more: [],
  },
];

class Home implements Disposable {
  readonly place: Place = new Place();
  readonly #client: SetUpClient;

  constructor(client: SetUpClient) {
    this.#client = client;
    const bin = join(this.place.path, "bin", client.program);
    const command = npmClient(client.name)
      .command.map((word) => `'${word}'`)
      .join(" ");
    this.lay({ [`bin/${client.program}`]: `#!/bin/sh\nexec ${command} "$@"\n`, "home/.keep": "", ...client.before });
    chmodSync(bin, 0o755);
    Bun.spawnSync(["git", "init", "--quiet", this.place.root], { env: { HOME: join(this.place.path, "home") } });
  }

  lay(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.place.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** The bytes of the files that init writes; `null` for one that is not there. */
  files(): Record<string, string | null> {
    const names = [...Object.keys(this.#client.before), ...this.#client.more];
    return Object.fromEntries(
      names.map((name) => {
        const path = join(this.place.path, name);
        return [name, existsSync(path) ? readFileSync(path, "latin1") : null];
      }),
    );
  }

  async init(...args: readonly string[]): Promise<string> {
    const home = join(this.place.path, "home");
    const { scope: chosen } = this.#client;
    const scope = chosen === undefined || args.includes("--undo") ? [] : [`--scope=${chosen}`];
    const child = Bun.spawn(inOwnNetwork([await binaryPath(), "init", this.#client.name, "--yes", ...scope, ...args]), {
      cwd: this.place.root,
      env: {
        HOME: home,
        XDG_STATE_HOME: join(home, ".local", "state"),
        PATH: `${join(this.place.path, "bin")}:${process.env["PATH"]}`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: HANG_MS,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(`${stdout}\n${stderr}`);
    return stdout;
  }

  [Symbol.dispose](): void {
    this.place[Symbol.dispose]();
  }
}

for (const client of CLIENTS) {
  const { isMissing, note } = npmClient(client.name);
  describe(`${client.title} (${client.scope ?? "project"})`, () => {
    test.skipIf(isMissing)(
      `the client reaches ringfence by its own word once init has written its files${note}`,
      async () => {
        using home = new Home(client);
        const before = home.files();
        expect(await home.init("--trust")).toMatch(client.says);
        const written = home.files();
        expect(Object.entries(written).filter(([name, text]) => text === before[name])).toEqual([]);
        // The client has been started, and may keep something of its own beside ours.
        expect(await home.init("--trust", "--no-check")).toContain(`${client.title}: everything is there already.`);
        await home.init("--undo");
        const undone = home.files();
        for (const name of Object.keys(undone).filter((one) => one !== "home/.claude.json"))
          expect([name, undone[name]]).toEqual([name, before[name] ?? null]);
      },
    );

    test.skipIf(isMissing)(
      `init changes nothing the second time, and --undo gives back every byte${note}`,
      async () => {
        using home = new Home(client);
        const before = home.files();
        await home.init("--trust", "--no-check");
        const written = home.files();
        await home.init("--trust", "--no-check");
        expect(home.files()).toEqual(written);
        await home.init("--undo");
        expect(home.files()).toEqual(before);
      },
    );
  });
}

/** A form that people's files have, as a file of JSON and as one of TOML; `refused` where it cannot be edited without doubt. */
interface FileForm {
  readonly form: string;
  readonly json: string;
  readonly toml: string;
  readonly refused?: true;
  readonly as?: "a link" | "read-only";
}

const JSON_TEXT = '{\n  "theme": "dark"\n}\n';
const TOML_TEXT = 'model = "x"\n';

const FORMS: readonly FileForm[] = [
  { form: "plain", json: JSON_TEXT, toml: TOML_TEXT },
  { form: "empty", json: "", toml: "" },
  {
    form: "full of comments",
    json: '// a\n{\n  /* b */ "theme": "dark", // c\n  // d\n}\n// e',
    toml: '# a\nmodel = "x" # b\n\n# c\n[tui] # d\ntheme = "y"\n# e',
  },
  { form: "with CRLF", json: '{\r\n\t"theme": "dark"\r\n}\r\n', toml: 'model = "x"\r\n\r\n[tui]\r\ntheme = "y"\r\n' },
  { form: "with a byte order mark", json: `\u{feff}${JSON_TEXT}`, toml: `\u{feff}${TOML_TEXT}` },
  { form: "with trailing commas", json: '{ "a": [1, 2,], "theme": "dark", }', toml: "a = [1, 2,]\n" },
  { form: "behind a link", json: JSON_TEXT, toml: TOML_TEXT, as: "a link" },
  { form: "read-only", json: JSON_TEXT, toml: TOML_TEXT, as: "read-only", refused: true },
  { form: "invalid", json: '{ "theme": ', toml: "model = \n", refused: true },
  {
    form: "of two minds about our own key",
    json: '{ "mcpServers": {}, "mcpServers": {}, "mcp": {}, "mcp": {} }',
    toml: "mcp_servers = {}\nmcp_servers = {}\n",
    refused: true,
  },
];

const FILES = ["root/.mcp.json", "home/.codex/config.toml", "root/.gemini/settings.json", "root/opencode.json"];
const NAMES = ["claude-code", "codex", "gemini-cli", "opencode"];

describe("The files of four clients", () => {
  test.each(FORMS)(
    "init keeps every other byte of a file that is $form, or refuses it",
    async ({ json, toml, as, refused }) => {
      using place = new Place();
      const textOf = (name: string): string => (name.endsWith(".toml") ? toml : json);
      for (const name of FILES) {
        const path = join(place.path, name);
        mkdirSync(dirname(path), { recursive: true });
        const real = as === "a link" ? join(place.path, "dotfiles", name.replaceAll("/", "-")) : path;
        mkdirSync(dirname(real), { recursive: true });
        writeFileSync(real, textOf(name));
        if (as === "a link") symlinkSync(real, path);
        if (as === "read-only") chmodSync(path, 0o444);
      }
      const now = (): string[] => FILES.map((name) => readFileSync(join(place.path, name), "utf8"));
      const links = (): boolean[] => FILES.map((name) => lstatSync(join(place.path, name)).isSymbolicLink());
      const before = now();
      const kinds = links();
      const init = async (...args: string[]): Promise<CliResult> =>
        await runRingfence(place, ["init", ...args, "--yes"], { env: { HOME: join(place.path, "home") } });

      const first = await init(...NAMES, "--no-check");
      const written = now();
      if (refused) {
        expect([first.code, written]).toEqual([1, before]);
        for (const name of FILES) expect(first.stderr).toContain(join(place.path, name));
        return;
      }
      expect([first.code, links()]).toEqual([0, kinds]);
      for (const [index, text] of written.entries()) {
        expect(text).toContain("ringfence");
        expect(isOnlyLonger(before[index] ?? "", text)).toBe(true);
      }
      await init(...NAMES, "--no-check");
      expect(now()).toEqual(written);
      expect((await init("--undo")).code).toBe(0);
      expect([now(), links()]).toEqual([before, kinds]);
    },
  );
});

/** What stands in the new text, in order, is the old text: nothing was removed, replaced or moved. */
function isOnlyLonger(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (char === before[at]) at++;
  return at === before.length;
}
