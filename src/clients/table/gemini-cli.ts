/**
 * Gemini CLI. A policy of the user takes its own tools from the model; policies of a project are not read, so a project
 * excludes them by name in its settings. In both, a bare name means a tool of a server too, which is why ours get others.
 */
import type { ClientFile, ClientRow, ClientScope, Json, ClientPlaces, Setup, WantedEdit } from "../client.ts";
import { guardLine, LONG_MS, serveArguments, SERVER } from "./entry.ts";

const OWN_TOOLS = [
  "run_shell_command",
  "write_file",
  "replace",
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
];

export const geminiCli: ClientRow = {
  name: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  marks: [".gemini"],
  scopes: ["project", "user", "managed"],
  files: filesOf,
  ownTools: "off",
  showsForms: false,
  canTurnOff: true,
  check: ["mcp", "list"],
  connected: /connected/i,
  trustClick:
    "Start `gemini` once in the folder and trust it: it starts servers and reads the settings of a project only there.",
  clicks: {
    managed: [
      "Give the files to root, and let nobody else write them: Gemini CLI ignores policies that others could change.",
    ],
  },
};

function filesOf(setup: Setup, places: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  // Where no name is taken away ours need no others.
  const needed = setup.guards ? undefined : "claude";
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup, needed)];
  const server: Readonly<Record<string, Json>> = { command, args, trust: true, timeout: LONG_MS };
  const entry: WantedEdit = { purpose: "entry", edit: { op: "object", path: ["mcpServers", SERVER], value: server } };
  const { home, project, prefix, platform } = places;
  const trusted: WantedEdit = { purpose: "tools", edit: { op: "set", path: [project], value: "TRUST_FOLDER" } };
  const trust: readonly ClientFile[] = setup.trustsProject
    ? [{ path: `${home}/.gemini/trustedFolders.json`, form: "json", edits: [trusted] }]
    : [];
  const folders: Readonly<Record<ClientScope, string>> = {
    project: `${project}/.gemini`,
    user: `${home}/.gemini`,
    managed: prefix + (FOLDERS[platform] ?? "/etc/gemini-cli"),
  };
  const folder = folders[scope];
  const only: WantedEdit = { purpose: "entry", edit: { op: "set", path: ["mcp", "allowed"], value: [SERVER] } };
  if (setup.guards) {
    const edits = [entry, ...(scope === "managed" ? [only] : []), guardOf(setup)];
    return [{ path: `${folder}/settings.json`, form: "json", edits }, ...trust];
  }
  if (scope === "project") {
    const excluded: WantedEdit = {
      purpose: "tools",
      edit: { op: "include", path: ["tools", "exclude"], value: OWN_TOOLS },
    };
    return [{ path: `${folder}/settings.json`, form: "json", edits: [entry, excluded] }, ...trust];
  }
  if (scope === "user")
    return [{ path: `${folder}/settings.json`, form: "json", edits: [entry] }, policy(`${folder}/policies`), ...trust];
  return [{ path: `${folder}/settings.json`, form: "json", edits: [entry, only] }, policy(`${folder}/policies`)];
}

/** Milliseconds here; there is no matcher, so it is asked about every tool. */
function guardOf(setup: Setup): WantedEdit {
  const hook = { name: SERVER, type: "command", command: guardLine(setup, "gemini-cli"), timeout: 60_000 };
  return { purpose: "guard", edit: { op: "guard", path: ["hooks", "BeforeTool"], value: { hooks: [hook] } } };
}

const FOLDERS: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/GeminiCli",
  win32: "C:/ProgramData/gemini-cli",
};

function policy(folder: string): ClientFile {
  const text = `# Written by ringfence init: Gemini CLI's own file tools and shell are taken from the model.
[[rule]]
toolName = [
${OWN_TOOLS.map((name) => `  ${JSON.stringify(name)},\n`).join("")}]
decision = "deny"
priority = 999
`;
  return { path: `${folder}/ringfence.toml`, form: "whole", purpose: "tools", text };
}
