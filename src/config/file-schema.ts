/**
 * The configuration file as a schema, made from the table of options and, for options with a structure, from the schemas
 * below. The published JSON Schemas and docs/configuration.md are made from it. Loaded only when there is a file.
 *
 * Every part is made when it is asked for: all of it takes as long as the rest of a start, and files say a few keys.
 */
import * as z from "zod/mini";
import { limits } from "../base/index.ts";
import { PROFILES } from "../policy/index.ts";
import { AUTONOMY } from "./parse/lift-tools.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";
import { described } from "../contract/described.ts";
import { choice, filled, flag, maybe, most, names, text } from "./programs/field-kinds.ts";
import { optionRows, type StructureKey } from "./settings.ts";

/** Lists of tools, as fields of their own and of others. */
function toolLists(): { readonly allow: z.ZodMiniType; readonly deny: z.ZodMiniType } {
  return {
    allow: names("Tools, groups (group:fs) or globs of names that are there besides those of the profile."),
    deny: names("Tools, groups or globs of names that are not there. Deny always wins."),
  };
}

/** With all that belongs to it in one place, as other hosts write it. */
function toolsOfFile(): z.ZodMiniType {
  const listed = z.strictObject({ profile: choice(PROFILES, "The profile that is left."), ...toolLists() });
  return z.strictObject({
    ...toolLists(),
    profile: text("The same as the key profile."),
    autonomy: choice(Object.keys(AUTONOMY) as [string, ...string[]], "A level of autonomy, instead of the key mode."),
    agents: maybe(z.record(z.string(), listed), "By the name of an agent: what is left of the tools for it."),
    providers: maybe(z.record(z.string(), listed), "The same by the name of a provider."),
  });
}

function overrides(): z.ZodMiniType {
  const override = z.strictObject({
    profile: choice(PROFILES, "The profile that is left."),
    tools: maybe(z.strictObject(toolLists()), OPTIONS.tools.help),
    mode: choice(OPTIONS.mode.takes, "A narrower mode."),
    read_only: flag("Only tools that read are left."),
  });
  return z.record(z.string(), override);
}

function ruleText(what: string): z.ZodMiniType {
  return maybe(filled(), what);
}

function ruleOf(): z.ZodMiniObject {
  return z.strictObject({
    deny: ruleText("tool(pattern) that is never made. Exactly one of deny, ask and allow."),
    ask: ruleText("tool(pattern) that a person decides about."),
    allow: ruleText("tool(pattern) that is made at once."),
    reason: text("What the caller is told."),
    match: names("Calls, as tool(path), that the rule must match; checked when it is loaded."),
    not_match: names("Calls that it must not match."),
    accepted: ruleText("Why an allow rule is wide on purpose; `ringfence check` does not name it then."),
  });
}

function budgets(): z.ZodMiniType {
  const call = z.strictObject({
    bytes_out: most("Bytes of its answer."),
    lines: most("Lines of the text of its answer."),
    matches: most("Lines, paths or counts of a search."),
    wall_ms: most("Milliseconds that it takes."),
  });
  const session = z.strictObject({
    bytes_out: most("Bytes of all answers."),
    lines: most("Lines of the texts of all answers."),
    matches: most("Lines, paths or counts of all searches."),
    wall_ms: most("Milliseconds that all calls take."),
    calls: most("Calls."),
  });
  return z.strictObject({
    call: maybe(call, "Limits of one call."),
    session: maybe(session, "Limits of all calls of one process."),
  });
}

const PROXY = /^http:\/\/[A-Za-z0-9.-]{1,253}:\d{1,5}\/?$/;

