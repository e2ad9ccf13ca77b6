/**
 * `ringfence audit`: the record for people and collectors, and whether it was tampered with. Reads the state folder and
 * writes nothing, but for the first `key`.
 */
import {
  AuditReader,
  EXPORT_FORMATS,
  exportAudit,
  hasSigningKey,
  openAuditLog,
  openSigningKey,
  readAudit,
  verifyAudit,
  type AuditFilter,
  type AuditLine,
  type AuditReport,
} from "../../audit/index.ts";
import { BUILD, loadConfig } from "../../config/index.ts";
import { findStateFolder, openStateFolder, type StateFolder } from "../../state/index.ts";
import { openReaderCheck } from "../../wire/index.ts";
import {
  actionOf,
  configFlags,
  EXIT,
  LIST_FLAGS,
  STATE_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../command.ts";
import { readPublicKey } from "./record/public-key.ts";
import { messages, print, printLine, printTable, printText, shownClock, withProgress } from "../print.ts";
import { readTime } from "../show/read-time.ts";

export const auditCommand: CliCommand = {
  about: "Show, verify or export the record, or print its key.",
  takes: "[show | verify | export | key]",
  most: 1,
  flags: {
    ...STATE_FLAG,
    ...LIST_FLAGS,
    json: { about: "Print JSON, with show one line an event." },
    event: { about: "With show and export: only this event. Repeatable.", value: "NAME" },
    tool: { about: "With show and export: only this tool.", value: "NAME" },
    since: { about: "With show and export: not before this time.", value: "TIME" },
    call: { about: "With show and export: one call, by its audit id.", value: "ID" },
    follow: { about: "With show: go on as events come." },
    format: { about: "With export: otlp or ocsf.", value: "FORM" },
    key: { about: "With verify: the public key, from elsewhere.", value: "FILE" },
  },
  examples: [
    "ringfence audit show --event failed --since 2026-11-01",
    "ringfence audit show --follow",
    "ringfence audit verify",
    "ringfence audit export --format ocsf",
  ],
  async run(typed) {
    const run = actionOf("audit", ACTIONS, typed.positionals[0] ?? "show");
    const { config } = await loadConfig(configFlags(typed), {}, false);
    return await run(findStateFolder(config.stateDir), typed);
  },
};

type Action = (folder: StateFolder, typed: TypedArguments) => ExitCode | Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = { show, verify, export: exportRecord, key };

function filterOf(typed: TypedArguments): AuditFilter {
  return {
    events: typed.all("event"),
    tool: typed.one("tool"),
    since: timeOf(typed.one("since")),
    call: typed.one("call"),
  };
}

/** The start of the time range. */
function timeOf(since: string | undefined): string | undefined {
  const time = since === undefined ? undefined : readTime(since);
  if (since === undefined || time !== undefined) return time;
  throw new UsageError("--since is a time in UTC or its beginning, as 2026-11-21T09:30");
}

/** The members that have a column of their own; the others follow in the last one. */
const COLUMNS: readonly string[] = ["time", "event", "tool"];
const LEFT_OUT: ReadonlySet<string> = new Set([...COLUMNS, "seq", "id", "validated", "previous"]);
const FOLLOW_MS = 500;

async function show(folder: StateFolder, typed: TypedArguments): Promise<ExitCode> {
  const filter = filterOf(typed);
  const reader = new AuditReader(folder.audit);
  const lines = reader.next(filter);
  const shown = { json: typed.has("json"), isWide: typed.has("wide") };
  if (typed.has("follow")) return await follow(reader, lines, { filter, ...shown });
  if (shown.json) printLines(lines, shown);
  else if (lines.length === 0) messages().info("There is nothing on record.");
  else
    printTable(
      [
        ["TIME", "EVENT", "TOOL", ""],
        ...lines.map((line) => [shownClock(line.time), line.event, toolOf(line), restOf(line)]),
      ],
      shown.isWide,
    );
  return EXIT.ok;
}

/** Prints events as they come, until the process is ended or nobody reads its output any more. */
async function follow(
  reader: AuditReader,
  first: readonly AuditLine[],
  { filter, ...shown }: Shown & { readonly filter: AuditFilter },
): Promise<ExitCode> {
  const isReaderGone = openReaderCheck();
  for (let lines = first; printLines(lines, shown) && !isReaderGone(); lines = reader.next(filter))
    await Bun.sleep(FOLLOW_MS);
  return EXIT.ok;
}

interface Shown {
  readonly json: boolean;
  readonly isWide: boolean;
}

/** @returns false when nobody reads them */
function printLines(lines: readonly AuditLine[], { json, isWide }: Shown): boolean {
  return lines.every((line) =>
    json
      ? print(JSON.stringify(line))
      : printLine(
          `${shownClock(line.time)}  ${line.event.padEnd(10)}  ${toolOf(line)}  ${restOf(line)}`.trimEnd(),
          isWide,
        ),
  );
}

function toolOf({ tool }: AuditLine): string {
  return typeof tool === "string" ? tool : "";
}

function restOf(line: AuditLine): string {
  return Object.entries(line)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

async function verify(folder: StateFolder, typed: TypedArguments): Promise<ExitCode> {
  const file = typed.one("key");
  const publicKey = file === undefined ? ownKey(folder) : readPublicKey(file);
  const report = await withProgress((say) => verifyAudit(folder, publicKey, say));
  if (typed.has("json")) print(JSON.stringify(report, null, 2));
  else printText(describe(report));
  return report.isIntact ? EXIT.ok : EXIT.failed;
}

function ownKey({ keys }: StateFolder): string | undefined {
  return hasSigningKey(keys) ? openSigningKey(keys).publicKey : undefined;
}

function describe({ segments, problems, isIntact }: AuditReport): string {
  const rows = segments.flatMap(({ segment, lines, signed, isTorn, problems: own }) => [
    `${own.length === 0 ? "ok  " : "BAD "} ${segment}: ${lines} lines, ${signed} signed${isTorn ? ", and one that was never finished (torn)" : ""}`,
    ...own.map((problem) => `     ${problem}`),
  ]);
  if (isIntact && segments.length === 0) return "No record was begun here so far.";
  const end = isIntact ? "The record is as it was written." : "The record was tampered with.";
  return [...rows, ...problems.map((problem) => `BAD  ${problem}`), end].join("\n");
}

function exportRecord(folder: StateFolder, typed: TypedArguments): ExitCode {
  const asked = typed.one("format");
  const format = EXPORT_FORMATS.find((one) => one === asked);
  if (!format) throw new UsageError("--format is otlp or ocsf");
  const text = exportAudit(readAudit(folder.audit, filterOf(typed)), format, BUILD.version);
  if (text !== "") print(text);
  return EXIT.ok;
}

/**
 * Prints the public key, for people who verify elsewhere. Making the key begins the record, because a key without a
 * record means that the record was removed.
 */
function key({ path }: StateFolder): ExitCode {
  const folder = openStateFolder(path);
  if (!hasSigningKey(folder.keys)) {
    using log = openAuditLog(folder);
    log.record("key_made", {});
    log.ensureWritten();
  }
  print(openSigningKey(folder.keys).publicKey);
  return EXIT.ok;
}
