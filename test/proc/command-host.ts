/**
 * A host in this process with a launcher of its own, as it runs from source: commands are real programs, started by the
 * real launcher through its exec stage.
 */
import { afterEach } from "bun:test";
import { NO_FENCE, type FenceState } from "../../src/fence/index.ts";
import type { Config, RawConfig } from "../../src/config/index.ts";
import { startLauncher } from "../../src/proc/index.ts";
import { launcherOf } from "../../src/start/index.ts";
import { openTestHost, type CallAnswer, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";

export interface CommandHostOptions extends Omit<TestHostOptions, "fence"> {
  readonly config: RawConfig;
}

/** Runs whatever is declared, without asking, unless the configuration says otherwise. */
export function openCommandHost({ config, ...options }: CommandHostOptions): TestHost {
  return openTestHost({
    ...options,
    config: { mode: "bypass", fence: "off", ...config },
    fence: withLauncher,
  });
}

/** One host at a time, gone after its test. Called at the top of a test file. */
export function hostOfEachTest(): (
  commands: Record<string, object>,
  config?: RawConfig,
  files?: Record<string, string>,
) => TestHost {
  let host: TestHost | undefined;
  afterEach(async () => {
    await host?.[Symbol.asyncDispose]();
    host = undefined;
  });
  return (commands, config = {}, files = {}) => {
    host = openCommandHost({ config: { commands: commands as never, ...config }, files });
    return host;
  };
}

export async function toolNames(host: TestHost): Promise<string[]> {
  const { result } = await host.modern("tools/list");
  return (result.tools as { name: string }[]).map(({ name }) => name);
}

/** As a host that is started has it. */
export function withLauncher(resolved: Config): FenceState {
  return { ...NO_FENCE, kept: startLauncher(launcherOf(resolved)) };
}

/** A shell script as a declared command. */
export function script(text: string, more: object = {}): object {
  return { description: "A test.", program: "/bin/sh", args: ["-c", text], changes: false, ...more };
}

/**
 * The answer of a command that only its time ends, once that time was enough for it to say what it says first. On a slow
 * machine it gets more of it; where it never says so, its last answer.
 */
export async function callToItsEnd(
  host: TestHost,
  name: string,
  hasSaid: (answer: CallAnswer) => boolean,
): Promise<CallAnswer> {
  for (let timeout_ms = 300; ; timeout_ms *= 3) {
    const answer = await host.call(name, { timeout_ms });
    if (hasSaid(answer) || timeout_ms >= MOST_TIME_MS) return answer;
  }
}

/** What the last try gets. */
const MOST_TIME_MS = 60_000;
