/**
 * opencode. A tool that is denied leaves the model's list. Its configuration may be called `opencode.jsonc` as well.
 */
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, Setup, WantedEdit } from "../client.ts";
import { LONG_MS, serveArguments, SERVER } from "./entry.ts";

const OWN_TOOLS = ["edit", "bash", "read", "glob", "grep", "list", "lsp", "task"];

export const opencode: ClientRow = {
  name: "opencode",
  title: "opencode",
  program: "opencode",
  marks: [".config/opencode"],
  scopes: ["project", "user"],
  files: filesOf,
  ownTools: "off",
  showsForms: false,
  canTurnOff: true,
  check: ["mcp", "list"],
  connected: /connected/i,
  clicks: {},
};

function filesOf(setup: Setup, places: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const { home, project, variables } = places;
  const xdg = variables["XDG_CONFIG_HOME"];
  const folder = scope === "project" ? project : `${xdg ?? `${home}/.config`}/opencode`;
  const edits: readonly WantedEdit[] = [
    {
      purpose: "entry",
      edit: {
        op: "object",
        path: ["mcp", SERVER],
        value: {
          type: "local",
          command: [...setup.program, ...serveArguments(setup)],
          enabled: true,
          timeout: LONG_MS,
        },
      },
    },
    {
      purpose: "tools",
      edit: {
        op: "object",
        path: ["permission"],
        value: Object.fromEntries(OWN_TOOLS.map((name) => [name, "deny"])),
      },
    },
  ];
  return [{ path: `${folder}/opencode.json`, otherNames: [`${folder}/opencode.jsonc`], form: "json", edits }];
}
