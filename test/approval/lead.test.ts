/**
 * The first lines about a change: made of the diff that stands below them, so they must read it as it is, count what
 * they do not show, and hold nothing that hides.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { leadOfChange, shortenMiddle, type FileChange } from "../../src/approval/index.ts";
import { unifiedDiff } from "../../src/text/index.ts";

const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/u;

function edited(before: string, after: string, path = "a.txt"): FileChange {
  const { text: diff, added, removed } = unifiedDiff(before, after, { path, maxBytes: Infinity });
  return { operation: "edit", path, absolute: `/r/${path}`, diff, added, removed };
}

/** Lines that look like the parts of a diff are lines all the same. */
const line = fc.constantFrom(
  "a",
  "b",
  "-- a/a.txt",
  "++ b/a.txt",
  "@ -1,1 +1,1 @@",
  "",
  "\\ No newline at end of file",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded ? "\n" : ""));

describe("the first lines", () => {
  test("the first lines count all that changes, and show a change of one line itself", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const file = edited(before, after);
        const [first = "", ...more] = leadOfChange([{ file }]);
        const isSmall = file.added <= 1 && file.removed <= 1 && /^a\.txt:\d+ {2}[-+]/.test(first);
        if (isSmall) expect(more).toEqual([]);
        else expect(first).toMatch(new RegExp(`^Edit a\\.txt: \\+${file.added} -${file.removed}(?: in \\d+ places)?$`));
        expect(more.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  test("the first lines have the numbers of the lines as an editor counts them", () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), fc.nat({ max: 30 }), (before, after) => {
        const around = (middle: string): string => "same\n".repeat(before) + middle + "same\n".repeat(after);
        const leads = [edited(around("old\n"), around("new\n")), edited(around(""), around("new\n"))].map(
          (file) => leadOfChange([{ file }])[0],
        );
        expect(leads).toEqual([`a.txt:${before + 1}  -old  +new`, `a.txt:${before + 1}  +new`]);
      }),
    );
  });

  test("the first lines hold nothing that hides, in whatever names and lines, and are no longer than a screen", () => {
    const any = fc.string({ unit: "binary", maxLength: 400 });
    fc.assert(
      fc.property(any, any, any, (name, before, after) => {
        for (const file of [edited(before, after, name), { ...edited("", after, name), operation: "delete" as const }])
          for (const one of leadOfChange([{ file }])) {
            expect(one).not.toMatch(HIDDEN);
            expect(one.isWellFormed()).toBe(true);
            // Signs that are escaped are up to nine characters each, in a name of sixty.
            expect(one.length).toBeLessThan(1000);
          }
      }),
    );
  });

  test("the first lines of several files count every kind, and name what is lost first", () => {
    const create: FileChange = { ...edited("", "x\n", "new.txt"), operation: "create" };
    const gone: FileChange = {
      operation: "delete",
      path: "old.txt",
      absolute: "/r/old.txt",
      added: 0,
      removed: 0,
    };
    const files = [create, edited("a\n", "b\n"), create, gone];
    expect(leadOfChange(files.map((file) => ({ file })))).toEqual([
      "4 changes: delete 1, edit 1, create 2 (+3 -1)",
      "Delete old.txt",
      "a.txt:1  -a  +b",
    ]);
  });
});

test("a text that is shortened keeps its ends, and no half of a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 3, max: 40 }), (long, most) => {
      const short = shortenMiddle(long.toWellFormed(), most);
      expect(short.isWellFormed()).toBe(true);
      expect(short.length).toBeLessThanOrEqual(most < long.length ? most : long.length);
    }),
  );
  expect(shortenMiddle("abcdefghijklmnop", 7)).toBe("abcd…op");
});
