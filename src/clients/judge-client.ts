/**
 * Whether a client is protected: ringfence is its server, and its own file tools and shell are off. Judged on what its files
 * say, in any of its scopes, and on nothing that we remember of having written them.
 */
import { isAbsolute, relative, sep } from "node:path";
import { Failure } from "../base/index.ts";
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, EditPurpose, Setup, ValueEdit } from "./client.ts";
import { hasGuard, isSame, isValues, missingFrom, valueAt } from "./edit/apply-value.ts";
import { readValues } from "./edit/edit-text.ts";

export interface ClientJudgement {
  readonly client: string;
  readonly title: string;
  readonly level: "protected" | "partly" | "not";
  readonly reasons: readonly string[];
  /** The files that were looked at and are there. */
  readonly files: readonly string[];
}

export interface Looking {
  readonly places: ClientPlaces;
  /** @returns `undefined` for a file that is not there. @throws Failure */
  readonly read: (path: string) => Uint8Array | undefined;
  /** The path without links; as it is given where it leads nowhere. */
  readonly realPath: (path: string) => string;
  /** Whether there is a program at this path, or of this name in PATH. */
  readonly isProgram: (command: string) => boolean;
}

/** Only what does not depend on the person's choices is looked at, so any setup will do. */
const ANY_SETUP: Setup = { program: ["ringfence"], roots: ["."], flags: [], trustsProject: true, guards: false };

const SCOPES: readonly ClientScope[] = ["managed", "project", "user"];

export function judgeClient(row: ClientRow, looking: Looking): ClientJudgement {
  const found: string[] = [];
  const scopes = SCOPES.filter((scope) => row.scopes.includes(scope)).map((scope) => ({
    scope,
    lacks: lacksOf(row, scope, looking, found),
  }));
  const best = (purpose: EditPurpose): readonly string[] => {
    const lists = scopes.flatMap(({ lacks }) => (lacks.has(purpose) ? [lacks.get(purpose) ?? []] : []));
    return (lists.sort((a, b) => countOf(a) - countOf(b))[0] ?? []).map(({ said }) => said);
  };
  const entry = best("entry");
  const tools = [...best("tools"), ...best("guard")];
  const holder = scopes.find(({ lacks }) => lacks.get("entry")?.length === 0);
  const { trustTodo: todo } = row;
  const trust = (holder?.lacks.get("trust") ?? []).map(({ said }) =>
    todo && said.includes(todo.key) ? todo.said : said,
  );
  const reach = (holder?.lacks.get("reach") ?? []).map(({ said }) => said);
  const stay = row.canTurnOff ? [] : [row.stays ?? "its own tools stay"];
  const level = entry.length > 0 ? "not" : tools.length + stay.length > 0 ? "partly" : "protected";
  const reasons =
    level === "not" ? [...entry, ...tools] : [...tools, ...(tools.length === 0 ? stay : []), ...reach, ...trust];
  return { client: row.name, title: row.title, level, reasons, files: [...new Set(found)] };
}

/** Something that is not as it should be. */
interface Lack {
  readonly said: string;
  /** How many values it is: the scope that lacks the fewest is the one that the person uses. None for a file that is broken. */
  readonly count: number;
}

function countOf(lacks: readonly Lack[]): number {
  if (lacks.length === 0) return -1;
  return lacks.reduce((sum, { count }) => sum + count, 0);
}

/** `reach`: what an entry lacks although it works. */
type Judged = EditPurpose | "reach";
type Lacks = Map<Judged, Lack[]>;

function lacksOf(row: ClientRow, scope: ClientScope, looking: Looking, found: string[]): Lacks {
  const lacks: Lacks = new Map();
  for (const file of row.files(ANY_SETUP, looking.places, scope)) {
    const path = [file.path, ...(file.otherNames ?? [])].find((one) => looking.read(one) !== undefined) ?? file.path;
    const bytes = looking.read(path);
    if (bytes !== undefined) found.push(path);
    for (const [purpose, said] of lacksOfFile(file, path, bytes, looking))
      lacks.set(purpose, [...(lacks.get(purpose) ?? []), ...said]);
  }
  return lacks;
}

