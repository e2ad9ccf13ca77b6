/**
 * The keys of the configuration that name programs (`commands`, `command_folders`, `shell`, `upstream` and `upstream_reach`)
 * as schemas: what is accepted and what each key means. Loaded only where one of them stands.
 */
import * as z from "zod";
import { Failure } from "../base/index.ts";
import { compileExpression } from "../pattern/index.ts";
import { parseReach } from "../reach/index.ts";
import {
  refusedAddress,
  type CommandDeclaration,
  type CommandDeclarations,
  type HookPrograms,
  type ShellSettings,
  type UpstreamDeclaration,
  type UpstreamsConfig,
} from "../proc/index.ts";
import { clearestIssue } from "./parse/clearest-issue.ts";
import { refuseSameNames, upstreamAsSchema } from "./upstream-as.ts";

/** Schemas of keys that may be left out, each with what it means. */
export const most = (what: string, max: number = Number.MAX_SAFE_INTEGER): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(max).optional().describe(what);
export const flag = (what: string): z.ZodOptional<z.ZodBoolean> => z.boolean().optional().describe(what);
export const text = (what: string): z.ZodOptional<z.ZodString> => z.string().optional().describe(what);
export const names = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string().min(1)).optional().describe(what);
const texts = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> => z.array(z.string()).optional().describe(what);
export const choice = <const T extends readonly string[]>(
  values: T,
  what: string,
): z.ZodOptional<z.ZodEnum<{ [Value in T[number]]: Value }>> => z.enum(values).optional().describe(what);

const flagText = z
  .string()
  .regex(/^-/)
  .optional()
  .describe("`--name` makes two arguments, `--name=` one; of a boolean, the argument when it is true.");

const paths = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z
    .array(z.string().regex(/^(?:\/|~\/)/, "it must begin with / or ~/"))
    .optional()
    .describe(`${what}: absolute, or below the user's home as ~/NAME.`);

const limits = {
  timeout_ms: most("After this it is ended. Default 120000.", 86_400_000),
  cpu_seconds: most("Seconds of processor time for each process. Default 3600."),
  memory_mb: most("Megabytes of data for each process. Default 8192."),
  processes: most("Processes at once. Default 512."),
  file_mb: most("Megabytes of one file that is written. Default 4096."),
};
const network = z
  .union([
    z.enum(["none", "internet", "all"]),
    z.strictObject({
      reach: z
        .array(z.string())
        .superRefine(checkReach)
        .describe("host:port, host, *.suffix, *.suffix:port, or an address, with or without a port."),
      unix: flag("Unix sockets that have a path too. Default false."),
    }),
  ])
  .optional()
  .describe("none: no sockets; internet: without unix sockets; all; or a list of hosts. Default none.");
const environment = z
  .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
  .optional()
  .describe("Variables besides PATH, LANG, HOME and TMPDIR of its own.");
const snapshot = z
  .array(z.string().min(1))
  .max(64)
  .optional()
  .describe("Globs in the writable roots: such files are kept first, so that what it makes of them can be undone.");
const inherit = texts("Names of variables of the host that it gets too.");

type Reach = Required<Pick<HookPrograms, "environment" | "inherit" | "network" | "reads" | "writes">>;

/** What a command, a hook or another server is given, and what its fence leaves it. */
export const reach: { readonly [Key in keyof Reach]: z.ZodOptional<z.ZodType<Reach[Key]>> } = {
  environment,
  inherit,
  network,
  reads: paths("Paths outside the roots that it may read and run"),
  writes: paths("Paths outside the roots that it may change"),
};

const fields = {
  type: z.enum(["string", "integer", "number", "boolean", "enum", "path", "list"]).describe("The type of its values."),
  description: text("For the model."),
  may_be_option: flag("A value may begin with a dash."),
  pattern: z
    .string()
    .superRefine(checkPattern)
    .optional()
    .describe(
      "For a string: a regular expression that matches all of it, without references to groups, look-behind and \\b.",
    ),
  max_length: most("For a string: how long it may be."),
  minimum: z.number().optional().describe("For a number: the least that it may be."),
  maximum: z.number().optional().describe("For a number: the most that it may be."),
  values: z.array(z.string()).min(1).optional().describe("For an enum: its values."),
  intent: choice(["read", "write"], "For a path: what the program does with it. Default read."),
};

