/**
 * What each client needs so that a test can drive it: the scripted model as its provider, the names that it gives our
 * tools, and the names of its own tools that our configuration for it must have turned off.
 */
import type { ClientName } from "../components/npm-client.ts";

export interface DrivenClient {
  readonly name: ClientName;
  /** The heading of its section in docs/clients.md. */
  readonly section: string;
  /** Where one client is driven in two ways. Default: the section. */
  readonly title?: string;
  /** What is said to `ringfence init`, which writes its files in the place of the page. */
  readonly init?: readonly string[];
  /** How it is started then. */
  readonly args?: readonly string[];
  /** Points it at the model on `PORT`, and away from the network. Nothing of this is about ringfence. */
  readonly provider: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    /** Below its home; what they say is put beside what was set up there. */
    readonly files?: Readonly<Record<string, object>>;
  };
  /** What it calls a tool of ours. */
  readonly nameOf: (tool: string) => string;
  /** The dialect that its configuration chooses. */
  readonly dialect?: "claude";
  /** The client compares arguments with our schema itself, and tells the model before a call reaches us. */
  readonly checksArguments?: true;
  /** The client's own tools that read, write or run, as it would offer them. */
  readonly closed: readonly string[];
}

const GEMINI_CLI: DrivenClient = {
  name: "gemini-cli",
  section: "Gemini CLI",
  provider: {
    env: {
      GEMINI_API_KEY: "test",
      GEMINI_MODEL: "gemini-2.5-flash",
      GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:PORT",
    },
    files: { ".gemini/settings.json": { security: { auth: { selectedType: "gemini-api-key" } } } },
  },
  nameOf: (tool) => `mcp_ringfence_${tool}`,
  dialect: "claude",
  checksArguments: true,
  closed: [
    "run_shell_command",
    "write_file",
    "replace",
    "read_file",
    "read_many_files",
    "list_directory",
    "glob",
    "grep_search",
  ],
};

export const DRIVEN_CLIENTS: readonly DrivenClient[] = [
  {
    name: "claude-code",
    section: "Claude Code",
    provider: {
      env: {
        ANTHROPIC_BASE_URL: "http://127.0.0.1:PORT",
        ANTHROPIC_API_KEY: "test",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    },
    nameOf: (tool) => `mcp__ringfence__${tool}`,
    closed: ["Bash", "Read", "Edit", "Write", "Glob", "Grep", "NotebookEdit"],
  },
  {
    name: "codex",
    section: "Codex",
    provider: {
      env: { MOCK_KEY: "test" },
      args: [
        "-c",
        'model_providers.mock={name="mock",base_url="http://127.0.0.1:PORT/v1",wire_api="responses",env_key="MOCK_KEY"}',
        "-c",
        "model_provider=mock",
        "-c",
        "model=mock",
      ],
    },
    nameOf: (tool) => `mcp__ringfence/${tool}`,
    closed: ["shell", "shell_command", "exec_command", "local_shell", "view_image", "write_stdin"],
  },
  GEMINI_CLI,
  // In one project, as init sets it up where nobody says otherwise.
  {
    ...GEMINI_CLI,
    title: "Gemini CLI in one project",
    init: ["gemini-cli", "--trust"],
    args: ["-p", "PROMPT"],
  },
  {
    name: "opencode",
    section: "opencode",
    provider: {
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          model: "mock/mock",
          autoupdate: false,
          provider: {
            mock: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: "http://127.0.0.1:PORT/v1", apiKey: "test" },
              models: { mock: {} },
            },
          },
        }),
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    },
    nameOf: (tool) => `ringfence_${tool}`,
    closed: ["bash", "edit", "write", "patch", "read", "glob", "grep", "list", "task"],
  },
  {
    name: "copilot",
    section: "Copilot CLI",
    provider: {
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_MODEL: "mock",
        COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:PORT/v1",
      },
    },
    nameOf: (tool) => `ringfence-${tool}`,
    closed: ["bash", "view", "create", "edit", "apply_patch", "glob", "grep", "rg", "task"],
  },
  {
    name: "qwen-code",
    section: "Qwen Code",
    provider: {
      env: { OPENAI_API_KEY: "test", OPENAI_MODEL: "mock", OPENAI_BASE_URL: "http://127.0.0.1:PORT/v1" },
      args: ["--auth-type", "openai"],
    },
    nameOf: (tool) => `mcp__ringfence__${tool}`,
    checksArguments: true,
    closed: [
      "run_shell_command",
      "write_file",
      "edit",
      "read_file",
      "read_many_files",
      "list_directory",
      "glob",
      "grep_search",
    ],
  },
];
