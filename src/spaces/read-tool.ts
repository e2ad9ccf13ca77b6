/**
 * One tool of a space, from the form in which Construct declares it to a command of ours. What a person reviews of it, and what
 * its hash stands for, is everything that decides what runs: the words that a model reads, the command, and the files of the
 * space that the command names.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { Failure, isObject, limits, sha256 } from "../base/index.ts";
import type { FileParsers } from "../config/index.ts";
import { compileExpression, type CommandDeclaration, type ParameterDeclaration } from "../contract/index.ts";
import { hashTools, type ListedTool } from "../upstream/index.ts";
import { whyNotStartable } from "./check-startable.ts";
import { readCommand, type Word } from "./command-words.ts";
import { readSmallFile, reasonOf } from "./small-file.ts";

export interface SpaceTool {
  /** As its file has it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** All of its parameters. */
  readonly parameters: Readonly<Record<string, ParameterDeclaration>>;
  /** Values of those that a call leaves out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** A person is asked before each call. */
  readonly confirm: boolean;
  /** What is started; it has the parameters that the command names. */
  readonly declaration: CommandDeclaration;
  /** Shown to a person, and hashed. */
  readonly reviewed: ListedTool;
  readonly hash: string;
  /** Absolute paths that it was read from. */
  readonly files: readonly string[];
}

/** Where a tool stands in its space. */
export interface ToolPlace {
  /** The real path of the space. */
  readonly folder: string;
  /** The file that declares it, relative to the space. */
  readonly file: string;
  /** Directories in which its scripts are looked for, absolute. */
  readonly beside: readonly string[];
}

const NAME = z.string().regex(/^[A-Za-z_]\w{0,63}$/, "it is no name of letters, digits and _");

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_TIMEOUT_S: number = limits.MAX_COMMAND_MS / 1000;
const DEFAULT_TIMEOUT_S = 60;

/** As Construct has them, some in two spellings. */
const TYPES = z.enum(["string", "number", "integer", "int", "boolean", "bool", "array", "path"]).default("string");

const PARAMETER = z.object({
  type: TYPES.transform((type) => (type === "int" ? "integer" : type === "bool" ? "boolean" : type)),
  description: z.string().max(2000).optional(),
  required: z.boolean().default(false),
  enum: z.array(z.string().max(200)).min(1).max(100).optional(),
  default: z.unknown().optional(),
  pattern: z.string().max(1000).optional(),
});
const NAMED = PARAMETER.extend({ name: NAME });

const FORM = z.object({
  id: z.string().optional(),
  name: z.string().max(100).optional(),
  description: z.string().min(1).max(1500),
  parameters: z.union([z.array(NAMED).max(64), z.record(NAME, PARAMETER)]).optional(),
  command: z.string().min(1).max(4000).optional(),
  timeout: z.number().positive().max(MAX_TIMEOUT_S).default(DEFAULT_TIMEOUT_S),
  confirm: z.boolean().default(false),
  workdir: z.string().min(1).max(1000).optional(),
  cwd: z.string().min(1).max(1000).optional(),
  environment: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(4000)).optional(),
  mcp: z.literal(false).optional(),
});
type Form = z.output<typeof FORM>;
type ParseForm = FileParsers["parseForm"];
type NamedParameter = z.output<typeof NAMED>;

/** @param stem the name of its file, for a tool without an id @throws Error that says why not, for a person */
export function readTool(given: unknown, stem: string, place: ToolPlace, parseForm: ParseForm): SpaceTool {
  const form = formOf(given, parseForm);
  const id = form.id ?? stem;
  if (!ID.test(id))
    throw new Error(`its id ${JSON.stringify(id.slice(0, 60))} is not made of letters, digits, - and _`);
  const parameters = parametersOf(form);
  const words = readCommand(form.command ?? `./${stem}.sh`);
  const unknown = words.find((word) => "parameter" in word && !parameters.some(({ name }) => name === word.parameter));
  if (unknown && "parameter" in unknown)
    throw new Error(`its command names {{${unknown.parameter}}}, which is no parameter`);
  const scripts = new Map<string, string>();
  const [program = "", ...args] = words.map((word, index) => argumentOf(word, index === 0, place, scripts));
  const declared = Object.fromEntries(parameters.map((one) => [one.name, declarationOf(one)]));
  const used = words.flatMap((word) => ("parameter" in word ? word.parameter : []));
  const cwd = form.workdir ?? form.cwd;
  const { description, confirm, environment } = form;
  const title = form.name ?? id;
  const declaration: CommandDeclaration = {
    description,
    program,
    args,
    parameters: Object.fromEntries(used.map((name) => [name, startedWith(declared[name], flagOf(name, words))])),
    timeout_ms: Math.round(form.timeout * 1000),
    reads: [place.folder],
    source: resolve(place.folder, place.file),
    ...(cwd === undefined ? {} : { cwd }),
    ...(environment === undefined ? {} : { environment }),
  };
  const reviewed: ListedTool = {
    name: id,
    title,
    description,
    inputSchema: { type: "object", properties: Object.fromEntries(parameters.map(({ name, ...one }) => [name, one])) },
    annotations: {
      folder: place.folder,
      file: place.file,
      command: [program, ...args],
      timeout_s: form.timeout,
      confirm,
      cwd,
      environment,
      scripts: Object.fromEntries(scripts),
    },
  };
  return {
    id,
    title,
    description,
    parameters: declared,
    defaults: Object.fromEntries(
      parameters.flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default]])),
    ),
    confirm,
    declaration,
    reviewed,
    hash: hashTools([reviewed]),
    files: [resolve(place.folder, place.file), ...[...scripts.keys()].map((one) => resolve(place.folder, one))],
  };
}

