/**
 * The hook `BeforeTool` of Gemini CLI: https://geminicli.com/docs/hooks/reference. `ask` is not in its reference; 0.61 puts it
 * to the person, and without a terminal it waits for the answer for ever. So nothing is asked there.
 */
import type { GuardRow } from "./guard-row.ts";

export const geminiCliGuard: GuardRow = {
  name: "gemini-cli",
  mcpName: "gemini-cli-mcp-client",
  events: { BeforeTool: { asks: false } },
  tools: {
    read_file: { does: "read", path: ["file_path", "absolute_path"] },
    read_many_files: { does: "search", path: "dir_path", globs: "include" },
    write_file: { does: "write", path: "file_path" },
    replace: { does: "edit", path: "file_path" },
    list_directory: { does: "find", path: ["dir_path", "path"] },
    glob: { does: "find", path: ["dir_path", "path"], globs: "pattern" },
    grep_search: { does: "search", path: ["dir_path", "path"], expression: "pattern" },
    run_shell_command: { does: "run", line: "command", cwd: ["dir_path", "directory"] },
    web_fetch: { does: "ask", why: "it reaches the network" },
    google_web_search: { does: "ask", why: "it reaches the network" },
  },
  passes: [
    "activate_skill",
    "ask_user",
    "complete_task",
    "enter_plan_mode",
    "exit_plan_mode",
    "get_internal_docs",
    "invoke_agent",
    "list_mcp_resources",
    "update_topic",
    "write_todos",
  ],
  // A name of a server has no `_` there.
  mcp: /^mcp_(?<server>[^_]+)_(?<tool>.+)$/s,
  say: ({ verdict, reason }) => (verdict === "pass" ? {} : { decision: verdict, reason }),
};
