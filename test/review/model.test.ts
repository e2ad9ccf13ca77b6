/**
 * The model that every surface of a review shows: rows of a diff, pieces of a line, and what a person has chosen.
 */
import { expect, test } from "bun:test";
import {
  choose,
  leaveOut,
  noChoices,
  openRuleSheet,
  noteSeen,
  partsOf,
  unseen,
  type ReviewedFile,
} from "../../src/review/index.ts";
import { readDiff } from "../../src/review/rows/read-diff.ts";
import { showLine } from "../../src/review/rows/show-line.ts";
import { markWords } from "../../src/review/rows/word-marks.ts";
import { unifiedDiff } from "../../src/text/index.ts";
import { fc } from "../property.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const lines = (...all: string[]): string => all.map((one) => `${one}\n`).join("");
const LONG = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

function fileOf(old: string, now: string): ReviewedFile {
  const { text, added, removed } = unifiedDiff(old, now, { path: "a.txt", maxBytes: 1e6 });
  return { path: "a.txt", absolute: "/r/a.txt", line: "Edit a.txt", added, removed, hunks: readDiff(text) };
}

const twoHunks = (): ReviewedFile =>
  fileOf(
    lines(...LONG),
    lines(...LONG.map((line, index) => (index === 1 || index === 5 || index === 28 ? `${line}!` : line))),
  );

test("readDiff() names every place of change in its hunk and numbers the lines on both sides", () => {
  const { hunks } = twoHunks();
  expect(hunks.map(({ number, places }) => [number, places])).toEqual([
    [1, ["1.1", "1.2"]],
    [2, ["2.1"]],
  ]);
  const changed = hunks[0]?.rows.filter(({ place }) => place === "1.2");
  expect(changed?.map(({ kind, old, new: now, raw }) => [kind, old, now, raw])).toEqual([
    ["removed", 6, undefined, "line 6"],
    ["added", undefined, 6, "line 6!"],
  ]);
});

test("readDiff() says which line the file ends with when it has no line feed", () => {
  const { hunks } = fileOf("one\ntwo", "one\ntwo\n");
  expect(hunks[0]?.rows.map(({ kind, isUnended }) => [kind, isUnended])).toEqual([
    ["same", false],
    ["removed", true],
    ["added", false],
  ]);
});

test("showLine() gives a sign for what commands, hides or is missed", () => {
  expect(shown("a\u001b[31mb\u202ec\u0000")).toBe("a<\\x1b>[31mb<\\u202e>c<\\x00>");
  expect(shown("a\tb  \r")).toBe("a<\t>b<··␍>");
  expect(shown("a b\u00a0c")).toBe("a b<⍽>c");
  expect(shown("")).toBe("");
});

test("showLine() marks the words that differ and keeps the line as it is", () => {
  const { old, new: now } = markWords("const total = 1;", "const sum = 1;");
  expect(old).toEqual([[6, 11]]);
  expect(showLine("const sum = 1;", now)).toEqual([
    { kind: "plain", text: "const " },
    { kind: "word", text: "sum" },
    { kind: "plain", text: " = 1;" },
  ]);
});

test("markWords() marks nothing in lines that share little, and in long ones", () => {
  expect(markWords("alpha beta", "gamma delta epsilon zeta").old).toEqual([]);
  expect(markWords("x".repeat(3000), "x".repeat(3001)).old).toEqual([]);
});

test("partsOf() names what is taken in the words of ringfence/proposals/apply", () => {
  const file = twoHunks();
  const other = { ...fileOf("a\n", "b\n"), path: "b.txt" };
  const all = noChoices("p@d");
  expect(partsOf(all, [file, other])).toEqual({});
  const some = choose(all, file, false, ["1.2"]);
  expect(partsOf(some, [file, other])).toEqual({ files: ["b.txt"], hunks: { "a.txt": ["1.1", 2] } });
  expect(partsOf(choose(some, file, true, ["1.2"]), [file, other])).toEqual({});
  expect(partsOf(choose(some, file, false), [file, other])).toEqual({ files: ["b.txt"] });
  expect(partsOf(choose(choose(all, file, false), other, false), [file, other])).toBe("nothing");
});

test("a file without hunks is taken or left whole", () => {
  const moved: ReviewedFile = { ...fileOf("a\n", "b\n"), hunks: [] };
  const left = choose(noChoices("p@d"), moved, false);
  expect(partsOf(left, [moved])).toBe("nothing");
  expect(partsOf(choose(left, moved, true), [moved])).toEqual({});
});

test.each(["constructor", "__proto__", "toString"])("a file can be called %s", (path) => {
  const file: ReviewedFile = { ...twoHunks(), path };
  const none = noChoices("p@d");
  expect(partsOf(none, [file])).toEqual({});
  expect(unseen(noteSeen(none, file, [1]), [file])).toEqual(Object.fromEntries([[path, [2]]]));
  const { hunks = {} } = partsOf(choose(none, file, false, ["1.2"]), [file]) as { hunks?: object };
  expect(Object.entries(hunks)).toEqual([[path, ["1.1", 2]]]);
});

