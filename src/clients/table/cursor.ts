/**
 * Cursor. Its own tools cannot be turned off by a file, so each call of them is answered by a guard, in Cursor's hooks.
 */
import type { ClientFile, ClientPlaces, ClientRow, ClientScope, Setup, WantedEdit } from "../client.ts";
import { cursorGuard } from "../guard/cursor.ts";
import { guardLine, serveArguments, SERVER } from "./entry.ts";

const CLICKS = [
  "In Cursor's settings, under MCP, turn ringfence on.",
  "Start Cursor anew, so that it reads its hooks.",
];

export const cursor: ClientRow = {
  name: "cursor",
  title: "Cursor",
  program: "cursor",
  marks: [".cursor"],
  scopes: ["project", "user"],
  files: filesOf,
  ownTools: "answered by a hook",
  showsForms: true,
  canTurnOff: false,
  stays: "its own file tools and terminal stay on: the guard answers for them, and no kernel holds them",
  clicks: { project: CLICKS, user: CLICKS },
};

function filesOf(setup: Setup, { home, project }: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const entry: WantedEdit = {
    purpose: "entry",
    edit: { op: "object", path: ["mcpServers", SERVER], value: { command, args } },
  };
  const version: WantedEdit = { purpose: "guard", edit: { op: "set", path: ["version"], value: 1 } };
  // Without `failClosed` a hook that fails lets the call through.
  const hook = { command: guardLine(setup, "cursor"), timeout: 60, failClosed: true };
  const hooks = Object.keys(cursorGuard.events).map((event): WantedEdit => {
    return { purpose: "guard", edit: { op: "guard", path: ["hooks", event], value: hook } };
  });
  const folder = `${scope === "project" ? project : home}/.cursor`;
  return [
    { path: `${folder}/mcp.json`, form: "json", edits: [entry] },
    { path: `${folder}/hooks.json`, form: "json", edits: [version, ...hooks] },
  ];
}