function formOf(given: unknown, parseForm: ParseForm): Form {
  if (isObject(given) && (given["mcp"] ?? false) !== false)
    throw new Error("it is a tool of an MCP server, which the key upstream of the configuration declares");
  return parseForm(FORM, given);
}

function parametersOf({ parameters = [] }: Form): NamedParameter[] {
  const all = Array.isArray(parameters)
    ? parameters
    : Object.entries(parameters).map(([name, one]) => ({ ...one, name }));
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`its parameter ${twice} is there twice`);
  return all;
}

function declarationOf(parameter: NamedParameter): ParameterDeclaration {
  const { name, type, description, required, enum: values, pattern, default: preset } = parameter;
  if (pattern !== undefined) checkPattern(name, pattern);
  const about = description === undefined || /[.!?]$/.test(description) ? description : `${description}.`;
  const said =
    preset === undefined ? description : [about, `Default ${JSON.stringify(preset)}.`].filter(Boolean).join(" ");
  return {
    type: values ? "enum" : type === "array" ? "list" : type,
    // What has a default is never missing.
    required: required && preset === undefined,
    ...(said === undefined ? {} : { description: said }),
    ...(values ? { values } : {}),
    ...(pattern === undefined || type !== "string" || values ? {} : { pattern }),
  };
}

function flagOf(name: string, words: readonly Word[]): string {
  return words.flatMap((word) => ("parameter" in word && word.parameter === name ? word.flag : [])).at(0) ?? "";
}

/** As the program is given it. A truth is a word, because the template stands for its value and not for a switch. */
function startedWith(declared: ParameterDeclaration = { type: "string" }, flag: string): ParameterDeclaration {
  const own: ParameterDeclaration =
    declared.type === "boolean" ? { ...declared, type: "enum", values: ["true", "false"] } : declared;
  return flag === "" ? own : { ...own, flag };
}

function checkPattern(name: string, pattern: string): void {
  try {
    compileExpression(pattern);
  } catch (thrown) {
    if (thrown instanceof Failure)
      throw new Error(`the pattern of ${name} cannot be used: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

/** A word that names a file of the space is its absolute path, and the file is hashed. */
function argumentOf(
  word: Word,
  isProgram: boolean,
  { folder, beside }: ToolPlace,
  scripts: Map<string, string>,
): string {
  if ("parameter" in word) return `{${word.parameter}}`;
  const { text } = word;
  const isPath = text.includes("/") && !text.startsWith("-") && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (isPath && (text.startsWith("/") || text.split("/").includes("..")))
    throw new Error(`its command names ${JSON.stringify(text.slice(0, 100))}, which is not in the space`);
  const path = beside.map((one) => resolve(one, text)).find((one) => existsSync(one));
  if (path === undefined) {
    if (isPath && isProgram) throw new Error(`its script ${JSON.stringify(text.slice(0, 100))} is not there`);
    return text;
  }
  if (!isProgram && !isPath && !/\.\w+$/.test(text)) return text;
  scripts.set(path.slice(folder.length + 1), hashOf(path, folder, isProgram));
  return path;
}

function hashOf(path: string, folder: string, isProgram: boolean): string {
  let read: ReturnType<typeof readSmallFile>;
  try {
    read = readSmallFile(path, folder);
  } catch (thrown) {
    throw new Error(`its script ${path.slice(folder.length + 1)} cannot be used: ${reasonOf(thrown)}`, {
      cause: thrown,
    });
  }
  if (isProgram && (read.mode & 0o111) === 0)
    throw new Error(`its script ${path.slice(folder.length + 1)} may not be executed: chmod +x it`);
  const unfit = isProgram ? whyNotStartable(read.bytes) : undefined;
  if (unfit !== undefined) throw new Error(`its script ${path.slice(folder.length + 1)} cannot be started: ${unfit}`);
  return sha256(read.bytes);
}
