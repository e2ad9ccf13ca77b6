/**
 * The hook `PreToolUse` of Codex: https://developers.openai.com/codex/hooks. Its form is that of Claude Code without `ask` and
 * `allow`, which Codex calls unsupported and then goes on. Every way to run a line comes as `Bash`.
 */
import { sayPermission } from "./claude-code.ts";
import type { GuardRow } from "./guard-row.ts";

export const codexGuard: GuardRow = {
  name: "codex",
  mcpName: "codex-mcp-client",
  events: { PreToolUse: { asks: false } },
  tools: {
    Bash: { does: "run", line: ["command", "cmd"], cwd: "workdir" },
    apply_patch: { does: "patch", text: ["command", "input", "patch"] },
    view_image: { does: "read", path: "path" },
    web_search: { does: "ask", why: "it reaches the network" },
  },
  passes: ["update_plan", "request_user_input", "spawn_agent", "wait_agent", "close_agent", "tool_search"],
  mcp: /^mcp__(?<server>.+?)__(?<tool>.+)$/s,
  say: sayPermission,
};
