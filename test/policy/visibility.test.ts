/**
 * Which tools there are, pinned: every profile with the tools of this project and some that it has not; deny always wins;
 * overrides only take something away.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import {
  hiddenByPolicy,
  leftOutBy,
  parseRule,
  PROFILES,
  type Override,
  type Profile,
  type ToolFacts,
} from "../../src/policy/index.ts";
import { allPackTools, packTools } from "../../scripts/docs/pack-tools.ts";
import { clarvis } from "../../src/dialects/tables/clarvis.ts";
import { claude } from "../../src/dialects/tables/claude.ts";
import { codex } from "../../src/dialects/tables/codex.ts";
import { construct, constructOperator } from "../../src/dialects/tables/construct.ts";
import { filesystem } from "../../src/dialects/tables/filesystem.ts";
import { flynn } from "../../src/dialects/tables/flynn.ts";
import { gemini } from "../../src/dialects/tables/gemini.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { toolFacts } from "../../src/session/index.ts";

const TABLES = [clarvis, claude, codex, construct, constructOperator, filesystem, flynn, gemini];

const TOOLS: readonly ToolFacts[] = [
  ...builtinTools.map(toolFacts),
  { name: "run_command", effect: "run" },
  { name: "web_fetch", effect: "reach", group: "web", profiles: ["minimal"] },
  { name: "web_search", effect: "reach", group: "web", profiles: ["messaging"] },
  { name: "browser_click", effect: "reach", group: "browser" },
  { name: "memory_read", effect: "read", group: "memory" },
  { name: "memory_write", effect: "change", group: "memory" },
  { name: "media_send", effect: "read", group: "media" },
  { name: "image_analyze", effect: "read", group: "media" },
  { name: "message_send", effect: "reach", group: "messaging" },
  { name: "own_thing", effect: "change", local: true },
];

const visible = (profile: Profile, tools = {}, readOnly = false): string[] =>
  TOOLS.filter((tool) => hiddenByPolicy(tool, { profile, tools, readOnly }) === undefined).map(({ name }) => name);

const READING = TOOLS.filter(({ effect }) => effect === "read").map(({ name }) => name);
const OF_OTHERS: readonly string[] = ["memory_read", "media_send", "image_analyze"];
const MINIMAL = READING.filter((name) => !OF_OTHERS.includes(name));
const CHANGING = TOOLS.filter(({ effect, local }) => effect === "change" && !local).map(({ name }) => name);

test("the profiles show the tools that they name", () => {
  expect(visible("minimal")).toEqual([...MINIMAL, "web_fetch"]);
  expect(MINIMAL).toContain("system_info");
  expect(new Set(visible("messaging"))).toEqual(
    new Set([...READING, "web_fetch", "web_search", "memory_write", "message_send"]),
  );
  expect(new Set(visible("coding"))).toEqual(
    new Set([
      ...READING,
      ...CHANGING,
      "run_command",
      "web_fetch",
      "web_search",
      "message_send",
      "browser_click",
      "own_thing",
    ]),
  );
  expect(visible("full")).toEqual(TOOLS.map(({ name }) => name));
});

test("each profile has all that the one before it has", () => {
  const facts: fc.Arbitrary<ToolFacts> = fc.record({
    name: fc.constant("some_tool"),
    effect: fc.constantFrom("read", "change", "run", "reach", "show"),
    local: fc.boolean(),
    group: fc.option(fc.constantFrom("memory", "messaging", "browser", "k8s"), { nil: undefined }),
    profiles: fc.option(fc.array(fc.constantFrom(...PROFILES)), { nil: undefined }),
  });
  fc.assert(
    fc.property(facts, (tool) => {
      const shown = PROFILES.map(
        (profile) => hiddenByPolicy(tool, { profile, tools: {}, readOnly: false }) === undefined,
      );
      expect(shown).toEqual([...shown].sort((a, b) => Number(a) - Number(b)));
    }),
  );
});

test("allow adds, deny takes away and wins, and reading only wins over both", () => {
  expect(visible("minimal", { allow: ["group:messaging"] })).toEqual([...MINIMAL, "web_fetch", "message_send"]);
  expect(visible("full", { allow: ["*"], deny: ["group:fs", "*_*"] })).toEqual([]);
  expect(visible("full", { allow: ["write_file"] }, true)).toEqual(READING);
});

const reaching = (group?: string): ToolFacts => ({ name: "some_tool", effect: "reach", group });
const isGiven = (tool: ToolFacts): boolean =>
  hiddenByPolicy(tool, { profile: "minimal", tools: { allow: ["group:web"] }, readOnly: false }) === undefined;
const isTaken = (tool: ToolFacts): boolean =>
  hiddenByPolicy(tool, { profile: "full", tools: { deny: ["group:web"] }, readOnly: false }) !== undefined;

test("group:web gives the tools of the web and of the browser, and takes away what reaches the network besides, but for services with a group", () => {
  for (const group of ["web", "browser"])
    expect([isGiven(reaching(group)), isTaken(reaching(group))]).toEqual([true, true]);
  for (const group of ["objects", "k8s", "gmail"])
    expect([isGiven(reaching(group)), isTaken(reaching(group))]).toEqual([false, false]);
  for (const group of ["media", "wharves", undefined])
    expect([isGiven(reaching(group)), isTaken(reaching(group))]).toEqual([false, true]);
});

test("group:fs has no tool that is about the host", () => {
  const left = visible("full", { deny: ["group:fs"] });
  expect(left).toContain("system_info");
  expect(left).toContain("await_review");
  expect(visible("full", { deny: ["group:host"] })).not.toContain("system_info");
});

test("both lists, and rules, mean a tool of ours by every name that another program has for it", async () => {
  const ours = [...builtinTools, ...commandTools({}, true), ...(await allPackTools())].map(toolFacts);
  const own = new Set(ours.map(({ name }) => name));
  const rows = TABLES.flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([called, { tool = called }]) => [[called, tool] as const]),
  ).filter(([called, tool]) => !own.has(called) || called === tool);
  expect(rows.length).toBeGreaterThan(80);
  const strange: string[] = [];
  for (const [called, tool] of rows) {
    const facts = ours.find(({ name }) => name === tool);
    if (!facts) throw new Error(`there is no tool ${tool}`);
    for (const name of [called, called.replaceAll(".", "_")]) {
      if (own.has(name) && name !== tool) continue;
      const isMeant = {
        "tools.deny": leftOutBy(facts, { tools: { deny: [name] } }) !== undefined,
        "tools.allow": leftOutBy(facts, { tools: { allow: [name] } }) === undefined,
        ...Object.fromEntries(
          ["deny", "ask", "allow"].map((verdict) => [verdict, parseRule({ [verdict]: name }).coversTool(facts)]),
        ),
      };
      const missed = Object.entries(isMeant).flatMap(([by, isSo]) => (isSo ? [] : [by]));
      if (missed.length > 0)
        strange.push(`${name} does not mean ${tool} in ${missed.join(", ")}: is it in OTHER_NAMES?`);
    }
  }
  expect(strange).toEqual([]);
});

test.each(
  Object.entries({
    "process.*": ["process_start", "process_output", "process_list", "process_stop"],
    "process.kill": ["process_stop"],
    "minio.*": ["object_list", "object_read", "object_put", "object_share", "object_ingest", "object_sync"],
    "minio.share": ["object_share"],
    "system.*": ["system_info"],
    "file.*": ["list_directory", "read_file", "edit_file", "write_file"],
    "*_file": ["read_file", "write_file", "append_file", "edit_file", "hash_file"],
    BashOutput: ["process_output"],
  }),
)("allow of %s gives %j", async (name, expected) => {
  const ours = [...builtinTools, ...commandTools({}, true), ...(await packTools("objects"))].map(toolFacts);
  const left = ours.filter((tool) => leftOutBy(tool, { tools: { allow: [name] } }) === undefined);
  expect(new Set(left.map((tool) => tool.name))).toEqual(new Set(expected));
  const denied = ours.filter((tool) => leftOutBy(tool, { tools: { deny: [name] } }) !== undefined);
  expect(denied.map((tool) => tool.name)).toEqual(expect.arrayContaining(expected));
});

test("what denies or asks means a tool by names that its server gives it too, what allows does not", () => {
  const tool: ToolFacts = { name: "mcp_git_log", aliases: ["mcp:git:log"], effect: "reach", local: true };
  const hidden = (profile: Profile, tools: object) =>
    hiddenByPolicy(tool, { profile, tools, readOnly: false }) !== undefined;
  for (const name of ["mcp:git:log", "mcp:git:*", "mcp_git_log"]) {
    expect(hidden("full", { deny: [name] })).toBe(true);
    expect(leftOutBy(tool, { tools: { deny: [name] } })).toBeDefined();
    expect(parseRule({ deny: name }).coversTool(tool)).toBe(true);
    expect(parseRule({ ask: name }).coversTool(tool)).toBe(true);
    expect(parseRule({ allow: name }).coversTool(tool)).toBe(name === "mcp_git_log");
  }
  expect(hidden("minimal", { allow: ["mcp:git:*"] })).toBe(true);
  expect(hidden("minimal", { allow: ["mcp_git_*"] })).toBe(false);
});

test("an override only takes away, whatever it says", () => {
  const list = fc.option(fc.array(fc.constantFrom("*", "group:fs", "write_file", "run_*", "nope")), {
    nil: undefined,
  });
  const override: fc.Arbitrary<Override> = fc.record({
    profile: fc.option(fc.constantFrom(...PROFILES), { nil: undefined }),
    tools: fc.record({ allow: list, deny: list }),
    read_only: fc.option(fc.boolean(), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...TOOLS), override, (tool, one) => {
      const denied = { ...one, tools: { ...one.tools, deny: [...(one.tools?.deny ?? []), tool.name] } };
      expect(leftOutBy(tool, denied)).toBeDefined();
      if (leftOutBy(tool, one, true) === undefined) expect(leftOutBy(tool, one)).toBeUndefined();
    }),
  );
});

test("a skill without a list has no tools; a client without one has all", () => {
  expect(TOOLS.every((tool) => leftOutBy(tool, {}, true) !== undefined)).toBe(true);
  expect(TOOLS.every((tool) => leftOutBy(tool, {}) === undefined)).toBe(true);
});
