/**
 * The closed list of failure codes and the one line that a model reads; callers branch on both.
 */
import { expect, test } from "bun:test";
import { Failure, FAILURE_CODES, failureFromData, failureText, toFailure } from "../../src/base/index.ts";

test("the codes of failures are what they were", () => {
  expect([...FAILURE_CODES]).toEqual([
    "invalid_input",
    "not_found",
    "already_exists",
    "outside_scope",
    "denied",
    "needs_approval",
    "not_text",
    "too_large",
    "no_match",
    "ambiguous",
    "stale",
    "conflict",
    "busy",
    "timed_out",
    "cancelled",
    "command_failed",
    "unsupported",
    "disk_full",
    "over_budget",
    "internal",
  ]);
});

test("each code says whether to try again, and how", () => {
  const retries = Object.fromEntries(FAILURE_CODES.map((code) => [code, new Failure(code, "x").data.retry]));
  expect(retries).toMatchObject({ outside_scope: "never", denied: "never", busy: "later", stale: "changed" });
  for (const code of FAILURE_CODES) expect(["never", "changed", "later"]).toContain(retries[code] ?? "");
});

test("the line is code, message, full stop, hint", () => {
  expect(failureText(new Failure("stale", 'Cannot edit "a"', { hint: "Read it." }).data)).toBe(
    'stale: Cannot edit "a". Read it.',
  );
  expect(failureText(new Failure("denied", "Why?", { hint: "" }).data)).toBe("denied: Why?");
});

test("a failure is the same after a journey as JSON", () => {
  const failure = new Failure("no_match", "m", {
    hint: "h",
    retry: "later",
    candidates: ["c"],
    details: { line: 3 },
  });
  const back = failureFromData(JSON.parse(JSON.stringify(failure.data)));
  expect(back.data).toEqual(failure.data);
});

test("what was not expected becomes internal, with an id and nothing else", () => {
  const made = toFailure(new Error("secret path"), () => "bug_1");
  expect(failureText(made.data)).not.toContain("secret");
  expect(made.data).toMatchObject({ code: "internal", message: expect.stringContaining("bug_1") });
  const known = new Failure("busy", "x");
  expect(toFailure(known, () => "never")).toBe(known);
});
