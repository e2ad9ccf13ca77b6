/**
 * The ignore rules that hold in a directory: its own files and those of every directory above it up to the root.
 * As in ripgrep: `.rgignore` beats `.ignore` beats `.gitignore` beats `.git/info/exclude`; within a kind the deeper file
 * wins; git's own files count only inside a repository, unless the host says otherwise, and end at its border. Last comes, as in git, the file that
 * `core.excludesFile` of the repository names, but only when it lies inside a root.
 *
 * Nothing above the root is looked at: a `.git` there is outside the scope.
 */
import { lstatSync, readSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { Failure } from "../../base/index.ts";
import { type Located, type Scope } from "../../scope/index.ts";
import { fsName } from "../../sys/index.ts";
import type { GitignoreReach } from "../context.ts";
import { type IgnoreRules, parseIgnoreFile, type IgnoreVerdict } from "./ignore-file.ts";

type Kind = "rg" | "plain" | "git" | "exclude" | "config";

interface SourcedRules extends IgnoreRules {
  /** The file as it is named in the answer. */
  readonly source: string;
}

export interface IgnoreChain {
  readonly parent: IgnoreChain | undefined;
  /** The directory, below the root, and the names in it from which this was made. */
  readonly link: ChainLink;
  /** The directory, below the root, with a trailing slash; "" for the root. */
  readonly base: string;
  readonly isRepository: boolean;
  readonly insideRepository: boolean;
  readonly rules: Readonly<Partial<Record<Kind, SourcedRules>>>;
  /** The kinds of these rules and of those above, in the order in which they are asked. */
  readonly kinds: readonly Kind[];
}

export type ChainLink = readonly [rel: string, names: readonly string[]];

interface IgnoreJudgement {
  readonly verdict: IgnoreVerdict;
  readonly source: string;
}

const IGNORE_FILES: Readonly<Record<string, Kind>> = { ".gitignore": "git", ".ignore": "plain", ".rgignore": "rg" };

export function makesChain(name: string): boolean {
  // The first test is for speed: nearly every name ends here.
  return name.startsWith(".") && (name === ".git" || name in IGNORE_FILES);
}

const KINDS: readonly Kind[] = ["rg", "plain", "git", "exclude", "config"];

/** A larger file is no ignore file, and parsing it would cost more than its rules save. */
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/** The chain below `at`, given the names of `makesChain` that stand in it. `onUnreadable` counts. */
export function extendChain(
  scope: Scope,
  parent: IgnoreChain | undefined,
  at: Located,
  names: readonly string[],
  onUnreadable: () => void,
  real: Located = at,
): IgnoreChain | undefined {
  const rules: Partial<Record<Kind, SourcedRules>> = {};
  const load = (kind: Kind, file: Located): void => {
    const text = readIgnoreFile(scope, file);
    if (text === undefined) onUnreadable();
    const parsed = text === undefined ? undefined : parseIgnoreFile(text);
    if (parsed) rules[kind] = { ...parsed, source: scope.show(file) };
  };
  for (const name of names) {
    const kind = IGNORE_FILES[name];
    if (kind) load(kind, scope.child(real, name));
  }
  const isRepository = names.includes(".git");
  if (isRepository) {
    const info = scope.child(scope.child(real, ".git"), "info");
    if (existing(scope, info, ["exclude"]).length > 0) load("exclude", scope.child(info, "exclude"));
    const named = excludesFile(scope, real);
    if (named) load("config", named);
  }
  if (!isRepository && Object.keys(rules).length === 0) return parent;
  const base = at.rel === "" ? "" : `${at.rel}/`;
  return {
    parent,
    link: [at.rel, names],
    base,
    isRepository,
    insideRepository: isRepository || parent?.insideRepository === true,
    rules,
    kinds: KINDS.filter((kind) => rules[kind] || parent?.kinds.includes(kind)),
  };
}

/** The chain of the directories above `start`, which a walk does not list. */
export function chainAbove(scope: Scope, start: Located, onUnreadable: () => void): IgnoreChain | undefined {
  let chain: IgnoreChain | undefined;
  const names = start.rel === "" ? [] : start.rel.split("/");
  for (const depth of names.keys()) {
    const rel = names.slice(0, depth).join("/");
    const at: Located = { ...start, rel, mustBeDirectory: false };
    const found = existing(scope, at, [...Object.keys(IGNORE_FILES), ".git"]);
    chain = extendChain(scope, chain, at, found, onUnreadable);
  }
  return chain;
}

/**
 * What the rules say of the names in a directory. Which rules can apply there is found out once.
 * @param directory below the root; the one that the chain was made for, or one below it
 * @param gitignore everywhere: `.gitignore` holds outside of repositories too
 */
export function judgeIn(
  chain: IgnoreChain,
  directory: string,
  gitignore: GitignoreReach = "repositories",
): (name: string, isDirectory: boolean) => IgnoreJudgement | undefined {
  const asked = chain.kinds.flatMap((kind) =>
    rulesOf(chain, kind, gitignore).map(({ base, rules }) => ({
      source: rules.source,
      // The base ends in a slash, which the directory itself does not.
      judge: rules.judgeIn(directory.slice(base.length)),
    })),
  );
  return (name, isDirectory) => {
    for (const { source, judge } of asked) {
      const verdict = judge(name, isDirectory);
      if (verdict) return { verdict, source };
    }
    return undefined;
  };
}

function rulesOf(
  chain: IgnoreChain,
  kind: Kind,
  gitignore: GitignoreReach,
): { readonly base: string; readonly rules: SourcedRules }[] {
  const ofGit = kind === "git" || kind === "exclude" || kind === "config";
  if (ofGit && gitignore === "repositories" && !chain.insideRepository) return [];
  const found: { base: string; rules: SourcedRules }[] = [];
  for (let at: IgnoreChain | undefined = chain; at; at = at.parent) {
    const rules = at.rules[kind];
    if (rules) found.push({ base: at.base, rules });
    if (ofGit && at.isRepository) break;
  }
  return found;
}

/** Where the repository's own configuration says that more rules are; nobody else's configuration is read. */
function excludesFile(scope: Scope, at: Located): Located | undefined {
  const repository = scope.child(at, ".git");
  if (existing(scope, repository, ["config"]).length === 0) return undefined;
  const text = readIgnoreFile(scope, scope.child(repository, "config"));
  const named = text === undefined ? undefined : excludesFileIn(text);
  if (named === undefined) return undefined;
  try {
    // A path that is not absolute starts where git works: at the top of the working tree.
    const path = isAbsolute(named) ? named : join(scope.absolute(at), named);
    const found = scope.resolve(scope.locate(path, "read"), "read");
    scope.openFile(found, "read")[Symbol.dispose]();
    return found;
  } catch (thrown) {
    // Outside of the roots, denied, or not there: as git does with one that it cannot find.
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

/** Which of `names` stand in the directory; a missing directory has none. Asks for names: it may hold a million others. */
function existing(scope: Scope, at: Located, names: readonly string[]): string[] {
  const opened = scope.tryDirectory(at);
  if (!opened) return [];
  using directory = opened;
  return names.filter((name) => {
    try {
      return lstatSync(fsName(`${directory.path}/${name}`), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  });
}

/** Only a regular file of modest size, not through a link (as git); anything else is unreadable. */
function readIgnoreFile(scope: Scope, file: Located): string | undefined {
  try {
    using opened = scope.openFile(file, "read", "refuse");
    if (opened.stat.size > BigInt(MAX_IGNORE_FILE_BYTES)) return undefined;
    const bytes = Buffer.alloc(Number(opened.stat.size));
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(opened.fd, bytes, length, bytes.length - length, null);
    return bytes.toString("utf8", 0, length);
  } catch {
    return undefined;
  }
}

/** The last `core.excludesFile`, as it is written; `undefined` when there is none, or it is empty or in a home. */
export function excludesFileIn(text: string): string | undefined {
  let section = "";
  let found: string | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    // A setting may stand behind its section's name.
    const [, name, rest = ""] = /^\s*\[\s*([^\]\s"]+)\s*\](.*)$/.exec(line) ?? [undefined, undefined, line];
    if (name !== undefined) section = name.toLowerCase();
    else if (/^\s*\[/.test(line)) section = "";
    const [, value] = /^\s*excludesfile\s*=(.*)$/i.exec(rest) ?? [];
    if (section === "core" && value !== undefined) found = valueOf(value);
  }
  return found === undefined || found === "" || found.startsWith("~") ? undefined : found;
}

/** Quotes are taken off, a comment ends it, and a backslash takes the next sign as it is. */
function valueOf(text: string): string {
  let value = "";
  let kept = 0;
  let isQuoted = false;
  const signs = text.trimStart();
  for (let at = 0; at < signs.length; at++) {
    const sign = signs.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "#" || sign === ";")) break;
    else {
      value += sign === "\\" ? signs.charAt(++at) : sign;
      if (isQuoted || !/\s/.test(sign)) kept = value.length;
    }
  }
  return value.slice(0, kept);
}
