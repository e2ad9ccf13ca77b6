/**
 * A leading `~` is the home directory where a person wrote the path, on the command line or in the configuration, and is refused
 * where a model did.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.path, "notes"));
  writeFileSync(join(place.path, "notes", "a.txt"), "at home\n");
});
afterEach(() => place[Symbol.dispose]());

const run = async (...args: string[]): Promise<CliResult> =>
  await runRingfence(place, args, { env: { HOME: place.path } });

test("the command line takes ~ for the home directory in roots, the state folder and --config", async () => {
  writeFileSync(join(place.path, "mine.json"), '{"mode": "plan"}');
  const given = ["--root=~/notes:ro", "--state-dir=~/state", "--config=~/mine.json"];
  const read = await run("call", "read_file", "path=a.txt", ...given);
  expect([read.code, read.stdout]).toEqual([0, expect.stringContaining("at home")]);
  const { values } = JSON.parse((await run("check", ...given, "--json")).stdout) as {
    values: { key: string; value: unknown }[];
  };
  const of = (key: string): unknown => values.find((one) => one.key === key)?.value;
  expect([of("state_dir"), of("mode")]).toEqual([join(place.path, "state"), "plan"]);
});

test("the configuration takes ~ in its paths and in the programs that it names", async () => {
  const path = join(place.path, "ringfence.json");
  const program = "~/tool.sh";
  const config = {
    roots: ["~/notes"],
    state_dir: "~/state",
    secrets: { except: ["~/notes/.env"] },
    commands: { tool: { description: "A tool.", program, cwd: "~/notes" } },
    hooks: [{ tool: "write_file", before: [program, "~/untouched"] }],
    rules: [{ deny: "read_file(~/notes/**)" }],
  };
  writeFileSync(path, JSON.stringify(config));
  const { stdout } = await run("check", "--config", path, "--json");
  const { values, problems } = JSON.parse(stdout) as { values: { key: string; value: unknown }[]; problems: string[] };
  const shown = Object.fromEntries(values.map(({ key, value }) => [key, value]));
  const whole = join(place.path, "tool.sh");
  expect(shown["roots"]).toEqual([join(place.path, "notes")]);
  expect(shown["secrets"]).toMatchObject({ except: [join(place.path, "notes/.env")] });
  expect(shown["commands"]).toMatchObject({ tool: { program: whole, cwd: join(place.path, "notes") } });
  expect(shown["hooks"]).toMatchObject([{ before: [whole, "~/untouched"] }]);
  expect(problems).toEqual([expect.stringContaining("~ stands for itself in a pattern; write the absolute path")]);
});

test("a path of a model is never expanded, whatever HOME says", async () => {
  await using host = openTestHost({ files: { "a.txt": "x\n" } });
  for (const path of ["~", "~/a.txt"]) {
    const { failure } = await host.call("read_file", { path });
    expect([failure?.code, failure?.message]).toEqual(["invalid_input", expect.stringContaining("~ is not expanded")]);
  }
});
