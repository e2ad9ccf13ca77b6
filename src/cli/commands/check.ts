/**
 * `ringfence check`: the configuration as it is resolved, where every value comes from, and what is wrong with its rules and
 * with what was granted. Exit 1 when something is, else 4 when a rule allows more than it seems to. That the rules match their
 * own examples is checked whenever they are loaded.
 */
import { realpathSync } from "node:fs";
import { Failure, failureSentences, nowMs } from "../../base/index.ts";
import {
  denyProblems,
  fileKey,
  loadConfig,
  loadPacks,
  parseRoot,
  planPacks,
  type Config,
  type LoadedConfig,
} from "../../config/index.ts";
import { turnedOffPacks } from "../../packs/optional.ts";
import { checkRule, findRuleProblems, isKnownSelector, meansTool, type ToolFacts } from "../../policy/index.ts";
import { Scope } from "../../scope/index.ts";
import { terminalCommand } from "../../text/index.ts";
import { COMMAND_DEFAULTS, configFlags, EXIT, HOST_FLAGS, LIST_FLAGS, type CliCommand } from "../command.ts";
import { lintGrants, type GrantProblem } from "../lint-grants.ts";
import { print, printJson, printTable, printText } from "../print.ts";
import { grantableTools, knownTools } from "../reach-facts.ts";
import { findWideRules, type WideRule } from "../wide-rules.ts";

export const checkCommand: CliCommand = {
  about: "Show the resolved configuration and what is wrong with it.",
  flags: { ...HOST_FLAGS, ...LIST_FLAGS },
  examples: ["ringfence check --root .", "ringfence check --config ringfence.json --root ."],
  async run(typed) {
    const loaded = await loadConfig(configFlags(typed), COMMAND_DEFAULTS, false);
    const values = valuesOf(loaded);
    const { usable, packProblems } = await sortPacks(loaded.config);
    const config = { ...loaded.config, packSettings: usable };
    const tools = await knownTools(config);
    // A pack that cannot be used has tools too, and nobody knows what its rules and grants mean before it can.
    const isOfBrokenPack = (selector: string): boolean =>
      packProblems.length > 0 &&
      isKnownSelector(selector, PACK_TOOLS) &&
      !tools.some((one) => meansTool(selector, one));
    const isUnknowable = (selector: string): boolean => isOfClient(selector) || isOfBrokenPack(selector);
    const grants = lintGrants({
      config,
      tools: await grantableTools(config),
      roots: loaded.roots.map((root) => parseRoot(root).path),
      isUnknowable,
      now: nowMs(),
    });
    const problems = [...problemsOf(loaded, tools, isUnknowable), ...packProblems];
    const wide = [...findWideRules(loaded.config, tools, rootsOf(loaded)), ...grants.wide];
    if (typed.has("json")) printJson({ values, problems, wide, grants: grants.problems }, 2);
    else {
      printTable(
        [["KEY", "FROM", "VALUE"], ...values.map(({ key, value, from }) => [key, from, JSON.stringify(value)])],
        typed.has("wide"),
      );
      const { rules } = loaded.config;
      const examples = rules.reduce((sum, rule) => sum + (rule.match ?? []).length + (rule.not_match ?? []).length, 0);
      print(
        `\n${rules.length} ${rules.length === 1 ? "rule" : "rules"}; ${examples} ${examples === 1 ? "example holds" : "examples hold"}.`,
      );
      for (const problem of problems) print(`problem: ${problem}`);
      if (packProblems.length > 0)
        print("What rules and grants say of tools of a pack that cannot be used is not judged until it can.");
      printGrants(grants.problems, packProblems.length === 0, loaded.config.stateDir);
      printWide(wide);
    }
    if (problems.length + grants.problems.length > 0) return EXIT.failed;
    return wide.length === 0 ? EXIT.ok : EXIT.wide;
  },
};

function printGrants(problems: readonly GrantProblem[], isSure: boolean, stateDir: string): void {
  for (const { id, rule, kind, why } of problems) printText(`problem: ${kind} grant ${rule} (${id}): ${why}`);
  const ids = problems.map(({ id }) => id);
  if (ids.length > 0 && isSure)
    printText(`Take back what nobody needs: ${terminalCommand(["grants", "revoke", ...ids], stateDir)}`);
}

function printWide(rules: readonly WideRule[]): void {
  for (const { rule, source, allows } of rules) print(`wide: rule ${rule} (${source}) allows ${allows}`);
  if (rules.length > 0)
    print('Narrow these rules, or say in the rule why it may stay: {"allow": "...", "accepted": "WHY"}.');
  if (rules.some(({ source }) => source.startsWith("grant ")))
    print("A grant is narrowed by taking it back and granting less.");
}

/** Tools that packs could bring. Only their names are looked at. */
const PACK_TOOLS: readonly ToolFacts[] = Object.keys(turnedOffPacks()).map((name) => ({ name, effect: "read" }));

/** The settings of the packs that can be used, and what is wrong with the others: one pack is not judged by another. */
async function sortPacks(config: Config): Promise<{ usable: Config["packSettings"]; packProblems: string[] }> {
  const all = await Promise.all(
    Object.entries(config.packSettings).map(async ([name, told]) => ({
      name,
      told,
      problems: await findPackProblem({ ...config, packSettings: { [name]: told } }),
    })),
  );
  const usable = all.filter(({ problems }) => problems.length === 0).map(({ name, told }) => [name, told]);
  return {
    usable: Object.fromEntries(usable) as Config["packSettings"],
    packProblems: all.flatMap(({ problems }) => problems),
  };
}

