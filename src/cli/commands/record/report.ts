/**
 * `ringfence report`: how often agents asked, what people answered, what was changed, and which rules would have saved asks; in
 * all, for each client and for each session. From the record only: no file of a root is looked at, and nothing is granted.
 */
import { readEvents } from "../../../audit/index.ts";
import { Failure, isoTime, nowMs } from "../../../base/index.ts";
import { loadConfig, rootFlags, type RawConfig } from "../../../config/index.ts";
import { ACTIVITY_EVENTS, countActivity, type ActivityNumbers, type ActivityReport } from "../../../recorded/index.ts";
import { ASK_EVENTS, readAsks, suggestRules, type RecordedAsk } from "../../../review/index.ts";
import { findStateFolder } from "../../../state/index.ts";
import { count, terminalCommand } from "../../../text/index.ts";
import { configFlags, EXIT, HOST_FLAGS, LIST_FLAGS, UsageError, type CliCommand } from "../../command.ts";
import { messages, print, printJson, printTable, printText, shownAge } from "../../print.ts";
import { knownTools, reachFacts } from "../../reach-facts.ts";
import { saySpan } from "../../show/say-time.ts";
import { widthOfRule } from "../../wide-rules.ts";
import { readTime } from "../../show/read-time.ts";

export const reportCommand: CliCommand = {
  about: "Say how often agents asked, what was answered, and which rules would have saved asks.",
  flags: {
    ...HOST_FLAGS,
    ...LIST_FLAGS,
    since: { about: "How far back: 12h, 7d (default), 4w, or a time in UTC as 2026-11-21.", value: "SPAN" },
  },
  examples: ["ringfence report", "ringfence report --since 30d --json", "ringfence report --root . --since 12h"],
  async run(typed) {
    const raw = configFlags(typed);
    const since = sinceOf(typed.one("since") ?? "7d");
    const { config, roots } = await loadConfig(raw, {}, false);
    const wanted = roots.length === 0 ? undefined : (await loadConfig(raw, {})).config.roots.map(({ path }) => path);
    const events = new Set([...ASK_EVENTS, ...ACTIVITY_EVENTS]);
    const all = readEvents(findStateFolder(config.stateDir).audit, events, since);
    const lines = wanted === undefined ? all : linesOfHosts(all, wanted);
    const asks = readAsks(lines);
    const report = countActivity(lines, asks);
    const suggestions = await suggestionsFor(raw, asks);
    if (typed.has("json")) printJson({ since, ...report, suggestions }, 2);
    else if (report.calls + report.changes === 0)
      messages().info(`No call is on record since ${since} in ${config.stateDir}.`);
    else printReport(report, suggestions, since, typed.has("wide"));
    return EXIT.ok;
  },
};

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

