/**
 * The configuration file as a schema: what is accepted, what each key means, and the source of the published JSON
 * Schema and of docs/configuration.md. Loaded only when there is a file.
 */
import * as z from "zod";
import { DIALECTS } from "./resolve-config.ts";
import { commandFoldersSchema, commandsSchema, reach, shellSchema } from "./commands-config.ts";
import { upstreamReachSchema, upstreamSchema } from "./upstream-config.ts";

const names = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().min(1)).optional().describe(what);
const PROFILE = z.enum(["minimal", "messaging", "coding", "full"]);
const MODE = z.enum(["default", "accept_edits", "plan", "bypass"]);

const TOOLS = z
  .strictObject({
    allow: names("Tools, groups (group:fs) or globs of names that are there besides those of the profile."),
    deny: names("Tools, groups or globs of names that are not there. Deny always wins."),
  })
  .optional()
  .describe("Which tools there are, besides and without those of the profile.");

const override = z.strictObject({
  profile: PROFILE.optional().describe("The profile that is left."),
  tools: TOOLS,
  mode: MODE.optional().describe("A narrower mode."),
  read_only: z.boolean().optional().describe("Only tools that read are left."),
});

const overrides = (what: string): z.ZodOptional<z.ZodRecord<z.ZodString, typeof override>> =>
  z.record(z.string(), override).optional().describe(what);

const ruleText = (what: string): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe(what);
const rule = z.strictObject({
  deny: ruleText("tool(pattern) that is never made. Exactly one of deny, ask and allow."),
  ask: ruleText("tool(pattern) that a person decides about."),
  allow: ruleText("tool(pattern) that is made at once."),
  reason: z.string().optional().describe("What the caller is told."),
  match: names("Calls, as tool(path), that the rule must match; checked when it is loaded."),
  not_match: names("Calls that it must not match."),
});

const program = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string()).min(1).optional().describe(what);
const hook = z.strictObject({
  tool: z.string().min(1).describe("A tool, a group or a glob of names."),
  action: z
    .enum(["confirm", "log", "silent"])
    .optional()
    .describe("confirm: ask whatever the rules say; log: also on stderr; silent: not among the events."),
  before: program(
    'A program and its arguments. It gets the call as JSON on stdin and may answer {"decision": "ask"} or "deny"; a failure means ask.',
  ),
  after: program("A program that is told on stdin how the call ended: the same, and the outcome."),
  timeout_ms: z.number().int().min(1).max(60_000).optional().describe("For the programs. Default 5000."),
  ...reach,
});

const most = (what: string): z.ZodOptional<z.ZodNumber> => z.number().int().min(1).optional().describe(what);
const perCall = {
  bytes_out: most("Bytes of its answer."),
  matches: most("Lines, paths or counts of a search."),
  wall_ms: most("Milliseconds that it takes."),
};
const perSession = {
  bytes_out: most("Bytes of all answers."),
  matches: most("Lines, paths or counts of all searches."),
  wall_ms: most("Milliseconds that all calls take."),
  calls: most("Calls."),
};

