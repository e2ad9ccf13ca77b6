/**
 * The launcher's whole life: take what the host may reach, then answer requests, each checked against a scope of its own:
 * hand a path to the desktop, run a declared command. It ends when the host does, and everything that it started with it.
 *
 * Programs are looked for before the host can write anything, and never in a place that the host can write.
 */
import { Failure, newId, toFailure } from "../../base/index.ts";
import { Scope, systemFailure } from "../../scope/index.ts";
import type { CancelRequest, LaunchAnswer, LauncherConfig, LaunchRequest, SayRequest } from "../launcher-protocol.ts";
import type { ReadSpaceTool } from "../declaration.ts";
import { findOpeners, type Openers, showOnDesktop } from "../open-desktop.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import { neverWait } from "../../sys/index.ts";
import { readLines, LineWriter } from "../run/lines.ts";
import { Commands, type Following } from "./commands.ts";

const CONNECTION = 0;

interface Launching {
  readonly scope: Scope;
  readonly openers: Openers;
  readonly commands: Commands | undefined;
  readonly writer: LineWriter;
  /** Requests that are under way, by id. */
  readonly cancels: Map<number, Cancelling>;
}

/** A request may be cancelled before there is anything to stop. */
interface Cancelling {
  cancelled: boolean;
  stop: (() => void) | undefined;
  /** Said to the server that it connects to, and before there is one. */
  say: ((text: string) => void) | undefined;
  readonly said: string[];
}

export interface LauncherStarted {
  /** What it was told when it was put to sleep; "": the first line says it. */
  readonly config?: string;
  /** Reads a tool of a space; absent: there is none. */
  readonly readSpaceTool?: ReadSpaceTool;
}

export async function serveLauncher(
  environment: Readonly<Record<string, string>>,
  { config = "", readSpaceTool }: LauncherStarted = {},
): Promise<void> {
  // Were both ends to wait until the other one reads, neither would.
  neverWait(CONNECTION);
  let launching = config === "" ? undefined : begin(config, environment, readSpaceTool);
  const connection = readLines(CONNECTION, (line) => {
    // What would have woken it.
    if (line === "") return;
    if (launching) receive(launching, line);
    else launching = begin(line, environment, readSpaceTool);
  });
  // A terminal tells it what it tells the host, which ends first and then the connection.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("SIGTERM", () => void connection.stop());
  try {
    await connection.ended;
  } catch {
    // A broken connection is the end of it too, and a root that cannot be opened the host names itself.
  }
  await launching?.commands?.end();
}

/** @throws Failure for a root that cannot be opened; the host says so itself */
function begin(
  line: string,
  environment: Readonly<Record<string, string>>,
  readSpaceTool: ReadSpaceTool | undefined,
): Launching {
  const config = JSON.parse(line) as LauncherConfig;
  const scope = new Scope(config);
  return {
    scope,
    openers: findOpeners(environment, [...config.roots.map(({ path }) => path), ...config.hidden]),
    commands:
      config.commands && new Commands(config, config.commands, scopeOf(config, scope), environment, readSpaceTool),
    writer: new LineWriter(CONNECTION),
    cancels: new Map(),
  };
}

/** One for each way in which a client has narrowed the roots, which is rarely more than one. */
function scopeOf(config: LauncherConfig, whole: Scope): PlanWorld["scopeOf"] {
  let last: { key: string; scope: Scope } | undefined;
  return ({ within, offered } = {}) => {
    if (!within) return whole;
    const key = JSON.stringify([within, offered]);
    if (last?.key !== key) {
      last?.scope[Symbol.dispose]();
      last = { key, scope: new Scope({ ...config, within, offered }) };
    }
    return last.scope;
  };
}

function receive(launching: Launching, line: string): void {
  const request = JSON.parse(line) as LaunchRequest | CancelRequest | SayRequest;
  if (request.action !== "cancel" && request.action !== "say") {
    void answer(launching, request);
    return;
  }
  const found = launching.cancels.get(request.id);
  if (!found) return;
  if (request.action === "say") {
    if (found.say) found.say(request.text);
    else found.said.push(request.text);
    return;
  }
  found.cancelled = true;
  found.stop?.();
}

async function answer(launching: Launching, request: LaunchRequest): Promise<void> {
  const { writer, cancels } = launching;
  const { id } = request;
  const cancelling: Cancelling = { cancelled: false, stop: undefined, say: undefined, said: [] };
  cancels.set(id, cancelling);
  let said: LaunchAnswer;
  try {
    const following: Following = {
      onProgress: (progress) => writer.write({ id, progress }),
      onCancel(stop) {
        cancelling.stop = stop;
        if (cancelling.cancelled) stop();
      },
      isCancelled: () => cancelling.cancelled,
      upstream: {
        onStarted: (started) => writer.write({ id, started }),
        onLine: (text) => writer.write({ id, line: text }),
        onSay(listener) {
          cancelling.say = listener;
          for (const text of cancelling.said.splice(0)) listener(text);
        },
      },
    };
    said = { id, answer: await carryOut(launching, request, following) };
  } catch (thrown) {
    said = { id, failure: toFailure(systemFailure(thrown), () => newId("bug")).data };
  }
  cancels.delete(id);
  writer.write(said);
}

async function carryOut(
  { scope, openers, commands }: Launching,
  request: LaunchRequest,
  following: Following,
): Promise<unknown> {
  if (request.action === "open" || request.action === "reveal") {
    const { action, ask } = request;
    const at = scope.resolve(scope.locate(ask.path, action), action);
    showOnDesktop(action, scope.absolute(at), openers, (child) => commands?.handOver(child));
    return {};
  }
  if (!commands)
    throw new Failure("unsupported", "Cannot launch: no commands are declared", {
      hint: "The key commands of the configuration declares them.",
    });
  return await commands.answer(request, following);
}
