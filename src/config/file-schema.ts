/**
 * The configuration file as a schema, made from the table of options and, for options with a structure, from the schemas
 * below. The published JSON Schemas and docs/configuration.md are made from it. Loaded only when there is a file.
 */
import * as z from "zod";
import { limits } from "../base/index.ts";
import { PROFILES } from "../policy/index.ts";
import { AUTONOMY } from "./parse/lift-tools.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";
import { commandFoldersSchema, commandsSchema, shellSchema } from "./programs/commands-config.ts";
import { choice, flag, most, names, reach, text } from "./programs/program-fields.ts";
import { upstreamReachSchema, upstreamSchema } from "./programs/upstream-config.ts";
import { optionRows, type StructureKey } from "./settings.ts";

const TOOLS = z.strictObject({
  allow: names("Tools, groups (group:fs) or globs of names that are there besides those of the profile."),
  deny: names("Tools, groups or globs of names that are not there. Deny always wins."),
});

const listed = z.strictObject({
  profile: choice(PROFILES, "The profile that is left."),
  ...TOOLS.shape,
});

/** With all that belongs to it in one place, as other hosts write it. */
const TOOLS_OF_FILE = z.strictObject({
  ...TOOLS.shape,
  profile: text("The same as the key profile."),
  autonomy: choice(Object.keys(AUTONOMY) as [string, ...string[]], "A level of autonomy, instead of the key mode."),
  agents: z
    .record(z.string(), listed)
    .optional()
    .describe("By the name of an agent: what is left of the tools for it."),
  providers: z.record(z.string(), listed).optional().describe("The same by the name of a provider."),
});

const override = z.strictObject({
  profile: choice(PROFILES, "The profile that is left."),
  tools: TOOLS.optional().describe(OPTIONS.tools.help),
  mode: choice(OPTIONS.mode.takes, "A narrower mode."),
  read_only: flag("Only tools that read are left."),
});
const overrides = z.record(z.string(), override);

const ruleText = (what: string): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe(what);
const rule = z.strictObject({
  deny: ruleText("tool(pattern) that is never made. Exactly one of deny, ask and allow."),
  ask: ruleText("tool(pattern) that a person decides about."),
  allow: ruleText("tool(pattern) that is made at once."),
  reason: text("What the caller is told."),
  match: names("Calls, as tool(path), that the rule must match; checked when it is loaded."),
  not_match: names("Calls that it must not match."),
  accepted: ruleText("Why an allow rule is wide on purpose; `ringfence check` does not name it then."),
});

const program = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string()).min(1).optional().describe(what);
const bareHook = z.strictObject({
  tool: z.string().min(1).describe("A tool, a group or a glob of names."),
  action: choice(
    ["confirm", "log", "silent"],
    "confirm: ask whatever the rules say; log: also on stderr; silent: not among the events.",
  ),
  before: program(
    'A program and its arguments. It gets the call as JSON on stdin and may answer {"decision": "ask"} or "deny"; a failure means ask.',
  ),
  after: program("A program that is told on stdin how the call ended: the same, and the outcome."),
  on: choice(
    ["proposal"],
    "proposal: `run` is told of every proposal that a call of the tool becomes. It decides nothing.",
  ),
  run: program("With on: a program that is told on stdin, as JSON. Nobody waits for it."),
  timeout_ms: most("For the programs. Default 5000.", 60_000),
  ...reach,
});
const hook = bareHook.refine(
  ({ on, run, before, after, action }) =>
    on === undefined ? run === undefined : run !== undefined && !before && !after && !action,
  "on and run stand together, and beside neither before, after nor action",
);

const perCall = {
  bytes_out: most("Bytes of its answer."),
  lines: most("Lines of the text of its answer."),
  matches: most("Lines, paths or counts of a search."),
  wall_ms: most("Milliseconds that it takes."),
};
const perSession = {
  bytes_out: most("Bytes of all answers."),
  lines: most("Lines of the texts of all answers."),
  matches: most("Lines, paths or counts of all searches."),
  wall_ms: most("Milliseconds that all calls take."),
  calls: most("Calls."),
};

