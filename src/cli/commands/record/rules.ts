/**
 * `ringfence rules`: which rules would have saved asks, and what one would have allowed, from the record and the files there are.
 * Nothing is granted here: what is printed has to be said again by a person, as a grant or in the configuration.
 */
import { isoTime, nowMs } from "../../../base/index.ts";
import { loadConfig, rootFlags, type Config } from "../../../config/index.ts";
import { EFFECTS } from "../../../policy/index.ts";
import { findRuleReach, placeIn, suggestRules, type RecordedAsk, type RuleReach } from "../../../review/index.ts";
import { count, terminalCommand } from "../../../text/index.ts";
import {
  actionOf,
  configFlags,
  EXIT,
  HOST_FLAGS,
  JSON_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../../command.ts";
import { checkGrantable } from "../../check-grantable.ts";
import { listFiles } from "../../list-files.ts";
import { openHost } from "../../open-host.ts";
import { messages, print, printJson, printText } from "../../print.ts";
import { reachFacts, readRecordedAsks } from "../../reach-facts.ts";
import { widthOfRule } from "../../wide-rules.ts";

export const rulesCommand: CliCommand = {
  about: "Suggest rules that would have saved asks, or say what one would have allowed.",
  takes: "[suggest | try RULE]",
  most: 2,
  flags: {
    ...HOST_FLAGS,
    ...JSON_FLAG,
    days: { about: "How far the record is looked through. Default 30.", value: "COUNT" },
  },
  examples: ["ringfence rules suggest --root .", "ringfence rules try 'edit_file(src/**)' --root ."],
  async run(typed) {
    const [action = "suggest", rule, ...more] = typed.positionals;
    const run = actionOf("rules", ACTIONS, action);
    if ((action === "try") !== (rule !== undefined) || more.length > 0)
      throw new UsageError("rules takes suggest, or try RULE");
    return await run(await lookAt(typed), rule ?? "");
  },
};

/** The record and the files, for the roots that the command was given. */
interface Looked {
  readonly config: Config;
  readonly days: number;
  readonly asks: readonly RecordedAsk[];
  readonly facts: Parameters<typeof findRuleReach>[1];
  /** Not every file was listed. */
  readonly isCut: boolean;
  readonly json: boolean;
}

const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Without a root it is about the roots of the last ask, because that is what a person was just asked about. */
async function lookAt(typed: TypedArguments): Promise<Looked> {
  const days = daysOf(typed.one("days") ?? "30");
  const raw = configFlags(typed);
  const bare = await loadConfig(raw, {}, false);
  const all = readRecordedAsks(bare.config, isoTime(nowMs() - days * DAY_MS));
  const roots = bare.roots.length > 0 ? bare.roots : (all.at(-1)?.roots ?? []);
  if (roots.length === 0) throw new UsageError("nobody was asked so far; name the roots with --root");
  const json = typed.has("json");
  using host = await openHost({ ...raw, roots: [...roots], results: "structured" });
  const { config } = host;
  const paths = config.roots.map(({ path }) => path);
  const asks = all.filter((ask) => JSON.stringify(ask.roots) === JSON.stringify(paths));
  const others = all.length - asks.length;
  if (others > 0 && !json)
    messages().info(`${count(others, "ask")} of hosts with other roots left out: name those with --root.`);
  const { files, isCut } = await listFiles(host);
  const facts = { ...(await reachFacts(config, asks)), files: files.map((file) => placeIn(paths, file)) };
  return { config, days, asks, facts, isCut, json };
}

function daysOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`--days takes a whole number from 1 on, not ${JSON.stringify(text)}`);
}

type Action = (looked: Looked, rule: string) => ExitCode | Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = { suggest, try: tryRule };

function suggest(looked: Looked): ExitCode {
  const { config, asks, facts, days, json } = looked;
  const { tools } = facts;
  const roots = config.roots.map(({ path }) => path);
  const found = suggestRules(facts, (rule) => widthOfRule(rule, tools, roots) !== undefined);
  if (json) {
    const suggestions = found.map((reach) => ({ ...reachAsJson(looked, reach), alone: reach.alone }));
    printJson({ roots, days, asks: asks.length, suggestions }, 2);
    return EXIT.ok;
  }
  if (found.length === 0)
    messages().info(
      `No rule would have saved two asks or more, of ${count(asks.length, "ask")} in the last ${days} days.`,
    );
  for (const reach of found) printText([...describe(looked, reach), ""].join("\n"));
  if (found.length > 0) print("Nothing was granted. A deny holds over every rule, and so does a more specific ask.");
  return EXIT.ok;
}

