/**
 * Cursor. Its own tools cannot be turned off by a file, so what is set up here adds ours and takes nothing away.
 */
import type { ClientFile, ClientPlaces, ClientRow, ClientScope, Setup, WantedEdit } from "../client.ts";
import { serveArguments, SERVER } from "./entry.ts";

const CLICKS = [
  "In Cursor's settings, under MCP, turn ringfence on.",
  "Refuse Cursor's own file tools and terminal when it asks: no file turns them off.",
];

export const cursor: ClientRow = {
  name: "cursor",
  title: "Cursor",
  program: "cursor",
  marks: [".cursor"],
  scopes: ["project", "user"],
  files: filesOf,
  canTurnOff: false,
  stays: "its own file tools and terminal cannot be turned off",
  clicks: { project: CLICKS, user: CLICKS },
};

function filesOf(setup: Setup, { home, project }: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const entry: WantedEdit = {
    purpose: "entry",
    edit: { op: "object", path: ["mcpServers", SERVER], value: { command, args } },
  };
  return [{ path: `${scope === "project" ? project : home}/.cursor/mcp.json`, form: "json", edits: [entry] }];
}
