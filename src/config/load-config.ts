/**
 * The configuration of one start: what was typed, with the configuration files below it when there are any, resolved into
 * what the host obeys. With it the programs that a host may start: commands, of the configuration and of the folders that it
 * names, and other MCP servers. A folder is refused where a tool can write, because what stands in it is started.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname, isAbsolute, join, resolve, sep } from "node:path";
import type * as z from "zod/mini";
import { Failure, realPathOf } from "../base/index.ts";
import type { CommandDeclaration } from "../proc/index.ts";
import type { RootSpec } from "../scope/index.ts";
import { existingFiles, parseRoot, rootFileOf } from "./config-files.ts";
import { configDirectories } from "./environment.ts";
import type { Imported } from "./flynn/import-flynn.ts";
import { resolveConfig, resolveSettings } from "./resolve-config.ts";
import type { parseForm as parseFormNow } from "./parse/parse-form.ts";
import type { parseText as parseTextNow } from "./parse/parse-text.ts";
import { toFile, type Config, type RawConfig } from "./settings.ts";

export interface LoadedConfig {
  readonly config: Config;
  /** Where each value comes from, by its key in a file. Keys that nobody set are not in it. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** The roots as they were given, whether the command needs them or not. */
  readonly roots: readonly string[];
  /** The globs of `deny` as they were given. */
  readonly deny: readonly string[];
}

/**
 * @param builtin defaults of the command
 * @param needsRoots false for commands that work on the state folder alone
 * @throws Failure `invalid_input` that names the flag or file, `denied` for what a machine's file has locked
 */
export async function loadConfig(typed: RawConfig, builtin: RawConfig = {}, needsRoots = true): Promise<LoadedConfig> {
  const resolve_ = needsRoots ? resolveConfig : resolveSettings;
  // Where the next start would look is kept from tools like what this one has found.
  const places = Object.values(configDirectories());
  const hasFiles =
    existingFiles(typed.config).length > 0 || (typed.roots ?? []).some((root) => rootFileOf(root).length > 0);
  if (!hasFiles) {
    const raw = await loadCommands({ ...withDefaults(typed, builtin), configFiles: places });
    return { config: resolve_(raw), origins: originsOf(typed), ...givenIn(raw) };
  }
  const { layerConfig } = await import("./held-to-schemas.ts");
  const { raw, origins, files } = await layerConfig(builtin, typed);
  return {
    config: resolve_(await loadCommands({ ...raw, configFiles: [...files, ...places] })),
    origins,
    ...givenIn(raw),
  };
}

function givenIn({ roots = [], deny = [] }: RawConfig): Pick<LoadedConfig, "roots" | "deny"> {
  return { roots, deny };
}

/**
 * Another host's configuration as a file of ours, and what could not be carried over.
 * @param extension of its file
 * @throws Failure `invalid_input` that names the value
 */
export async function importConfig(source: "flynn", text: string, extension: string): Promise<Imported> {
  const importers = { flynn: async () => (await import("./flynn/import-flynn.ts")).importFlynn };
  return (await importers[source]())(text, extension);
}

function originsOf(typed: RawConfig): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.keys(toFile(typed)).map((key) => [key, ["command line"]]));
}

function withDefaults(typed: RawConfig, builtin: RawConfig): RawConfig {
  const said = Object.entries(typed).filter(([, value]) => value !== undefined);
  return { ...builtin, ...Object.fromEntries(said) };
}

/**
 * Checks the commands of the configuration and adds those of its folders. The schemas are loaded only where there are any.
 * @throws Failure `invalid_input`, `denied` for a folder that a tool can write, `conflict` for a name that is there twice
 */
export async function loadCommands(given: RawConfig): Promise<RawConfig> {
  const raw = await loadSkills(await loadUpstream(given));
  const { commands: declared, commandFolders, shell, ...rest } = raw;
  if (declared === undefined && commandFolders === undefined && shell === undefined) return raw;
  const [schemas, { parseWith }] = await Promise.all([
    import("./programs/commands-config.ts"),
    import("./parse/parse-with.ts"),
  ]);
  const commands: Record<string, CommandDeclaration> = {
    ...parseWith(schemas.commandsSchema, declared ?? {}, "commands"),
  };
  const folders = parseWith(schemas.commandFoldersSchema, commandFolders ?? [], "command_folders");
  const roots = (raw.roots ?? []).map(parseRoot);
  const { parseText } = await loadFileParsers();
  const parsers: Parsers = { parseDeclaration: schemas.parseDeclaration, parseText };
  for (const folder of folders)
    for (const [name, command] of readFolder(folder, roots, parsers)) {
      if (Object.hasOwn(commands, name))
        throw new Failure("conflict", `Cannot start: the command "${name}" is declared twice`);
      commands[name] = command;
    }
  return {
    ...rest,
    commands,
    // Kept from tools like the other files of the configuration.
    ...(folders.length === 0 ? {} : { configFiles: [...(raw.configFiles ?? []), ...folders] }),
    ...(shell === undefined ? {} : { shell: parseWith(schemas.shellSchema, shell, "shell") }),
  };
}

