/**
 * Claude Code. Its own tools leave the model's context where a bare name is denied. A server of `.mcp.json` waits for a click
 * unless the settings of this person for this project enable it; one of the user's own file does not.
 */
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, Setup, WantedEdit } from "../client.ts";
import { guardHook, guardLine, serveArguments, SERVER, LONG_MS } from "./entry.ts";

const OWN_TOOLS = ["Bash", "PowerShell", "Read", "Edit", "Write", "Glob", "Grep", "NotebookEdit"];
const OURS = `mcp__${SERVER}__*`;

export const claudeCode: ClientRow = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  marks: [".claude", ".claude.json"],
  scopes: ["project", "user", "managed"],
  files: filesOf,
  ownTools: "off",
  showsForms: true,
  canTurnOff: true,
  check: ["mcp", "list"],
  connected: /connected/i,
  clicks: {},
  trustClick: "Start `claude` once in the folder and trust it: it starts the project's servers only there.",
  trustTodo: {
    key: "hasTrustDialogAccepted",
    said: "to do: start claude once here and trust the folder (or init --trust); until then it has no tools",
  },
};

function filesOf(setup: Setup, places: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const entry: WantedEdit = {
    purpose: "entry",
    edit: {
      op: "object",
      path: ["mcpServers", SERVER],
      value: { type: "stdio", command, args, alwaysLoad: true, timeout: LONG_MS },
    },
  };
  const hook = guardHook(guardLine(setup, "claude-code"), { onFailure: "block" });
  const permissions: readonly WantedEdit[] = [
    setup.guards
      ? { purpose: "guard", edit: { op: "guard", path: ["hooks", "PreToolUse"], value: hook } }
      : { purpose: "tools", edit: { op: "include", path: ["permissions", "deny"], value: OWN_TOOLS } },
    { purpose: "trust", edit: { op: "include", path: ["permissions", "allow"], value: [OURS] } },
  ];
  const { home, project, variables } = places;
  const own = variables["CLAUDE_CONFIG_DIR"];
  const state = own === undefined ? `${home}/.claude.json` : `${own}/.claude.json`;
  const trusted: WantedEdit = {
    purpose: "trust",
    edit: { op: "set", path: ["projects", project, "hasTrustDialogAccepted"], value: true },
  };
  const trust = setup.trustsProject ? [trusted] : [];
  if (scope === "managed") return managedFiles(places, [command, ...args], permissions);
  if (scope === "user")
    return [
      { path: state, form: "json", edits: [entry, ...trust] },
      { path: `${own ?? `${home}/.claude`}/settings.json`, form: "json", edits: permissions },
    ];
  const enabled: WantedEdit = {
    purpose: "trust",
    edit: { op: "include", path: ["enabledMcpjsonServers"], value: [SERVER] },
  };
  return [
    { path: `${project}/.mcp.json`, form: "json", edits: [entry] },
    { path: `${project}/.claude/settings.json`, form: "json", edits: permissions },
    { path: `${project}/.claude/settings.local.json`, form: "json", edits: [enabled] },
    ...(trust.length === 0 ? [] : [{ path: state, form: "json" as const, edits: trust }]),
  ];
}

const FOLDERS: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:/Program Files/ClaudeCode",
};

/** With `managed-mcp.json` no other server is loaded, whoever names it. */
function managedFiles(
  { prefix, platform }: ClientPlaces,
  [command = "", ...args]: readonly string[],
  permissions: readonly WantedEdit[],
): readonly ClientFile[] {
  const folder = prefix + (FOLDERS[platform] ?? "/etc/claude-code");
  const server = { type: "stdio", command, args, alwaysLoad: true, timeout: LONG_MS };
  const locks: readonly WantedEdit[] = [
    { purpose: "tools", edit: { op: "set", path: ["permissions", "disableBypassPermissionsMode"], value: "disable" } },
    { purpose: "tools", edit: { op: "set", path: ["allowManagedPermissionRulesOnly"], value: true } },
    { purpose: "entry", edit: { op: "set", path: ["allowManagedMcpServersOnly"], value: true } },
    {
      purpose: "entry",
      edit: { op: "set", path: ["allowedMcpServers"], value: [{ serverCommand: [command, ...args] }] },
    },
  ];
  return [
    {
      path: `${folder}/managed-mcp.json`,
      form: "json",
      edits: [{ purpose: "entry", edit: { op: "set", path: ["mcpServers"], value: { [SERVER]: server } } }],
    },
    { path: `${folder}/managed-settings.json`, form: "json", edits: [...permissions, ...locks] },
  ];
}
