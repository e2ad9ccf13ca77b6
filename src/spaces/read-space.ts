/**
 * One space: a folder with `manifest.json` (`space.manifest.json`), whose id is the space's, or else its name is. Tools stand in
 * `tools/*.yaml`, in `agent/tools/*.md` and in the manifest. Somebody else has written all of it: what is broken is named and left
 * out, the rest is there, and nothing here throws.
 */
import { readdirSync, realpathSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { FileParsers } from "../config/index.ts";
import { readTool, type SpaceTool } from "./read-tool.ts";
import { readSmallFile, reasonOf } from "./small-file.ts";

export interface Space {
  /** The real path. */
  readonly folder: string;
  /** "" for a space that cannot be used at all. */
  readonly id: string;
  readonly tools: readonly SpaceTool[];
  /** Which file cannot be used, and why. */
  readonly problems: readonly string[];
}

type ParseText = FileParsers["parseText"];

const MANIFESTS: readonly string[] = ["manifest.json", "space.manifest.json"];
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** More would fill what a model can look at. */
const MAX_TOOLS = 64;

export function readSpace(path: string, { parseText, parseForm }: FileParsers): Space {
  const problems: string[] = [];
  const attempt = <T>(file: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (thrown) {
      problems.push(`${file}: ${reasonOf(thrown)}`);
      return undefined;
    }
  };
  const folder = attempt(path, () => realpathSync(path));
  if (folder === undefined) return { folder: path, id: "", tools: [], problems };
  const names = attempt(".", () => readdirSync(folder)) ?? [];
  const manifestFile = MANIFESTS.find((name) => names.includes(name));
  const manifest =
    manifestFile === undefined ? {} : attempt(manifestFile, () => readManifest(folder, manifestFile, parseText));
  if (manifest === undefined) return { folder, id: "", tools: [], problems };
  const id = manifest.id ?? basename(folder);
  if (typeof id !== "string" || !ID.test(id)) {
    const shown = JSON.stringify(id).slice(0, 60);
    problems.push(`${manifestFile ?? "."}: the id ${shown} is not made of a-z, 0-9, - and _`);
    return { folder, id: "", tools: [], problems };
  }
  const tools = new Map<string, SpaceTool>();
  for (const { file, stem, beside, read } of [...filesOf(folder, parseText), ...listedIn(manifest, manifestFile)]) {
    if (tools.size === MAX_TOOLS) {
      problems.push(`${file}: a space has at most ${MAX_TOOLS} tools`);
      break;
    }
    const places = beside.map((one) => resolve(folder, one));
    const tool = attempt(file, () => readTool(read(), stem, { folder, file, beside: places }, parseForm));
    if (!tool) continue;
    if (tools.has(tool.id)) problems.push(`${file}: the space has another tool "${tool.id}"`);
    else tools.set(tool.id, tool);
  }
  return { folder, id, tools: [...tools.values()], problems };
}

interface Manifest {
  readonly id?: unknown;
  readonly tools?: unknown;
}

function readManifest(folder: string, name: string, parseText: ParseText): Manifest {
  const given = parseText(textOf(folder, name), ".json", true);
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Error("it is no object");
  return given;
}

/** What may be a tool. */
interface Declared {
  /** Relative to the space. */
  readonly file: string;
  readonly stem: string;
  /** Directories of its scripts, relative to the space. */
  readonly beside: readonly string[];
  readonly read: () => unknown;
}

function filesOf(folder: string, parseText: ParseText): Declared[] {
  const declared = (directory: string, kinds: readonly string[]): Declared[] =>
    namesIn(join(folder, directory))
      .filter((name) => kinds.includes(extname(name)))
      .map((name) => {
        const file = `${directory}/${name}`;
        const kind = extname(name);
        return {
          file,
          stem: name.slice(0, -kind.length),
          beside: [directory, "."],
          read: () =>
            kind === ".md"
              ? parseText(frontMatter(textOf(folder, file)), ".yaml")
              : parseText(textOf(folder, file), kind, true),
        };
      });
  return [...declared("tools", [".yaml", ".yml", ".json"]), ...declared("agent/tools", [".md"])];
}

function listedIn({ tools }: Manifest, file = ""): Declared[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return [{ file, stem: "", beside: [], read: noList }];
  return tools.map((given: unknown) => ({ file, stem: "", beside: ["."], read: () => given }));
}

/** @throws Error for a person */
function noList(): never {
  throw new Error("its tools are no list");
}

/** A space need not have the directory. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

function textOf(folder: string, file: string): string {
  const { bytes } = readSmallFile(join(folder, file), folder);
  const text = bytes.toString("utf8");
  if (text.includes("\0")) throw new Error("it holds a NUL byte");
  return text;
}

function frontMatter(text: string): string {
  const found = /^\uFEFF?---\r?\n([^]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  if (!found) throw new Error("it does not begin with its declaration between two lines of ---");
  return found[1] ?? "";
}
