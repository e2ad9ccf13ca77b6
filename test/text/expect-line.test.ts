/** Where the line number of a hunk leads in a file that has moved lines, or has some of the hunks. */
import { describe, expect, test } from "bun:test";
import { failed, textOf, unified } from "./patch-kit.ts";

const statements = Array.from({ length: 40 }, (_, at) => `${"abcdefgh"[at % 8]}${at} = call ${(at * 7919) % 1000}`);

function replaceAt(at: number): string[] {
  return [`@@ -${at} +${at} @@`, `-${statements[at - 1]}`, `+${statements[at - 1]} + ${at}`];
}

function insertBehind(at: number): string[] {
  return [`@@ -${at},0 +${at + 1} @@`, "+one more line"];
}

function fileOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

describe("a line number", () => {
  test("a hunk that only inserts is not put there again in a file that had moved lines before", () => {
    const patch = [...replaceAt(3), ...insertBehind(30), ...insertBehind(35)];
    const once = textOf(unified(fileOf(["one", "two", "three", ...statements]), ...patch));
    expect(once.split("\n").indexOf("one more line")).toBe(33);
    expect(unified(once, ...patch)).toEqual({ kind: "unchanged", reason: "already_applied" });
  });

  test("a hunk that only inserts is refused where the hunks around it have moved by other numbers of lines", () => {
    const patch = [...replaceAt(10), ...insertBehind(12), ...replaceAt(14)];
    const refused = { code: "ambiguous", hunk: 1 };
    expect(failed(unified(fileOf(statements.toSpliced(10, 3)), ...patch))).toMatchObject({ ...refused, lines: [11] });
    const grown = statements.toSpliced(13, 0, "one", "two", "three", "four");
    expect(failed(unified(fileOf(grown), ...patch))).toMatchObject({ ...refused, lines: [11, 18] });
    const moved = ["one", "two", ...statements];
    expect(
      textOf(unified(fileOf(moved), ...patch))
        .split("\n")
        .indexOf("one more line"),
    ).toBe(14);
  });

  test("a number leads further down by what a hunk that was made before has added", () => {
    const block = ["if (left === undefined) {", "  return;", "}"];
    const whole = [
      ...statements.slice(0, 20),
      ...block,
      ...statements.slice(20, 25),
      ...block,
      ...statements.slice(25),
    ];
    const added = Array.from({ length: 10 }, (_, at) => `+const brand_new_${at} = ${at};`);
    const first = ["@@ -5,2 +5,12 @@", ` ${statements[4]}`, ...added, ` ${statements[5]}`];
    const second = ["@@ -29,3 +39,3 @@", ` ${block[0]}`, "-  return;", "+  return OTHER;", ` ${block[2]}`];
    const half = textOf(unified(fileOf(whole), ...first));
    expect(textOf(unified(half, ...first, ...second))).toBe(textOf(unified(fileOf(whole), ...first, ...second)));
  });
});