export const configFile: z.ZodObject = z
  .strictObject({
    $schema: z.string().optional().describe("Where the JSON Schema of this file is; for editors."),
    roots: names("The directories that tools may reach; DIR:ro for reading only. Relative to this file."),
    allow_root_fs: z.boolean().optional().describe("Allow the whole file system as a root."),
    deny: names("Globs below each root that no tool may touch. Those of all layers hold."),
    state_dir: z.string().optional().describe("Where proposals, the record and deleted files are kept."),
    mode: MODE.optional().describe(
      "default: propose changes; accept_edits: apply edits at once; plan: only propose; bypass: apply everything. Default default.",
    ),
    profile: z
      .string()
      .min(1)
      .optional()
      .describe(
        "minimal: reading; messaging: messages and no files; coding: files, commands and web; full: everything; or one of profiles. Default full.",
      ),
    profiles: overrides(
      "Own profiles by name: the profile under it, its tools, and its mode, which holds where no mode is given.",
    ),
    read_only: z.boolean().optional().describe("Only tools that read are there."),
    tools: TOOLS,
    rules: z
      .array(rule)
      .optional()
      .describe("Who decides about which calls. Those of all layers hold; deny beats everything."),
    clients: overrides("By the name of the client (clientInfo.name): what is left of the tools for it."),
    agents: overrides('By _meta["dev.ringfence/agent"]: what is left for that agent.'),
    providers: overrides('By _meta["dev.ringfence/provider"]: what is left for that provider.'),
    skills: overrides('By _meta["dev.ringfence/skill"]: what is left. A skill without a list has no tools.'),
    hooks: z.array(hook).optional().describe("What happens at the calls of some tools."),
    secrets: z
      .strictObject({
        except: names("Exact paths, below a root or absolute, that are no secrets whatever their name."),
        redact: z.boolean().optional().describe("Replace detected secrets in answers. Default true."),
        search_terms: z
          .enum(["ask", "allow"])
          .optional()
          .describe("A search whose only sense is to find secrets. Default ask."),
      })
      .optional()
      .describe("Files and values that no tool may see."),
    baseline: z
      .enum(["required", "if_known"])
      .optional()
      .describe(
        "required: an existing file is changed only when it was read before, or its hash is given. if_known: a known hash is held to. Default required for serve, if_known otherwise.",
      ),
    commands: commandsSchema.optional(),
    command_folders: commandFoldersSchema.optional(),
    shell: shellSchema.optional(),
    upstream: upstreamSchema.optional(),
    upstream_reach: upstreamReachSchema.optional(),
    budgets: z
      .strictObject({
        call: z.strictObject(perCall).optional().describe("Of one call."),
        session: z.strictObject(perSession).optional().describe("Of one process."),
      })
      .optional()
      .describe("How much may be answered. Without a number there is no budget."),
    bridge: z
      .strictObject({
        enabled: z
          .boolean()
          .optional()
          .describe("false: nothing that a client offers is taken. Default true."),
        read_tools: names(
          "Its tools that only read, by name or glob: they are not asked about. The others count as R4.",
        ),
        timeout_ms: z
          .number()
          .int()
          .min(1)
          .max(3_600_000)
          .optional()
          .describe("How long a client may take for one call. Default 60000."),
      })
      .optional()
      .describe("Tools that the client offers."),
    ask: z
      .enum(["client", "terminal", "both"])
      .optional()
      .describe(
        "Where a person is asked. client: at the client alone, and no other process applies what this one proposed; terminal: the client is never asked, for clients that answer by themselves; both: the client is asked, and `ringfence proposals apply` answers too. Default both.",
      ),
    audit: z
      .enum(["required", "best-effort"])
      .optional()
      .describe("best-effort: changes are made even if they cannot be put on record. Default required."),
    results: z
      .enum(["text", "structured"])
      .optional()
      .describe("structured: with structuredContent. Default text."),
    dialect: z
      .enum(DIALECTS as [string, ...string[]])
      .optional()
      .describe("Under which names and parameters the tools are presented. Default ringfence: their own."),
    legacy_encoding: z.string().optional().describe("The code page of files that are not Unicode."),
    durability: z
      .enum(["full", "fast"])
      .optional()
      .describe("fast: changes are not flushed to the disk. Default full."),
    undo_max_bytes: z
      .string()
      .optional()
      .describe("How much is kept for undo at most: bytes, or as 500M or 2G. Default 1G."),
    undo_max_age: z.string().optional().describe("How long it is kept: as 12h or 30d. Default 7d."),
    answer_bytes: z
      .string()
      .optional()
      .describe(
        "How much text an answer has where its call names no limit: bytes, or as 64k or 1M. A call that names one gets up to 1M. Default 32k.",
      ),
    tasks_after_ms: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe(
        "A call that takes longer becomes a task, for clients that know tasks; 0: never. A call that may ask a person never does. Default 10000.",
      ),
    fence: z
      .enum(["auto", "require", "off"])
      .optional()
      .describe("The kernel's own wall around the roots; require: or do not start. Default auto."),
    containment: z
      .enum(["auto", "handle", "portable"])
      .optional()
      .describe("portable is for tests. Default auto."),
    client_roots: z
      .enum(["narrow", "ignore"])
      .optional()
      .describe(
        "narrow: the roots that a client offers (roots/list) narrow these; ignore: it is not asked for them. Default narrow.",
      ),
    strict: z.boolean().optional().describe("Refuse requests outside any MCP era."),
    lock: names("In the machine's file only: keys that no later layer may set."),
  })
  .describe("The configuration of ringfence.");

/** What a `.ringfence.json` in a root may say: it can only narrow. */
export const rootFile: z.ZodObject = z
  .strictObject({
    $schema: z.string().optional().describe("Where the JSON Schema of this file is; for editors."),
    deny: names("Globs below this root that no tool may touch."),
    mode: MODE.optional().describe("Used when it is narrower than that of the host."),
    read_only: z.boolean().optional().describe("true: only tools that read."),
    tools: z
      .strictObject({ deny: names("Tools, groups or globs of names that are not there.") })
      .optional()
      .describe("Which tools are not there."),
    rules: z
      .array(rule.omit({ allow: true }))
      .optional()
      .describe("Calls to deny or to ask about."),
    baseline: z.literal("required").optional().describe("Changes need what was read."),
  })
  .describe("What a root asks for itself. It can only narrow.");
