/**
 * A declared command that is run for the credential of a cluster, before the process that needs it is started.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { limits, StopSource } from "../../src/base/index.ts";
import type { Config } from "../../src/config/index.ts";
import { NO_FENCE } from "../../src/fence/index.ts";
import { createLaunch, startLauncher, type Launch } from "../../src/proc/index.ts";
import { launcherOf } from "../../src/start/index.ts";
import { Place } from "../binary/serve-process.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";
import { script } from "./command-host.ts";

const SERVER = "https://127.0.0.1:1";
const KUBECONFIG = JSON.stringify({
  clusters: [{ name: "own", cluster: { server: SERVER } }],
  contexts: [{ name: "own", context: { cluster: "own", user: "robot" } }],
  users: [{ name: "robot", user: { exec: { command: "never-run" } } }],
});

/** A launcher that starts a broker for each of these names, when the command of that name has said its credential. */
function launcherFor(config: Config, names: readonly string[], kubeconfig: string): Launch {
  const plans = names.map((name) => {
    const cluster = { name, kubeconfig, context: "own", server: SERVER, exec: `${name}_token` };
    const packs = { k8s: { reach: [], credentials: { [name]: { hosts: [], cluster } } } };
    const order = { network: {}, packs };
    return [name, { network: "internet" as const, memoryMb: limits.HELPER_MEMORY_MB, order }] as const;
  });
  return createLaunch(startLauncher(launcherOf(config, "off", { helpers: Object.fromEntries(plans) })));
}

test.skipIf(process.platform !== "linux")("it is ended when nobody needs its process any more", async () => {
  using place = new Place();
  const kubeconfig = join(place.path, "kubeconfig");
  writeFileSync(kubeconfig, KUBECONFIG);
  const names = ["first", "second"];
  const runs = (name: string): string => join(place.path, `${name}-runs`);
  const commands = names.map((name) => [`${name}_token`, script(`echo $$ >${runs(name)}; exec tail -f /dev/null`)]);
  let launch: Launch | undefined;
  await using _ = openTestHost({
    config: { fence: "off", commands: Object.fromEntries(commands) as never },
    fence(config) {
      launch = launcherFor(config, names, kubeconfig);
      return NO_FENCE;
    },
  });
  if (!launch) throw new Error("no launcher was started");
  const start = async (
    name: string,
  ): Promise<{ stop: StopSource; end: Promise<unknown>; isRunning: () => boolean }> => {
    const stop = new StopSource();
    const end = launch?.("connect", { helper: name }, { signal: stop }).catch((thrown: unknown) => String(thrown));
    const said = await until(`the command of ${name}`, () => /^\d+\n/.exec(readIfThere(runs(name)))?.[0]);
    return { stop, end: end ?? Promise.resolve(), isRunning: () => existsSync(`/proc/${said.trim()}`) };
  };
  const [first, second] = [await start("first"), await start("second")];
  second.stop.abort();
  expect(await settled("the second start", second.end)).toContain("nobody needs it any more");
  // Their time is the same, so the first one would have been over before.
  expect([first.isRunning(), second.isRunning()]).toEqual([true, false]);
  await settled("the launcher", launch.end());
});

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
