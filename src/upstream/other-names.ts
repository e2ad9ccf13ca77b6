/**
 * Tools of a server by names of ours or of a dialect, with arguments of other names. What a person has approved is the server's own
 * tool, and its hash is what each call is held to; here only the words change that callers use.
 *
 * Usual mistake: to pass on what has no name here. What the operator does not name cannot be given, or a caller would reach around `with`.
 */
import { Failure, isObject } from "../base/index.ts";
import type { RenamedTool } from "../proc/index.ts";
import type { ListedTool } from "./review.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface OtherName {
  /** As it stands in the list: without dots. */
  readonly name: string;
  /** As a dialect has it, where that is another. */
  readonly alias: string | undefined;
  readonly group: string | undefined;
  readonly inputSchema: unknown;
  readonly toTheirs: (args: Arguments) => Arguments;
}

/** @throws Failure `invalid_input` for arguments that the tool of the server does not have, or that would be missing */
export function readOtherName(as: string, renamed: RenamedTool, tool: ListedTool): OtherName {
  const { arguments: given, with: fixed = {} } = renamed;
  const name = as.replaceAll(".", "_");
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const theirs = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
  const open = Object.keys(theirs).filter((one) => !Object.hasOwn(fixed, one));
  const map = new Map(given ? Object.entries(given) : open.map((one) => [one, one]));
  const refused = (why: string): Failure =>
    new Failure("invalid_input", `Cannot offer "${as}" for the tool "${tool.name.slice(0, 100)}": ${why}`);
  for (const one of [...map.values(), ...Object.keys(fixed)])
    if (!Object.hasOwn(theirs, one)) throw refused(`it has no argument ${JSON.stringify(one)}`);
  const said = new Set([...map.values(), ...Object.keys(fixed)]);
  const missing = required.find((one) => typeof one === "string" && !said.has(one));
  if (missing !== undefined)
    throw refused(`its argument ${JSON.stringify(missing).slice(0, 100)} is needed, and nothing leads to it`);
  return {
    name,
    alias: as === name ? undefined : as,
    group: groupOf(name),
    inputSchema: {
      ...schema,
      properties: Object.fromEntries([...map].map(([ours, one]) => [ours, theirs[one]])),
      required: [...map].filter(([, one]) => required.includes(one)).map(([ours]) => ours),
      additionalProperties: false,
    },
    toTheirs: (args) => {
      const named = [...map]
        .filter(([ours]) => Object.hasOwn(args, ours))
        .map(([ours, one]) => [one, args[ours]] as const);
      return { ...Object.fromEntries(named), ...fixed };
    },
  };
}

/** Groups of packs whose work a server may do: what is called so belongs there. */
const GROUPS: Readonly<Record<string, string>> = {
  web: "web",
  object: "objects",
  minio: "objects",
  k8s: "k8s",
  browser: "browser",
  memory: "memory",
};

function groupOf(name: string): string | undefined {
  const first = name.split("_", 1)[0] ?? "";
  return Object.hasOwn(GROUPS, first) ? GROUPS[first] : undefined;
}
