/**
 * Failure codes are a surface that callers branch on: pinned here, with the text that models read.
 */
import { describe, expect, test } from "bun:test";
import {
  createCancel,
  Failure,
  FAILURE_CODES,
  failureFromData,
  failureText,
  newId,
  StopSource,
  toAbortSignal,
  toFailure,
} from "../../src/base/index.ts";

describe("Failure", () => {
  test("codes", () => {
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

  test("survives a border as JSON", () => {
    const failure = new Failure("ambiguous", 'Cannot edit "a": it occurs twice', {
      hint: "Add lines.",
      details: { lines: [1, 2] },
      candidates: ["a"],
    });
    const back = failureFromData(JSON.parse(JSON.stringify(failure.data)));
    expect(back.data).toEqual(failure.data);
    expect(back).toBeInstanceOf(Failure);
  });

  test("reads as one line", () => {
    expect(
      failureText(new Failure("stale", 'Cannot edit "a": it changed', { hint: "Read it again." }).data),
    ).toBe('stale: Cannot edit "a": it changed. Read it again.');
  });

  test("what nobody expected is internal, and shows nothing but an id", () => {
    const failure = toFailure(new Error("secret path /x"), () => "bug_1");
    expect(failure.code).toBe("internal");
    expect(JSON.stringify(failure.data)).not.toContain("secret");
    expect(failure.message).toContain("bug_1");
  });
});

describe("stopping", () => {
  test("a stop reaches listeners once, also late ones, and a real signal", () => {
    const source = new StopSource();
    const signal = toAbortSignal(source);
    let told = 0;
    source.addEventListener("abort", () => told++);
    source.abort();
    source.abort();
    source.addEventListener("abort", () => told++);
    expect([told, source.aborted, signal.aborted]).toEqual([2, true, true]);
  });

  test("a cancel knows why", () => {
    let gone = false;
    expect(createCancel(performance.now() + 1e6, () => gone).state()).toBe("none");
    gone = true;
    expect(createCancel(performance.now() + 1e6, () => gone).state()).toBe("cancelled");
    expect(createCancel(performance.now() - 1, () => false).state()).toBe("timed_out");
  });

  test("ids are long, plain and never the same", () => {
    const ids = new Set(Array.from({ length: 1000 }, () => newId("p")));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^p_[A-Za-z0-9_-]{22}$/);
  });
});
