/**
 * An errno means one thing to an open and another to a rename, and advice is only given where it shows something.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf, Scope } from "../../src/scope/index.ts";

let top = "";
let scope: Scope;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-failure-")));
  scope = new Scope({ roots: [{ path: top, readOnly: false }] });
});
afterAll(() => {
  scope[Symbol.dispose]();
  rmSync(top, { recursive: true, force: true });
});

function told(code: string, syscall?: string): { code: string; text: string; retry: string } {
  const thrown = Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });
  const { data } = failureOf(thrown, scope, scope.locate("a", "change"), "change");
  return { code: data.code, text: `${data.message}. ${data.hint}`, retry: data.retry };
}

test("EXDEV of an open is outside the roots, and of a rename another mount", () => {
  expect(told("EXDEV").code).toBe("outside_scope");
  const renamed = told("EXDEV", "rename");
  expect(renamed.code).toBe("unsupported");
  expect(renamed.text).toContain("another mount");
  expect(renamed.text).not.toContain("outside");
});

test("the mode is looked at where it is the reason, and immutable files elsewhere", () => {
  expect(told("EACCES").text).toContain("with stat");
  const denied = told("EPERM");
  expect(denied.code).toBe("denied");
  expect(denied.text).toContain("immutable");
  expect(denied.text).not.toContain("with stat");
});

test("what is mounted can be written in place", () => {
  expect(told("EBUSY").text).toContain("in_place: true");
});
