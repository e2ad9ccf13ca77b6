/**
 * Cursor. Its own tools cannot be turned off. It asks a hook before it uses one, and `ringfence guard` answers from our
 * policy; with `failClosed` a hook that does not answer is a refusal.
 */
import { shellQuote } from "../../text/index.ts";
import type { ClientFile, ClientRow, ClientScope, Json, ClientPlaces, Setup, WantedEdit } from "../client.ts";
import { serveArguments, SERVER } from "./entry.ts";

export const cursor: ClientRow = {
  name: "cursor",
  title: "Cursor",
  program: "cursor",
  marks: [".cursor"],
  scopes: ["project", "user"],
  files: filesOf,
  canTurnOff: false,
  clicks: {
    project: ["In Cursor's settings, under MCP, turn ringfence on; under Hooks, see that the three hooks are listed."],
    user: ["In Cursor's settings, under MCP, turn ringfence on; under Hooks, see that the three hooks are listed."],
  },
  guard: {
    answers: "cursor",
    tools: {
      Shell: { as: "shell" },
      Read: { as: "read_file" },
      Write: { as: "write_file" },
      TabWrite: { as: "write_file" },
      StrReplace: { as: "edit_file" },
      Edit: { as: "edit_file" },
      MultiEdit: { as: "edit_file" },
      EditNotebook: { as: "edit_file" },
      ApplyPatch: { as: "apply_patch" },
      Delete: { as: "delete" },
      LS: { as: "list_directory" },
      Glob: { as: "glob" },
      Grep: { as: "grep" },
      Task: { as: "none" },
      TodoWrite: { as: "none" },
      WebFetch: { as: "none" },
      WebSearch: { as: "none" },
      AskQuestion: { as: "none" },
      ReadLints: { as: "none" },
    },
  },
  told: { ownTools: "asked about by a hook", approval: "a form in the client, or a terminal" },
};

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeReadFile"];

function filesOf(setup: Setup, { home, project }: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const folder = scope === "project" ? `${project}/.cursor` : `${home}/.cursor`;
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const entry: WantedEdit = {
    purpose: "entry",
    edit: { op: "object", path: ["mcpServers", SERVER], value: { command, args } },
  };
  const guard = [...setup.program, "guard", "--client", "cursor", ...serveArguments(setup).slice(1)];
  const hook: Json = { command: guard.map(shellQuote).join(" "), failClosed: true };
  const hooks = EVENTS.map((event): WantedEdit => ({
    purpose: "guard",
    edit: { op: "include", path: ["hooks", event], value: [hook] },
  }));
  const version: WantedEdit = { purpose: "guard", edit: { op: "set", path: ["version"], value: 1 } };
  return [
    { path: `${folder}/mcp.json`, form: "json", edits: [entry] },
    { path: `${folder}/hooks.json`, form: "json", edits: [version, ...hooks] },
  ];
}
