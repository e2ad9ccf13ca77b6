/**
 * A command that a person approves at a terminal while its host runs: the host makes it, to its end, also when its input ends
 * meanwhile.
 */
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runRingfence } from "../cli/run-ringfence.ts";
import { until } from "../waits/until.ts";
import { Place, proposalOf, ServeProcess } from "./serve-process.ts";

test.skipIf(process.platform !== "linux")(
  "a command that is approved at a terminal is made to its end, also when the input of its host has ended",
  async () => {
    using place = new Place();
    const config = join(place.path, "config.json");
    writeFileSync(config, JSON.stringify({ shell: { enabled: true } }));
    const flags = ["--root", place.root, "--state-dir", place.stateDir, "--config", config];
    const host = await ServeProcess.start(place, { command: ["serve", ...flags] });
    host.call(1, "shell", { command: "touch begun; until [ -e go ]; do sleep 0.1; done; sleep 2; touch done" });
    const { id, digest } = proposalOf(await host.answer(1));
    const state = ["--state-dir", place.stateDir];
    const { code } = await runRingfence(place, ["proposals", "apply", `${id}@${digest}`, ...state]);
    expect(code).toBe(0);
    await until("the command to begin", () => existsSync(join(place.root, "begun")));
    const ended = host.close();
    writeFileSync(join(place.root, "go"), "");
    await ended;
    expect(existsSync(join(place.root, "done"))).toBe(true);
  },
);
