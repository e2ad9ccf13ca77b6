/**
 * The host's end of its launcher, which is this program once more, outside the fence, with a copy of what the host may reach.
 * It is started before the host goes in, because nothing can be started from there; where there is no fence it is the same
 * one. Requests have numbers, and each is answered or failed. When the launcher is gone, all fail.
 */
import { closeSync } from "node:fs";
import { Failure, reportBug, toFailure, type StopSignal } from "../../base/index.ts";
import { connectedSockets, neverWait } from "../../sys/index.ts";
import type {
  CancelRequest,
  LaunchAnswer,
  LauncherAction,
  LauncherCalls,
  LauncherConfig,
  LaunchRequest,
  RunProgress,
  SayRequest,
} from "../launcher-protocol.ts";
import { readLines, LineWriter } from "../run/lines.ts";
import { markVariables } from "../run/spawn-program.ts";
import { OpenRequests } from "./open-requests.ts";

/** To hand something to the desktop, or to plan a command, takes milliseconds. What runs is bounded by the launcher. */
const ANSWER_MS = 10_000;

export interface AskOptions {
  /** Ends the work; it is still answered. */
  readonly signal?: StopSignal | undefined;
  readonly onProgress?: ((bytes: number, line: string, step: RunProgress["step"]) => void) | undefined;
  /** Called when a server runs, with the fence around it. */
  readonly onStarted?: ((fence: string) => void) | undefined;
  readonly onLine?: ((line: string) => void) | undefined;
  /** Gets what says a line to it. */
  readonly onSay?: ((say: (text: string) => boolean) => void) | undefined;
}

export interface Launch {
  <A extends LauncherAction>(
    action: A,
    ask: LauncherCalls[A]["ask"],
    options?: AskOptions,
  ): Promise<LauncherCalls[A]["answer"]>;
  /** Lets the launcher go, which ends it and all that it started. */
  readonly end: () => Promise<void>;
}

/** @param fd what `startLauncher` returned */
export function createLaunch(fd: number, beforeSay: () => void = () => undefined): Launch {
  const requests = new OpenRequests<AskOptions>();
  // Were both ends to wait until the other one reads, neither would.
  neverWait(fd);
  const writer = new LineWriter(fd);
  let [isLost, isAwake] = [false, false];
  const lose = (): void => {
    isLost = true;
    requests.failAll(lost());
  };
  // The number of a closed descriptor may be that of a file by now.
  const say = (said: LaunchRequest | CancelRequest | SayRequest): boolean => {
    beforeSay();
    // One that sleeps waits for a line; any other passes over an empty one.
    if (!isAwake && !isLost) writer.wake();
    isAwake = true;
    return !isLost && writer.write(said);
  };
  const reader = readLines(fd, (line) => {
    const said = JSON.parse(line) as LaunchAnswer;
    try {
      receive(requests, said);
    } catch (thrown) {
      // Whoever listens to one request cannot end all the others.
      say({ id: said.id, action: "cancel" });
      requests.fail(
        said.id,
        toFailure(thrown, () => reportBug(thrown)),
      );
    }
  });
  reader.ended.then(lose, lose);

  const launch = async <A extends LauncherAction>(
    action: A,
    ask: LauncherCalls[A]["ask"],
    options: AskOptions = {},
  ): Promise<LauncherCalls[A]["answer"]> => {
    const { id, answer } = requests.open(options);
    if (!say({ id, action, ask } as LaunchRequest)) lose();
    options.onSay?.((text) => say({ id, action: "say", text }));
    const cancel = (): void => void say({ id, action: "cancel" });
    if (options.signal?.aborted) cancel();
    else options.signal?.addEventListener("abort", cancel);
    const timer = isShort(action) ? setTimeout(lose, ANSWER_MS) : undefined;
    try {
      return (await answer) as never;
    } finally {
      clearTimeout(timer);
    }
  };
  const end = async (): Promise<void> => {
    lose();
    await reader.stop();
    closeSync(fd);
  };
  return Object.assign(launch, { end });
}

function receive(requests: OpenRequests<AskOptions>, said: LaunchAnswer): void {
  const { onProgress, onStarted, onLine } = requests.find(said.id) ?? {};
  if (said.progress !== undefined) onProgress?.(said.progress.bytes, said.progress.line, said.progress.step);
  else if (said.started !== undefined) onStarted?.(said.started);
  else if (said.line !== undefined) onLine?.(said.line);
  else requests.settle(said);
}

function isShort(action: LauncherAction): boolean {
  return (
    action === "open" ||
    action === "reveal" ||
    action === "commands" ||
    action === "describe" ||
    action === "list" ||
    action === "git_find"
  );
}

function lost(): Failure {
  return new Failure("unsupported", "Cannot start anything: the launcher outside the fence has ended", {
    hint: "Start the host again.",
  });
}

export interface LauncherStart {
  /** How this program is started, without arguments of its own. */
  readonly command: readonly string[];
  /** The first line that the launcher reads. */
  readonly config: LauncherConfig;
  /** Says to the program that it is a launcher. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A shell costs a host that never calls it next to nothing. What it becomes was settled before the host read anything. */
const SLEEP: readonly string[] = ["/bin/sh", "-c", 'read -r _ && exec "$@"', "sh"];

/**
 * Returns the host's end of the connection; the launcher ends when it is closed. @throws Failure `unsupported`
 * @param isAsleep it becomes a launcher with the first request, and is a shell until then
 */
export function startLauncher({ command, config, environment }: LauncherStart, isAsleep = false): number {
  const pair = connectedSockets();
  if (!pair)
    throw new Failure("unsupported", "Cannot start the launcher: socketpair failed", {
      hint: "Too many files are open: raise the limit (`ulimit -n`).",
    });
  const [ours, theirs] = pair;
  try {
    const self = isAsleep ? config.commands?.self : undefined;
    const told = self && `${environment[self.markName]}:${JSON.stringify(config)}`;
    Bun.spawn(self ? [...SLEEP, ...command] : [...command], {
      env: { ...environment, ...(self && told !== undefined ? markVariables(self.markName, told) : {}) },
      stdio: [theirs, "ignore", "inherit"],
    }).unref();
  } finally {
    closeSync(theirs);
  }
  if (!isAsleep) new LineWriter(ours).write(config);
  return ours;
}
