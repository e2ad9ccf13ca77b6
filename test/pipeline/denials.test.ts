/**
 * What a model is told of a call that a rule denies: which of its own words the rule is about and what to do now, and nothing
 * of where a link leads.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost } from "../host/in-memory-host.ts";
import { openCommandHost, script } from "../proc/command-host.ts";

const FILES = { "a.txt": "a\n", "gen/a.txt": "a\n", "way.txt": { link: "gen/a.txt" } };
const WHY = "a rule of the configuration denies it";
const RULES = ["group:read", "group:change"].map((group) => ({ deny: `${group}(gen/**)` }));
const HINT = "Do not try it another way; tell the person what you need it for.";

describe("a call that a rule denies", () => {
  test.each([
    ["write_file", { path: "gen/a.txt", content: "x" }, 'write "gen/a.txt"'],
    ["delete", { path: "gen/a.txt" }, 'delete "gen/a.txt"'],
    ["read_file", { path: "gen/a.txt" }, 'read "gen/a.txt"'],
    ["move", { path: "a.txt", to: "gen/b.txt" }, 'write "gen/b.txt"'],
  ])("the failure of %s names the path of %j that the rule is about", async (tool, args, what) => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", rules: RULES } });
    const { failure } = await host.call(tool, args);
    expect(failure).toMatchObject({ code: "denied", message: `Cannot ${what}: ${WHY}`, hint: HINT });
  });

  test("the failure of a command names its line", async () => {
    const commands = { build: script("echo built") } as never;
    await using host = openCommandHost({ config: { mode: "bypass", commands, rules: [{ deny: "run_command(*)" }] } });
    const { failure } = await host.call("run_command", { command: "build" });
    expect(failure).toMatchObject({ code: "denied", message: `Cannot run "build": ${WHY}`, hint: HINT });
  });

  test("where a link leads is not said", async () => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass", rules: RULES } });
    const { failure, all } = await host.call("write_file", { path: "way.txt", content: "x", overwrite: true });
    expect(failure).toMatchObject({ code: "denied", hint: HINT });
    expect(all).not.toContain("gen/");
    expect(host.read("gen/a.txt")).toBe("a\n");
  });
});
