/**
 * `ringfence tools` beside a host with the same configuration: what it lists is what a client of that host gets, and `doctor` says
 * why the rest is not there.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
});
afterEach(() => place[Symbol.dispose]());

function configure(config: object): string {
  const path = join(place.path, "ringfence.json");
  writeFileSync(path, JSON.stringify(config, null, 1));
  return path;
}

const run = async (...args: string[]): Promise<CliResult> =>
  await runRingfence(place, [...args, "--state-dir", place.stateDir]);

describe("tools", () => {
  const CONFIG = {
    profile: "coding",
    tools: { deny: ["tree"] },
    commands: {
      there: { description: "Is there.", program: "/bin/sh" },
      gone: { description: "Is not.", program: "/nonexistent/program" },
    },
  };

  test("ringfence tools lists what this configuration offers to a client, and with --all the rest with why", async () => {
    const path = configure(CONFIG);
    const { code, stdout } = await run("tools", "--config", path, "--root", ".");
    const names = stdout.split("\n").flatMap((row) => /^([a-z_]+) /.exec(row)?.[1] ?? []);
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", path];
    await using host = await ServeProcess.start(place, { command: args });
    const { result } = await host.ask(1, "tools/list");
    expect({ code, names }).toEqual({
      code: 0,
      names: (result?.tools ?? []).map(({ name }) => name),
    });
    expect(names).toContain("cmd_there");
    const all = (await run("tools", "--all", "--config", path, "--root", ".")).stdout;
    expect(all).toMatch(/^tree +read +the configuration denies it /m);
    expect(all).toMatch(/^open_path +show +it is not in the profile /m);
    expect(all).toMatch(/^cmd_gone +run +\/nonexistent\/program is not there /m);
  });

  test("ringfence tools lists what roots bring, and what the client carries out, as clients see it", async () => {
    mkdirSync(join(place.root, "tree", ".git"), { recursive: true });
    const path = configure({ roots: ["root/tree"], bridge: { space_tools: true } });
    const printed = JSON.parse((await run("tools", "--json", "--config", path)).stdout) as { name: string }[];
    const args = ["serve", "--state-dir", place.stateDir, "--config", path];
    await using host = await ServeProcess.start(place, { command: args });
    const { result } = await host.ask(1, "tools/list");
    const names = printed.map(({ name }) => name);
    expect(names).toEqual((result?.tools ?? []).map(({ name }) => name));
    expect(names).toContain("space_snapshot");
    expect(names.includes("git_status")).toBe(process.platform === "linux");
  });

  test("ringfence tools prints the definitions themselves with --json", async () => {
    const path = configure({ ...CONFIG, results: "structured", mode: "bypass" });
    const printed = JSON.parse((await run("tools", "--json", "--config", path, "--root", ".")).stdout) as unknown;
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", path];
    await using host = await ServeProcess.start(place, { command: args });
    expect((await host.ask(1, "tools/list")).result?.["tools"] as unknown).toEqual(printed);
  });

  test("doctor names the tools that are not offered, and hooks whose program is not there", async () => {
    const hooks = [{ tool: "stat", before: ["/bin/sh", "-c", "exit 0"] }];
    const path = configure({ ...CONFIG, hooks });
    const content = await run("doctor", "--config", path, "--root", ".", "--fence=off");
    expect(content.stdout).toContain("tree is not offered: the configuration denies it");
    expect(content.stdout).toContain("cmd_gone is not offered: /nonexistent/program is not there");
    expect(content.stdout).toContain("hook: the program before stat is /bin/sh");
    expect(content.code).toBe(0);
    configure({ hooks: [{ tool: "stat", after: ["/nonexistent/hook"] }] });
    const broken = await run("doctor", "--config", path, "--root", ".", "--fence=off");
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("the program after stat: /nonexistent/hook is not there");
  });
});
