/**
 * What `check` shows: keys that a file can have, each with its origin, values as they are, and roots that are not there.
 */
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_KEY_NAMES } from "../../src/config/file-schema.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence } from "./run-ringfence.ts";

test("check shows keys that a file can have, with where each comes from, and values as they are", async () => {
  using own = new Place();
  const config = join(own.path, "ringfence.json");
  const said = { undo_max_age: "12h", review: { wait_ms: 5 } };
  writeFileSync(config, JSON.stringify(said));
  const args = ["check", "--root", ".", "--config", config, "--json", "--state-dir", own.stateDir];
  const { values } = JSON.parse((await runRingfence(own, args)).stdout) as {
    values: { key: string; value: unknown; from: string }[];
  };
  const tops = values.map(({ key }) => key.split(".")[0]);
  expect(tops.filter((key) => !CONFIG_KEY_NAMES.includes(key ?? ""))).toEqual([]);
  const shown = values.filter(({ from }) => from === config).map(({ key, value }) => [key, value]);
  expect(Object.fromEntries(shown)).toEqual({
    undo_max_age: "12h",
    "review.wait_ms": 5,
  });
});

test("check names a root with which no host starts", async () => {
  using own = new Place();
  const { code, stdout } = await runRingfence(own, ["check", "--root", "/nonexistent", "--state-dir", own.stateDir]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^problem: Cannot .*"\/nonexistent": it does not exist/m)]);
});

test("--deny below the home directory closes what it names, whatever signs are in its name", async () => {
  using own = new Place();
  const home = join(own.path, "me (1)");
  mkdirSync(join(home, "p"), { recursive: true });
  writeFileSync(join(home, "p/a.txt"), "alpha\n");
  const args = ["call", "read_file", "path=a.txt", "--root", join(home, "p"), "--state-dir", own.stateDir];
  for (const deny of ["~/p/a.txt", "~/*/a.*"]) {
    const { code, stdout } = await runRingfence(own, [...args, "--deny", deny], { env: { HOME: home } });
    expect([deny, code, stdout]).toEqual([deny, 1, expect.stringContaining("denied: ")]);
  }
});

test("--deny below a home directory that is a link closes what it leads to, and check names it as it was given", async () => {
  using own = new Place();
  mkdirSync(join(own.path, "real/p"), { recursive: true });
  symlinkSync("real", join(own.path, "home"));
  writeFileSync(join(own.path, "real/p/a.txt"), "alpha\n");
  const run = async (command: readonly string[], deny: string): Promise<readonly [code: number, said: string]> => {
    const args = [...command, "--root", join(own.path, "real/p"), "--state-dir", own.stateDir, "--deny", deny];
    const { code, stdout, stderr } = await runRingfence(own, args, { env: { HOME: join(own.path, "home") } });
    return [code, stdout + stderr];
  };
  const read = ["call", "read_file", "path=a.txt"];
  expect(await run(read, "~/p/a.txt")).toEqual([1, expect.stringContaining("denied: ")]);
  expect(await run(read, "~/q")).toEqual([
    2,
    expect.stringContaining('--deny "~/q" cannot be used: it lies in no root'),
  ]);
  expect(await run(["check"], "~/q")).toEqual([1, expect.stringContaining('problem: deny "~/q": it lies in no root')]);
  expect(await run(["check"], "~/p/a.txt")).toEqual([
    0,
    expect.stringMatching(/deny +command line +\["~\/p\/a\.txt"\]/),
  ]);
  expect(await run(read, "{./a.txt,b}")).toEqual([2, expect.stringContaining('it names a path with "." in it')]);
});

test("a file that denies what lies in no root, or leaves no root, stops the host, and check says why", async () => {
  using own = new Place();
  const config = join(own.path, "ringfence.json");
  writeFileSync(join(own.root, "a.txt"), "alpha\n");
  const run = async (command: readonly string[], deny: string): Promise<readonly [code: number, said: string]> => {
    writeFileSync(config, JSON.stringify({ deny: [deny] }));
    const args = [...command, "--root", ".", "--config", config, "--state-dir", own.stateDir];
    const { code, stdout, stderr } = await runRingfence(own, args);
    return [code, stdout + stderr];
  };
  const read = ["call", "read_file", "path=a.txt"];
  expect(await run(read, "/nonexistent/x")).toEqual([2, expect.stringContaining("it lies in no root")]);
  expect(await run(["check"], "/nonexistent/x")).toEqual([
    1,
    expect.stringContaining('problem: deny "/nonexistent/x": it lies in no root'),
  ]);
  const over = expect.stringContaining("it leaves nothing of the root");
  expect(await run(read, own.path)).toEqual([2, over]);
  expect(await run(["check"], own.path)).toEqual([1, over]);
  expect(await run(read, `${own.path}/*/a.*`)).toEqual([1, expect.stringContaining("denied: ")]);
});

test("check takes the name of a tool whose pack is off in a list, and no pattern for the name of a client", async () => {
  using own = new Place();
  const config = join(own.path, "ringfence.json");
  const check = async (said: object): Promise<{ readonly code: number; readonly stdout: string }> => {
    writeFileSync(config, JSON.stringify(said));
    return await runRingfence(own, ["check", "--root", ".", "--config", config, "--state-dir", own.stateDir]);
  };
  expect((await check({ tools: { deny: ["memory_write"] } })).code).toBe(0);
  const { code, stdout } = await check({ clients: { "*": { mode: "plan" } } });
  expect(code).toBe(1);
  expect(stdout).toContain("problem: clients.* is for that very name, and no pattern");
});
