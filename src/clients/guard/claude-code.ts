/**
 * The hook `PreToolUse` of Claude Code: https://code.claude.com/docs/en/hooks. It fires for the tools of sub-agents too.
 */
import type { GuardRow, HookAnswer } from "./guard-row.ts";

export const claudeCodeGuard: GuardRow = {
  name: "claude-code",
  mcpName: "claude-code",
  events: { PreToolUse: { asks: true } },
  tools: {
    Read: { does: "read", path: "file_path" },
    LSP: { does: "read", path: ["filePath", "file_path"] },
    Write: { does: "write", path: "file_path" },
    Edit: { does: "edit", path: "file_path" },
    MultiEdit: { does: "edit", path: "file_path" },
    NotebookEdit: { does: "edit", path: "notebook_path" },
    LS: { does: "find", path: "path" },
    Glob: { does: "find", path: "path", globs: "pattern" },
    Grep: { does: "search", path: "path", expression: "pattern" },
    Bash: { does: "run", line: "command" },
    Monitor: { does: "run", line: "command" },
    PowerShell: { does: "ask", why: "nobody here can read PowerShell" },
    WebFetch: { does: "ask", why: "it reaches the network" },
    WebSearch: { does: "ask", why: "it reaches the network" },
  },
  passes: [
    "Agent",
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillShell",
    "ListMcpResourcesTool",
    "Skill",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
  ],
  mcp: /^mcp__(?<server>.+?)__(?<tool>.+)$/s,
  say: sayPermission,
};

/** The form of Claude Code, which Codex has taken over. Without a decision the client goes on as it would without a hook. */
export function sayPermission({ verdict, reason }: HookAnswer, event: string): object {
  if (verdict === "pass") return {};
  return {
    hookSpecificOutput: { hookEventName: event, permissionDecision: verdict, permissionDecisionReason: reason },
  };
}