/** @returns ISO 8601, or the beginning of it: times are compared as text */
function sinceOf(text: string): string {
  const [, number, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  if (number !== undefined) return isoTime(nowMs() - Number(number) * (UNITS_MS[unit] ?? 0));
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new UsageError(`--since takes 12h, 7d, 4w or a time in UTC, not ${JSON.stringify(text)}`);
}

type Lines = ReturnType<typeof readEvents>;

/** Lines of hosts with exactly these roots, and what others say about their proposals. */
function linesOfHosts(lines: Lines, roots: readonly string[]): Lines {
  const sessionOf = new Map<string, string>();
  const [hosts, commands] = [new Set<string>(), new Set<string>()];
  const wanted = JSON.stringify(roots);
  const segmentOf = ({ id }: Lines[number]): string => id.slice(0, id.indexOf(":"));
  for (const line of lines) {
    if (line.event === "segment" && typeof line["session"] === "string")
      sessionOf.set(segmentOf(line), line["session"]);
    if (line.event !== "start") continue;
    const own = (Array.isArray(line["roots"]) ? line["roots"] : []).map(
      (root: unknown) => (Object(root) as { path?: unknown }).path,
    );
    if (JSON.stringify(own) === wanted) hosts.add(segmentOf(line));
    if (own.length === 0) commands.add(segmentOf(line));
  }
  const sessionFor = (line: Lines[number]): string => sessionOf.get(segmentOf(line)) ?? segmentOf(line);
  const proposals = new Set(lines.flatMap((line) => (hosts.has(sessionFor(line)) ? [line["proposal"]] : [])));
  return lines.filter(
    (line) =>
      hosts.has(sessionFor(line)) ||
      (commands.has(sessionFor(line)) && line["proposal"] !== undefined && proposals.has(line["proposal"])),
  );
}

interface Suggestion {
  readonly roots: readonly string[];
  readonly rule: string;
  /** Asks that would not have been made. */
  readonly saved: number;
  readonly add: string;
}

/** Rules for each set of roots. Of roots that are no more nothing is suggested. */
async function suggestionsFor(raw: RawConfig, asks: readonly RecordedAsk[]): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  for (const some of Map.groupBy(asks, ({ roots }) => JSON.stringify(roots)).values()) {
    const roots = some[0]?.roots ?? [];
    try {
      const { config } = await loadConfig({ ...raw, roots: [...roots] }, {});
      const [facts, tools] = await Promise.all([reachFacts(config, some), knownTools(config)]);
      for (const { rule, saved } of suggestRules(facts, (one) => widthOfRule(one, tools, roots) !== undefined)) {
        const words = ["grants", "add", rule.text, ...rootFlags(config.roots)];
        found.push({ roots, rule: rule.text, saved: saved.length, add: terminalCommand(words, config.stateDir) });
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
    }
  }
  return found.sort((a, b) => b.saved - a.saved);
}

function printReport(report: ActivityReport, suggestions: readonly Suggestion[], since: string, isWide: boolean): void {
  const { clients, sessions, asked_by: askedBy, undone, median_wait_ms: wait } = report;
  const { calls, changes, asks, approved, rejected, open } = report;
  const said = [
    `Since ${shownAge(since)}: ${count(calls, "call")} of ${count(sessions.length, "session")}, ${count(changes, "change")}` +
      `${undone > 0 ? ` (${undone} taken back)` : ""}, in ${count(report.active_hours, "active hour")}.`,
    `${count(asks, "ask")}, ${report.asks_per_hour} in an active hour: ${approved} approved, ${rejected} rejected, ${open} without an answer` +
      `${report.approval_rate === undefined ? "" : `; ${percent(report.approval_rate)} of the answers were yes`}.`,
    ...(wait === undefined ? [] : [`Half of the answers came within ${saySpan(wait)}.`]),
  ];
  print(`${said.join("\n")}\n\n`);
  printTable(
    [
      ["CLIENT", "SESSIONS", ...HEADS],
      ...clients.map((one) => [one.client || "-", String(one.sessions), ...cellsOf(one)]),
    ],
    isWide,
  );
  print("");
  printTable(
    [
      ["SESSION", "CALLS", "CHANGES", "ASKS", "YES", "NO", "CLIENT", "ROOTS"],
      ...sessions.map(
        ({ session, calls: made, changes: own, asks: some, approved: yes, rejected: no, client, roots }) => [
          session,
          ...[made, own, some, yes, no].map(String),
          client || "-",
          roots.join(", "),
        ],
      ),
    ],
    isWide,
  );
  if (askedBy.length > 0) {
    print("");
    printTable([["ASKED BY", "ASKS"], ...askedBy.map(({ by, asks: some }) => [by, String(some)])], isWide);
  }
  for (const { rule, saved, add } of suggestions)
    printText(`\n${rule}\n  would have saved ${saved} of ${count(asks, "ask")}\n  ${add}`);
  if (suggestions.length > 0)
    print("\nNothing was granted. `ringfence rules try RULE` says what a rule opens before you grant it.");
}

const HEADS: readonly string[] = ["CALLS", "CHANGES", "ASKS", "AN HOUR", "YES", "NO", "OPEN", "APPROVED"];

function cellsOf(one: ActivityNumbers): string[] {
  const { calls, changes, asks, asks_per_hour: perHour, approved, rejected, open, approval_rate: rate } = one;
  const numbers = [calls, changes, asks, perHour, approved, rejected, open].map(String);
  return [...numbers, rate === undefined ? "-" : percent(rate)];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
