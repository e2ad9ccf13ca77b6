/**
 * `ringfence proposals list`: what a person has to know to choose one of several, in columns, and the same as JSON; and
 * where it looked when there is none.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { formatAge } from "../../src/cli/review/format-age.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;

beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.path, "other"));
  for (const folder of ["root", "other"]) {
    writeFileSync(join(place.path, folder, "report.txt"), "Status: draft\n");
    writeFileSync(join(place.path, folder, "old.txt"), "old\n");
  }
});
afterEach(() => place[Symbol.dispose]());

async function proposals(...args: string[]): Promise<CliResult> {
  return await runRingfence(place, ["proposals", ...args, "--state-dir", place.stateDir]);
}

async function listed(): Promise<Record<string, unknown>[]> {
  return JSON.parse((await proposals("list", "--json")).stdout) as Record<string, unknown>[];
}

const EDIT = { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" };

/** Proposed by a client of that name; of a script there is none. @returns their ids */
async function propose(
  folder: string,
  client: string | undefined,
  calls: [string, object][],
  flags: readonly string[] = [],
): Promise<string[]> {
  const command = ["serve", "--root", join(place.path, folder), "--state-dir", place.stateDir, ...flags];
  await using host = await ServeProcess.start(place, { command: [...command, "--baseline=if_known"] });
  if (client !== undefined) {
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: client, version: "1" },
    };
    await host.ask("hello", "initialize", hello);
  }
  const ids: string[] = [];
  for (const [at, [name, given]] of calls.entries()) {
    host.call(at, name, given);
    ids.push(proposalOf(await host.answer(at)).id);
  }
  await host.close();
  return ids;
}

test("proposals list says where it looked when nothing waits, and so does an unknown id", async () => {
  const { code, stderr, stdout } = await proposals();
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toBe(
    `info: No proposals are waiting in ${place.stateDir}. Those of a host with another --state-dir, XDG_STATE_HOME or HOME are elsewhere.\n`,
  );
  const unknown = await proposals("show", `p_${"x".repeat(22)}`);
  expect(unknown.stderr).toContain(`info: This looked in ${place.stateDir}. Those of a host`);
});

describe("with several projects and clients", () => {
  test("a line says under its heading how old, whose, where and how large a proposal is", async () => {
    const [first] = await propose("root", "claude-code", [["edit_file", EDIT]]);
    const [second, third] = await propose("other", undefined, [
      ["edit_file", EDIT],
      ["delete", { path: "old.txt" }],
    ]);
    const lines = (await proposals()).stdout.trimEnd().split("\n");
    const heading = lines[0] ?? "";
    const columns = ["ID", "AGE", "CLIENT", "DIRECTORY", "RISK", "LINES", "CHANGE"];
    const starts = columns.map((name) => heading.search(new RegExp(`\\b${name}\\b`)));
    const cells = lines.slice(1).map((line) =>
      starts.map((start, at) => {
        expect(line.slice(start - 2, start)).toBe(start === 0 ? "" : "  ");
        return line.slice(start, starts[at + 1]).trim();
      }),
    );
    const age = expect.stringMatching(/^\d+[smhd]$/);
    expect(cells).toEqual([
      [first, age, "claude-code", join(place.path, "root"), "R2", "+1 -1", "Edit report.txt"],
      [second, age, "-", join(place.path, "other"), "R2", "+1 -1", "Edit report.txt"],
      [third, age, "-", join(place.path, "other"), "R4", "", "Delete old.txt"],
    ]);
  });

  test("--json has the same facts", async () => {
    await propose("root", "claude-code", [["edit_file", EDIT]]);
    await propose("other", undefined, [["delete", { path: "old.txt" }]]);
    const [edit, removal] = await listed();
    expect(edit).toMatchObject({
      change: "Edit report.txt",
      client: "claude-code",
      roots: [join(place.path, "root")],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      added: 1,
      removed: 1,
    });
    expect(removal).toMatchObject({ change: "Delete old.txt", roots: [join(place.path, "other")], added: 0 });
    expect(removal).not.toContainKey("client");
  });

  test("a proposal that cannot be applied any more says why", async () => {
    await propose("root", "claude-code", [["edit_file", EDIT]]);
    writeFileSync(join(place.root, "report.txt"), "something else\n");
    expect((await proposals()).stdout).toContain("Edit report.txt  (cannot be applied now: ");
    const [edit] = await listed();
    expect(edit).toMatchObject({ problem: expect.stringContaining("report.txt") });
    expect(edit).not.toContainKey("added");
  });

  test("a proposed command says what it would run", async () => {
    const config = join(place.path, "config.json");
    writeFileSync(config, JSON.stringify({ shell: { enabled: true } }));
    await propose("root", "a", [["shell", { command: "touch a" }]], ["--config", config]);
    const [run] = await listed();
    expect(run).toMatchObject({ change: "Run touch a", roots: [place.root] });
    expect(run).not.toContainKey("added");
  });
});

test("neither the name of a client nor that of a file can command the terminal or move a column", async () => {
  const name = `evil\u001b[2J\n${"\u202e".repeat(3)}${"x".repeat(500)}`;
  await propose("root", name, [["write_file", { path: "b\nID  p_fake", content: "x\n" }]]);
  const { stdout } = await proposals();
  expect(stdout.split("\n")).toHaveLength(3);
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
  expect(stdout).toContain("  Create bytes:b%0AID%20%20p_fake");
  const json = await proposals("list", "--json");
  expect(json.stdout).not.toMatch(/[\u001b\u202e]/);
  expect((JSON.parse(json.stdout) as { client: string }[])[0]?.client).toBe(name.slice(0, 100));
});

test("a proposal that was forged in the state folder keeps no other out of the list", async () => {
  const [first] = await propose("root", "a", [["edit_file", EDIT]]);
  const ids = await propose("root", "b", [
    ["write_file", { path: "b.txt", content: "b\n" }],
    ["write_file", { path: "c.txt", content: "c\n" }],
    ["write_file", { path: "d.txt", content: "d\n" }],
  ]);
  const folder = join(place.stateDir, "proposals");
  const call = { input: {}, paths: [], facts: { kind: "own" } };
  const forged = [{ client: 5 }, { created: "never" }, { call, scope: { roots: [{ path: 5 }] } }];
  for (const [at, id] of ids.entries()) {
    const file = join(folder, `${id}.json`);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...forged[at] }));
  }
  expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toHaveLength(4);
  const { code, stdout } = await proposals();
  expect(code).toBe(0);
  expect(stdout).toContain(`${first}  `);
  expect(stdout).toContain(`${ids[0]}  `);
});

test("formatAge() rounds down to whole units", () => {
  const minute = 60_000;
  const ages = [-5, 0, 59_999, minute, 60 * minute - 1, 60 * minute, 48 * 60 * minute - 1, 48 * 60 * minute];
  expect(ages.map(formatAge)).toEqual(["0s", "0s", "59s", "1m", "59m", "1h", "47h", "2d"]);
});