const parameter = z
  .strictObject({
    ...fields,
    required: flag("Whether the caller must give it. Default false."),
    flag: flagText,
    items: z.strictObject(fields).optional().describe("For a list: what its items are."),
    max_items: most("For a list: how many items it may have. Default 256."),
  })
  .refine(({ type, values }) => type !== "enum" || values !== undefined, "an enum needs values");

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .optional()
  .describe("The SHA-256 hash of the program. Another one is not started.");
const home = choice(
  ["own", "user"],
  "user: HOME is that of this user; the fence still decides what is there. Default own.",
);
const COMMAND = z
  .strictObject({
    description: z.string().min(1).describe("What it does, for the model and for the person who is asked."),
    program: z.string().min(1).describe("An absolute path, or a name that is looked up once at the start."),
    sha256,
    args: texts("Fixed arguments; `{name}` stands for those of a parameter, as a whole argument."),
    parameters: z
      .record(z.string().regex(/^[a-z][a-z0-9_]*$/), parameter)
      .optional()
      .describe("What the caller gives. Each value is one argument."),
    cwd: text("A directory in a root. Default: the first root."),
    home,
    stdin: choice(["closed", "given"], "given: the caller may send text. Default closed."),
    pty: flag("It gets a terminal of its own, 120 by 40, for programs that need one. Default false."),
    risk: choice(["R0", "R1", "R2", "R3", "R4"], "R0 and R1 run without a question. Default R3."),
    changes: flag(
      "Whether files are looked at before and after it, so that the answer names those it changed. Default true.",
    ),
    snapshot,
    ...reach,
    ...limits,
  })
  .refine(hasKnownPlaceholders, "args name a parameter that is not declared");

/** `cmd_` and this must fit into the name of a tool. */
const NAME = /^[a-z][a-z0-9_]{0,25}$/;

export const commandsSchema: z.ZodType<CommandDeclarations> = z.record(
  z.string().regex(NAME, "a command is named by 1 to 26 of a-z, 0-9 and _"),
  COMMAND,
);

export const commandFoldersSchema: z.ZodType<readonly string[]> = z.array(z.string().min(1));

export const shellSchema: z.ZodType<ShellSettings> = z.strictObject({
  enabled: z.boolean().default(false).describe("Whether there is a shell tool at all. Default false."),
  programs: names(
    "Programs that process_start may start with their arguments, without a shell, also where there is none.",
  ),
  network,
  snapshot,
  environment,
  inherit,
  ...limits,
});

/** `mcp_`, this, `_` and some of a tool's name must fit into the name of a tool. */
const SERVER_NAME = /^[a-z][a-z0-9_-]{0,15}$/;

/** The keys that mean nothing for a server at an address. */
const OF_PROGRAMS = ["args", "roots", "reads", "writes", "cwd", "network"] as const;

const SERVER = z
  .strictObject({
    command: z
      .string()
      .min(1)
      .optional()
      .describe("A program that speaks MCP over stdio: an absolute path, or a name that is looked up once."),
    args: texts("Its arguments."),
    sha256,
    home,
    ...reach,
    cwd: text("A directory in a root. Default: a temporary folder of its own."),
    roots: choice(["none", "read", "write"], "What its fence leaves of the roots of this host. Default none."),
    url: text("Instead of a command: streamable HTTP at this address, whose host is in upstream_reach."),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))
      .optional()
      .describe("Sent with every request; ${NAME} in a value stands for a variable of the environment."),
    read_tools: names("Its tools that only read, by name or glob: they are not asked about. The others count as R4."),
    as: upstreamAsSchema,
    ...limits,
    timeout_ms: most("For one call. Default 60000.", 3_600_000),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), "it needs either command or url")
  .refine(
    (server) => server.url === undefined || OF_PROGRAMS.every((key) => server[key] === undefined),
    "with a url there is no program: args, roots, reads, writes, cwd and network mean nothing",
  );

