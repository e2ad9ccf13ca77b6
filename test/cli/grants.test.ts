/**
 * `ringfence grants add`: which hosts a grant is for, and which tools.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { defineTool } from "../../src/contract/index.ts";
import { Place } from "../binary/serve-process.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

test("grants add is for the roots that are named, and without any for the current directory", async () => {
  using place = new Place();
  const run = async (...args: string[]): Promise<CliResult> =>
    await runRingfence(place, [...args, "--state-dir", place.stateDir]);
  writeFileSync(join(place.root, "a.txt"), "password\n");
  const search = ["call", "grep", "pattern=password", "--root", "."];
  expect((await run(...search)).code).toBe(1);
  const added = await run("grants", "add", "grep(**)");
  expect(added.stdout).toMatch(/^Granted: grep\(\*\*\) \(g_\S+\), to hosts with exactly these roots: \S+\/root\n$/);
  expect((await run(...search)).stdout).toContain("a.txt:1:password");
  expect((await run("grants", "add", "grep(**)", "--root", "/")).code).toBe(0);
  const missing = await run("grants", "add", "grep(**)", "--root", "missing");
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining("it does not exist") });
});

test("grants add and rules try refuse a tool that there cannot be", async () => {
  using place = new Place();
  const run = async (...args: string[]): Promise<CliResult> =>
    await runRingfence(place, [...args, "--root", ".", "--state-dir", place.stateDir]);
  const refused = await run("grants", "add", "foo(x)", "read_fil");
  expect([refused.code, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain(
    'Cannot allow "foo(x)": there is no tool "foo". `ringfence tools --all` lists them.',
  );
  expect(refused.stderr).toContain('there is no tool "read_fil"');
  expect((await run("tools", "--all")).stdout).toMatch(/^read_file /m);
  expect((await run("grants")).stdout).not.toContain("foo");
  const group = await run("grants", "add", "group:memroy(scratch/**)", "group:wharves");
  expect([group.code, group.stdout]).toEqual([2, ""]);
  expect(group.stderr).toContain('there is no group "group:memroy". Did you mean group:memory?');
  expect(group.stderr).toContain('there is no group "group:wharves". A group of another program');
  const tried = await run("rules", "try", "foo(**)");
  expect([tried.code, tried.stdout]).toEqual([2, ""]);
  expect(tried.stderr).toContain('there is no tool "foo"');
});

test("grants add takes groups, patterns, and every tool that a configuration, a client or a server could bring", async () => {
  using place = new Place();
  const rules = [
    "group:fs(notes/**)",
    "{edit,write}_file(notes/**)",
    "shell(npm test)",
    "git_commit",
    "sessions_delete",
    "memory_write(notes/**)",
    "web_fetch(GET https://docs.example/**)",
    "mcp_wiki_search",
    "mcp:wiki:search",
    "cmd_build",
    "space_notes_add",
    "client_pick",
  ];
  const { code, stdout, stderr } = await runRingfence(place, [
    "grants",
    "add",
    ...rules,
    "--state-dir",
    place.stateDir,
  ]);
  expect([code, stderr, stdout.match(/^Granted: /gm)?.length]).toEqual([0, "", rules.length]);
});

test("grants add takes a tool of another program that is on record, and its group", async () => {
  const deploy = defineTool({
    name: "deploy",
    title: "Deploy",
    summary: "Deploys.",
    effect: "read",
    group: "wharves",
    access: () => [],
    input: z.strictObject({}),
    output: z.strictObject({}),
    run: () => ({ text: "done", structured: {} }),
  });
  await using host = openTestHost({ tools: [deploy] });
  using place = new Place();
  const add = (rule: string): string[] => ["grants", "add", rule, "--root", host.root, "--state-dir", host.stateDir];
  for (const rule of ["deploy", "group:wharves"]) expect((await runRingfence(place, add(rule))).code).toBe(2);
  await host.call("deploy", {});
  host.audit();
  for (const rule of ["deploy", "group:wharves"])
    expect(await runRingfence(place, add(rule))).toMatchObject({ code: 0, stderr: "" });
});
