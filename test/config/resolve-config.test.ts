/**
 * What the host obeys when nothing is said, and what it says about values that it cannot obey.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import { isAddressRange } from "../../src/reach/index.ts";
import { parseRanges } from "../../src/reach/broker/check-address.ts";
import { fc } from "../property.ts";
import { resolveConfig, resolveSettings, type RawConfig } from "../../src/config/index.ts";

const xdg = process.env["XDG_STATE_HOME"];

afterEach(() => {
  if (xdg === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = xdg;
});

function failureOf(raw: RawConfig): Failure["data"] {
  try {
    resolveConfig(raw);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
  throw new Error("it was accepted");
}

test("resolveConfig() fills in every default and freezes the result", () => {
  delete process.env["XDG_STATE_HOME"];
  const config = resolveConfig({ roots: ["/srv"] });
  expect(config).toEqual({
    roots: [{ path: "/srv", readOnly: false }],
    allowRootFs: false,
    keepCalls: false,
    deny: [],
    stateDir: expect.stringContaining(join(homedir(), process.platform === "linux" ? ".local/state" : "")),
    mode: "default",
    results: "text",
    containment: "auto",
    dialect: "ringfence",
    clientRoots: "narrow",
    strict: false,
    durability: "full",
    baseline: "if_known",
    undo: { maxBytes: 1024 * 1024 * 1024, maxAgeMs: 7 * 24 * 3_600_000 },
    answerBytes: 32 * 1024,
    tasksAfterMs: 10_000,
    reviewWaitMs: 50_000,
    commands: {},
    spaces: [],
    fence: "off",
    ignore: [],
    gitignore: "repositories",
    skip: [".git", "node_modules", "dist", "coverage"],
    configFiles: [],
    configWay: ["/srv/.ringfence.json"],
    profile: "full",
    readOnly: false,
    toolList: {},
    clients: {},
    agents: {},
    providers: {},
    skills: {},
    rules: [],
    hooks: [],
    secrets: { except: [], redact: true, search_terms: "ask" },
    budgets: {},
    bridge: { enabled: true, space_tools: false, read_tools: [] },
    ask: "both",
    packSettings: {},
    network: {},
    audit: "required",
  });
  expect(Object.isFrozen(config) && Object.isFrozen(config.roots)).toBe(true);
});

describe("roots", () => {
  test("roots may be read-only, and are relative to the directory in which the host was started", () => {
    const { roots } = resolveConfig({ roots: ["/a:ro", "/b:rw", "c", "/d:x"] });
    expect(roots).toEqual([
      { path: "/a", readOnly: true },
      { path: "/b", readOnly: false },
      { path: join(process.cwd(), "c"), readOnly: false },
      { path: "/d:x", readOnly: false },
    ]);
  });

  test("roots are required, and the failure shows how to give one", () => {
    expect(failureOf({})).toMatchObject({
      code: "invalid_input",
      hint: expect.stringContaining("--root DIR"),
    });
    expect(failureOf({ roots: [":ro"] }).message).toContain("empty");
    expect(resolveSettings({}).roots).toEqual([]);
  });
});

test("a custom profile brings its tools, and its mode unless another mode is given", () => {
  const profiles = {
    reviewer: { profile: "minimal", mode: "plan" },
    editor: { tools: { allow: ["edit_file"] } },
    coding: { mode: "accept_edits" },
  } as const;
  const resolve = (raw: RawConfig) => resolveSettings({ profiles, ...raw });
  expect(resolve({ profile: "reviewer" })).toMatchObject({ profile: "minimal", mode: "plan" });
  expect(resolve({ profile: "reviewer", mode: "bypass" }).mode).toBe("bypass");
  expect(resolve({ profile: "editor" })).toMatchObject({
    profile: "none",
    toolList: { allow: ["edit_file"] },
  });
  expect(resolve({ profile: "coding" })).toMatchObject({ profile: "coding", mode: "accept_edits" });
  expect(resolve({})).toMatchObject({ profile: "full", mode: "default" });
  expect(failureOf({ roots: ["/srv"], profiles, profile: "reviewr" }).hint).toContain("Did you mean reviewer?");
});

test.each([
  "../x",
  "a/../b",
  "/srv/../etc",
  "/etc/passwd",
  "/srv",
  "/",
  "",
  "!a",
  "/*",
  "/s",
  "/srvs/a",
  "{/srv/a,b}",
  "@(a|{b,/c})/d",
])("a glob of --deny that could deny nothing is refused: %s", (glob) => {
  expect(failureOf({ roots: ["/srv"], deny: [glob] })).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("--deny"),
    hint: expect.stringContaining("relative to the root"),
  });
});

test("a glob of --deny may be relative, absolute below a root, or below the home directory", () => {
  const deny = [
    "./a//b/",
    "/srv/x/./*.pem",
    "~/z",
    "/**/*.pem",
    "/*/x",
    "{a,b}{,/c}",
    "/{srv,x}/y",
    "x/{a/,b//,c}",
    "@(a|b/)",
  ];
  expect(resolveConfig({ roots: ["/srv:ro", homedir()], deny }).deny).toEqual([
    "a/b",
    "/srv/x/*.pem",
    join(homedir(), "z"),
    "/**/*.pem",
    "/*/x",
    "{a,b}{,/c}",
    "/{srv,x}/y",
    "x/{a,b,c}",
    "@(a|b)",
  ]);
  expect(resolveSettings({ deny: ["/srv/x"] }).deny).toEqual(["/srv/x"]);
});

