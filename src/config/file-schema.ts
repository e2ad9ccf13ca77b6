/**
 * The configuration file as a schema, made from the table of options and, for options with a structure, from the schemas
 * below. The published JSON Schemas and docs/configuration.md are made from it. Loaded only when there is a file.
 */
import * as z from "zod";
import { PROFILES, type Profile } from "../policy/index.ts";
import { OPTIONS, type Option } from "./options.ts";
import {
  commandFoldersSchema,
  commandsSchema,
  reach,
  shellSchema,
  upstreamReachSchema,
  upstreamSchema,
} from "./programs-config.ts";
import { optionRows, type StructureKey } from "./settings.ts";

const names = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().min(1)).optional().describe(what);
const PROFILE = z.enum(PROFILES as [Profile, ...Profile[]]);
const MODE = z.enum(OPTIONS.mode.takes);

const TOOLS = z.strictObject({
  allow: names("Tools, groups (group:fs) or globs of names that are there besides those of the profile."),
  deny: names("Tools, groups or globs of names that are not there. Deny always wins."),
});

const override = z.strictObject({
  profile: PROFILE.optional().describe("The profile that is left."),
  tools: TOOLS.optional().describe(OPTIONS.tools.help),
  mode: MODE.optional().describe("A narrower mode."),
  read_only: z.boolean().optional().describe("Only tools that read are left."),
});
const overrides = z.record(z.string(), override);

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

/** The schemas of the options with a structure. */
const STRUCTURES: Readonly<Record<StructureKey, z.ZodType>> = {
  profiles: overrides,
  tools: TOOLS,
  rules: z.array(rule),
  clients: overrides,
  agents: overrides,
  providers: overrides,
  skills: overrides,
  hooks: z.array(hook),
  secrets: z.strictObject({
    except: names("Exact paths, below a root or absolute, that are no secrets whatever their name."),
    redact: z.boolean().optional().describe("Replace detected secrets in answers. Default true."),
    search_terms: z
      .enum(["ask", "allow"])
      .optional()
      .describe("A search whose only sense is to find secrets. Default ask."),
  }),
  commands: commandsSchema,
  command_folders: commandFoldersSchema,
  shell: shellSchema,
  upstream: upstreamSchema,
  upstream_reach: upstreamReachSchema,
  budgets: z.strictObject({
    call: z.strictObject(perCall).optional().describe("Of one call."),
    session: z.strictObject(perSession).optional().describe("Of one process."),
  }),
  bridge: z.strictObject({
    enabled: z.boolean().optional().describe("false: nothing that a client offers is taken. Default true."),
    read_tools: names("Its tools that only read, by name or glob: they are not asked about. The others count as R4."),
    timeout_ms: z
      .number()
      .int()
      .min(1)
      .max(3_600_000)
      .optional()
      .describe("How long a client may take for one call. Default 60000."),
  }),
};

function schemaOf(key: string, { takes }: Option): z.ZodType {
  switch (takes) {
    case "structure":
      return STRUCTURES[key as StructureKey];
    case "text":
      return z.string();
    case "list":
      return z.array(z.string().min(1));
    case "switch":
      return z.boolean();
    case "number":
      return z.number().int().min(0);
    default:
      return z.enum(takes as [string, ...string[]]);
  }
}

function describe({ help, more }: Option): string {
  return more === undefined ? help : `${help} ${more}`;
}

export const configFile: z.ZodObject = z
  .strictObject(
    Object.fromEntries(
      optionRows()
        .filter(([, option]) => option.only !== "command line")
        .map(([key, option]) => [key, schemaOf(key, option).optional().describe(describe(option))]),
    ),
  )
  .describe("The configuration of ringfence.");

/** The schemas of options of which a root may set less than the host. */
const IN_ROOT: Readonly<Record<string, z.ZodType>> = {
  tools: z.strictObject({ deny: names("Tools, groups or globs of names that are not there.") }),
  rules: z.array(rule.omit({ allow: true })),
  baseline: z.literal("required"),
};

/** What a `.ringfence.json` in a root may say: it can only narrow. */
export const rootFile: z.ZodObject = z
  .strictObject(
    Object.fromEntries(
      optionRows().flatMap(([key, option]) =>
        option.inRoot === undefined
          ? []
          : [[key, (IN_ROOT[key] ?? schemaOf(key, option)).optional().describe(option.inRoot)]],
      ),
    ),
  )
  .describe("What a root asks for itself. It can only narrow.");
