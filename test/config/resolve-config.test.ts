/**
 * From what the person said to what the host obeys: defaults pinned, wrong values refused with what they take.
 */
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/base/index.ts";
import { BUILD, cleanEnvironment, resolveConfig, type RawConfig } from "../../src/config/index.ts";

function refusal(raw: RawConfig): string {
  try {
    resolveConfig(raw);
  } catch (thrown) {
    if (thrown instanceof Failure) return `${thrown.code}: ${thrown.message} ${thrown.data.hint}`;
    throw thrown;
  }
  return "accepted";
}

describe("resolveConfig", () => {
  test("defaults", () => {
    expect(resolveConfig({ roots: ["/srv"], stateDir: "/nowhere/state" })).toEqual({
      roots: [{ path: "/srv", readOnly: false }],
      deny: [],
      stateDir: "/nowhere/state",
      mode: "default",
      results: "text",
      containment: "auto",
      strict: false,
      skip: [".git", "node_modules", "dist", "coverage"],
    });
  });

  test("roots: read-only, relative, in order", () => {
    const { roots } = resolveConfig({ roots: ["/a:ro", "/b:rw", "c"], stateDir: "/nowhere" });
    expect(roots).toEqual([
      { path: "/a", readOnly: true },
      { path: "/b", readOnly: false },
      { path: `${process.cwd()}/c`, readOnly: false },
    ]);
  });

  test("is frozen", () => {
    const config = resolveConfig({ roots: ["/srv"], stateDir: "/nowhere" });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.roots)).toBe(true);
  });

  test("without a root it says how to give one", () => {
    expect(refusal({})).toContain("--root DIR");
    expect(refusal({ roots: [":ro"] })).toContain("invalid_input");
  });

  test("wrong values name what is taken", () => {
    const roots = ["/srv"];
    expect(refusal({ roots, mode: "acept_edits" })).toContain("accept_edits");
    expect(refusal({ roots, results: "json" })).toContain("structured");
    expect(refusal({ roots, containment: "none" })).toContain("portable");
    expect(refusal({ roots, legacyEncoding: "klingon" })).toContain("--legacy-encoding");
    expect(refusal({ roots, legacyEncoding: "utf-8" })).toContain("--legacy-encoding");
    expect(resolveConfig({ roots, legacyEncoding: "gbk", stateDir: "/nowhere" }).legacyEncoding).toBe("gbk");
  });
});

describe("the environment", () => {
  test("children get none of the runtime's variables", () => {
    process.env["BUN_TEST_MARKER"] = "1";
    process.env["LD_TEST_MARKER"] = "1";
    try {
      const clean = cleanEnvironment();
      expect(
        Object.keys(clean).filter((name) => /^(?:BUN_|NODE_OPTIONS|LD_|DYLD_|MIMALLOC_)/.test(name)),
      ).toEqual([]);
      expect(clean["PATH"]).toBe(process.env["PATH"] ?? "");
    } finally {
      delete process.env["BUN_TEST_MARKER"];
      delete process.env["LD_TEST_MARKER"];
    }
  });

  test("from source the build says so", () => {
    expect(BUILD.target).toBe("source");
    expect(BUILD.runtime).toBe(`bun ${Bun.version}`);
  });
});
