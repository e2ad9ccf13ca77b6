/**
 * A failure says the next step. Most codes have a usual one; a failure of the others says its own.
 */
import { expect, test } from "bun:test";
import { parseSync, Visitor } from "oxc-parser";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, FAILURE_CODES } from "../../src/base/index.ts";

const TOP = join(import.meta.dir, "..", "..");
/** A cancelled call has no next step. */
const SILENT = FAILURE_CODES.filter((code) => code !== "cancelled" && new Failure(code, "").data.hint === "");
/** Lines of `doctor`, each of which stands below what was looked at. */
const LEFT_OUT = "src/cli/commands/doctor.ts";

test("every failure whose code has no usual next step says one", () => {
  expect(SILENT).toEqual(["not_text", "command_failed", "unsupported"]);
  const silent: string[] = [];
  let seen = 0;
  for (const path of new Glob("src/**/*.ts").scanSync(TOP)) {
    if (path === LEFT_OUT) continue;
    const text = readFileSync(join(TOP, path), "utf8");
    const visitor = new Visitor({
      NewExpression({ start, callee, arguments: [code, , extra] }) {
        if (callee.type !== "Identifier" || callee.name !== "Failure") return;
        if (code?.type !== "Literal" || !SILENT.some((one) => one === code.value)) return;
        seen++;
        // What is no object is made elsewhere, from another failure or by a function that knows the step.
        const isObject = extra?.type === "ObjectExpression";
        const says = isObject
          ? extra.properties.some((one) => one.type === "SpreadElement" || isHint(one.key))
          : extra !== undefined;
        if (!says) silent.push(`${path}:${text.slice(0, start).split("\n").length}`);
      },
    });
    visitor.visit(parseSync(path, text).program);
  }
  expect(silent).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

function isHint(key: { readonly type: string; readonly name?: unknown }): boolean {
  return key.type === "Identifier" && key.name === "hint";
}
