/**
 * The hooks of Cursor: https://cursor.com/docs/hooks. With `failClosed` an answer that says nothing blocks the call, so every
 * answer has a permission. `preToolUse` fires for every tool; it takes `ask` and does not obey it, and `beforeShellExecution`
 * was seen to block on it without a question. So nothing is asked there.
 */
import type { GuardRow } from "./guard-row.ts";

export const cursorGuard: GuardRow = {
  name: "cursor",
  mcpName: "cursor-vscode",
  events: {
    preToolUse: { asks: false },
    beforeShellExecution: { asks: false, tool: { does: "run", line: "command", cwd: "cwd" } },
    beforeReadFile: { asks: false, tool: { does: "read", path: "file_path" } },
    beforeTabFileRead: { asks: false, tool: { does: "read", path: "file_path" } },
  },
  tools: {
    Shell: { does: "run", line: "command", cwd: ["cwd", "working_directory"] },
    Read: { does: "read", path: ["file_path", "path", "target_file"] },
    Write: { does: "write", path: ["file_path", "path", "target_file"] },
    StrReplace: { does: "edit", path: ["file_path", "path"] },
    Edit: { does: "edit", path: ["file_path", "path"] },
    EditNotebook: { does: "edit", path: ["target_notebook", "file_path", "path"] },
    Delete: { does: "delete", path: ["file_path", "path", "target_file"] },
    LS: { does: "find", path: ["path", "target_directory"] },
    Glob: { does: "find", path: ["target_directory", "path"], globs: ["glob_pattern", "pattern"] },
    Grep: { does: "search", path: ["file_path", "path"], expression: "pattern" },
    SemanticSearch: { does: "search", path: ["file_path", "path"] },
    WebFetch: { does: "ask", why: "it reaches the network" },
    WebSearch: { does: "ask", why: "it reaches the network" },
  },
  passes: ["AskQuestion", "CreatePlan", "ReadLints", "Task", "TodoWrite", "UpdateTodos"],
  // The name does not tell the server.
  mcp: /^MCP:(?<tool>.+)$/s,
  say: ({ verdict, reason }) =>
    verdict === "pass" ? { permission: "allow" } : { permission: verdict, user_message: reason, agent_message: reason },
};
