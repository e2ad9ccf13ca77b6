/**
 * Whether a client is protected: ringfence is its server, and its own file tools and shell are off. Judged on what its files
 * say, in any of its scopes, and on nothing that we remember of having written them.
 */
import { Failure } from "../base/index.ts";
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, EditPurpose, Setup, ValueEdit } from "./client.ts";
import { isSame, isValues, missingFrom, valueAt } from "./edit/apply-value.ts";
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
  /** Whether there is a program at this path, or of this name in PATH. */
  readonly isProgram: (command: string) => boolean;
}

/** Only what does not depend on the person's choices is looked at, so any setup will do. */
const ANY_SETUP: Setup = { program: ["ringfence"], roots: ["."], flags: [] };

const SCOPES: readonly ClientScope[] = ["managed", "project", "user"];

export function judgeClient(row: ClientRow, looking: Looking): ClientJudgement {
  const found: string[] = [];
  const scopes = SCOPES.filter((scope) => row.scopes.includes(scope)).map((scope) => ({
    scope,
    lacks: lacksOf(row, scope, looking, found),
  }));
  const best = (purpose: EditPurpose): readonly string[] => {
    const lists = scopes.flatMap(({ lacks }) => (lacks.has(purpose) ? [lacks.get(purpose) ?? []] : []));
    return lists.sort((a, b) => a.length - b.length)[0] ?? [];
  };
  const entry = best("entry");
  const tools = [...best("tools"), ...best("guard")];
  const holder = scopes.find(({ lacks }) => lacks.get("entry")?.length === 0);
  const trust = holder?.lacks.get("trust") ?? [];
  const stay = row.canTurnOff
    ? []
    : [row.guard ? "its own tools cannot be turned off; they ask a hook" : "its own tools stay in its other agents"];
  const level = entry.length > 0 ? "not" : tools.length + stay.length > 0 ? "partly" : "protected";
  const reasons = level === "not" ? [...entry, ...tools] : [...tools, ...(tools.length === 0 ? stay : []), ...trust];
  return { client: row.name, title: row.title, level, reasons, files: [...new Set(found)] };
}

type Lacks = Map<EditPurpose, string[]>;

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
): [EditPurpose, readonly string[]][] {
  if (file.form === "whole") {
    const isOurs = bytes !== undefined && Buffer.from(bytes).toString() === file.text;
    return [[file.purpose, isOurs ? [] : [`${path} ${bytes ? "says something else" : "is not there"}`]]];
  }
  try {
    const values = bytes === undefined ? {} : readValues(path, bytes, file.form);
    return file.edits.map(({ purpose, edit }) => [purpose, lackOf(values, path, purpose, edit, looking)]);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { message } = thrown;
    return file.edits.map(({ purpose }) => [purpose, [message]]);
  }
}

function lackOf(
  values: unknown,
  path: string,
  purpose: EditPurpose,
  edit: ValueEdit,
  looking: Looking,
): readonly string[] {
  const value = valueAt(values, edit.path);
  const name = edit.path.join(".");
  if (purpose === "entry") return lackOfEntry(value, path, name, looking);
  if (purpose === "guard" && edit.op === "include")
    return Array.isArray(value) && value.some(asksUs)
      ? []
      : [`no hook ${edit.path.at(-1) ?? ""} asks ringfence (${path})`];
  if (edit.op === "include") {
    const missing = missingFrom(value, edit.value);
    return missing.length === 0 ? [] : [`${name} lacks ${missing.map(String).join(", ")} (${path})`];
  }
  if (edit.op === "set") return isSame(value, edit.value) ? [] : [sayOther(name, value, edit.value, path)];
  return Object.entries(edit.value).flatMap(([key, wanted]) => {
    const old = isValues(value) ? value[key] : undefined;
    return isSame(old, wanted) ? [] : [sayOther(`${name}.${key}`, old, wanted, path)];
  });
}

function asksUs(hook: unknown): boolean {
  return isValues(hook) && typeof hook["command"] === "string" && hook["command"].includes("guard --client");
}

function sayOther(name: string, value: unknown, wanted: unknown, path: string): string {
  const is = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
  return `${name} ${is}, and must be ${JSON.stringify(wanted)} (${path})`;
}

/** An entry has a program that is there and is told to serve; what else of it is ours is the person's choice. */
function lackOfEntry(value: unknown, path: string, name: string, { isProgram }: Looking): readonly string[] {
  if (value === undefined) return [`${name} is not set (${path})`];
  if (!isValues(value) || value["command"] === undefined) return [];
  const { command, args } = value;
  const [program = "", ...words] = [command, args].flat().filter((word) => typeof word === "string");
  if (!isProgram(program)) return [`the program of ${name} is not there: ${JSON.stringify(program)} (${path})`];
  // Only in managed settings an entry names its program and nothing else.
  if (words.length > 0 && !words.includes("serve")) return [`${name} does not start ringfence serve (${path})`];
  return value["enabled"] === false || value["disabled"] === true ? [`${name} is switched off (${path})`] : [];
}
