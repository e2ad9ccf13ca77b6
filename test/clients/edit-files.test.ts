/**
 * Edits of clients' files: what was wanted is there, every other byte is where it was, and what cannot be edited without doubt
 * is refused. `init` goes through the same function (`test/cli/init.test.ts`).
 */
import { describe, expect, test } from "bun:test";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { CLIENTS, planFile, takeOut, type ClientFile, type PlannedFile } from "../../src/clients/index.ts";
import { fc } from "../property.ts";

const SETUP = { program: ["/opt/ringfence"], roots: ["/srv/project"], flags: [], trustsProject: false, guards: false };
const PLACES = { home: "/h", project: "/p", prefix: "", platform: "linux", variables: {} };

function fileOf(client: string, scope: "project" | "user", index = 0): ClientFile {
  const row = CLIENTS.find(({ name }) => name === client);
  const file = row?.files(SETUP, PLACES, scope)[index];
  if (!file) throw new Error(`no file of ${client}`);
  return file;
}

const CLAUDE = fileOf("claude-code", "project");
const PERMISSIONS = fileOf("claude-code", "project", 1);
const OPENCODE = fileOf("opencode", "project");
const CODEX = fileOf("codex", "user");

function plan(file: ClientFile, text: string): PlannedFile | undefined {
  return planFile(file, file.path, Buffer.from(text));
}

/** What stands in the new text, in order, is the old text: nothing was removed, replaced or moved. */
function isOnlyLonger(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (char === before[at]) at++;
  return at === before.length;
}

const JSON_TEXTS: Readonly<Record<string, string>> = {
  "an empty object": "{}",
  "an empty object over lines": "{\n}\n",
  "an object of one line": '{"theme": "dark"}',
  "an object with blanks inside": '{ "theme": "dark" }\n',
  "comments around everything": '// one\n{\n  // two\n  "theme": "dark", // three\n  /* four */\n}\n// five\n',
  "a comment alone": "{\n  // nothing yet\n}\n",
  "trailing commas": '{\n  "list": [1, 2,],\n  "theme": "dark",\n}\n',
  tabs: '{\n\t"theme": "dark"\n}\n',
  "four blanks": '{\n    "theme": "dark"\n}',
  CRLF: '{\r\n  "theme": "dark" // x\r\n}\r\n',
  "a byte order mark": '\uFEFF{\n  "theme": "dark"\n}\n',
  "another server": '{\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n  }\n}\n',
};

