/**
 * A host in this process with a launcher of its own, as it runs from source: commands are real programs, started by the
 * real launcher through its exec stage.
 */
import { closeSync } from "node:fs";
import { NO_FENCE } from "../../src/fence/index.ts";
import type { RawConfig } from "../../src/config/index.ts";
import { startLauncher } from "../../src/proc/index.ts";
import { launcherOf } from "../../src/start/index.ts";
import { openTestHost, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";

export interface CommandHostOptions extends Omit<TestHostOptions, "fence"> {
  readonly config: RawConfig;
}

/** Runs whatever is declared, without asking, unless the configuration says otherwise. */
export function openCommandHost({ config, ...options }: CommandHostOptions): TestHost {
  let kept = -1;
  const test = openTestHost({
    ...options,
    config: { mode: "bypass", fence: "off", ...config },
    fence: (resolved) => {
      kept = startLauncher(launcherOf(resolved));
      return { ...NO_FENCE, kept };
    },
  });
  const dispose = test[Symbol.asyncDispose].bind(test);
  return Object.assign(test, {
    async [Symbol.asyncDispose]() {
      closeSync(kept);
      await Bun.sleep(50);
      await dispose();
    },
  });
}

/** A shell script as a declared command. */
export function script(text: string, more: object = {}): object {
  return { description: "A test.", program: "/bin/sh", args: ["-c", text], changes: false, ...more };
}
