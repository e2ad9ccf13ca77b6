/**
 * Why a call would be decided as it is, with the arguments that are known of it: a path is the usual case. What is missing is
 * said, with what of it could change the decision: the tool says what it would touch, and the missing arguments that it looks
 * for meanwhile are noted. Nothing runs.
 */
import { resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { Explanation } from "../calls/index.ts";
import { parseArguments, type Target, type Tool } from "../contract/index.ts";
import {
  assess,
  assessBehindLinks,
  assessRun,
  findHere,
  grantCommand,
  hooksOf,
  inOurNames,
  resolvePath,
  type Assessed,
  type Call,
  type Caller,
  type Services,
} from "../pipeline/index.ts";
import { isPath, namesOf, pathsOf, type Decision } from "../policy/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import * as z from "zod";

export const explainMethod: Method = defineMethod({
  name: "ringfence/policy/explain",
  summary: "Says why a call would be decided as it is. Some of its arguments are enough. Nothing runs.",
  result:
    "`{tool, mode, decision: {type, reason, source, rule, risk, suggested_rule?, only_as_grant?}, paths, targets?, change, missing?, asked_before?}`; `targets` are those that are no paths, as `GET https://docs.example/a`.",
  params: z.strictObject({
    name: z.string().describe("The name of the tool"),
    arguments: z.unknown().optional().describe("The arguments of the call, or some of them"),
  }),
  order: "none",
  answer: async (host, { name, arguments: given = {} }, { meta, ...caller }) =>
    await explain(host, { name, arguments: given, meta, ...caller }),
});

/** What lies outside the roots is refused alike, whether it is there or not. */
async function explain(host: Services, asked: Call): Promise<Explanation> {
  const registry = await host.registry();
  const { call } = inOurNames(host, asked, true);
  const found = await findHere(host, registry, call.name);
  if (call.problem) throw call.problem;
  const { tool, input, missing } = readPartly(found, call.arguments);
  const wanted = { call, tool, input };
  const worded = await assessRun(host, wanted, assess(host, wanted));
  const place = tool.starts?.(input as never).request.cwd;
  const there = place === undefined ? undefined : await refusalAt(host, place, asked.signal, undefined);
  const refusal = (await findRefusal(host, worded, asked)) ?? there;
  const assessed = refusal ? worded : await assessBehindLinks(host, wanted, worded);
  const decision = refusal ? refusedDecision(refusal, refusal === there) : assessed.decision;
  const before = hooksOf(host, [assessed.facts, ...(assessed.parts ?? [])]).flatMap((hook) => hook.before?.[0] ?? []);
  if (host.guard) before.push("the guard of the program");
  // What nobody has read is not overwritten as an ordinary edit, and a hash says that it was read.
  const isEdit = decision.type === "allow" && decision.rule === "accept_edits";
  const others = namesOf(assessed.targets);
  const left = missing(isEdit ? ["if_hash", "if_hashes"] : []);
  return {
    tool: tool.name,
    mode: assessed.mode,
    decision,
    paths: pathsOf(assessed.targets),
    ...(others.length === 0 ? {} : { targets: others }),
    change: changeOf(host, decision, decision.source === "scope"),
    ...(left.length === 0 ? {} : { missing: left }),
    ...(before.length === 0 ? {} : { asked_before: before }),
  };
}

/** As a message says it behind the path. @param isPlace it is no path of the call, and is named as a start there names it */
function refusedDecision({ message, code }: Failure, isPlace: boolean): Decision {
  const reason = isPlace
    ? message.replace(/^Cannot \w+ /, "Cannot run in ")
    : message.slice(message.lastIndexOf('": ') + 3);
  return { type: "deny", reason, source: "scope", rule: code, risk: "R5" };
}

/**
 * What the scope says about the paths, which no rule can lift; of a call that rules allow also what they say about where
 * its paths lead.
 */
async function findRefusal(host: Services, assessed: Assessed, { signal }: Caller): Promise<Failure | undefined> {
  const { targets, decision, changes } = assessed;
  const paths = pathsOf(targets);
  const ruled = decision.type === "allow" || changes ? [undefined, assessed] : [undefined];
  const asked = paths === "all" ? [] : paths;
  for (const [path, under] of asked.flatMap((one) => ruled.map((rules) => [one, rules] as const))) {
    if (under && decision.type === "deny") continue;
    const refusal = await refusalAt(host, path, signal, under);
    if (refusal) return refusal;
  }
  return undefined;
}

async function refusalAt(
  host: Services,
  path: string,
  signal: Caller["signal"],
  under: Assessed | undefined,
): Promise<Failure | undefined> {
  const failure = await failureAt(host, path, signal, under);
  if (failure && isRefusal(failure)) return failure;
  // Where a name on the way is not there, the text alone says where the path leads.
  const asText = failure && path.split("/").includes("..") ? resolve(host.config.roots[0]?.path ?? "/", path) : path;
  const second = asText === path ? undefined : await failureAt(host, asText, signal, under);
  return second && isRefusal(second) ? second : undefined;
}

async function failureAt(
  host: Services,
  path: string,
  signal: Caller["signal"],
  under: Assessed | undefined,
): Promise<Failure | undefined> {
  try {
    await resolvePath(host, path, signal, under);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown;
  }
}

function isRefusal({ code }: Failure): boolean {
  return code === "denied" || code === "outside_scope";
}

/** What would have to be different. */
function changeOf(host: Services, decision: Decision, isScope: boolean): string {
  if (decision.type === "allow") return "Nothing: it is made at once.";
  if (decision.source === "link") return "Another path, or the file that the link points to.";
  if (isScope) return "Another root, or secrets.except for an exact path, in the configuration of this host.";
  if (decision.type === "deny")
    return decision.source === "mode"
      ? "Nothing: this is never allowed."
      : `Only without ${decision.rule} (${decision.source}): deny beats everything.`;
  const { suggested_rule: rule, only_as_grant: isGrant } = decision;
  if (rule === undefined) return "A person's approval, each time.";
  const grant = grantCommand(host.config, rule);
  return isGrant ? grant : `{"allow": ${JSON.stringify(rule)}} in the configuration, or: ${grant}`;
}

type MissingArgument = NonNullable<Explanation["missing"]>[number];

interface PartialInput {
  /** The call without the paths that are not known. */
  readonly tool: Tool;
  readonly input: unknown;
  /** Known when the call was assessed. @param also others that could change the decision, where the tool has them */
  readonly missing: (also: readonly string[]) => readonly MissingArgument[];
}

/** @throws Failure `invalid_input` */
function readPartly(tool: Tool, given: unknown): PartialInput {
  // Whatever it is given, nobody here knows what it would touch.
  if (tool.owner) return { tool, input: given, missing: () => [] };
  const { input: schema } = tool;
  // Of a consumer's own tool that takes no object nothing can be left out.
  if (!(schema instanceof z.ZodObject)) return { tool, input: parseArguments(tool, given).input, missing: () => [] };
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const loose = Object.entries(shape).map(([key, field]) => [key, field.optional()] as const);
  const partial = z.strictObject(Object.fromEntries(loose));
  const input = parseArguments({ ...tool, input: partial }, given).input as Readonly<Record<string, unknown>>;
  const lookedFor = new Set<string>();
  const watched = new Proxy(input, {
    get(target, key) {
      if (typeof key !== "string") return undefined;
      if (target[key] === undefined && Object.hasOwn(shape, key)) lookedFor.add(key);
      return target[key];
    },
  });
  const required = Object.keys(shape).filter((key) => shape[key]?.safeParse(undefined).success === false);
  const absent = required.filter((key) => input[key] === undefined);
  return {
    tool: absent.length === 0 ? tool : withKnownPaths(tool, watched, absent),
    input: watched,
    missing(also) {
      const more = also.filter((key) => Object.hasOwn(shape, key) && input[key] === undefined);
      return [...new Set([...absent, ...lookedFor, ...more])].map((name) => ({
        name,
        required: required.includes(name),
        could_change: lookedFor.has(name) || more.includes(name),
      }));
    },
  };
}

/** @throws Failure `invalid_input` when no path is known, or what is to be started */
function withKnownPaths(tool: Tool, input: unknown, absent: readonly string[]): Tool {
  let known: readonly Target[] = [];
  let isPart = false;
  try {
    const access = tool.access(input as never);
    if (access === "all") return tool;
    known = access.filter(isKnown);
    isPart = known.length < access.length;
    tool.starts?.(input as never);
  } catch {
    isPart = true;
  }
  const startsUnknown = tool.starts && absent.includes("command");
  if ((isPart && known.length === 0) || startsUnknown)
    throw new Failure(
      "invalid_input",
      `Cannot explain a call of "${tool.name}" without ${absent.join(", ")}: what it would touch is not known`,
      { hint: `Give at least one of them, as ${absent[0]}=...` },
    );
  return { ...tool, access: () => known };
}

/** Whether the arguments that name the target were given. */
function isKnown(target: Target): boolean {
  return isPath(target) ? typeof target.path === "string" : Object.values(target).every((value) => value !== undefined);
}
