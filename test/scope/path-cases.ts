/**
 * The path corpus: reading it, laying down a case, and what a case says about an answer. The format is described in
 * `test/fixtures/corpora`; `{ROOT}` and `{OUTSIDE}` stand for two folders side by side.
 *
 * Usual mistake: to parse the arguments and write them out again. Some cases are about how they are written, so the
 * text of a case's arguments goes to the host as it stands.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFifo } from "../host/file-tree.ts";

interface Step {
  readonly op: "mkdir" | "file" | "symlink" | "hardlink" | "fifo" | "rename" | "rmtree" | "junction";
  readonly path: string;
  readonly content?: string;
  readonly target?: string;
}

interface Check {
  readonly path: string;
  readonly is?: "absent" | "file" | "dir" | "symlink";
  readonly is_not?: "absent" | "file" | "dir" | "symlink";
  readonly content?: string;
  readonly target?: string;
  readonly not_contains?: string;
}

/** What a second process does to the tree while the call is repeated. */
export interface Race {
  /** Swaps a and b, or renames a to b and back. */
  readonly kind: "exchange" | "rename";
  readonly a: string;
  readonly b: string;
  readonly iterations: number;
  /** Done before each call, below a handle on `at` that was opened before the race began. */
  readonly reset?: readonly {
    readonly op: "mkdir" | "file" | "symlink" | "remove";
    readonly at: string;
    readonly name: string;
    readonly content?: string;
    readonly target?: string;
  }[];
}

export interface ToolCall {
  readonly tool: string;
  readonly args: object;
}

export interface PathCase extends ToolCall {
  readonly name: string;
  readonly category: string;
  readonly setup: readonly Step[];
  readonly late_setup?: readonly Step[];
  readonly config?: { readonly roots: readonly string[]; readonly deny?: readonly string[] };
  readonly warmup?: readonly ToolCall[];
  readonly then?: readonly (ToolCall & { readonly expect?: string })[];
  readonly expect: string;
  readonly accept?: readonly string[];
  readonly no_leak: readonly string[];
  readonly result_contains?: string;
  readonly check?: readonly Check[];
  readonly platforms?: readonly string[];
  readonly timeout_s?: number;
  readonly outside_may_change?: boolean;
  readonly race?: Race;
  /** The folder that holds both places. */
  readonly top: string;
  /** The arguments as JSON text, untouched. */
  readonly argsText: string;
}

const FILE = join(import.meta.dir, "../fixtures/corpora/path.jsonl");
/** What the corpus calls differently. */
const TOOL_NAMES: Readonly<Record<string, string>> = { transaction: "change_files" };

/** Every case that this system can lay down. */
export interface PathCorpus {
  readonly cases: readonly PathCase[];
  /** Each needs a second process. */
  readonly races: readonly (PathCase & { readonly race: Race })[];
  /** Names of the cases of other platforms. */
  readonly foreign: readonly string[];
}

export function readPathCorpus(top: string): PathCorpus {
  const places = { "{ROOT}": join(top, "root"), "{OUTSIDE}": join(top, "outside") };
  const all = readFileSync(FILE, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(/\{ROOT\}|\{OUTSIDE\}/g, (name) => places[name as keyof typeof places]))
    .map((line) => ({ ...(JSON.parse(line) as PathCase), top, argsText: argumentsText(line) }))
    .map((one) => ({ ...one, tool: TOOL_NAMES[one.tool] ?? one.tool }));
  const here = all.filter(isHere);
  return {
    cases: here.filter(({ race }) => race === undefined),
    races: here.filter((one): one is PathCase & { race: Race } => one.race !== undefined),
    foreign: namesOf(all.filter((one) => !isHere(one))),
  };
}

function isHere({ platforms }: PathCase): boolean {
  return platforms?.includes(process.platform) ?? true;
}

function namesOf(cases: readonly PathCase[]): string[] {
  return cases.map(({ name }) => name);
}

/** Whether a case does to the root itself what a host that serves other cases too would not survive. */
export function replacesRoot(one: PathCase): boolean {
  const steps = [...one.setup.filter(({ op }) => op !== "mkdir"), ...(one.late_setup ?? [])];
  const root = join(one.top, "root");
  const isPlain = one.config?.roots.every((path) => path === root) ?? true;
  return !isPlain || steps.some(({ path }) => path === root);
}

function argumentsText(line: string): string {
  const start = line.indexOf('"args": ') + '"args": '.length;
  return line.slice(start, line.indexOf(', "expect": ', start));
}

export function clearFolder(folder: string, keep: readonly string[] = []): void {
  for (const name of readdirSync(folder))
    if (!keep.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

export function perform(steps: readonly Step[]): void {
  for (const { op, path, content = "", target = "" } of steps) {
    if (op !== "rmtree" && op !== "rename") mkdirSync(dirname(path), { recursive: true });
    if (op === "mkdir") mkdirSync(path, { recursive: true });
    else if (op === "file") writeFileSync(path, content);
    else if (op === "symlink") symlinkSync(target, path);
    else if (op === "hardlink") linkSync(target, path);
    else if (op === "fifo") makeFifo(path);
    else if (op === "rename") renameSync(path, target);
    else if (op === "rmtree") rmSync(path, { recursive: true, force: true });
    else throw new Error(`this system has no ${op}`);
  }
}

/** What is wrong on the disk, in words. `written`: the call succeeded, so what it wrote must be there. */
export function findWrong(checks: readonly Check[], written: boolean): string[] {
  return checks.flatMap((check) => {
    const kind = kindOf(check.path);
    const content = kind === "file" ? readFileSync(check.path, "utf8") : "";
    const wrong = (what: string): string[] => [`${check.path}: ${what}`];
    if (check.is_not === kind) return wrong(`it is ${kind}`);
    if (check.not_contains !== undefined && content.includes(check.not_contains)) return wrong(content);
    if (check.is === undefined || (check.is === "file" && !written)) return [];
    if (check.is !== kind) return wrong(`it is ${kind}, not ${check.is}`);
    if (check.content !== undefined && content !== check.content) return wrong(`it holds ${content}`);
    if (check.target !== undefined && readlinkSync(check.path) !== check.target) return wrong("another target");
    return [];
  });
}

function kindOf(path: string): string {
  if (!existsSync(dirname(path))) return "absent";
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return "absent";
  return stat.isSymbolicLink() ? "symlink" : stat.isDirectory() ? "dir" : stat.isFile() ? "file" : "other";
}
