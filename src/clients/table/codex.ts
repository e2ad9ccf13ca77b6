/**
 * Codex. Its sandbox keeps it from writing and not from reading, so its shell goes too; what stays is its own `apply_patch`,
 * which the sandbox refuses. Its configuration is one file for all folders of a user.
 */
import type { ClientFile, ClientRow, ClientScope, Json, ClientPlaces, Setup, WantedEdit } from "../client.ts";
import { guardHook, guardLine, LONG_MS, serveArguments, SERVER } from "./entry.ts";

const OFF: Readonly<Record<string, Json>> = { shell_tool: false, unified_exec: false, view_image: false };

export const codex: ClientRow = {
  name: "codex",
  title: "Codex",
  program: "codex",
  marks: [".codex"],
  scopes: ["user", "managed"],
  files: filesOf,
  ownTools: "off",
  showsForms: true,
  canTurnOff: true,
  check: ["mcp", "list"],
  connected: /enabled/i,
  clicks: {},
  guardClick: "Start `codex` and trust the new hook when it asks: until then it does not run, and nothing is guarded.",
};

function filesOf(setup: Setup, places: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const sandbox: WantedEdit = { purpose: "tools", edit: { op: "set", path: ["sandbox_mode"], value: "read-only" } };
  const features: WantedEdit = { purpose: "tools", edit: { op: "object", path: ["features"], value: OFF } };
  const entry: WantedEdit = {
    purpose: "entry",
    edit: {
      op: "object",
      path: ["mcp_servers", SERVER],
      value: { command, args, default_tools_approval_mode: "approve", tool_timeout_sec: LONG_MS / 1000 },
    },
  };
  const { home, prefix, variables } = places;
  const folder = scope === "managed" ? `${prefix}/etc/codex` : (variables["CODEX_HOME"] ?? `${home}/.codex`);
  const config: ClientFile = {
    path: `${folder}/config.toml`,
    form: "toml",
    edits: setup.guards ? [entry] : [sandbox, features, entry],
  };
  const files = setup.guards ? [config, guardOf(setup, folder)] : [config];
  if (scope !== "managed") return files;
  const required = requirements(command).filter(({ purpose }) => purpose === "entry" || !setup.guards);
  return [...files, { path: `${prefix}/etc/codex/requirements.toml`, form: "toml", edits: required }];
}

function guardOf(setup: Setup, folder: string): ClientFile {
  const hook = guardHook(guardLine(setup, "codex"));
  const edit: WantedEdit = {
    purpose: "guard",
    edit: { op: "guard", path: ["hooks", "PreToolUse"], value: hook },
  };
  return { path: `${folder}/hooks.json`, form: "json", edits: [edit] };
}

/** A server of this name and this program is the only one that starts, and nobody turns the tools on again. */
function requirements(command: string): readonly WantedEdit[] {
  return [
    { purpose: "tools", edit: { op: "set", path: ["allowed_sandbox_modes"], value: ["read-only"] } },
    { purpose: "tools", edit: { op: "object", path: ["features"], value: OFF } },
    { purpose: "entry", edit: { op: "object", path: ["mcp_servers", SERVER, "identity"], value: { command } } },
  ];
}