test("XDG_STATE_HOME sets the state folder when it is absolute", () => {
  process.env["XDG_STATE_HOME"] = "/var/state";
  expect(resolveSettings({}).stateDir).toBe("/var/state/ringfence");
  process.env["XDG_STATE_HOME"] = "relative";
  expect(resolveSettings({}).stateDir).not.toContain("relative");
});

const wrong: [flag: string, raw: RawConfig, hint: string][] = [
  ["--mode", { mode: "accept-edits" }, "Did you mean accept_edits?"],
  ["--results", { results: "json" }, "It is one of text, structured."],
  ["--containment", { containment: "handles" }, "Did you mean handle?"],
];
test.each(wrong)("a wrong value of %s is refused with the values that it takes", (flag, raw, hint) => {
  const failure = failureOf({ roots: ["/"], ...raw });
  expect(failure.message).toContain(flag);
  expect(failure.hint).toContain(hint);
});

test("an empty --state-dir is refused, and is not the current directory", () => {
  expect(failureOf({ roots: ["/srv"], stateDir: "" }).message).toBe("Cannot start: --state-dir is empty");
  expect(() => resolveSettings({ stateDir: "" })).toThrow("--state-dir is empty");
});

test.each(["klingon", "utf-8", "utf-16le", ""])("--legacy-encoding %p is refused", (legacyEncoding) => {
  expect(failureOf({ roots: ["/"], legacyEncoding }).message).toContain("--legacy-encoding");
});

test.each([
  [{ undoMaxBytes: "0" }, { maxBytes: 0 }],
  [{ undoMaxBytes: "500M" }, { maxBytes: 500 * 1024 * 1024 }],
  [{ undoMaxBytes: "2G" }, { maxBytes: 2 * 1024 * 1024 * 1024 }],
  [{ undoMaxAge: "12h" }, { maxAgeMs: 12 * 3_600_000 }],
  [{ undoMaxAge: "30d" }, { maxAgeMs: 30 * 24 * 3_600_000 }],
])("%p sets how much is kept for undo", (raw, undo) => {
  expect(resolveConfig({ roots: ["/srv"], ...raw }).undo).toMatchObject(undo);
});

describe("network.ranges", () => {
  test.each([
    ..."10.0.0.0/33 300.0.0.0/99 300.0.0.0/8 10.0.0/64 10.0.0/8 10/8 010.0.0.0/8 0x10.0.0.0/8 10.0.0.0 10.0.0.0/ 10.0.0.0/08".split(
      " ",
    ),
    ..."fd00::/129 fd00/8 fd00:::/8 [fd00::]/8 fd00::%eth0/8 fd00::1::/8 cafe/8 example.com/8 /8".split(" "),
  ])("a range that is none fails the start: %s", (range) => {
    expect(failureOf({ roots: ["/srv"], network: { ranges: ["10.0.0.0/8", range] } }).message).toBe(
      `Cannot start: network.ranges has "${range}"`,
    );
  });

  test("every range that a start takes is one for the broker", () => {
    const taken = "0.0.0.0/0 10.0.0.0/8 10.1.2.3/32 ::/0 fd00::/8 FD00::1/128 ::ffff:10.0.0.0/104".split(" ");
    expect(resolveConfig({ roots: ["/srv"], network: { ranges: taken } }).network.ranges).toEqual(taken);
    expect(parseRanges(taken)).toHaveLength(taken.length);
    const digits = fc.string({ unit: fc.constantFrom(...Array.from("0123456789afx.:/")), maxLength: 12 });
    const number = fc.integer({ min: 0, max: 300 });
    const four = fc.tuple(fc.array(number, { minLength: 3, maxLength: 5 }), number);
    const range = fc.oneof(
      digits,
      four.map(([parts, bits]) => `${parts.join(".")}/${bits}`),
    );
    fc.assert(fc.property(range, (one) => !isAddressRange(one) || parseRanges([one]).length === 1));
  });

  test("more ranges than a broker can be told fail the start", () => {
    const ranges = Array.from({ length: 65 }, () => "10.0.0.0/8");
    expect(failureOf({ roots: ["/srv"], network: { ranges } }).message).toBe(
      "Cannot start: network.ranges has 65 entries",
    );
  });
});
