/**
 * A configuration of Flynn as one of ours: its tools by our names, its profiles, lists, levels of autonomy and hooks. What it
 * says of anything else (models, channels, a web interface) is named and left out; nothing that it denies is lost.
 */
import { Failure, isObject } from "../../base/index.ts";
import { PROFILES } from "../../policy/index.ts";
import { meansSome, toolsNamed } from "./flynn-names.ts";
import { AUTONOMY } from "../parse/lift-tools.ts";
import { parseText } from "../parse/parse-text.ts";

export interface Imported {
  /** A configuration file of ours. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What could not be carried over, a sentence each. */
  readonly left: readonly string[];
}

const ACTIONS: readonly string[] = ["confirm", "log", "silent"];

/** @throws Failure `invalid_input` for a text that cannot be read, and for a value of a wrong type */
export function importFlynn(text: string, extension: string): Imported {
  const given = valuesOf(text, extension);
  const left: string[] = [];
  const config: Record<string, unknown> = {};
  const { tools, hooks, autonomy, autonomy_level: named, ...rest } = given;
  if (tools !== undefined) config["tools"] = toolsOf(tools, left);
  const level = autonomy ?? named;
  if (level !== undefined) Object.assign(config, levelOf(level, left));
  if (hooks !== undefined) config["hooks"] = hooksOf(hooks, left);
  left.push(...Object.keys(rest).map((key) => `${key}: ringfence has no such setting`));
  return { config, left };
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
  if (isObject(given)) return given;
  throw wrong("it", "an object");
}

function toolsOf(given: unknown, left: string[]): object {
  if (!isObject(given)) throw wrong("tools", "an object");
  const { agents, providers, ...own } = given;
  return {
    ...listOf(own, "tools", left),
    ...(agents === undefined ? {} : { agents: listsOf(agents, "tools.agents", left) }),
    ...(providers === undefined ? {} : { providers: listsOf(providers, "tools.providers", left) }),
  };
}

function listsOf(given: unknown, at: string, left: string[]): object {
  if (!isObject(given)) throw wrong(at, "an object");
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => {
      if (!isObject(one)) throw wrong(`${at}.${name}`, "an object");
      return [name, listOf(one, `${at}.${name}`, left)];
    }),
  );
}

function listOf(
  { profile, allow, deny, ...rest }: Readonly<Record<string, unknown>>,
  at: string,
  left: string[],
): object {
  if (profile !== undefined && !PROFILES.some((one) => one === profile))
    throw wrong(`${at}.profile`, `one of ${PROFILES.join(", ")}`);
  left.push(...Object.keys(rest).map((key) => `${at}.${key}: ringfence has no such setting`));
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(allow === undefined ? {} : { allow: namesOf(allow, `${at}.allow`, left) }),
    ...(deny === undefined ? {} : { deny: namesOf(deny, `${at}.deny`, left) }),
  };
}

/** By our names; a glob that means nothing there is named. */
function namesOf(given: unknown, at: string, left: string[]): string[] {
  if (!Array.isArray(given) || !given.every((one) => typeof one === "string" && one !== ""))
    throw wrong(at, "a list of names");
  const names = given as string[];
  for (const name of names)
    if (!meansSome(name)) left.push(`${at}: ${JSON.stringify(name.slice(0, 200))} means no tool of Flynn`);
  return [...new Set(names.flatMap(toolsNamed))];
}

function levelOf(level: unknown, left: string[]): object {
  const mode = typeof level === "string" && Object.hasOwn(AUTONOMY, level) ? AUTONOMY[level] : undefined;
  if (mode === undefined) throw wrong("autonomy", `one of ${Object.keys(AUTONOMY).join(", ")}`);
  if (level === "autonomous") left.push("autonomy: autonomous is accept_edits here; programs are still asked about");
  return { mode };
}

/** By the action the patterns of tools that it holds for. */
function hooksOf(given: unknown, left: string[]): object[] {
  if (!isObject(given)) throw wrong("hooks", "an object");
  return Object.entries(given).flatMap(([action, tools]) => {
    if (ACTIONS.includes(action)) return namesOf(tools, `hooks.${action}`, left).map((tool) => ({ tool, action }));
    left.push(`hooks.${action}: ringfence has no such action`);
    return [];
  });
}

function wrong(at: string, wanted: string): Failure {
  return new Failure("invalid_input", `Cannot import the configuration: ${at.slice(0, 200)} is not ${wanted}`, {
    hint: "Correct the file, or leave that part out.",
  });
}
