/**
 * Which root a caller's string means, and what is left below it, against a reference that says the rule another way.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import { parsePath, type ParsedPath } from "../../src/scope/parse-path.ts";

const ROOTS = [{ spellings: ["/r/one", "/link"] }, { spellings: ["/r/one/deep"] }, { spellings: ["/other"] }];

function outcome(path: string, roots = ROOTS): ParsedPath | string {
  try {
    return parsePath(path, roots, "read");
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
}

const namesOf = (text: string): string[] => text.split("/").filter((one) => one !== "" && one !== ".");

/** By lists of names: the root is the one whose names begin the path, the longest if there are several. */
function reference(path: string): Pick<ParsedPath, "root" | "rel"> | string {
  if (!path.startsWith("/")) return { root: 0, rel: namesOf(path).join("/") };
  const fits = ROOTS.flatMap(({ spellings }, root) => spellings.map((spelling) => ({ root, spelling })))
    .filter(({ spelling }) => `${path}/`.startsWith(`${spelling}/`))
    .sort((a, b) => b.spelling.length - a.spelling.length);
  const [best] = fits;
  if (!best) return "outside_scope";
  return { root: best.root, rel: namesOf(path.slice(best.spelling.length)).join("/") };
}

const name = fc.constantFrom("r", "one", "deep", "link", "other", "..", ".", "", "one2", "é", " a ", "~", "%2e");
const path = fc
  .tuple(
    fc.constantFrom("", "/", "/r/one", "/r/one/deep", "/other", "/link", "./", "//"),
    fc.array(name, { maxLength: 5 }),
  )
  .map(([start, names]) => start + (start !== "" && names.length > 0 ? "/" : "") + names.join("/"));

test("parsePath() is as the reference says", () => {
  fc.assert(
    fc.property(path, (asked) => {
      if (asked === "" || asked === "~" || asked.startsWith("~/")) expect(outcome(asked)).toBe("invalid_input");
      else {
        const found = outcome(asked);
        const plain = typeof found === "string" ? found : { root: found.root, rel: found.rel };
        expect(plain).toEqual(reference(asked));
      }
    }),
    { numRuns: 500 },
  );
});

test("nothing but a string that can be a path gets through, and nothing throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), (asked) => {
      const found = outcome(asked);
      if (typeof found === "string") expect(["invalid_input", "outside_scope"]).toContain(found);
      else expect(found.rel).not.toMatch(/^\/|\/$|\/\/|(^|\/)\.(\/|$)|\0/);
    }),
  );
});

describe("is invalid", () => {
  const cases: [what: string, path: string][] = [
    ["empty", ""],
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "a\ud800"],
    ["a name of 256 bytes", "ü".repeat(128)],
    ["a path of 4096 bytes", "a/".repeat(2048)],
    ["a home directory", "~/a"],
    ["a broken escape", "bytes:%zz"],
    ["an escaped NUL", "bytes:a%00"],
  ];
  test.each(cases)("parsePath() refuses %s", (_what, asked) => {
    expect(outcome(asked)).toBe("invalid_input");
  });

  test("parsePath() takes what is just below these limits", () => {
    for (const asked of ["ü".repeat(127), `${"a/".repeat(2047)}a`, "a~", "~a", "./~"])
      expect(typeof outcome(asked)).toBe("object");
  });
});

test.each([
  ["a/", true],
  ["a/.", true],
  ["a/..", true],
  ["a", false],
  [".", false],
  ["..", false],
])("%s must be a directory: %p", (asked, wanted) => {
  expect((outcome(asked) as ParsedPath).mustBeDirectory).toBe(wanted);
});
