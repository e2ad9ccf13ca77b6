/**
 * A host outlives the thread that started it: clients start servers from a pool, whose threads end when they have had
 * nothing to do for a while. Linux, where a process can be tied to the thread that made it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { component, type Component } from "../components/component.ts";
import { until } from "../waits/until.ts";
import { binaryPath } from "./build-binary.ts";
import { Place, ServeProcess, type ServeOptions } from "./serve-process.ts";

const FIXTURES = join(import.meta.dir, "..", "fixtures", "clients");
const isLinux = process.platform === "linux";
let base = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-threads-")));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Starter {
  readonly needs: Component;
  /** In front of the file that it writes when its thread has ended, and of the host's command. */
  readonly command: () => readonly string[];
  readonly env?: ServeOptions["env"];
}

const PYTHON: Starter = {
  needs: component("python3"),
  command: () => [programOf("python3"), join(FIXTURES, "start-from-thread.py")],
};
const STARTERS: Readonly<Record<string, Starter>> = {
  Python: PYTHON,
  Java: {
    needs: component("javac"),
    command: () => [programOf("java"), join(FIXTURES, "StartFromThread.java")],
  },
  C: {
    needs: component("gcc"),
    command: () => {
      const program = join(base, "start-from-thread");
      const source = join(FIXTURES, "start-from-thread.c");
      const built = Bun.spawnSync([programOf("gcc"), "-pthread", "-o", program, source]);
      if (built.exitCode !== 0) throw new Error(built.stderr.toString());
      return [program];
    },
  },
  "Python, with the variable that ties a runtime to its parent": {
    ...PYTHON,
    env: { BUN_FEATURE_FLAG_NO_ORPHANS: "1" },
  },
};

describe.skipIf(!isLinux)("a host answers after the end of the thread that started it", () => {
  for (const [name, { needs, command, env }] of Object.entries(STARTERS))
    for (const fence of ["auto", "off"])
      test.skipIf(needs.isMissing)(
        `a host answers after the end of the thread that started it: ${name}, with the fence ${fence}${needs.note}`,
        async () => {
          using place = new Place();
          writeFileSync(join(place.root, "a.txt"), "a\n");
          const file = join(place.path, "thread");
          const [binary = "", ...starter] = command();
          const serve = ["serve", "--root", place.root, "--state-dir", place.stateDir, `--fence=${fence}`];
          await using host = await ServeProcess.start(place, {
            binary,
            command: [...starter, file, await binaryPath(), ...serve],
            ...(env ? { env } : {}),
          });
          host.call(1, "stat", { path: "a.txt" });
          expect((await host.answer(1)).result?.["isError"]).toBeUndefined();
          writeFileSync(`${file}.go`, "");
          await until("the end of the thread", () => hasEnded(file));
          host.call(2, "hash_file", { path: "a.txt" });
          expect((await host.answer(2)).result?.["isError"]).toBeUndefined();
          // The starter ends with the host's own exit code.
          expect(await host.close()).toBe(0);
        },
      );
});

/** Not only joined: the kernel tells the children of a thread after that, and before it lets go of its number. */
function hasEnded(file: string): boolean {
  if (!existsSync(file)) return false;
  const thread = readFileSync(file, "utf8");
  return thread.endsWith("\n") && !existsSync(join("/proc", thread.trim()));
}

function programOf(name: string): string {
  return Bun.which(name) ?? name;
}
