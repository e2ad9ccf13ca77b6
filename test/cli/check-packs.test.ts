/**
 * What `check` and `doctor` know of packs, and of tools that are off: rules and grants about them are no mistakes, and what keeps a
 * host from starting is named as that.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { hasLandlock } from "../binary/has-landlock.ts";
import { Place } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

function configure(config: object): string {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const run = async (...args: string[]): Promise<CliResult> =>
  await runRingfence(place, [...args, "--state-dir", place.stateDir]);

test("check knows the tools of the packs that are on, and the examples of the docs have no problem", async () => {
  const blocks = ["memory", "media", "reach"].flatMap((page) => {
    const text = readFileSync(join(REPOSITORY, "docs", `${page}.md`), "utf8");
    return [...text.matchAll(/```json\n(.*?)```/gs)].map((found) => found[1] ?? "");
  });
  const configs = blocks.map((text) => JSON.parse(text) as { packs?: object; rules?: object[] });
  const packs = configs.filter((config) => config.packs !== undefined);
  expect(packs.length).toBeGreaterThan(4);
  expect(packs.flatMap(({ rules = [] }) => rules).length).toBeGreaterThan(2);
  for (const config of [...packs, { packs: { git: { write: true } }, rules: [{ ask: "git_add" }] }]) {
    const { stdout } = await run("check", "--root", ".", "--config", configure(config));
    expect({ config, problems: stdout.match(/^problem: .*$/gm) }).toEqual({ config, problems: null });
  }
  const off = await run("check", "--root", ".", "--config", configure({ rules: [{ ask: "memory_write" }] }));
  expect([off.code, off.stdout]).toEqual([1, expect.stringContaining("there is no tool memory_write")]);
});

test("check and doctor both say which program of a pack keeps a host from starting", async () => {
  const path = configure({ packs: { media: { transcribe: { program: "nosuch" } } } });
  const why = "packs.media.transcribe: the arguments of nosuch are not known";
  const checked = await run("check", "--root", ".", "--config", path);
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining(`problem: ${why}`)]);
  const examined = await run("doctor", "--root", ".", "--config", path);
  const said = `FAIL  a host with this configuration does not start: ${why}`;
  expect([examined.code, examined.stdout]).toEqual([1, expect.stringContaining(said)]);
});

test("one pack that cannot be used makes rules and grants for tools of the packs no mistakes", async () => {
  const rules = [{ ask: "memory_write" }, { ask: "k8s_*" }, { ask: "group:k8s" }, { deny: "read_fil" }];
  const path = configure({ packs: { memory: {}, k8s: {} }, rules });
  for (const rule of ["memory_write(scratch/**)", "k8s_logs(stage/**)", "memory_write(../**)"])
    expect((await run("grants", "add", rule, "--root", ".")).code).toBe(0);
  const { code, stdout } = await run("check", "--root", ".", "--config", path);
  expect([code, stdout.match(/^problem: .*$/gm)]).toEqual([
    1,
    [
      expect.stringContaining("there is no tool read_fil"),
      expect.stringContaining("packs.k8s: contexts is wrong"),
      expect.stringContaining("impossible grant memory_write(../**)"),
    ],
  ]);
  expect(stdout).toContain("\nWhat rules and grants say of tools of a pack that cannot be used is not judged");
  expect(stdout).not.toContain("grants revoke");
  const misnamed = await run("check", "--root", ".", "--config", configure({ packs: { memroy: {} } }));
  expect(misnamed.stdout.match(/^problem: .*$/gm)).toEqual([
    expect.stringContaining("did you mean memory? It has git, "),
  ]);
});

test.skipIf(!hasLandlock())(
  "doctor says that a host does not start, and does not blame the kernel for it",
  async () => {
    const path = configure({ packs: { memory: { folder: "../x" } } });
    const { code, stdout } = await run("doctor", "--root", ".", "--config", path);
    expect([code, stdout]).toEqual([1, expect.stringContaining("a host with this configuration does not start: ")]);
    expect(stdout).toContain('"../x" as packs.memory.folder');
    expect(stdout).not.toContain("Cannot have the kernel fence");
  },
);

test("a grant that the text of guard hands out is none that check would take back", async () => {
  writeFileSync(join(place.path, "ringfence.json"), "{}");
  const granted = await run("grants", "add", "shell(npm test)", "--root", ".");
  expect(granted.code).toBe(0);
  const { code, stdout } = await run("check", "--root", ".");
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("problem:")]);
});
