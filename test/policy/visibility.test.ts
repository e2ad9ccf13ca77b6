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
import { builtinTools } from "../../src/packs/index.ts";
import { toolFacts } from "../../src/session/index.ts";

const TOOLS: readonly ToolFacts[] = [
  ...builtinTools.map(toolFacts),
  { name: "run_command", effect: "run" },
  { name: "web_fetch", effect: "reach", profiles: ["minimal"] },
  { name: "web_search", effect: "reach", profiles: ["messaging"] },
  { name: "browser_click", effect: "reach", group: "browser" },
  { name: "memory_write", effect: "change", group: "memory" },
  { name: "message_send", effect: "reach", group: "messaging" },
  { name: "own_thing", effect: "change", local: true },
];

const visible = (profile: Profile, tools = {}, readOnly = false): string[] =>
  TOOLS.filter((tool) => hiddenByPolicy(tool, { profile, tools, readOnly }) === undefined).map(({ name }) => name);

const READING = TOOLS.filter(({ effect }) => effect === "read").map(({ name }) => name);
const CHANGING = TOOLS.filter(({ effect, local }) => effect === "change" && !local).map(({ name }) => name);

test("the profiles show the tools that they name", () => {
  expect(visible("minimal")).toEqual([...READING, "web_fetch"]);
  expect(visible("messaging")).toEqual([...READING, "web_fetch", "web_search", "memory_write", "message_send"]);
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
  expect(visible("minimal", { allow: ["group:messaging"] })).toEqual([...READING, "web_fetch", "message_send"]);
  expect(visible("full", { allow: ["*"], deny: ["group:fs", "*_*"] })).toEqual([]);
  expect(visible("full", { allow: ["write_file"] }, true)).toEqual(READING);
});

test("what denies or asks means a tool by its other names too, what allows does not", () => {
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
    fc.property(fc.constantFrom(...TOOLS), override, (tool, given) => {
      const denied = { ...given, tools: { ...given.tools, deny: [...(given.tools?.deny ?? []), tool.name] } };
      expect(leftOutBy(tool, denied)).toBeDefined();
      if (leftOutBy(tool, given, true) === undefined) expect(leftOutBy(tool, given)).toBeUndefined();
    }),
  );
});

test("a skill without a list has no tools; a client without one has all", () => {
  expect(TOOLS.every((tool) => leftOutBy(tool, {}, true) !== undefined)).toBe(true);
  expect(TOOLS.every((tool) => leftOutBy(tool, {}) === undefined)).toBe(true);
});
