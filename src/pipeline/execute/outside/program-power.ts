/**
 * What a tool has of the program of its pack (`ctx.program`): the launcher starts it, and texts go both ways. It outlives the call,
 * so nothing of a call is kept here but the rules by which its tool may be led to an address.
 */
import { Failure, StopSource } from "../../../base/index.ts";
import type { ProgramApi, ProgramEvents, ProgramLink, Tool } from "../../../contract/index.ts";
import type { UpstreamEnd } from "../../../proc/index.ts";
import { placeTarget, recordConnections, toolFacts } from "../../../session/index.ts";
import type { CallPolicy } from "../../call.ts";
import { decideCall, placeReached } from "../../decide/assess.ts";
import { launcherOf } from "../../launcher-of.ts";
import type { Services } from "../../services.ts";

interface ProgramUser {
  readonly host: Services;
  readonly tool: Tool;
  readonly under: CallPolicy;
}

export function createProgram(user: ProgramUser): ProgramApi {
  const { host, tool } = user;
  const network = host.packs.networkOf(tool);
  if (!network)
    throw new Failure("unsupported", `Cannot use a program for "${tool.name}": its pack has none`, {
      hint: "The pack of the tool has to declare one.",
    });
  const { pack } = network;
  return {
    open: (on) => openProgram(host, pack, on),
    refuses: (url) => refusalOf(user, url),
  };
}

function openProgram(host: Services, pack: string, { onMessage, onEnd }: ProgramEvents): ProgramLink {
  const launch = launcherOf(host);
  hearConnections(host);
  const stop = new StopSource();
  let say: ((text: string) => boolean) | undefined;
  const running = launch(
    "connect",
    { program: pack },
    { signal: stop, onSay: (says) => (say = says), onLine: onMessage },
  );
  void running.then(
    (end) => onEnd(endOf(pack, end)),
    (thrown: unknown) => onEnd(thrown instanceof Failure ? thrown : endOf(pack, undefined)),
  );
  return { say: (text) => void say?.(text), close: () => stop.abort() };
}

const hearing = new WeakSet<Services>();

/** Not before a program is started: a launcher that sleeps would wake. One that was asked before goes on with the new question. */
function hearConnections(host: Services): void {
  if (hearing.has(host)) return;
  hearing.add(host);
  recordConnections(host.launch, (fields) => void host.audit.announce("connected", fields));
}

const STOPPED: Readonly<Record<NonNullable<UpstreamEnd["stopped_by"]>, string>> = {
  cancelled: "it was stopped",
  flood: "it was stopped, because it wrote too much or had too many processes",
  long_line: "it was stopped, because it wrote a message that is too long or closed its output",
  memory: "it was stopped, because it had more memory than it may have",
  not_reading: "it was stopped, because it did not read what it was told",
};
const MAX_WORDS = 300;

function endOf(pack: string, end: UpstreamEnd | undefined): Failure {
  const how = end?.stopped_by ? STOPPED[end.stopped_by] : (end?.signal ?? `exit code ${end?.exit_code ?? "unknown"}`);
  const said = end?.stopped_by === undefined && end?.errors ? `: ${end.errors.slice(-MAX_WORDS)}` : "";
  return new Failure("command_failed", `Cannot finish the call: the program of "${pack}" ended (${how})${said}`, {
    hint: "Call again: that starts it anew.",
    retry: "later",
  });
}

/** An address that nobody has named in a call is held to the same rules, and nobody is asked about it. */
function refusalOf({ host, tool, under }: ProgramUser, url: string): string | undefined {
  try {
    const reach = host.packs.networkOf(tool)?.reach;
    const target = placeReached(placeTarget({ kind: "url", url, method: "GET" }, host.policy.place), reach);
    if (target.isReached !== true) return "it is not in reach";
    const question = { tool: toolFacts(tool), targets: [target], removes: false, mode: under.mode };
    const { type, reason } = decideCall(host, question);
    return type === "allow" ? undefined : reason;
  } catch (thrown) {
    if (thrown instanceof Failure) return "it is no address that can be asked for";
    throw thrown;
  }
}
