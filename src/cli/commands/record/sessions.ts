/**
 * `ringfence sessions`: the runs of hosts that are on record, what each did, and what is still kept of it besides the record.
 */
import { eventOf, fieldsOf, findSessions, linesOf, type SessionFacts } from "../../../audit/index.ts";
import { loadConfig } from "../../../config/index.ts";
import { deleteSession, keptOf, listSessions, sessionById, type KeptData } from "../../../recorded/index.ts";
import { findStateFolder, type StateFolder } from "../../../state/index.ts";
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
} from "../../command.ts";
import { openRootlessHost } from "../../open-host.ts";
import { print, printJson, printLine, printRows, printText, shownClock } from "../../print.ts";

export const sessionsCommand: CliCommand = {
  about: "List the sessions on record, show or delete one.",
  takes: "[list | show ID | delete ID]",
  most: 2,
  flags: { ...STATE_FLAG, ...LIST_FLAGS, limit: { about: "With list: at most so many. Default 50.", value: "COUNT" } },
  examples: [
    "ringfence sessions",
    "ringfence sessions show 20261123T093000000Z-a1B2c3D4",
    "ringfence sessions delete 20261123T093000000Z-a1B2c3D4",
  ],
  async run(typed) {
    const run = actionOf("sessions", ACTIONS, typed.positionals[0] ?? "list");
    const { config } = await loadConfig(configFlags(typed), {}, false);
    return await run(findStateFolder(config.stateDir), typed);
  },
};

type Action = (folder: StateFolder, typed: TypedArguments) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = { list, show, delete: remove };
const LISTED = 50;

async function list(folder: StateFolder, typed: TypedArguments): Promise<ExitCode> {
  const asked = typed.one("limit") ?? String(LISTED);
  if (!/^[1-9]\d{0,5}$/.test(asked))
    throw new UsageError(`--limit takes a whole number from 1 on, not ${JSON.stringify(asked)}`);
  printRows((await listSessions(folder, Number(asked))).sessions, {
    json: typed.has("json"),
    isWide: typed.has("wide"),
    none: `No session is on record in ${folder.path}.`,
    heads: ["ID", "STATE", "CALLS", "FAILED", "OWN CHANGES", "CLIENT", "ROOTS"],
    rowOf: ({ id, state, calls, failed, changes, client = "", roots }) => [
      id,
      state,
      String(calls),
      String(failed),
      String(changes),
      client,
      roots.join(", "),
    ],
  });
  return EXIT.ok;
}

/** One call of a session, as the record tells it. */
interface ShownCall {
  readonly id: string;
  readonly time: string;
  readonly tool: string;
  readonly decision?: string;
  readonly paths?: unknown;
  readonly ended?: string;
  readonly code?: string;
}

async function show(folder: StateFolder, typed: TypedArguments): Promise<ExitCode> {
  const facts = await sessionById(folder, idOf(typed, "show"));
  const [calls, kept] = [callsOf(folder, facts.id), keptOf(folder, facts)];
  if (typed.has("json")) printJson({ ...facts, kept, calls }, 2);
  else {
    printText(about(facts, kept).join("\n"));
    if (calls.length > 0) print("");
    for (const call of calls) printLine(lineOf(call), typed.has("wide"));
  }
  return EXIT.ok;
}

function idOf(typed: TypedArguments, action: string): string {
  const id = typed.positionals[1];
  if (id === undefined) throw new UsageError(`sessions ${action} takes the ID of a session`);
  return id;
}

/** A person has typed it, so nobody else is asked. */
async function remove(folder: StateFolder, typed: TypedArguments): Promise<ExitCode> {
  const session = await sessionById(folder, idOf(typed, "delete"));
  using host = await openRootlessHost(configFlags(typed));
  const { id, ...kept } = deleteSession(folder, session);
  host.audit.record("session_deleted", { session: id, ...kept });
  if (typed.has("json")) printJson({ id, ...kept }, 2);
  else
    printText(
      `Deleted of the session ${id}: ${kept.calls_bytes} bytes of calls, ${kept.outputs} outputs. Its record and its undo stay.`,
    );
  return EXIT.ok;
}

function callsOf(folder: StateFolder, id: string): ShownCall[] {
  const calls = new Map<string, ShownCall>();
  for (const segment of findSessions(folder.audit).find((one) => one.id === id)?.segments ?? [])
    for (const line of linesOf(folder.audit, segment)) {
      const head = eventOf(line);
      if (head && SHOWN.has(head.event)) addTo(calls, segment, head.time, fieldsOf(line) ?? {});
    }
  return [...calls.values()];
}

const SHOWN: ReadonlySet<string> = new Set(["proposed", "decided", "completed", "failed"]);

function addTo(calls: Map<string, ShownCall>, segment: string, time: string, line: Readonly<Record<string, unknown>>) {
  const { event, seq, tool, call, decision, paths, code } = line;
  if (event === "proposed") {
    const id = `${segment}:${String(seq).padStart(9, "0")}`;
    calls.set(id, { id, time, tool: String(tool) });
    return;
  }
  const known = calls.get(String(call));
  if (!known) return;
  const failed = typeof code === "string" ? { code } : {};
  const more =
    event === "decided"
      ? { tool: String(tool), decision: String(decision), paths }
      : { ended: String(event), ...failed };
  calls.set(known.id, { ...known, ...more });
}

function about({ id, state, started, ended, why, client, mode, roots }: SessionFacts, kept: KeptData): string[] {
  return [
    `session ${id}: ${state}${why === undefined ? "" : ` (${why})`}`,
    `from ${shownClock(started)}${ended === undefined ? "" : ` to ${shownClock(ended)}`}${client === undefined ? "" : `, client ${client}`}${mode === undefined ? "" : `, mode ${mode}`}`,
    `roots: ${roots.join(", ")}`,
    `kept besides the record: ${kept.calls_bytes} bytes of calls, ${kept.outputs} outputs`,
    "",
  ];
}

function lineOf({ id, time, tool, decision = "", paths, ended = "no end", code }: ShownCall): string {
  const where = Array.isArray(paths) ? paths.join(" ") : "";
  return `${id}  ${shownClock(time)}  ${tool}  ${decision}  ${ended}${code === undefined ? "" : ` ${code}`}  ${where}`.trimEnd();
}
