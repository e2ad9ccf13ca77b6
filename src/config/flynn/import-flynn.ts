/**
 * A configuration of Flynn as one of ours: its tools by our names, its profiles, lists, levels of autonomy and hooks. What it
 * says of anything else (models, channels, a web interface) is named and left out; nothing that it denies is lost.
 */
import { Failure, isObject } from "../../base/index.ts";
import { turnedOffPacks } from "../../packs/optional.ts";
import { PROFILES } from "../../policy/index.ts";
import { meansSome, toolsNamed } from "./flynn-names.ts";
import { AUTONOMY } from "../parse/lift-tools.ts";
import { parseText } from "../parse/parse-text.ts";

export interface Imported {
  /** A configuration file of ours. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What could not be carried over, a sentence each. */
  readonly left: readonly string[];
  /** What was carried over and means nothing here so far, a sentence each. */
  readonly idle: readonly string[];
}

const ACTIONS: readonly string[] = ["confirm", "log", "silent"];

/** @throws Failure `invalid_input` for a text that cannot be read, and for a value of a wrong type */
export function importFlynn(text: string, extension: string): Imported {
  const given = valuesOf(text, extension);
  const told: Told = { left: [], idle: [] };
  const config: Record<string, unknown> = {};
  const { tools, hooks, autonomy, autonomy_level: named, ...rest } = given;
  const { autonomy: ofTools, ...lists } = tools === undefined ? {} : objectOf(tools, "tools");
  if (tools !== undefined) config["tools"] = toolsOf(lists, told);
  const level = autonomy ?? named ?? ofTools;
  if (level !== undefined) Object.assign(config, levelOf(level, told));
  if (hooks !== undefined) config["hooks"] = hooksOf(hooks, told);
  told.left.push(...Object.keys(rest).map((key) => `${key}: ringfence has no such setting`));
  return { config, ...told };
}

/** What a person is told of the import. */
interface Told {
  readonly left: string[];
  readonly idle: string[];
}

function valuesOf(text: string, extension: string): Readonly<Record<string, unknown>> {
  let given: unknown;
  try {
    given = parseText(text, extension);
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot import the configuration: ${(thrown as Error).message}`, {
      hint: "It is YAML, JSON or TOML by the end of its name.",
    });
  }
  return objectOf(given, "it");
}

function objectOf(given: unknown, at: string): Readonly<Record<string, unknown>> {
  if (isObject(given)) return given;
  throw wrong(at, "an object");
}

function toolsOf({ agents, providers, ...own }: Readonly<Record<string, unknown>>, told: Told): object {
  return {
    ...listOf(own, "tools", told),
    ...(agents === undefined ? {} : { agents: listsOf(agents, "tools.agents", told) }),
    ...(providers === undefined ? {} : { providers: listsOf(providers, "tools.providers", told) }),
  };
}

function listsOf(given: unknown, at: string, told: Told): object {
  const lists = Object.entries(objectOf(given, at));
  return Object.fromEntries(
    lists.map(([name, one]) => [name, listOf(objectOf(one, `${at}.${name}`), `${at}.${name}`, told)]),
  );
}

function listOf({ profile, allow, deny, ...rest }: Readonly<Record<string, unknown>>, at: string, told: Told): object {
  if (profile !== undefined && !PROFILES.some((one) => one === profile))
    throw wrong(`${at}.profile`, `one of ${PROFILES.join(", ")}`);
  told.left.push(...Object.keys(rest).map((key) => `${at}.${key}: ringfence has no such setting`));
  const allowed = allow === undefined ? undefined : namesOf(allow, `${at}.allow`, told);
  told.idle.push(...(allowed ?? []).flatMap((name) => whyOff(name, `${at}.allow`)));
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(allowed === undefined ? {} : { allow: allowed }),
    ...(deny === undefined ? {} : { deny: namesOf(deny, `${at}.deny`, told) }),
  };
}

const TURNED_OFF: Readonly<Record<string, string>> = turnedOffPacks();

/** A list gives what is there, and Flynn has tools that are off here until a pack is switched on. */
function whyOff(name: string, at: string): string[] {
  return Object.hasOwn(TURNED_OFF, name) ? [`${at}: the tool ${name} is off. ${TURNED_OFF[name]}`] : [];
}

/** By our names. What means nothing there is named, and stays: it may be somebody's own tool, which is denied. */
function namesOf(given: unknown, at: string, { idle }: Told): string[] {
  if (!Array.isArray(given) || !given.every((one) => typeof one === "string" && one !== ""))
    throw wrong(at, "a list of names");
  const names = given as string[];
  for (const name of names)
    if (!meansSome(name)) idle.push(`${at}: ${JSON.stringify(name.slice(0, 200))} means no tool of Flynn, and stays`);
  return [...new Set(names.flatMap(toolsNamed))];
}

function levelOf(level: unknown, { left }: Told): object {
  const mode = typeof level === "string" && Object.hasOwn(AUTONOMY, level) ? AUTONOMY[level] : undefined;
  if (mode === undefined) throw wrong("autonomy", `one of ${Object.keys(AUTONOMY).join(", ")}`);
  if (level === "autonomous") left.push("autonomy: autonomous is accept_edits here; programs are still asked about");
  return { mode };
}

/** By the action the patterns of tools that it holds for. */
function hooksOf(given: unknown, told: Told): object[] {
  return Object.entries(objectOf(given, "hooks")).flatMap(([action, tools]) => {
    if (ACTIONS.includes(action)) return namesOf(tools, `hooks.${action}`, told).map((tool) => ({ tool, action }));
    told.left.push(`hooks.${action}: ringfence has no such action`);
    return [];
  });
}

function wrong(at: string, wanted: string): Failure {
  return new Failure("invalid_input", `Cannot import the configuration: ${at.slice(0, 200)} is not ${wanted}`, {
    hint: "Correct the file, or leave that part out.",
  });
}
