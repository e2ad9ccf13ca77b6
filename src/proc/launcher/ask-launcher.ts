/**
 * The host's end of its launcher, which is this program once more, outside the fence, with a copy of what the host may reach.
 * It is started before the host goes in, because nothing can be started from there; where there is no fence it is the same
 * one. Requests have numbers, and each is answered or failed. When the launcher is gone, all fail.
 */
import { closeSync } from "node:fs";
import { Failure, failureFromData, type StopSignal } from "../../base/index.ts";
import { connectedSockets } from "../../sys/index.ts";
import type { LaunchAnswer, LauncherAction, LauncherCalls, LauncherConfig } from "../launcher-protocol.ts";
import { readLines, LineWriter } from "../run/lines.ts";

/** To hand something to the desktop, or to plan a command, takes milliseconds. What runs is bounded by the launcher. */
const ANSWER_MS = 10_000;

export interface AskOptions {
  /** Ends the work; it is still answered. */
  readonly signal?: StopSignal | undefined;
  readonly onProgress?: ((bytes: number, line: string) => void) | undefined;
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

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (failure: Failure) => void;
  readonly options: AskOptions;
}

/** @param fd what `startLauncher` returned */
export function createLaunch(fd: number): Launch {
  const waiting = new Map<number, Waiting>();
  const writer = new LineWriter(fd);
  let isLost = false;
  let lastId = 0;
  const lose = (): void => {
    isLost = true;
    for (const { reject } of waiting.values()) reject(lost());
    waiting.clear();
  };
  const reader = readLines(fd, (line) => settle(waiting, JSON.parse(line) as LaunchAnswer));
  reader.ended.then(lose, lose);

  const launch = async <A extends LauncherAction>(
    action: A,
    ask: LauncherCalls[A]["ask"],
    options: AskOptions = {},
  ): Promise<LauncherCalls[A]["answer"]> => {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject, options });
    if (isLost || !writer.write({ id, action, ask })) lose();
    options.onSay?.((text) => writer.write({ id, action: "say", text }));
    options.signal?.addEventListener("abort", () => void writer.write({ id, action: "cancel" }));
    const timer = isShort(action) ? setTimeout(lose, ANSWER_MS) : undefined;
    try {
      return (await promise) as never;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const end = async (): Promise<void> => {
    await reader.stop();
    closeSync(fd);
  };
  return Object.assign(launch, { end });
}

function settle(
  waiting: ReadonlyMap<number, Waiting>,
  { id, failure, answer, progress, started, line }: LaunchAnswer,
): void {
  const found = waiting.get(id);
  if (!found) return;
  const { onProgress, onStarted, onLine } = found.options;
  if (progress !== undefined) onProgress?.(progress.bytes, progress.line);
  else if (started !== undefined) onStarted?.(started);
  else if (line !== undefined) onLine?.(line);
  else if (failure) found.reject(failureFromData(failure));
  else found.resolve(answer);
}

function isShort(action: LauncherAction): boolean {
  return (
    action === "open" || action === "reveal" || action === "commands" || action === "describe" || action === "list"
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

/** Returns the host's end of the connection; the launcher ends when it is closed. @throws Failure `unsupported` */
export function startLauncher({ command, config, environment }: LauncherStart): number {
  const pair = connectedSockets();
  if (!pair) throw new Failure("unsupported", "Cannot start the launcher: socketpair failed");
  const [ours, theirs] = pair;
  try {
    Bun.spawn([...command], {
      env: { ...environment },
      stdio: [theirs, "ignore", "inherit"],
    }).unref();
  } finally {
    closeSync(theirs);
  }
  new LineWriter(ours).write(config);
  return ours;
}
