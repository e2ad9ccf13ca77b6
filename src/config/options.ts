/**
 * The table of options: one row for each, from which the flags of the command line, the schema of the configuration file,
 * the rules of its layers, the types and docs/configuration.md are made. A new option is a row here and, where it is more
 * than one of its values, a line in `resolve-config.ts`.
 *
 * Invariant: the table needs no schema library, because every start reads it. Options with a structure of their own have
 * their schema in `file-schema.ts`, which is loaded only when there is a file.
 */

export interface Option {
  /** The values of a choice, or the kind of value. */
  readonly takes: readonly string[] | "text" | "list" | "switch" | "number" | "structure";
  /** What it is, in one line of `--help`. */
  readonly help: string;
  /** What docs/configuration.md and the JSON Schema say besides. */
  readonly more?: string;
  /** The value of a choice that nobody made. */
  readonly default?: string;
  /** How a later layer of the configuration is put over an earlier one; absent: it replaces the value. */
  readonly layers?: "appended" | "merged";
  /** True for paths that are relative to the file in which they stand. */
  readonly paths?: true;
  /** What it is in a root's own `.ringfence.json`, which can only narrow; absent: it cannot stand there. */
  readonly inRoot?: string;
  /** True for a flag without a value, or what `--help` shows for the value; absent: there is no flag. */
  readonly flag?: true | string;
  /** The only command that has the flag; absent: every command that opens a host. */
  readonly command?: "serve";
  /** Where it can be set, if not everywhere. */
  readonly only?: "command line" | "file";
}