/** What would keep a host from starting with these packs. */
async function findPackProblem(config: Config): Promise<string[]> {
  try {
    await loadPacks(config);
    // What a start is told beside the settings: programs, hosts.
    await planPacks(config);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return [failureSentences(thrown.data).replace(/^Cannot start: /, "")];
  }
}

const NOT_SHOWN: readonly string[] = ["skip", "configFile", "configFiles", "configWay"];

interface ShownValue {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}

function valuesOf({ config, origins, roots, deny }: LoadedConfig): ShownValue[] {
  return rowsOf({ ...config, roots, deny }).map(([key, value]) => ({
    key,
    // As it is in a file, without what is secret in it.
    value: JSON.parse(JSON.stringify(value, withoutHeaders)) as unknown,
    from: (origins.get(key.split(".")[0] ?? key) ?? ["built-in"]).join(", "),
  }));
}

/** Values under the keys that a file has for them. */
function rowsOf(all: Omit<Config, "roots"> & Pick<LoadedConfig, "roots">): [key: string, value: unknown][] {
  const { undo, reviewWaitMs, notifyWebhook, upstreams, ...plain } = all;
  const rows = Object.entries(plain).filter(([name]) => !NOT_SHOWN.includes(name));
  return [
    ...rows.map(([name, value]): [string, unknown] => [fileKey(name), value]),
    ["undo_max_bytes", String(undo.maxBytes)],
    ["undo_max_age", `${undo.maxAgeMs / HOUR_MS}h`],
    ["review.wait_ms", reviewWaitMs],
    ...(notifyWebhook === undefined ? [] : [["notify.webhook", new URL(notifyWebhook).origin] as [string, unknown]]),
    ...(upstreams === undefined
      ? []
      : ([
          ["upstream", upstreams.servers],
          ["upstream_reach", upstreams.reach],
        ] as [string, unknown][])),
  ];
}

const HOUR_MS = 60 * 60 * 1000;

/** Leaves out the values of HTTP headers, which may be passwords, and the path of a webhook, which often is one. */
function withoutHeaders(key: string, value: unknown): unknown {
  return key === "headers" && typeof value === "object" && value !== null ? Object.keys(value) : value;
}

function rootsOf({ roots }: LoadedConfig): string[] {
  return roots.flatMap((root) => namesOf(parseRoot(root).path));
}

function problemsOf(
  loaded: LoadedConfig,
  tools: readonly ToolFacts[],
  isUnknowable: (selector: string) => boolean,
): string[] {
  const { config } = loaded;
  const roots = rootsOf(loaded);
  const rules = findRuleProblems(config.rules.map(checkRule), tools, roots)
    .filter(({ rule, kind }) => !isUnknowable(rule.toolPattern) || (kind === "dead" && isOfClient(rule.toolPattern)))
    .map(({ rule, kind, why }) => `${kind} rule ${rule.text} (${rule.source}): ${why}`);
  const { toolList, hooks, clients, agents, providers, skills } = config;
  const lists = [
    toolList,
    ...[clients, agents, providers, skills].flatMap((all) => Object.values(all).map((one) => one.tools ?? {})),
  ];
  const selectors = [
    ...lists.flatMap(({ allow = [], deny = [] }) => [...allow, ...deny]),
    ...hooks.map(({ tool }) => tool),
  ];
  // A list may name a tool whose pack is off: it holds as soon as the pack is on.
  const known = [...tools, ...PACK_TOOLS];
  const unknown = selectors.filter((selector) => !isUnknowable(selector) && !isKnownSelector(selector, known));
  return [
    ...rootProblems(loaded),
    ...denyProblems(loaded.deny, loaded.roots.map(parseRoot)).map(
      ({ glob, why }) => `deny ${JSON.stringify(glob)}: ${why}`,
    ),
    ...rules,
    ...wildcardProblems(loaded),
    ...unknown.map((selector) => `there is no tool or group ${JSON.stringify(selector)}`),
  ];
}

/** A name is compared whole, and no client calls itself by a pattern. */
function wildcardProblems({ config: { clients, agents, providers } }: LoadedConfig): string[] {
  return Object.entries({ clients, agents, providers }).flatMap(([key, all]) =>
    Object.keys(all)
      .filter((name) => name.includes("*"))
      .map(
        (name) => `${key}.${name} is for that very name, and no pattern: what holds for all stands at the top level`,
      ),
  );
}

/** Roots with which no host starts. */
function rootProblems({ config: { containment }, roots }: LoadedConfig): string[] {
  return roots.flatMap((root) => {
    try {
      using _ = new Scope({ roots: [parseRoot(root)], containment });
      return [];
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return [failureSentences(thrown.data)];
    }
  });
}

/** Whether a selector means tools that a client may offer or a space may have, which nobody knows before it does. */
function isOfClient(selector: string): boolean {
  return /^(?:client_|space[_:])/.test(selector);
}

/** A root as it was given, and as rules see it once its links are resolved. */
function namesOf(root: string): string[] {
  try {
    return [root, realpathSync(root)];
  } catch {
    return [root];
  }
}