describe("a file of JSON", () => {
  test.each(Object.entries(JSON_TEXTS))("planFile() keeps every byte of %s", (_name, text) => {
    const planned = plan(CLAUDE, text);
    const after = planned?.after ?? "";
    expect(isOnlyLonger(text, after)).toBe(true);
    const values = parseJson(after.replace("\uFEFF", ""));
    expect(values.mcpServers.ringfence).toMatchObject({ command: "/opt/ringfence" });
    expect(values).toMatchObject(parseJson(text.replace("\uFEFF", "")));
    expect(after.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
    // One kind of line end in, one kind out.
    if (text.includes("\r\n")) expect(after).not.toMatch(/(?<!\r)\n/);
    expect(plan(CLAUDE, after)).toBeUndefined();
    expect(takeOut(after, planned?.pieces ?? [])).toBe(text);
  });

  test("planFile() puts ours where its neighbours stand, and no comment changes its line", () => {
    const text = '{\n  // my theme\n  "theme": "dark", // dark\n}\n';
    expect(plan(fileOf("vs-code", "project"), text)?.after).toBe(`{
  "servers": {
    "ringfence": {
      "type": "stdio",
      "command": "/opt/ringfence",
      "args": ["serve", "--root", "/srv/project"]
    }
  },
  // my theme
  "theme": "dark", // dark
}
`);
  });

  test("planFile() adds to a list what it lacks, and keeps what is there", () => {
    const text = '{"permissions": {"deny": ["Read", "WebFetch"], "ask": []}}';
    const values = parseJson(plan(PERMISSIONS, text)?.after ?? "");
    expect(values.permissions.deny).toEqual([
      "Bash",
      "PowerShell",
      "Edit",
      "Write",
      "Glob",
      "Grep",
      "NotebookEdit",
      "Read",
      "WebFetch",
    ]);
    expect(values.permissions).toMatchObject({ ask: [], allow: ["mcp__ringfence__*"] });
  });

  test("planFile() changes members of an entry that say something else, and keeps the person's own", () => {
    const text = '{\n  "mcpServers": {\n    "ringfence": { "command": "old", "env": { "A": "1" } }\n  }\n}\n';
    const { ringfence } = parseJson(plan(CLAUDE, text)?.after ?? "").mcpServers;
    expect(ringfence).toMatchObject({ command: "/opt/ringfence", env: { A: "1" }, alwaysLoad: true });
  });

  test("planFile() turns a permission that was given into a refusal", () => {
    const values = parseJson(plan(OPENCODE, '{"permission": {"bash": "allow", "webfetch": "ask"}}')?.after ?? "");
    expect(values.permission).toMatchObject({ bash: "deny", read: "deny", webfetch: "ask" });
  });

  const REFUSED: [name: string, text: string, said: string][] = [
    ["broken", '{\n  "a": \n}', "line 3, column 1"],
    ["a list", "[]", "it holds no object"],
    ["a key twice", '{"mcpServers": {}, "mcpServers": {"x": {}}}', "stands there in another way"],
    ["a text where an object is", '{"mcpServers": "none"}', 'what should hold "ringfence" is no object'],
    ["null where an object is", '{"mcpServers": null}', 'what should hold "ringfence" is no object'],
    ["not UTF-8", "", "it is not UTF-8"],
  ];
  test.each(REFUSED)("planFile() refuses a file that is %s, and says where", (name, text, said) => {
    const bytes = name === "not UTF-8" ? Buffer.from([0x7b, 0xff, 0x7d]) : Buffer.from(text);
    expect(() => planFile(CLAUDE, "/x.json", bytes)).toThrow(said);
  });

  test("planFile() keeps every byte of any object, in any form", () => {
    const key = fc.constantFrom("a", "theme", "mcp", "x y", "é");
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(1, true, null, "text", "// no comment"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 3 }),
      ),
    }));
    const forms = fc.record({
      value: fc.dictionary(key, tree, { maxKeys: 4 }),
      indent: fc.constantFrom(0, 1, 2, 4, "\t"),
      ending: fc.constantFrom("\n", "\r\n"),
      comment: fc.boolean(),
    });
    fc.assert(
      fc.property(forms, ({ value, indent, ending, comment }) => {
        const plain = JSON.stringify(value, null, indent).replaceAll("\n", ending);
        const text = comment ? `// head${ending}${plain} // tail` : plain;
        const planned = plan(CLAUDE, text);
        expect(isOnlyLonger(text, planned?.after ?? "")).toBe(true);
        expect(parseJson(planned?.after ?? "")).toMatchObject(value);
        expect(takeOut(planned?.after ?? "", planned?.pieces ?? [])).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});

const TOML_TEXTS: Readonly<Record<string, string>> = {
  "an empty file": "",
  "a comment alone": "# mine\n",
  "keys without a table": 'model = "x" # mine\n',
  "no line end at the end": '[mcp_servers.other]\ncommand = "x"',
  "a table of features": "[features]\nweb = true # keep\n\n[tui]\ntheme = 'dark'\n",
  "a table at the very end": '[tui]\ntheme = "dark"\n[features]',
  CRLF: '# mine\r\nmodel = "x"\r\n\r\n[features]\r\nweb = true\r\n',
  "a byte order mark": '\uFEFFmodel = "x"\n',
  "a list of tables": '[[hooks.PreToolUse]]\nmatcher = "x"\n\n[[hooks.PreToolUse.hooks]]\ntype = "command"\n',
  "a text over lines that looks like a table": 'a = """\n[tui]\nsandbox = 1\n"""\n[tui]\nb = 1\n',
  "a quoted table": '[projects."/srv/a b"]\ntrust_level = "trusted"\n',
};

describe("a file of TOML", () => {
  test.each(Object.entries(TOML_TEXTS))("planFile() keeps every byte of %s", (_name, text) => {
    const planned = plan(CODEX, text);
    const after = planned?.after ?? "";
    expect(isOnlyLonger(text, after)).toBe(true);
    const values = parseToml(after.replace("\uFEFF", "")) as Record<string, Record<string, unknown>>;
    expect(values["mcp_servers"]).toMatchObject({ ringfence: { command: "/opt/ringfence", tool_timeout_sec: 3600 } });
    expect(values["features"]).toMatchObject({ shell_tool: false });
    expect(values["sandbox_mode"]).toEqual("read-only" as never);
    expect(values).toMatchObject(parseToml(text.replace("\uFEFF", "")));
    if (text.includes("\r\n")) expect(after).not.toMatch(/(?<!\r)\n/);
    expect(plan(CODEX, after)).toBeUndefined();
    expect(takeOut(after, planned?.pieces ?? [])).toBe(text);
  });

  test("planFile() replaces a value in its line, and keeps the comment behind it", () => {
    const after = plan(
      CODEX,
      'sandbox_mode = "danger-full-access"   # so it was\n[features]\nshell_tool = true # on\n',
    )?.after;
    expect(after).toContain('sandbox_mode = "read-only"   # so it was\n');
    expect(after).toContain("shell_tool = false # on\n");
  });

  test("planFile() finds a key with dots where another would write a table", () => {
    const after = plan(CODEX, "features.shell_tool = true\n")?.after ?? "";
    expect(after).toContain("features.shell_tool = false");
    expect(parseToml(after)["features"]).toEqual({ shell_tool: false, unified_exec: false, view_image: false });
  });

  const REFUSED: [name: string, text: string, said: string][] = [
    ["broken", "a = \n", "line 1"],
    ["one with our server in an inline table", "mcp_servers = { other = { command = 'x' } }\n", ""],
    ["one whose value goes over lines", 'sandbox_mode = """\nworkspace-write"""\n', ""],
    ["one with a key twice", "a = 1\na = 2\n", "line 2"],
  ];
  test.each(REFUSED)("planFile() refuses a file that is %s", (_name, text, said) => {
    expect(() => plan(CODEX, text)).toThrow(said === "" ? "Cannot edit" : said);
  });
});

test("takeOut() takes out what is ours from a file that others have changed, and nothing when it is not sure", () => {
  const planned = plan(CLAUDE, '{\n  "theme": "dark"\n}\n');
  const changed = planned?.after.replace("dark", "light") ?? "";
  expect(takeOut(changed, planned?.pieces ?? [])).toBe('{\n  "theme": "light"\n}\n');
  const edited = planned?.after.replace("/opt/ringfence", "/opt/other") ?? "";
  expect(takeOut(edited, planned?.pieces ?? [])).toBeUndefined();
});

test("planFile() writes a whole file only where none is, or one of ours", () => {
  const policy = fileOf("gemini-cli", "user", 1);
  expect(planFile(policy, policy.path, undefined)?.after).toContain('decision = "deny"');
  expect(plan(policy, "# Written by ringfence init, long ago\n")?.after).toContain('decision = "deny"');
  expect(() => plan(policy, "[[rule]]\n")).toThrow("ringfence did not write it");
});