/** What reads a file that somebody else wrote: its text as values, and whether these have a form. */
export interface FileParsers {
  readonly parseText: typeof parseTextNow;
  readonly parseForm: typeof parseFormNow;
}

/** With them comes a parser of YAML, which no start should load that reads none. */
export async function loadFileParsers(): Promise<FileParsers> {
  const [{ parseText }, { parseForm }] = await Promise.all([
    import("./parse/parse-text.ts"),
    import("./parse/parse-form.ts"),
  ]);
  return { parseText, parseForm };
}

/**
 * Holds what a program sent to a schema; the library for that is loaded when something comes.
 * @param refused makes the failure of what is wrong, in the words of a person
 */
export async function parseSent<T>(
  schema: z.core.$ZodType<T>,
  value: unknown,
  refused: (why: string) => Failure,
): Promise<T> {
  const [{ safeParse }, { describeIssue }] = await Promise.all([
    import("./parse/safe-parse.ts"),
    import("./parse/describe-issue.ts"),
  ]);
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw refused(describeIssue(parsed.error.issues, schema));
}

/** Where a skill is said in the configuration too, that is what holds. */
async function loadSkills(raw: RawConfig): Promise<RawConfig> {
  const { skillFolders = [] } = raw;
  if (skillFolders.length === 0) return raw;
  const { readSkills } = await import("./flynn/load-skills.ts");
  const roots = (raw.roots ?? []).map(parseRoot);
  const skills = skillFolders.map((folder) => readSkills(outsideRoots(folder, roots, "skills")));
  const all = Object.assign({}, ...skills.reverse(), raw.skills) as NonNullable<RawConfig["skills"]>;
  return { ...raw, skills: all, configFiles: [...(raw.configFiles ?? []), ...skillFolders] };
}

/** @throws Failure `denied` for a folder that a tool can write */
function outsideRoots(folder: string, roots: readonly RootSpec[], what: string): string {
  const real = realPathOf(folder);
  const root = roots.find(({ path, readOnly }) => !readOnly && isBelow(real, realPathOf(path)));
  if (!root) return real;
  throw new Failure("denied", `Cannot use the ${what} in "${folder}": it lies in the writable root "${root.path}"`, {
    hint: "Keep declarations where no tool can change them.",
  });
}

async function loadUpstream(raw: RawConfig): Promise<RawConfig> {
  const { upstream, upstreamReach } = raw;
  if (upstream === undefined && upstreamReach === undefined) return raw;
  const { servers, reach } = (await import("./programs/upstream-config.ts")).resolveUpstream(upstream, upstreamReach);
  return { ...raw, upstream: servers, upstreamReach: reach };
}

interface Parsers {
  /** @param path of the file that it stands in, for what is said about it */
  readonly parseDeclaration: (name: string, declared: unknown, path: string) => CommandDeclaration;
  readonly parseText: (text: string, extension: string, isStrict: boolean) => unknown;
}

function readFolder(
  folder: string,
  roots: readonly RootSpec[],
  { parseDeclaration, parseText }: Parsers,
): [name: string, command: CommandDeclaration][] {
  const real = outsideRoots(folder, roots, "commands");
  return namesIn(real).flatMap((file): [string, CommandDeclaration][] => {
    const kind = extname(file);
    const name = file.slice(0, -kind.length).replaceAll("-", "_");
    if (![".yaml", ".yml", ".json"].includes(kind)) return [];
    const path = join(real, file);
    const parse = (): unknown => parseText(readFileSync(path, "utf8"), kind, true);
    const declared = withScript(orFailure(path, parse), real);
    return [[name, { ...parseDeclaration(name, declared, path), source: path }]];
  });
}

/** Resolves `./script`, which stands beside its declaration. */
function withScript(declared: unknown, folder: string): unknown {
  if (typeof declared !== "object" || declared === null || !("program" in declared)) return declared;
  const { program } = declared;
  if (typeof program !== "string" || !program.startsWith("./") || isAbsolute(program)) return declared;
  return { ...declared, program: resolve(folder, program) };
}

function orFailure(path: string, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot use "${path}": ${thrown instanceof Error ? thrown.message : ""}`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    throw new Failure("not_found", `Cannot use the commands in "${folder}": it cannot be read`);
  }
}

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(top.endsWith(sep) ? top : top + sep);
}
