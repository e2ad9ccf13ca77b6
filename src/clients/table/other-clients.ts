/**
 * Clients whose configuration we know and do not write: `ringfence init CLIENT --print` shows what a person puts in.
 */
import type { Json, Setup, WantedEdit } from "../client.ts";
import { freshText } from "../plan-file.ts";
import { LONG_MS, serveArguments, SERVER } from "./entry.ts";

export interface PrintedClient {
  readonly name: string;
  readonly title: string;
  /** Where it belongs, as people say it. */
  readonly file: string;
  readonly form: "json" | "yaml";
  readonly values: (setup: Setup) => Readonly<Record<string, Json>>;
  /** What becomes of its own file tools and shell, where the page about clients has a section for it. */
  readonly ownTools?: string;
  /** Whether it shows its person the forms in which a change is asked about. */
  readonly showsForms?: boolean;
  /** What a person has to know beside it. */
  readonly note: string;
}

export const OTHER_CLIENTS: readonly PrintedClient[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    form: "json",
    values: (setup) => ({ mcpServers: { [SERVER]: entry(setup) } }),
    note: "It has no file tools of its own. Start it anew afterwards.",
  },
  {
    name: "zed",
    title: "Zed",
    file: "~/.config/zed/settings.json",
    form: "json",
    values: (setup) => ({ context_servers: { [SERVER]: entry(setup) } }),
    note: "Choose a profile of the agent that has only the tools of ringfence: its own stay on in the others.",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    form: "json",
    values: (setup) => ({ mcpServers: { [SERVER]: entry(setup) } }),
    note: "We know of no setting that turns off its own file tools.",
  },
  {
    name: "cline",
    title: "Cline",
    file: "cline_mcp_settings.json (MCP Servers, Configure)",
    form: "json",
    ownTools: "stay on",
    values: (setup) => ({ mcpServers: { [SERVER]: { ...entry(setup), timeout: LONG_MS / 1000 } } }),
    note: "We know of no setting that turns off its own file tools; refuse them when it asks.",
  },
  {
    name: "goose",
    title: "Goose",
    file: "~/.config/goose/config.yaml",
    form: "yaml",
    values: (setup) => {
      const [cmd = "", ...args] = [...setup.program, ...serveArguments(setup)];
      const extension = { type: "stdio", name: SERVER, enabled: true, cmd, args, timeout: LONG_MS / 1000 };
      return { extensions: { [SERVER]: extension, developer: { type: "builtin", name: "developer", enabled: false } } };
    },
    note: "The extension `developer` is Goose's own file tools and shell: it has to be off.",
  },
  {
    name: "copilot-cli",
    title: "Copilot CLI",
    file: "~/.copilot/mcp-config.json",
    form: "json",
    ownTools: "off with a flag at each start",
    showsForms: true,
    values: (setup) => ({ mcpServers: { [SERVER]: { type: "local", ...entry(setup), tools: ["*"] } } }),
    note: "Its own tools are turned off at each start: --excluded-tools=bash,read_bash,list_bash,stop_bash,view,create,edit,apply_patch,glob,grep,rg,task",
  },
  {
    name: "qwen-code",
    title: "Qwen Code",
    file: "~/.qwen/settings.json",
    form: "json",
    ownTools: "off",
    values: (setup) => ({
      mcpServers: { [SERVER]: { ...entry(setup), trust: true, alwaysLoadTools: true, timeout: LONG_MS } },
      tools: { exclude: QWEN_TOOLS },
    }),
    note: "Names in `exclude` remove its own tools only.",
  },
  {
    name: "continue",
    title: "Continue",
    file: "~/.continue/config.yaml",
    form: "yaml",
    ownTools: "off with flags at each start",
    values: (setup) => ({ mcpServers: [{ name: SERVER, ...entry(setup) }] }),
    note: "Its own tools are turned off at each start: cn --exclude Bash --exclude Read --exclude Write --exclude Edit --exclude MultiEdit --exclude List --exclude Search",
  },
];

const QWEN_TOOLS = [
  "run_shell_command",
  "write_file",
  "edit",
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
];

/** The file as it is where there was none. */
export function printedText({ file, form, values }: PrintedClient, setup: Setup): string {
  const said = values(setup);
  if (form === "yaml") return `${Bun.YAML.stringify(said, null, 2)}\n`;
  const edits = Object.entries(said).map(([key, value]): WantedEdit => ({
    purpose: "entry",
    edit: { op: "set", path: [key], value },
  }));
  return freshText({ path: file, form, edits });
}

function entry(setup: Setup): { readonly command: string; readonly args: readonly string[] } {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  return { command, args };
}
