/**
 * What the hook of each client means, read from the messages that the client sends: as calls of our own tools, which the policy
 * answers. What the policy says of them is in `test/cli/guard.test.ts`, with the executable.
 */
import { describe, expect, test } from "bun:test";
import type * as clients from "../../src/clients/index.ts";
import { GUARDS, readHook, type GuardRow, type ToldHook, type ToolMeaning } from "../../src/clients/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

type Name = (typeof GUARDS)[number]["name"];

function read(name: Name, told: object | string): ToldHook {
  return readHook(guardOf(name, GUARDS), typeof told === "string" ? told : JSON.stringify(told));
}

function guardOf(name: Name, guards: readonly GuardRow[]): GuardRow {
  const row = guards.find((one) => one.name === name);
  if (!row) throw new Error(`there is no ${name}`);
  return row;
}

function patchOf(body: string): object {
  return { command: `*** Begin Patch\n${body}\n*** End Patch` };
}

const EVENTS: Readonly<Record<Name, string>> = {
  "claude-code": "PreToolUse",
  codex: "PreToolUse",
  cursor: "preToolUse",
  "gemini-cli": "BeforeTool",
};

function meaning(name: Name, tool: string, input: unknown, more: object = { cwd: "/p" }): ToolMeaning {
  return read(name, { hook_event_name: EVENTS[name], tool_name: tool, tool_input: input, ...more }).meaning;
}

/** The calls in one line each. */
function calls(of: ToolMeaning): string[] | string {
  if (of.means !== "calls") return of.means;
  return of.calls.map(({ name, arguments: given }) => `${name} ${Object.values(given).join(" in ")}`);
}

const READS: [Name, tool: string, input: object, expected: string[]][] = [
  ["claude-code", "Read", { file_path: "/p/a" }, ["read_file /p/a"]],
  ["claude-code", "Read", { file_path: "../x" }, ["read_file /p/../x", "read_file /x"]],
  ["claude-code", "Write", { file_path: "/p/a", content: "" }, ["write_file /p/a"]],
  ["claude-code", "Edit", { file_path: "a", old_string: "", new_string: "" }, ["edit_file /p/a"]],
  ["claude-code", "NotebookEdit", { notebook_path: "/p/a.ipynb", new_source: "" }, ["edit_file /p/a.ipynb"]],
  ["claude-code", "Bash", { command: "ls -l" }, ["shell ls -l in /p"]],
  ["claude-code", "Glob", { pattern: "**/*.ts" }, ["list_directory /p", "shell find /p in /p"]],
  [
    "claude-code",
    "Glob",
    { pattern: "../q/*.ts", path: "src" },
    ["list_directory /p/src", "shell find /p/src in /p/src", "list_directory /p/q", "shell find /p/q in /p/q"],
  ],
  [
    "claude-code",
    "Grep",
    { pattern: "key", path: "it's" },
    ["grep key in /p/it's", "shell grep -r x '/p/it'\\''s' in /p/it's"],
  ],
  ["codex", "Bash", { command: "ls" }, ["shell ls in /p"]],
  ["codex", "Bash", { command: "ls", workdir: "sub" }, ["shell ls in /p/sub"]],
  [
    "codex",
    "apply_patch",
    {
      command:
        "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: /q/b\n*** Move to: c\n@@\n-x\n+y\n  *** Delete File: d \r\n*** End Patch",
    },
    ["write_file /p/a", "edit_file /q/b", "delete /q/b", "write_file /p/c", "delete /p/d"],
  ],
  ["gemini-cli", "read_file", { file_path: "a" }, ["read_file /p/a"]],
  ["gemini-cli", "replace", { file_path: "a", old_string: "", new_string: "" }, ["edit_file /p/a"]],
  ["gemini-cli", "run_shell_command", { command: "ls", dir_path: "sub" }, ["shell ls in /p/sub"]],
  ["gemini-cli", "list_directory", { dir_path: "/" }, ["list_directory /", "shell find / in /"]],
  [
    "gemini-cli",
    "read_many_files",
    { include: ["/etc/*"] },
    ["grep x in /p", "shell grep -r x /p in /p", "grep x in /etc", "shell grep -r x /etc in /etc"],
  ],
  ["cursor", "Read", { file_path: "/p/a" }, ["read_file /p/a"]],
  ["cursor", "Delete", { path: "a" }, ["delete /p/a"]],
  ["cursor", "Shell", { command: "ls", cwd: "" }, ["shell ls in /p"]],
];