test("leaveOut() takes paths as shown and absolute, hunks by their number, and places of change", () => {
  const files = [twoHunks(), { ...fileOf("a\n", "b\n"), path: "b.txt", absolute: "/r/b.txt" }];
  const parts = (out: Record<string, "all" | string[]>): object | string =>
    partsOf(leaveOut(noChoices("p@d"), files, new Map(Object.entries(out))), files);
  expect(parts({ "a.txt": ["2"] })).toEqual({ files: ["b.txt"], hunks: { "a.txt": [1] } });
  expect(parts({ "a.txt": ["1.2"] })).toEqual({ files: ["b.txt"], hunks: { "a.txt": ["1.1", 2] } });
  expect(parts({ "/r/a.txt": ["1"], "a.txt": ["2"] })).toEqual({ files: ["b.txt"] });
  expect(parts({ "/r/b.txt": "all" })).toEqual({ files: ["a.txt"] });
  expect(parts({ "b.txt": ["1"] })).toEqual({ files: ["a.txt"] });
  expect(parts({ "b.txt": [] })).toEqual({});
});

test.each([
  ["./a.txt", "all"],
  ["c.txt", ["1"]],
  ["a.txt", ["99.1"]],
  ["a.txt", ["1.1", "3"]],
  ["a.txt", ["01"]],
] as const)("leaveOut() refuses what names nothing: %s %j", (name, names) => {
  const files = [twoHunks()];
  expect(() => leaveOut(noChoices("p@d"), files, new Map([[name, names]]))).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test("leaveOut() refuses the places of a file that is taken whole, and all names of a call", () => {
  const moved: ReviewedFile = { ...fileOf("a\n", "b\n"), hunks: [] };
  expect(() => leaveOut(noChoices("p@d"), [moved], new Map([["a.txt", ["1"]]]))).toThrow("Cannot leave out");
  expect(() => leaveOut(noChoices("p@d"), [], new Map([["a.txt", "all"]]))).toThrow("Cannot leave out");
});

test("unseen() names the hunks that would be applied and were never shown", () => {
  const file = twoHunks();
  const one = noteSeen(noChoices("p@d"), file, [1]);
  expect(unseen(one, [file])).toEqual({ "a.txt": [2] });
  expect(unseen(choose(one, file, false, ["2.1"]), [file])).toEqual({});
  expect(unseen(noteSeen(one, file, [2, 1]), [file])).toEqual({});
});

/** Signs stand in angle brackets. */
function shown(line: string): string {
  return showLine(line)
    .map(({ kind, text }) => (kind === "sign" ? `<${text}>` : text))
    .join("");
}

const someLines = fc.array(fc.constantFrom("a", "b", "c", "", "a\r", "\tb"), { maxLength: 25 });

test.each([["/srv"], ["/"]])("openRuleSheet() offers the file and its directory in the root %s", (root) => {
  const why = { suggested_rules: ["edit_file"] } as never;
  const paths = [`${root === "/" ? "" : root}/notes/one.txt`];
  expect(openRuleSheet({ id: "p_1", tool: "edit_file", why, host_roots: [root], paths })?.candidates).toEqual([
    "edit_file",
    "edit_file(notes/one.txt)",
    "edit_file(notes/**)",
  ]);
});

test("whatever places are left out, the rest is applied, and nothing else", async () => {
  await using host = openTestHost({ config: { baseline: "if_known" } });
  await fc.assert(
    fc.asyncProperty(someLines, someLines, fc.array(fc.boolean(), { maxLength: 20 }), async (old, now, taken) => {
      const [before, after] = [lines(...old), lines(...now)];
      fc.pre(before !== after);
      await Bun.write(`${host.root}/a.txt`, before);
      await host.call("read_file", { path: "a.txt", maxBytes: 1e6 });
      const { proposal } = await host.call("write_file", { path: "a.txt", content: after, overwrite: true });
      if (!proposal) throw new Error("a change without a proposal");
      const { result } = await host.request("ringfence/proposals/get", { id: proposal.id });
      const file: ReviewedFile = { ...fileOf("", ""), hunks: readDiff(result.files[0].diff) };
      const places = file.hunks.flatMap((hunk) => hunk.places);
      const out = places.filter((_, index) => taken[index] === false);
      const parts = partsOf(choose(noChoices("p@d"), file, false, out), [file]);
      if (parts === "nothing") {
        await host.request("ringfence/proposals/reject", { id: proposal.id });
        return;
      }
      await host.request("ringfence/proposals/apply", { id: proposal.id, ...parts });
      expect(host.read("a.txt")).toBe(withoutPlaces(old, file, out));
    }),
    { numRuns: 60 },
  );
});

/** The old lines with the rows of the diff put over them, but for the places that are out. */
function withoutPlaces(old: readonly string[], { hunks }: ReviewedFile, out: readonly string[]): string {
  const result: string[] = [];
  let at = 0;
  for (const row of hunks.flatMap(({ rows }) => rows)) {
    if (row.old !== undefined) {
      result.push(...old.slice(at, row.old - 1));
      at = row.old;
    }
    const isOut = row.place !== undefined && out.includes(row.place);
    if (row.kind === "same" || (row.kind === "added") !== isOut) result.push(row.raw);
  }
  return lines(...result, ...old.slice(at));
}
