/**
 * A tool of a client in calls of our own: the policy answers those, so that the client's tool is held to the rules of ours. Pure.
 *
 * Invariant: every path is absolute, and an argument that cannot be understood leaves nothing to be answered.
 */
import { isAbsolute, resolve } from "node:path";
import { shellLine } from "../../text/index.ts";
import type { ArgumentName, ToolUse } from "./guard-row.ts";

/** One call of a tool of ours. */
export interface GuardCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What may be missing among them makes the whole unknown. */
type Calls = readonly (GuardCall | undefined)[];
type Members = Readonly<Record<string, unknown>>;
type KnownUse = Exclude<ToolUse, { readonly does: "ask" }>;

/**
 * @param cwd where relative paths begin; without it they are not understood
 * @returns `undefined` where the arguments do not tell what would happen
 */
export function ownCalls(use: KnownUse, input: Members, cwd: string | undefined): readonly GuardCall[] | undefined {
  const calls = callsOf(use, { input, cwd });
  const known = calls.filter((one) => one !== undefined);
  return known.length > 0 && known.length === calls.length ? known : undefined;
}

interface Given {
  readonly input: Members;
  readonly cwd: string | undefined;
}

const TOOLS = { read: "read_file", write: "write_file", edit: "edit_file", delete: "delete" } as const;

function callsOf(use: KnownUse, given: Given): Calls {
  switch (use.does) {
    case "read":
    case "write":
    case "edit":
    case "delete":
      return onPath(TOOLS[use.does], pathIn(given, use.path));
    case "find":
      return topsOf(use, given).flatMap((top) => [...onPath("list_directory", top), overTree(["find"], top)]);
    case "search":
      return topsOf(use, given).flatMap((top) => [lookFor(use, given, top), overTree(["grep", "-r", "x"], top)]);
    case "patch":
      return patched(textIn(given.input, use.text) ?? "", given.cwd);
    case "run":
      return [lineIn(use, given)];
  }
}

function onPath(name: string, path: string | undefined): Calls {
  return path === undefined ? [undefined] : readings(path).map((one) => ({ name, arguments: { path: one } }));
}

/** As the system goes the path, link by link, and as a client does that takes away each `..` with the name before it. */
function readings(path: string): readonly string[] {
  return path.split("/").includes("..") ? [path, resolve(path)] : [path];
}

/** A whole tree is held to what the same line of a shell would be held to: it would meet what is closed below. */
function overTree(words: readonly string[], top: string | undefined): GuardCall | undefined {
  if (top === undefined) return undefined;
  return { name: "shell", arguments: { command: shellLine([...words, top]), cwd: top } };
}

/** The directory, and where its globs lead. */
function topsOf(use: KnownUse & { readonly does: "find" | "search" }, given: Given): readonly (string | undefined)[] {
  const top = placeIn(given, use.path);
  if (top === undefined) return [undefined];
  const globs = use.globs === undefined ? [] : valuesIn(given.input, use.globs).flat();
  const led = globs.map((glob) => (typeof glob === "string" ? ledTo(glob, top) : undefined));
  return [...new Set([...readings(top), ...led])];
}

/** The directory that a glob names plainly; `undefined` for one that may lead anywhere behind its first sign. */
function ledTo(glob: string, top: string): string | undefined {
  const sign = glob.search(/[*?[\]{}()!+@\\]/);
  const plain = sign < 0 ? glob : glob.slice(0, glob.lastIndexOf("/", sign) + 1);
  const rest = glob.slice(plain.length);
  if (glob.startsWith("~") || (sign >= 0 && /\.\.|[{,(|]\s*[/~]/.test(rest))) return undefined;
  return resolve(top, plain || ".");
}

/** What is looked for decides too: some words are asked about. */
function lookFor(
  { expression }: KnownUse & { readonly does: "search" },
  { input }: Given,
  path: string | undefined,
): GuardCall | undefined {
  const pattern = textIn(input, expression ?? []) ?? "x";
  return path === undefined ? undefined : { name: "grep", arguments: { pattern, path } };
}

/** What Codex takes for white space before a header, and more. */
const FILE_OF_PATCH =
  /^[\s\u0085]*\*\*\* (?<what>Add File|Update File|Delete File|Move to|Environment ID): (?<name>.*)$/s;

/**
 * Lines end where Codex ends them. A header counts wherever it stands: a line of a file that looks like one makes the answer
 * stricter.
 */
function patched(patch: string, cwd: string | undefined): Calls {
  let updated: string | undefined;
  return patch.split(/\r?\n/).flatMap((line) => {
    const { what, name = "" } = FILE_OF_PATCH.exec(line)?.groups ?? {};
    if (what === undefined) return [];
    const path = absolute(nameInPatch(name, what), cwd);
    if (what === "Add File") return onPath("write_file", path);
    if (what === "Delete File") return onPath("delete", path);
    if (what === "Move to") return [...onPath("delete", updated), ...onPath("write_file", path)];
    // Its paths are those of another machine.
    if (what === "Environment ID") return [undefined];
    updated = path;
    return onPath("edit_file", path);
  });
}

/**
 * Not every version of Codex cuts the same white space off a name. Where they differ, nobody knows which file is meant.
 *
 * @returns `undefined` for a name that could be read in two ways
 */
function nameInPatch(text: string, what: string): string | undefined {
  const name = text.trimEnd();
  if (/[\u0085\u2028\u2029\uFEFF]/.test(text) || /\p{Cc}/u.test(name)) return undefined;
  return what === "Move to" && name !== text ? undefined : name;
}

function lineIn({ line, cwd = [] }: KnownUse & { readonly does: "run" }, given: Given): GuardCall | undefined {
  const [command, at] = [textIn(given.input, line), placeIn(given, cwd)];
  return command === undefined || at === undefined ? undefined : { name: "shell", arguments: { command, cwd: at } };
}

/** A directory that need not be given. */
function placeIn(given: Given, name: ArgumentName): string | undefined {
  return valuesIn(given.input, name).length === 0 ? given.cwd : pathIn(given, name);
}

function pathIn({ input, cwd }: Given, name: ArgumentName): string | undefined {
  return absolute(textIn(input, name), cwd);
}

/** Clients expand `~`, and nobody here does: such a path is not understood. */
function absolute(path: string | undefined, cwd: string | undefined): string | undefined {
  if (path === undefined || path === "" || path.startsWith("~") || path.includes("\0")) return undefined;
  if (isAbsolute(path)) return path;
  return cwd === undefined ? undefined : `${cwd}/${path}`;
}

/** What is given under two names with two values could mean either, and so means nothing. */
function textIn(input: Members, name: ArgumentName): string | undefined {
  const [first, ...others] = new Set(valuesIn(input, name));
  return others.length === 0 && typeof first === "string" ? first : undefined;
}

/** Clients leave an argument empty in the place of leaving it out. */
function valuesIn(input: Members, name: ArgumentName): readonly unknown[] {
  const given = [name].flat().flatMap((one) => (Object.hasOwn(input, one) ? [input[one]] : []));
  return given.filter((value) => value !== undefined && value !== null && value !== "");
}