async function tryRule(looked: Looked, text: string): Promise<ExitCode> {
  await checkGrantable(text, looked.config);
  const reach = findRuleReach(text, looked.facts);
  const { config, json } = looked;
  const roots = config.roots.map(({ path }) => path);
  const width = widthOfRule(reach.rule, looked.facts.tools, roots);
  if (json) printJson({ ...reachAsJson(looked, reach), ...(width === undefined ? {} : { wide: width }) }, 2);
  else
    printText([...describe(looked, reach), ...(width === undefined ? [] : [`  wide: it allows ${width}`])].join("\n"));
  return width === undefined ? EXIT.ok : EXIT.wide;
}

/** Examples of what a rule covers. */
const MAX_EXAMPLES = 3;

function describe(looked: Looked, { rule, saved, rejected, held, files, deniedFiles, denies }: RuleReach): string[] {
  const { asks, days, isCut } = looked;
  const first = files.slice(0, MAX_EXAMPLES).map(({ rel = "" }) => rel);
  const opened = `${isCut ? "at least " : ""}${count(files.length, "file")}${first.length > 0 ? `, for example ${first.join(", ")}` : ""}`;
  return [
    rule.text,
    `  would have saved ${saved.length} of ${count(asks.length, "ask")} in ${count(days, "day")}${examplesOf(saved)}`,
    ...(rejected.length > 0 ? [`  a person rejected ${rejected.length} of them${examplesOf(rejected)}`] : []),
    ...(held.length > 0
      ? [`  would still be asked or denied: ${held.length}${examplesOf(held.map(({ ask }) => ask))}`]
      : []),
    ...(namesFiles(looked, rule) ? [`  opens now: ${opened}`] : []),
    ...(deniedFiles > 0 ? [`  stays closed: ${count(deniedFiles, "file")} by ${denies.join(", ")}`] : []),
    `  ${addCommand(looked, rule.text)}`,
  ];
}

function namesFiles({ facts }: Looked, rule: RuleReach["rule"]): boolean {
  return (
    rule.pattern !== undefined &&
    facts.tools.some((tool) => rule.coversTool(tool) && EFFECTS[tool.effect].namesPathsOnly)
  );
}

function examplesOf(asks: readonly RecordedAsk[]): string {
  const shown = [...new Set(asks.map(subjectOf))].slice(-MAX_EXAMPLES);
  return shown.length === 0 ? "" : `, for example ${shown.join(", ")}`;
}

function subjectOf({ line, paths, names, roots, tool }: RecordedAsk): string {
  const [path] = paths;
  return line ?? (path === undefined ? (names[0] ?? tool) : (placeIn(roots, path).rel ?? path));
}

/** The command that grants it to hosts with these roots. */
function addCommand({ config: { roots, stateDir } }: Looked, rule: string): string {
  return terminalCommand(["grants", "add", rule, ...rootFlags(roots)], stateDir);
}

function reachAsJson(looked: Looked, { rule, saved, rejected, held, files, deniedFiles, denies }: RuleReach): object {
  return {
    rule: rule.text,
    saved: saved.map(askAsJson),
    rejected: rejected.length,
    held: held.map(({ ask, by }) => ({ ...askAsJson(ask), by: { type: by.type, rule: by.rule, reason: by.reason } })),
    files: {
      count: files.length,
      complete: !looked.isCut,
      examples: files.slice(0, MAX_EXAMPLES).map(({ rel }) => rel),
    },
    denied_files: deniedFiles,
    denies,
    add: addCommand(looked, rule.text),
  };
}

function askAsJson({ call, time, tool, paths, line, names, risk, answer }: RecordedAsk): object {
  return { call, time, tool, paths, ...(line === undefined ? {} : { line }), targets: names, risk, answer };
}
