/**
 * Decisions as a table: every risk in every mode, pinned by literal, and the rule that a caller can only narrow.
 */
import { describe, expect, test } from "bun:test";
import { assessRisk, decide, MODES, narrowMode, type Mode, type Risk } from "../../src/policy/index.ts";

const TABLE: Readonly<Record<Risk, Readonly<Record<Mode, string>>>> = {
  R0: { default: "allow", accept_edits: "allow", plan: "allow", bypass: "allow" },
  R1: { default: "allow", accept_edits: "allow", plan: "allow", bypass: "allow" },
  R2: { default: "ask", accept_edits: "allow", plan: "ask", bypass: "allow" },
  R3: { default: "ask", accept_edits: "ask", plan: "ask", bypass: "allow" },
  R4: { default: "ask", accept_edits: "ask", plan: "ask", bypass: "allow" },
  R5: { default: "deny", accept_edits: "deny", plan: "deny", bypass: "deny" },
};

describe("decide", () => {
  for (const [risk, row] of Object.entries(TABLE)) {
    for (const [mode, type] of Object.entries(row)) {
      test(`${risk} in ${mode}: ${type}`, () => {
        const decision = decide(risk as Risk, mode as Mode);
        expect(decision).toMatchObject({ type, risk, source: "mode", rule: mode });
        expect(decision.reason).not.toBe("");
      });
    }
  }

  test("covers every mode", () => {
    expect(Object.keys(TABLE.R0).sort()).toEqual([...MODES].sort());
  });
});

describe("narrowMode", () => {
  const cases: readonly (readonly [Mode, unknown, Mode])[] = [
    ["bypass", "plan", "plan"],
    ["bypass", "default", "default"],
    ["accept_edits", "default", "default"],
    ["default", "bypass", "default"],
    ["default", "accept_edits", "default"],
    ["plan", "default", "plan"],
    ["plan", "bypass", "plan"],
    ["accept_edits", "bypass", "accept_edits"],
    ["default", 7, "default"],
  ];
  for (const [mode, asked, expected] of cases)
    test(`${mode} asked for ${String(asked)} is ${expected}`, () =>
      expect(narrowMode(mode, asked)).toBe(expected));
});

type Touched = { path: string; mode: "metadata" | "read" | "write" | "remove" };

function at(path: string, mode: Touched["mode"]): Touched {
  return { path, mode };
}

describe("assessRisk", () => {
  test("metadata is R0, contents are R1", () => {
    expect(assessRisk({ effect: "read", access: [at("a", "metadata")], removes: false })).toBe("R0");
    expect(assessRisk({ effect: "read", access: [at("a", "read")], removes: false })).toBe("R1");
  });

  test("an ordinary change is R2, taking something away is R4", () => {
    expect(assessRisk({ effect: "change", access: [at("src/a.ts", "write")], removes: false })).toBe("R2");
    expect(assessRisk({ effect: "change", access: [at("src/a.ts", "remove")], removes: true })).toBe("R4");
  });

  for (const path of [
    ".env",
    "a/.github/workflows/x.yml",
    "package-lock.json",
    "Cargo.lock",
    ".vscode/tasks.json",
  ])
    test(`writing ${path} is R4`, () => {
      expect(assessRisk({ effect: "change", access: [at(path, "write")], removes: false })).toBe("R4");
    });

  for (const path of ["./a.ts", "../x/a.ts", "a.lockfile.txt"])
    test(`writing ${path} is R2`, () => {
      expect(assessRisk({ effect: "change", access: [at(path, "write")], removes: false })).toBe("R2");
    });
});
