/**
 * A command host with the stand-in broker, for the tests of networks that are lists.
 */
import { join } from "node:path";
import type { RawConfig } from "../../src/config/index.ts";
import { NO_FENCE } from "../../src/fence/index.ts";
import { startLauncher } from "../../src/proc/index.ts";
import { launcherOf } from "../../src/start/index.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

export const STAND_IN: string = join(import.meta.dir, "..", "fixtures", "reach", "stand-in-broker.ts");

interface ReachHostOptions {
  readonly supervisedOnly?: boolean;
  /** A file, without which the broker does not say where it listens. */
  readonly brokerArgs?: readonly string[];
}

/** Every program is fenced, and what is declared runs without a question. */
export function openReachHost(
  config: RawConfig,
  { supervisedOnly = false, brokerArgs = [] }: ReachHostOptions = {},
): TestHost {
  return openTestHost({
    config: { mode: "bypass", fence: "require", ...config },
    fence(resolved) {
      const launcher = launcherOf(resolved);
      const { commands } = launcher.config;
      const broker = { command: [process.execPath, STAND_IN, ...brokerArgs], unfenced: "it is a test's", order: {} };
      if (!commands) throw new Error("nothing is declared");
      const patched = {
        ...launcher,
        config: { ...launcher.config, commands: { ...commands, broker, supervisedOnly } },
      };
      return { ...NO_FENCE, kept: startLauncher(patched) };
    },
  });
}