/** The schemas of the options with a structure. */
const STRUCTURES: Readonly<Record<StructureKey, () => z.ZodMiniType | Promise<z.ZodMiniType>>> = {
  profiles: overrides,
  tools: toolsOfFile,
  rules: () => z.array(ruleOf()),
  clients: overrides,
  agents: overrides,
  providers: overrides,
  skills: overrides,
  hooks: async () => (await import("./programs/hooks-config.ts")).hooksSchema,
  secrets: () =>
    z.strictObject({
      except: names("Exact paths, below a root or absolute, that are no secrets whatever their name."),
      redact: flag("Replace detected secrets in answers. Default true."),
      search_terms: choice(["ask", "allow"], "A search whose only sense is to find secrets. Default ask."),
    }),
  commands: async () => (await import("./programs/commands-config.ts")).commandsSchema,
  command_folders: async () => (await import("./programs/commands-config.ts")).commandFoldersSchema,
  spaces: () => z.array(filled()),
  shell: async () => (await import("./programs/commands-config.ts")).shellSchema,
  upstream: async () => (await import("./programs/upstream-config.ts")).upstreamSchema,
  upstream_reach: async () => (await import("./programs/upstream-config.ts")).upstreamReachSchema,
  // Each pack has a schema of its own. As records, these would take twice the time at a start.
  packs: () => z.catchall(z.object({}), z.looseObject({})),
  network: () =>
    z.strictObject({
      proxy: maybe(
        z.string().check(z.regex(PROXY)),
        "http://host:port of a proxy that every connection but those to this machine goes through; it resolves the names then.",
      ),
      ranges: names(
        "Ranges of addresses (10.0.0.0/8) that names may lead to besides public ones. Metadata services never are.",
      ),
      ca: text("A file with certificates (PEM) that are believed besides the usual ones, where no tool can write."),
    }),
  review: () =>
    z.strictObject({
      wait_ms: maybe(
        z.int().check(z.minimum(0), z.maximum(limits.MAX_REVIEW_WAIT_MS)),
        "How long a call waits for the decision while a reviewer is attached. Default 50000, because many clients give a call up after 60 s; 0: calls do not wait.",
      ),
    }),
  notify: () =>
    z.strictObject({
      webhook: maybe(
        z.url({ protocol: /^https?$/ }).check(z.maxLength(2048)),
        "An address that gets a POST of JSON with the number of proposals and their risks: no path, no diff.",
      ),
    }),
  budgets,
  bridge: () =>
    z.strictObject({
      enabled: flag("false: nothing that a client offers is taken. Default true."),
      space_tools: flag(
        "The bridge tools of the Construct operator (space_snapshot and others), which the client carries out. Default false.",
      ),
      read_tools: names("Its tools that only read, by name or glob: they are not asked about. The others count as R4."),
      timeout_ms: most("How long a client may take for one call. Default 60000.", 3_600_000),
    }),
};

/** @param key of an option with that row */
async function schemaOf(key: string, { takes, paths }: Option): Promise<z.ZodMiniType> {
  switch (takes) {
    case "structure":
      return await STRUCTURES[key as StructureKey]();
    case "text":
      // An empty path would be the folder of the file.
      return paths ? filled() : z.string();
    case "list":
      return z.array(filled());
    case "switch":
      return z.boolean();
    case "number":
      return z.int().check(z.minimum(0));
    default:
      return z.enum(takes as [string, ...string[]]);
  }
}

/** The schemas of options of which a root may set less than the host. */
const IN_ROOT: Readonly<Record<string, () => z.ZodMiniType>> = {
  tools: () => z.strictObject({ deny: names("Tools, groups or globs of names that are not there.") }),
  rules: () => z.array(z.omit(ruleOf(), { allow: true, accepted: true })),
  baseline: () => z.literal("required"),
};

/** A key of a file, and what it means there. */
interface FileKey {
  readonly key: string;
  readonly option: Option;
  readonly what: string;
}

const CONFIG_KEYS: readonly FileKey[] = optionRows().flatMap(([key, option]) =>
  option.only === "command line"
    ? []
    : [{ key, option, what: option.more === undefined ? option.help : `${option.help} ${option.more}` }],
);

const ROOT_KEYS: readonly FileKey[] = optionRows().flatMap(([key, option]) =>
  option.inRoot === undefined ? [] : [{ key, option, what: option.inRoot }],
);

/** The keys that a configuration file may have. */
export const CONFIG_KEY_NAMES: readonly string[] = CONFIG_KEYS.map(({ key }) => key);

async function objectOf(
  keys: readonly FileKey[],
  wanted: readonly string[] | undefined,
  schema: (one: FileKey) => Promise<z.ZodMiniType>,
): Promise<z.ZodMiniObject> {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const one of keys)
    if (wanted === undefined || wanted.includes(one.key)) shape[one.key] = maybe(await schema(one), one.what);
  return z.strictObject(shape);
}

/** @param wanted the keys that it has to know. Default: all */
export async function configFile(wanted?: readonly string[]): Promise<z.ZodMiniObject> {
  const schema = await objectOf(CONFIG_KEYS, wanted, async ({ key, option }) => await schemaOf(key, option));
  return described(schema, "The configuration of ringfence.");
}

/** What a `.ringfence.json` in a root may say: it can only narrow. @param wanted as of `configFile` */
export async function rootFile(wanted?: readonly string[]): Promise<z.ZodMiniObject> {
  return described(await objectOf(ROOT_KEYS, wanted, schemaInRoot), "What a root asks for itself. It can only narrow.");
}

async function schemaInRoot({ key, option }: FileKey): Promise<z.ZodMiniType> {
  return IN_ROOT[key]?.() ?? (await schemaOf(key, option));
}
