/**
 * `ringfence replay`: makes the calls of a session again on a copy of its files and says which end otherwise, so that the record
 * is a test suite.
 */
import { loadConfig } from "../../../config/index.ts";
import { readSteps, sessionById } from "../../../recorded/index.ts";
import { findStateFolder } from "../../../state/index.ts";
import { count } from "../../../text/index.ts";
import {
  COMMAND_DEFAULTS,
  configFlags,
  EXIT,
  HOST_FLAGS,
  JSON_FLAG,
  UsageError,
  type CliCommand,
} from "../../command.ts";
import { openHost } from "../../open-host.ts";
import { messages, printJson, printText, withProgress } from "../../print.ts";
import { replaySession, type Replay, type ReplayedCall } from "../../replay-session.ts";

export const replayCommand: CliCommand = {
  about: "Make the calls of a session again on a copy, and say which end otherwise.",
  takes: "ID",
  most: 1,
  flags: {
    ...HOST_FLAGS,
    ...JSON_FLAG,
    "dry-run": { about: "Say which calls would be made again and which cannot be; make none." },
  },
  examples: [
    "ringfence replay 20261123T093000000Z-a1B2c3D4 --root COPY",
    "ringfence replay 20261123T093000000Z-a1B2c3D4 --root COPY --dry-run --json",
  ],
  async run(typed) {
    const [id] = typed.positionals;
    if (id === undefined) throw new UsageError("replay takes the ID of a session; ringfence sessions lists them");
    const flags = { ...configFlags(typed), dialect: "ringfence" };
    const { config } = await loadConfig(flags, COMMAND_DEFAULTS);
    const folder = findStateFolder(config.stateDir);
    const session = await sessionById(folder, id);
    const steps = readSteps(folder, session);
    // As `serve` is started, whose sessions these are as a rule.
    // Nobody is asked about what was decided then.
    using host = await openHost({ ...flags, review: { wait_ms: 0 } }, { baseline: "required" });
    if (session.mode !== undefined && session.mode !== host.config.mode)
      messages().warn(`the session ran in the mode ${session.mode}, and this one is ${host.config.mode} (--mode)`);
    const isDry = typed.has("dry-run");
    const replay = await withProgress(async (report) => await replaySession(host, session, steps, isDry, report));
    if (typed.has("json")) printJson(replay, 2);
    else printText(describe(replay, isDry));
    if (replay.differs > 0) return EXIT.differs;
    return isDry || replay.same > 0 || replay.calls.length === 0 ? EXIT.ok : EXIT.failed;
  },
};

function describe({ calls, same, differs, skipped, problems }: Replay, isDry: boolean): string {
  const shown = calls.filter(({ state }) => isDry || state !== "same");
  const counts = isDry
    ? `${count(calls.length - skipped, "call")} would be made again, ${skipped} cannot be.`
    : `${count(same, "call")} ended as ${same === 1 ? "it" : "they"} did, ${differs} ${differs === 1 ? "differs" : "differ"}, ${skipped} ${skipped === 1 ? "was" : "were"} not made again.`;
  return [...shown.map(lineOf), ...problems, counts].join("\n");
}

function lineOf({ call, tool, state, why, differences = [], again }: ReplayedCall): string {
  const how = differences.map(({ what, was, is }) =>
    what === "decision" || what === "code" ? `${what} ${was ?? "none"} -> ${is ?? "none"}` : `another ${NAMES[what]}`,
  );
  const said = why ?? how.join(", ");
  return `${state.padEnd(8)} ${call}  ${tool}${said === "" ? "" : `: ${said}`}${again === undefined ? "" : ` (now ${again})`}`;
}

const NAMES = { answer: "answer", changed: "change" } as const;