/** Each names a file beside a harmless one, and is read in another way by JavaScript and by Codex, or by two versions of it. */
const UNREADABLE_HEADERS: readonly string[] = [
  "*** Add File: x\u2028/../../out",
  "*** Add File: x\u2029/../../out",
  "*** Add File: x\r/../../out",
  "*** Add File: x\t/../../out",
  "\u0085*** Add File: /out\u0085",
  "*** Add File: link\uFEFF",
  "*** Update File: a\n*** Move to: link ",
  "*** Environment ID: remote",
  "*** Add File: ",
];

const inClaude = (decision: string): object => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: "why" },
});
const inCursor = (permission: string): object => ({ permission, user_message: "why", agent_message: "why" });

describe("The hook of a client", () => {
  test.each(READS)("%s: the tool %s with %j means calls of our own", (name, tool, input, expected) => {
    expect(calls(meaning(name, tool, input))).toEqual(expected);
  });

  const DENIED: [Name, tool: string, input: unknown, more?: object][] = [
    ["claude-code", "Frobnicate", {}],
    ["claude-code", "constructor", {}],
    ["claude-code", "Read", {}],
    ["claude-code", "Read", null],
    ["claude-code", "Read", { file_path: 7 }],
    ["claude-code", "Read", { file_path: "~/.ssh/id_rsa" }],
    ["claude-code", "Read", { file_path: "a\0b" }],
    ["claude-code", "Read", { file_path: "a" }, {}],
    ["claude-code", "Read", { file_path: "a" }, { cwd: "relative" }],
    ["claude-code", "Glob", { pattern: "{a,../..}/*" }],
    ["claude-code", "Glob", { pattern: "{/etc,a}/*" }],
    ["claude-code", "Glob", { pattern: "~/*" }],
    ["claude-code", "Bash", {}],
    ["claude-code", "Bash", { command: ["ls", "-l"] }],
    ["claude-code", "Glob", { pattern: "*", path: ["/etc"] }],
    ["codex", "Bash", { command: "ls", cmd: "rm -rf /" }],
    ["cursor", "Read", { file_path: "/p/a", path: "/etc/passwd" }],
    ["gemini-cli", "glob", { pattern: "*", dir_path: "/p", path: "/etc" }],
    ["gemini-cli", "read_many_files", { include: [{ pattern: "*" }] }],
    ["codex", "apply_patch", { command: "*** Begin Patch\n*** End Patch" }],
    ["codex", "apply_patch", {}],
    ...UNREADABLE_HEADERS.map((header): [Name, string, object] => [
      "codex",
      "apply_patch",
      { command: `*** Begin Patch\n*** Add File: harmless\n+x\n${header}\n+x\n*** End Patch` },
    ]),
    ["codex", "write_stdin", { chars: "rm -rf /\n" }],
    ["gemini-cli", "save_memory", { fact: "x" }],
    ["cursor", "Read", { file_path: "a" }, { cwd: "", workspace_roots: [] }],
  ];
  test.each(DENIED)(
    "%s: the tool %s with %j is denied, because nobody can tell what it would do",
    (...[name, tool, input, more]) => {
      expect(meaning(name, tool, input, more)).toMatchObject({ means: "deny" });
    },
  );

  const UNREADABLE: [Name, told: object | string, says: string][] = [
    ["claude-code", "garbage", "what came on stdin is not JSON"],
    ["claude-code", "", "what came on stdin is not JSON"],
    ["claude-code", "[]", "it is no object"],
    ["claude-code", { tool_name: "Read" }, "no event that is answered"],
    ["claude-code", { hook_event_name: "PostToolUse", tool_name: "Read" }, "no event that is answered"],
    ["claude-code", { hook_event_name: "toString", tool_name: "Read" }, "no event that is answered"],
    ["codex", { hook_event_name: "PreToolUse" }, "it names no tool"],
    ["codex", { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: 3 }, "its arguments are no object"],
    [
      "cursor",
      { hook_event_name: "preToolUse", tool_name: "Shell", tool_input: "{" },
      "what came on stdin is not JSON",
    ],
  ];
  test.each(UNREADABLE)("%s: the message %j is an error", (name, told, says) => {
    expect(() => read(name, told)).toThrow(says);
  });

  test("Tools of servers are told apart by the name, and those that touch nothing are left to the client", () => {
    expect(meaning("claude-code", "mcp__ringfence__read_file", {})).toEqual({
      means: "mcp",
      server: "ringfence",
      mcpTool: "read_file",
    });
    expect(meaning("gemini-cli", "mcp_other_read_file", {})).toEqual({
      means: "mcp",
      server: "other",
      mcpTool: "read_file",
    });
    expect(meaning("cursor", "MCP:read_file", "{}")).toEqual({ means: "mcp", server: undefined, mcpTool: "read_file" });
    expect(meaning("claude-code", "TodoWrite", {})).toEqual({ means: "nothing" });
    expect(meaning("claude-code", "WebFetch", {})).toEqual({ means: "ask", why: "it reaches the network" });
  });

  test("A header of a patch counts behind every white space that Codex takes away, and its name goes to the end of the line", () => {
    const headers = ["\u0085*** Add File: a", "\u3000\t*** Delete File: b\u00A0 ", "*** Add File: c\\d e\u00A0f"];
    const command = ["*** Begin Patch", ...headers, "*** End Patch"].join("\r\n");
    expect(calls(meaning("codex", "apply_patch", { command }))).toEqual([
      "write_file /p/a",
      "delete /p/b",
      "write_file /p/c\\d e\u00A0f",
    ]);
  });

  const LONG: [what: string, name: Name, tool: string, input: (size: number) => object][] = [
    ["white space in a name", "codex", "apply_patch", (size) => patchOf(`*** Add File: a${" ".repeat(size)}x`)],
    ["white space before a header", "codex", "apply_patch", (size) => patchOf(`${" ".repeat(size)}*** Add File:`)],
    [
      "white space behind a name",
      "codex",
      "apply_patch",
      (size) => patchOf(`*** Add File: a${" \t".repeat(size / 2)}`),
    ],
    ["lines that end in a return", "codex", "apply_patch", (size) => patchOf("\r".repeat(size))],
    ["headers", "codex", "apply_patch", (size) => patchOf("*** Update File: a\n".repeat(size / 19))],
    ["half headers", "codex", "apply_patch", (size) => patchOf("*** Update File:\n".repeat(size / 17))],
    ["braces of a glob", "claude-code", "Glob", (size) => ({ pattern: `${"{a,".repeat(size / 3)}*` })],
  ];
  test.each(LONG)("A long message is read in steps that grow with its length: %s", async (_, name, tool, input) => {
    const counted = await loadCounted<typeof clients>("src/clients/index.ts");
    const row = guardOf(name, counted.GUARDS);
    expectGrowth({ size: 16_384, mostGrowth: 2.1, mostPerUnit: 25 }, (size) => {
      const told = { hook_event_name: EVENTS[name], tool_name: tool, tool_input: input(size), cwd: "/p" };
      const text = JSON.stringify(told);
      return () => counted.readHook(row, text);
    });
  });

  test("A long name of a tool is read in steps that grow with its length", async () => {
    const counted = await loadCounted<typeof clients>("src/clients/index.ts");
    const row = guardOf("claude-code", counted.GUARDS);
    expectGrowth({ size: 16_384, mostGrowth: 2.1, mostPerUnit: 25 }, (size) => {
      const text = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: `mcp__${"_".repeat(size)}` });
      return () => counted.readHook(row, text);
    });
  });

  test("Cursor's own events name no tool, and its relative paths begin in the folder of its window", () => {
    const more = { workspace_roots: ["/w"], cwd: "" };
    const shell = read("cursor", { hook_event_name: "beforeShellExecution", command: "cat a", ...more });
    expect([shell.tool, calls(shell.meaning)]).toEqual(["beforeShellExecution", ["shell cat a in /w"]]);
    const file = read("cursor", { hook_event_name: "beforeReadFile", file_path: "a", content: "secret", ...more });
    expect(calls(file.meaning)).toEqual(["read_file /w/a"]);
  });

  test("Every client is answered in its own form, and only where it asks its person a question stays one", () => {
    const said = GUARDS.map((row) => {
      const event = EVENTS[row.name];
      const answer = (verdict: "pass" | "ask" | "deny"): object => row.say({ verdict, reason: "why" }, event);
      return [row.name, row.events[event]?.asks, answer("pass"), answer("ask"), answer("deny")];
    });
    expect(said).toEqual([
      ["claude-code", true, {}, inClaude("ask"), inClaude("deny")],
      ["codex", false, {}, inClaude("ask"), inClaude("deny")],
      ["cursor", false, { permission: "allow" }, inCursor("ask"), inCursor("deny")],
      ["gemini-cli", false, {}, { decision: "ask", reason: "why" }, { decision: "deny", reason: "why" }],
    ]);
  });
});