const PROXY = /^http:\/\/[A-Za-z0-9.-]{1,253}:\d{1,5}\/?$/;

/** The schemas of the options with a structure. */
const STRUCTURES: Readonly<Record<StructureKey, z.ZodType>> = {
  profiles: overrides,
  tools: TOOLS_OF_FILE,
  rules: z.array(rule),
  clients: overrides,
  agents: overrides,
  providers: overrides,
  skills: overrides,
  hooks: z.array(hook),
  secrets: z.strictObject({
    except: names("Exact paths, below a root or absolute, that are no secrets whatever their name."),
    redact: flag("Replace detected secrets in answers. Default true."),
    search_terms: choice(["ask", "allow"], "A search whose only sense is to find secrets. Default ask."),
  }),
  commands: commandsSchema,
  command_folders: commandFoldersSchema,
  spaces: z.array(z.string().min(1)),
  shell: shellSchema,
  upstream: upstreamSchema,
  upstream_reach: upstreamReachSchema,
  packs: z.record(z.string(), z.record(z.string(), z.unknown())),
  network: z.strictObject({
    proxy: z
      .string()
      .regex(PROXY)
      .optional()
      .describe(
        "http://host:port of a proxy that every connection but those to this machine goes through; it resolves the names then.",
      ),
    ranges: names(
      "Ranges of addresses (10.0.0.0/8) that names may lead to besides public ones. Metadata services never are.",
    ),
    ca: text("A file with certificates (PEM) that are believed besides the usual ones, where no tool can write."),
  }),
  review: z.strictObject({
    wait_ms: z
      .int()
      .min(0)
      .max(limits.MAX_REVIEW_WAIT_MS)
      .optional()
      .describe(
        "How long a call waits for the decision while a reviewer is attached. Default 50000, because many clients give a call up after 60 s; 0: calls do not wait.",
      ),
  }),
  notify: z.strictObject({
    webhook: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .describe("An address that gets a POST of JSON with the number of proposals and their risks: no path, no diff."),
  }),
  budgets: z.strictObject({
    call: z.strictObject(perCall).optional().describe("Limits of one call."),
    session: z.strictObject(perSession).optional().describe("Limits of all calls of one process."),
  }),
  bridge: z.strictObject({
    enabled: flag("false: nothing that a client offers is taken. Default true."),
    space_tools: flag(
      "The bridge tools of the Construct operator (space_snapshot and others), which the client carries out. Default false.",
    ),
    read_tools: names("Its tools that only read, by name or glob: they are not asked about. The others count as R4."),
    timeout_ms: most("How long a client may take for one call. Default 60000.", 3_600_000),
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

/** The schemas of options of which a root may set less than the host. */
const IN_ROOT: Readonly<Record<string, z.ZodType>> = {
  tools: z.strictObject({ deny: names("Tools, groups or globs of names that are not there.") }),
  rules: z.array(rule.omit({ allow: true, accepted: true })),
  baseline: z.literal("required"),
};

function objectOf(fields: (key: string, option: Option) => [schema: z.ZodType, what: string] | undefined): z.ZodObject {
  const shape = optionRows().flatMap(([key, option]) => {
    const [schema, what = ""] = fields(key, option) ?? [];
    return schema === undefined ? [] : [[key, schema.optional().describe(what)] as const];
  });
  return z.strictObject(Object.fromEntries(shape));
}

export const configFile: z.ZodObject = objectOf((key, option) => {
  const { help, more, only } = option;
  if (only === "command line") return undefined;
  return [schemaOf(key, option), more === undefined ? help : `${help} ${more}`];
}).describe("The configuration of ringfence.");

/** What a `.ringfence.json` in a root may say: it can only narrow. */
export const rootFile: z.ZodObject = objectOf((key, option) =>
  option.inRoot === undefined ? undefined : [IN_ROOT[key] ?? schemaOf(key, option), option.inRoot],
).describe("What a root asks for itself. It can only narrow.");
