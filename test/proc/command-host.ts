/**
 * A host in this process with a launcher of its own, as it runs from source: commands are real programs, started by the
 * real launcher through its exec stage.
 */
import { NO_FENCE, type FenceState } from "../../src/fence/index.ts";
import type { Config, RawConfig } from "../../src/config/index.ts";
import { startLauncher } from "../../src/proc/index.ts";
import { launcherOf } from "../../src/start/index.ts";
import { openTestHost, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";

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

/** As a host that is started has it. */
export function withLauncher(resolved: Config): FenceState {
  return { ...NO_FENCE, kept: startLauncher(launcherOf(resolved)) };
}

/** A shell script as a declared command. */
export function script(text: string, more: object = {}): object {
  return { description: "A test.", program: "/bin/sh", args: ["-c", text], changes: false, ...more };
}