function lacksOfFile(
  file: ClientFile,
  path: string,
  bytes: Uint8Array | undefined,
  looking: Looking,
): [Judged, readonly Lack[]][] {
  const one = (said: string): Lack[] => [{ said: `${said} (${path})`, count: 1 }];
  if (file.form === "whole") {
    const isOurs = bytes !== undefined && Buffer.from(bytes).toString() === file.text;
    return [[file.purpose, isOurs ? [] : one(bytes ? "it says something else" : "there is no such file")]];
  }
  try {
    const values = bytes === undefined ? {} : readValues(path, bytes, file.form);
    return file.edits.flatMap(({ purpose, edit }): [Judged, readonly Lack[]][] => {
      const found = lackOf(values, purpose, edit, looking);
      const reach = purpose === "entry" ? lackOfReach(valueAt(values, edit.path), looking) : undefined;
      return [
        [purpose, found === undefined ? [] : [{ ...found, said: `${found.said} (${path})` }]],
        ["reach", reach === undefined ? [] : one(reach)],
      ];
    });
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const broken: Lack = { said: thrown.message, count: 0 };
    return file.edits.map(({ purpose }) => [purpose, [broken]]);
  }
}

function lackOf(values: unknown, purpose: EditPurpose, edit: ValueEdit, looking: Looking): Lack | undefined {
  const value = valueAt(values, edit.path);
  const name = edit.path.join(".");
  if (purpose === "entry") return lackOfEntry(value, name, looking);
  if (edit.op === "guard") return lackOfGuard(value, name);
  if (edit.op === "include") {
    const missing = missingFrom(value, edit.value);
    return missing.length === 0 ? undefined : lack(`${name} lacks ${missing.map(String).join(", ")}`, missing.length);
  }
  if (edit.op === "set") {
    if (isSame(value, edit.value)) return undefined;
    const is = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
    return lack(`${name} ${is}, and must be ${JSON.stringify(edit.value)}`);
  }
  const old = isValues(value) ? value : {};
  const others = Object.entries(edit.value).filter(([key, wanted]) => !isSame(old[key], wanted));
  const said = others.map(([key, wanted]) => `${key} must be ${JSON.stringify(wanted)}`);
  return said.length === 0 ? undefined : lack(`${name}: ${said.join(", ")}`, said.length);
}

function lack(said: string, count = 1): Lack {
  return { said, count };
}

/** A hook calls `ringfence guard`; with which roots is the person's choice. */
function lackOfGuard(value: unknown, name: string): Lack | undefined {
  return hasGuard(value) ? undefined : lack(`${name} has no ringfence guard`);
}

/** An entry has a program that is there and is told to serve; what else of it is ours is the person's choice. */
function lackOfEntry(value: unknown, name: string, { isProgram }: Looking): Lack | undefined {
  if (value === undefined) return lack(`${name} is not set`);
  if (!isValues(value) || value["command"] === undefined) return undefined;
  const [program = "", ...words] = wordsOf(value);
  if (!isProgram(program)) return lack(`the program of ${name} is not there: ${JSON.stringify(program)}`);
  // Only in managed settings an entry names its program and nothing else.
  if (words.length > 0 && !words.includes("serve")) return lack(`${name} does not start ringfence serve`);
  return value["enabled"] === false || value["disabled"] === true ? lack(`${name} is switched off`) : undefined;
}

function wordsOf({ command, args }: Readonly<Record<string, unknown>>): readonly string[] {
  return [command, args].flat().filter((word) => typeof word === "string");
}

/** A file for all folders names the directories of the last `init`, wherever the client is started. */
function lackOfReach(value: unknown, { places, realPath }: Looking): string | undefined {
  if (!isValues(value)) return undefined;
  const words = wordsOf(value);
  const roots = words.flatMap((word, at) => (words[at - 1] === "--root" ? [word.replace(/:(?:ro|rw)$/, "")] : []));
  // Where a relative path or a variable leads, the client says.
  const isElsewhere = (root: string): boolean => isAbsolute(root) && !isBelow(realPath(places.project), realPath(root));
  return roots.length > 0 && roots.every(isElsewhere)
    ? `its tools reach ${roots.join(", ")}, not this folder`
    : undefined;
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}
