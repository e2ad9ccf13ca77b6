/**
 * `ringfence audit`: the record for people and collectors, and whether it was tampered with. Reads the state folder and
 * writes nothing, but for the first `key`.
 */
import { readFileSync } from "node:fs";
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
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
import { openStateFolder, type StateFolder } from "../../state/index.ts";
import { openReaderCheck } from "../../wire/index.ts";
import { configFlags, parseFlags, STATE_FLAG, type TypedArguments } from "../flags.ts";
import { messages, print, printTable, printText } from "../print.ts";
import { EXIT, UsageError, type ExitCode } from "../usage-error.ts";

const FLAGS: ArgsDef = {
  ...STATE_FLAG,
  json: { type: "boolean", description: "Print JSON, with show one line an event." },
  event: {
    type: "string",
    description: "With show and export: only this event. Repeatable.",
    valueHint: "NAME",
  },
  tool: { type: "string", description: "With show and export: only this tool.", valueHint: "NAME" },
  since: { type: "string", description: "With show and export: not before this time.", valueHint: "TIME" },
  call: { type: "string", description: "With show and export: one call, by its audit id.", valueHint: "ID" },
  follow: { type: "boolean", description: "With show: go on as events come." },
  format: { type: "string", description: "With export: otlp or ocsf.", valueHint: "FORM" },
  key: { type: "string", description: "With verify: the public key, from elsewhere.", valueHint: "FILE" },
};

export const auditCommand: CommandDef = defineCommand({
  meta: { name: "audit", description: "Show, verify or export the record." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS, 1);
    const [action = "show"] = typed.positionals;
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!run) throw new UsageError(`audit takes show, verify, export or key, not ${JSON.stringify(action)}`);
    const { config } = await loadConfig(configFlags(typed), {}, false);
    return await run(openStateFolder(config.stateDir), typed);
  },
});

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

/** The start of the time range. Times are compared as text, so it must have the form of one. */
function timeOf(since: string | undefined): string | undefined {
  if (since === undefined || /^\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]*Z?)?)?)?$/.test(since)) return since;
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
  const json = typed.has("json");
  if (typed.has("follow")) return await follow(reader, lines, { filter, json });
  if (json) printLines(lines, json);
  else if (lines.length === 0) messages().info("There is nothing on record.");
  else
    printTable([
      ["TIME", "EVENT", "TOOL", ""],
      ...lines.map((line) => [line.time, line.event, toolOf(line), restOf(line)]),
    ]);
  return EXIT.ok;
}

/** Prints events as they come, until the process is ended or nobody reads its output any more. */
async function follow(
  reader: AuditReader,
  first: readonly AuditLine[],
  { filter, json }: { readonly filter: AuditFilter; readonly json: boolean },
): Promise<ExitCode> {
  const isReaderGone = openReaderCheck();
  for (let lines = first; printLines(lines, json) && !isReaderGone(); lines = reader.next(filter))
    await Bun.sleep(FOLLOW_MS);
  return EXIT.ok;
}

/** @returns false when nobody reads them */
function printLines(lines: readonly AuditLine[], json: boolean): boolean {
  return lines.every((line) =>
    json
      ? print(JSON.stringify(line))
      : printText(`${line.time}  ${line.event.padEnd(10)}  ${toolOf(line)}  ${restOf(line)}`.trimEnd()),
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

function verify(folder: StateFolder, typed: TypedArguments): ExitCode {
  const file = typed.one("key");
  const own = hasSigningKey(folder.keys) ? openSigningKey(folder.keys).publicKey : undefined;
  const publicKey = file === undefined ? own : readFileSync(file, "utf8");
  const report = verifyAudit(folder, publicKey);
  if (typed.has("json")) print(JSON.stringify(report, null, 2));
  else printText(describe(report));
  return report.isIntact ? EXIT.ok : EXIT.failed;
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

/** Prints the public key, for people who verify elsewhere. Making the key begins the record, because a key without a record means that the record was removed. */
function key(folder: StateFolder): ExitCode {
  if (!hasSigningKey(folder.keys)) {
    using log = openAuditLog(folder);
    log.record("key_made", {});
    log.ensureWritten();
  }
  print(openSigningKey(folder.keys).publicKey);
  return EXIT.ok;
}
