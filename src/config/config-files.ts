/**
 * Paths of the configuration: roots as they are written on a command line (`DIR`, `DIR:ro` or `DIR:rw`), and where
 * configuration files lie, without reading any: most hosts have none, and then nothing more is loaded. And every name
 * that decides what a path leads to, because who may exchange one of those names has exchanged the file.
 *
 * Usual mistake: to protect the real path alone. The link that led there can then be replaced by another file.
 */
import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { Failure } from "../base/index.ts";
import type { RootSpec } from "../scope/index.ts";
import { configDirectories, expandHome, startedIn } from "./environment.ts";
import type { Config } from "./settings.ts";

/** @throws Failure `invalid_input` */
export function parseRoot(text: string): RootSpec {
  const readOnly = text.endsWith(":ro");
  const path = readOnly || text.endsWith(":rw") ? text.slice(0, -3) : text;
  if (path === "") throw new Failure("invalid_input", `Cannot use the root ${JSON.stringify(text)}: the path is empty`);
  const whole = expandHome(path);
  return { path: isAbsolute(whole) ? whole : absolute(whole), readOnly };
}

export function absolute(path: string): string {
  const whole = expandHome(path);
  return isAbsolute(whole) ? resolve(whole) : resolve(startedIn(), whole);
}

/** Resolves the links in that part of a path which exists, so that a folder can be hidden from tools before it is made. */
export function canonical(path: string): string {
  const parent = dirname(path);
  try {
    // A failure that is thrown and caught costs more than the question.
    if (existsSync(path)) return realpathSync(path);
  } catch {
    // It has gone since.
  }
  return parent === path ? path : join(canonical(parent), basename(path));
}

type Found = Pick<Config, "roots" | "allowRootFs" | "configFile">;

/**
 * The flags with which another command finds what this host works with: its roots, and the configuration file that was
 * named. The state folder is added where the command is written.
 */
export function hostFlags({ roots, allowRootFs, configFile }: Found): string[] {
  return [
    ...(configFile === undefined ? [] : ["--config", configFile]),
    ...rootFlags(roots),
    ...(allowRootFs ? ["--allow-root-fs"] : []),
  ];
}

/** A path that ends like a mode says its mode, so that it is not read as one. */
export function rootFlags(roots: Found["roots"]): string[] {
  return roots.flatMap(({ path, readOnly }) => {
    const mode = readOnly ? ":ro" : /:r[ow]$/.test(path) ? ":rw" : "";
    return ["--root", `${path}${mode}`];
  });
}

export type FileKind = "machine" | "user" | "--config" | "root";

const ROOT_FILE = ".ringfence.json";

const NAMES: readonly string[] = ["ringfence.json", "ringfence.yaml", "ringfence.yml", "ringfence.toml"];

export interface ConfigFile {
  readonly path: string;
  readonly kind: FileKind;
}

/** In the order of the layers. @param asked `--config` @throws Failure `invalid_input` for a layer with two files */
export function existingFiles(asked: string | undefined): ConfigFile[] {
  const directories = configDirectories();
  const found = (["machine", "user"] as const).flatMap((kind): ConfigFile[] => {
    const directory = directories[kind];
    const path = directory === undefined ? undefined : onlyFileIn(directory);
    return path === undefined ? [] : [{ path, kind }];
  });
  if (asked !== undefined) found.push({ path: absolute(asked), kind: "--config" });
  return found;
}

/** What the second of two files denies would not hold, and nobody would be told. */
function onlyFileIn(directory: string): string | undefined {
  if (!isThere(directory)) return undefined;
  const paths = NAMES.map((name) => join(directory, name));
  // Where nobody may look, any name stands for whatever is there.
  if (!mayLookInto(directory)) return paths[0];
  const [path, other] = paths.filter(isThere);
  if (other === undefined) return path;
  throw new Failure("invalid_input", `Cannot use the configuration "${path}": "${other}" is there too`, {
    hint: "Keep one of them: only one file of a directory is read.",
  });
}

/** @param root as it was given, `DIR:ro` too */
export function rootFileOf(root: string): string[] {
  const path = rootFilePath(root);
  return isThere(path) ? [path] : [];
}

/** The path at which the file of a root is looked for, whether it exists or not. */
export function rootFilePath(root: string): string {
  return join(absolute(root.replace(/:r[ow]$/, "")), ROOT_FILE);
}

/**
 * Whether a file exists, counting a dangling link and a file that may not be inspected: neither must be taken for "no
 * rules". What is wrong with such a file is said when it is read.
 */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EACCES";
  }
}

function mayLookInto(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The kernel follows no more links for one path. */
const MAX_LINKS = 40;

/**
 * Each link on the way of a path, where it stands, and the place at the end, whether anything is there or not. They are
 * absolute, with the links above each of them resolved, as a scope names what it finds.
 */
export function namesOnTheWay(path: string): string[] {
  const found: string[] = [];
  const whole = resolve(path);
  let at = parse(whole).root;
  let left = namesOf(whole);
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    // Behind a link `..` is the directory above what it leads to.
    const here = name === ".." ? dirname(at) : join(at, name);
    const target = found.length < MAX_LINKS ? targetOf(here) : undefined;
    if (target === undefined) {
      at = here;
      continue;
    }
    found.push(here);
    left = [...namesOf(target), ...left];
    if (isAbsolute(target)) at = parse(target).root;
  }
  return [...found, at];
}

function namesOf(path: string): string[] {
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "" && name !== ".");
}

/** The target of a link; `undefined` for anything else, and for what does not exist or may not be inspected. */
function targetOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