export const upstreamSchema: z.ZodType<Readonly<Record<string, UpstreamDeclaration>>> = z.record(
  z.string().regex(SERVER_NAME, "a server is named by 1 to 16 of a-z, 0-9, _ and -"),
  SERVER,
);

export const upstreamReachSchema: z.ZodType<readonly string[]> = z.array(
  z
    .string()
    .regex(
      /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9a-fA-F:]+\](?::\d{1,5})?$/,
      "it is a host, as example.com or example.com:8443",
    ),
);

/** @throws Failure `invalid_input` that names the place */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, what: string, page = "docs/commands.md"): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = clearestIssue(parsed.error.issues[0]);
  const at = issue?.path.map(String).join(".");
  throw new Failure(
    "invalid_input",
    `Cannot start: ${what}${at ? `.${at}` : ""} is wrong: ${issue?.message ?? "it is not valid"}`,
    { hint: `${page} says what can stand there.` },
  );
}

/** One declaration, from a file of a folder. @throws Failure `invalid_input` that names the file */
export function parseDeclaration(name: string, declared: unknown, path: string): CommandDeclaration {
  if (NAME.test(name)) return parseWith<CommandDeclaration>(COMMAND, declared, path);
  throw new Failure("invalid_input", `Cannot use "${path}": a command is named by 1 to 26 of a-z, 0-9, - and _`);
}

/** Refuses an expression that cannot be matched in linear time: the values come from a model. */
function checkPattern(pattern: string, context: z.RefinementCtx): void {
  try {
    compileExpression(pattern);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    context.addIssue(thrown.message.replace("Cannot use the expression: ", ""));
  }
}

function checkReach(entries: string[], context: z.RefinementCtx): void {
  try {
    parseReach(entries);
  } catch (thrown) {
    context.addIssue(thrown instanceof Failure ? thrown.message : String(thrown));
  }
}

function hasKnownPlaceholders(command: { args?: string[] | undefined; parameters?: object | undefined }): boolean {
  return (command.args ?? []).every((arg) => {
    const name = /^\{(\w+)\}$/.exec(arg)?.[1];
    return name === undefined || Object.hasOwn(command.parameters ?? {}, name);
  });
}

/**
 * The tools of a server begin with its name, and rules go by that: `mcp_git_*` must not mean the tools of `git_hub` as well.
 * @throws Failure `conflict`
 */
function refuseSamePrefix(servers: readonly string[]): void {
  for (const [index, server] of servers.entries()) {
    const other = servers.find((one, at) => at !== index && prefixOf(server).startsWith(prefixOf(one)));
    if (other === undefined) continue;
    throw new Failure(
      "conflict",
      `Cannot start: upstream.${server} may not stand beside upstream.${other}: a rule for the tools of "${other}" would hold for those of "${server}"`,
      { hint: "Give one of them a name that does not begin like the other." },
    );
  }
}

function prefixOf(server: string): string {
  return `${server.replaceAll("-", "_")}_`;
}

/** @throws Failure `invalid_input`, `denied` for an address that is not listed */
export function resolveUpstream(upstream: unknown, reached: unknown): UpstreamsConfig {
  const servers = parseWith(upstreamSchema, upstream ?? {}, "upstream", "docs/upstream.md");
  refuseSamePrefix(Object.keys(servers));
  refuseSameNames(servers);
  const hosts = parseWith(upstreamReachSchema, reached ?? [], "upstream_reach", "docs/upstream.md");
  for (const [name, { url }] of Object.entries(servers)) {
    const why = url === undefined ? undefined : refusedAddress(url, hosts);
    if (why === undefined) continue;
    throw new Failure("denied", `Cannot start: upstream.${name}.url may not be used: ${why}`, {
      hint: "List its host in upstream_reach of the configuration; plain http is for this machine alone.",
    });
  }
  return { servers, reach: hosts };
}