export const OPTIONS = {
  $schema: {
    takes: "text",
    help: "Where the JSON Schema of this file is; for editors.",
    inRoot: "Where the JSON Schema of this file is; for editors.",
    only: "file",
  },
  roots: {
    takes: "list",
    help: "Directories that the tools may reach; DIR:ro for reading only.",
    more: "Relative to this file.",
    paths: true,
    flag: "DIR",
  },
  allow_root_fs: {
    takes: "switch",
    help: "Allow the whole file system as a root, which is refused otherwise.",
    flag: true,
  },
  deny: {
    takes: "list",
    help: "Globs below each root that no tool may touch.",
    more: "Those of all layers hold.",
    layers: "appended",
    inRoot: "Globs below this root that no tool may touch.",
    flag: "GLOB",
  },
  ignore: {
    takes: "list",
    help: "Patterns, as in an ignore file at the top of each root, of what searches and lists leave out besides.",
    more: "Those of all layers hold. What they leave out can still be read by its path, and no_ignore shows it.",
    layers: "appended",
    inRoot: "Patterns, as in an ignore file at the top of the root, of what searches and lists leave out besides.",
    flag: "GLOB",
  },
  state_dir: {
    takes: "text",
    help: "Where proposals, the record and deleted files are kept.",
    paths: true,
    flag: "DIR",
  },
  config: {
    takes: "text",
    help: "A configuration file (JSON, YAML or TOML) over those of the machine and the user.",
    flag: "FILE",
    only: "command line",
  },
  mode: {
    takes: ["default", "accept_edits", "plan", "bypass"],
    help: "default: propose changes; accept_edits: apply edits at once; plan: only propose; bypass: apply everything.",
    more: "Default default.",
    default: "default",
    inRoot: "Used when it is narrower than that of the host.",
    flag: "MODE",
  },
  profile: {
    takes: "text",
    help: "minimal: reading; messaging: and memory; coding: and changes, commands; full: all; or one of profiles.",
    more: "Default full.",
    flag: "NAME",
  },
  profiles: {
    takes: "structure",
    help: "Own profiles by name: the profile under it, its tools, and its mode, which holds where no mode is given.",
    layers: "merged",
  },
  read_only: {
    takes: "switch",
    help: "Only tools that read are there.",
    inRoot: "true: only tools that read.",
    flag: true,
  },
  tools: {
    takes: "structure",
    help: "Which tools there are, besides and without those of the profile.",
    layers: "merged",
    inRoot: "Which tools are not there.",
  },
  rules: {
    takes: "structure",
    help: "Who decides about which calls. Those of all layers hold; deny beats everything.",
    layers: "appended",
    inRoot: "Calls to deny or to ask about.",
  },
  clients: {
    takes: "structure",
    help: "By the name of the client (clientInfo.name): what is left of the tools for it.",
    layers: "merged",
  },
  agents: {
    takes: "structure",
    help: 'By _meta["dev.ringfence/agent"]: what is left for that agent.',
    layers: "merged",
  },
  providers: {
    takes: "structure",
    help: 'By _meta["dev.ringfence/provider"]: what is left for that provider.',
    layers: "merged",
  },
  skills: {
    takes: "structure",
    help: 'By _meta["dev.ringfence/skill"]: what is left. A skill without a list has no tools.',
    layers: "merged",
  },
  hooks: { takes: "structure", help: "What happens at the calls of some tools.", layers: "appended" },
  secrets: { takes: "structure", help: "Files and values that no tool may see.", layers: "merged" },
  baseline: {
    takes: ["required", "if_known"],
    help: "required: a file is changed only if it was read or its hash is given (if_hash); if_known: a known hash is held to.",
    more: "Default required for serve, if_known otherwise.",
    default: "if_known",
    inRoot: "Changes need what was read.",
    flag: "WHEN",
  },
  skill_folders: {
    takes: "list",
    help: "Folders with a folder for each skill, whose manifest.json says what a call of it may use.",
    more: "Where no tool can write.",
    paths: true,
    layers: "appended",
  },
  commands: {
    takes: "structure",
    help: "Programs that are offered as tools, by name: cmd_NAME. Of one name the last layer's holds.",
    layers: "merged",
  },
  command_folders: {
    takes: "structure",
    help: "Folders with one command in each NAME.yaml or NAME.json. They lie where no tool can write.",
    layers: "appended",
    paths: true,
  },
  spaces: {
    takes: "structure",
    help: "Directories that are spaces of Construct or hold them. Their tools are space_ID_NAME, once `ringfence spaces review` has shown and approved them.",
    layers: "appended",
    paths: true,
  },
  shell: { takes: "structure", help: "Command lines. They are read before they run, and run fenced." },
  upstream: {
    takes: "structure",
    help: "Other MCP servers by name. Their tools are mcp_NAME_TOOL, once `ringfence upstream review` has shown and approved them.",
    layers: "merged",
  },
  upstream_reach: { takes: "structure", help: "Hosts that the url of an upstream may name. Default none." },
  packs: {
    takes: "structure",
    help: 'Packs of tools that are on, by name, each with its own settings. A pack without an entry is off, but for git (git.md), which is on where a root is a work tree: {"git": {"enabled": false}} switches it off, {"git": {"write": true}} adds the tools that change a repository. ringfence also brings sessions (sessions_list, sessions_delete); others come with a program of your own (library.md).',
    layers: "merged",
  },
  network: { takes: "structure", help: "A proxy, private ranges and certificates (reach.md).", layers: "merged" },
  review: {
    takes: "structure",
    help: "How calls wait for a person who reviews with `ringfence review`.",
    layers: "merged",
  },
  budgets: {
    takes: "structure",
    help: "How much may be answered. Without a number there is no budget.",
    layers: "merged",
  },
  bridge: { takes: "structure", help: "Tools that the client offers.", layers: "merged" },
  ask: {
    takes: ["client", "terminal", "both"],
    help: "Where a person is asked: client, terminal (the client never is) or both.",
    more: "client: no other process applies what this one proposed; terminal: for clients that answer by themselves; both: `ringfence proposals apply` answers too. Default both.",
    default: "both",
    flag: "WHERE",
  },
  audit: {
    takes: ["required", "best-effort"],
    help: "required: no change without a record of it; best-effort: also without.",
    more: "Default required.",
    default: "required",
    flag: "HOW",
  },
  keep_calls: {
    takes: "switch",
    help: "Keep the arguments of calls whole in the state folder, so that `ringfence replay` can make them again.",
    more: "Those that hold a secret are not kept. Default off: the record has their digests only.",
    flag: true,
  },
  results: {
    takes: ["text", "structured"],
    help: "text, or structured for results with structuredContent.",
    more: "Default text.",
    default: "text",
    flag: "FORM",
  },
  dialect: {
    takes: [
      "ringfence",
      "claude",
      "codex",
      "gemini",
      "filesystem",
      "flynn",
      "flynn-plain",
      "construct",
      "construct-operator",
      "clarvis",
    ],
    help: "Present the tools under the names that a model knows: claude, codex, gemini, filesystem ...",
    more: "Default ringfence: their own.",
    default: "ringfence",
    flag: "NAME",
  },
  legacy_encoding: {
    takes: "text",
    help: "The code page of files that are not Unicode, for example windows-1252.",
    flag: "NAME",
  },
  durability: {
    takes: ["full", "fast"],
    help: "full: changes survive a crash of the machine; fast: they are not flushed to the disk, and may not.",
    more: "Default full.",
    default: "full",
    flag: "HOW",
  },
  undo_max_bytes: {
    takes: "text",
    help: "How much is kept for undo: bytes, or as 500M or 2G; default 1G. The oldest go first.",
    flag: "SIZE",
  },
  undo_max_age: { takes: "text", help: "How long a change can be undone, as 12h or 30d; default 7d.", flag: "AGE" },
  answer_bytes: {
    takes: "text",
    help: "How much text an answer has where its call names no limit, as 64k; default 32k, at most 1M.",
    more: "A call that names a limit gets up to 1M.",
    flag: "SIZE",
  },
  tasks_after_ms: {
    takes: "number",
    help: "A call that takes longer becomes a task, where the client knows tasks; 0: never. Default 10000.",
    more: "A call that may ask a person never does.",
    flag: "MS",
  },
  fence: {
    takes: ["auto", "require", "off"],
    help: "The kernel's own wall around the roots: auto, require (or do not start) or off.",
    more: "Default auto.",
    // For a program of one's own, which may need more than its roots. Every command says auto.
    default: "off",
    flag: "WHEN",
  },
  containment: {
    takes: ["auto", "handle", "portable"],
    help: "auto, handle or portable; portable is for tests.",
    more: "Default auto.",
    default: "auto",
    flag: "WAY",
  },
  client_roots: {
    takes: ["narrow", "ignore"],
    help: "narrow: the roots that a client offers (roots/list) narrow these; ignore: it is not asked for them.",
    more: "Default narrow.",
    default: "narrow",
    flag: "HOW",
  },
  strict: {
    takes: "switch",
    help: "Refuse requests outside any MCP era instead of answering scripts.",
    flag: true,
    command: "serve",
  },
  lock: { takes: "list", help: "In the machine's file only: keys that no later layer may set.", only: "file" },
} as const;
