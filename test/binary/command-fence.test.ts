/**
 * The fence of a command, tried by an ordinary user, who may do to other programs of the same user what root may not from
 * inside: their priority, their processors, their scheduler. Through the executable. The program that tries is the one of
 * test/proc/child-fence.test.ts.
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { binaryPath } from "./build-binary.ts";
import { hasLandlock } from "./has-landlock.ts";
import { Place, ServeProcess } from "./serve-process.ts";

const PROGRAM = join(import.meta.dir, "..", "fixtures", "programs", "attempts.ts");
const USER = 65534;
const isRoot = process.getuid?.() === 0;
const AS_USER = isRoot ? ["setpriv", "--reuid", `${USER}`, "--regid", `${USER}`, "--clear-groups"] : [];
const isPossible = hasLandlock() && (!isRoot || Bun.which("setpriv") !== null);

describe.skipIf(!isPossible)("a command of a user", () => {
  test.each(["none", "internet"] as const)(
    "a command of a user reaches nothing of others, with the network %s",
    async (network) => {
      using place = new Place();
      const outside = join(place.path, "outside");
      for (const path of [outside, place.stateDir]) mkdirSync(path);
      writeFileSync(join(outside, "victim.txt"), "SECRET");
      for (const path of [place.path, place.root, place.stateDir, outside, join(outside, "victim.txt")]) {
        chmodSync(path, 0o755);
        if (isRoot) chownSync(path, USER, USER);
      }
      const victim = Bun.spawn([...AS_USER, "sleep", "600"]);
      const args = ["run", PROGRAM, outside, String(victim.pid), "1", join(outside, "socket")];
      const reads = [dirname(realpathSync(process.execPath)), dirname(PROGRAM)];
      const escape = { description: "x", program: realpathSync(process.execPath), args, reads, network };
      const config = join(place.path, "config.json");
      writeFileSync(config, JSON.stringify({ mode: "bypass", commands: { escape } }));
      const serve = ["serve", `--root=${place.root}`, `--state-dir=${place.stateDir}`, `--config=${config}`];
      const [binary, ...command] = [...AS_USER, await binaryPath(), ...serve, "--fence=require"];
      try {
        await using host = await ServeProcess.start(place, { binary, command });
        host.call(1, "cmd_escape", {});
        const { result } = await host.answer(1);
        const text = String(result?.["content"]?.at(-1)?.text);
        const outcomes = text
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line) as { what: string; outcome: string });
        const worked = outcomes.filter(({ outcome }) => outcome === "worked").map(({ what }) => what);
        const sockets = ["a TCP socket", "a UDP socket"];
        expect(outcomes.length).toBeGreaterThan(30);
        expect(worked.filter((what) => !what.startsWith("inside"))).toEqual(network === "none" ? [] : sockets);
        expect(worked.filter((what) => what.startsWith("inside"))).toHaveLength(5);
      } finally {
        victim.kill("SIGKILL");
      }
    },
  );
});
