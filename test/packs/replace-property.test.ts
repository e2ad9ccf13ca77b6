/**
 * Replacements in random trees against what JavaScript's own `replace` makes of each file, line by line or as a whole, and
 * against `sed` where it is there. Only patterns that mean the same in both engines are drawn.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fc } from "../property.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";
import { component } from "../components/component.ts";

let host: TestHost;

beforeAll(() => {
  host = openTestHost({ config: { mode: "bypass" } });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

const char = fc.constantFrom("a", "b", "c", "A", " ", "\t", "é", "日", "😀", "$", "\u00a0");
const text = fc.array(fc.oneof({ weight: 6, arbitrary: char }, fc.constant("\n")), { maxLength: 40 });
const tree = fc.dictionary(
  fc.constantFrom("a.txt", "b.txt", "d/c.txt", "d/e/f.txt", "z"),
  text.map((signs) => signs.join("")),
  { minKeys: 1 },
);

const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "é", "\\$", "(a)", "(b|é)", "(?:c|.)", "(日?)", "^", "$");
const times = fc.constantFrom("", "", "", "+", "*", "?", "{2}", "+?", "*?");
const piece = fc.tuple(atom, times).map(([one, many]) => (one === "^" || one === "$" ? one : one + many));
const pattern = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
  fc.tuple(piece, piece).map((both) => both.join("|")),
);
const replacement = fc.array(fc.constantFrom("x", "${0}", "$0 ", "$$", "é", " ", "-"), { maxLength: 4 });

function layTree(files: Readonly<Record<string, string>>): void {
  for (const name of ["a.txt", "b.txt", "d", "z"]) rmSync(join(host.root, name), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(host.root, path)), { recursive: true });
    writeFileSync(join(host.root, path), content);
  }
}

/** JavaScript writes `$&` for the match. */
function inModel(content: string, asked: { pattern: string; replacement: string; multiline: boolean }): string {
  const expression = new RegExp(asked.pattern, asked.multiline ? "gmu" : "gu");
  const filled = (match: string): string =>
    match === "" ? "" : asked.replacement.replaceAll(/\$(?:\$|\{?0\}?)/g, (sign) => (sign === "$$" ? "$" : match));
  const units = asked.multiline ? [content] : content.split("\n");
  return units.map((unit) => unit.replace(expression, filled)).join("\n");
}

test.each([false, true])(
  "a replacement with multiline %p makes of any tree what JavaScript makes of it",
  async (multiline) => {
    await fc.assert(
      fc.asyncProperty(tree, pattern, replacement, async (files, source, parts) => {
        layTree(files);
        const asked = { pattern: source, replacement: parts.join(""), multiline };
        const answer = await host.call("replace", { ...asked, dry_run: false });
        const wanted = Object.fromEntries(
          Object.entries(files).map(([path, content]) => [path, inModel(content, asked)] as const),
        );
        if (answer.failure) {
          expect(answer.failure.message).toContain("it matches the empty text only");
          expect(wanted).toEqual(files);
        }
        expect(textsIn(host.root)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  },
);

test("a replacement with groups makes of any tree what JavaScript makes of it", async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom("(a)(b)?", "(?:(é)|(.))b", "([ab]+)(\\s)"), async (files, source) => {
      layTree(files);
      await host.call("replace", { pattern: source, replacement: "[${1}|$2]", dry_run: false });
      const expression = new RegExp(source, "gu");
      const wanted = Object.entries(files).map(([path, content]) => {
        const lines = content.split("\n").map((line) => line.replace(expression, "[$1|$2]"));
        return [path, lines.join("\n")] as const;
      });
      expect(textsIn(host.root)).toEqual(Object.fromEntries(wanted));
    }),
    { numRuns: 40 },
  );
});

const sed = component("sed");

test.skipIf(sed.isMissing)(`a replacement makes of any file what sed makes of it${sed.note}`, async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("[ab]+", "(a)+", "b.", "[^a ]+c?", "^.", ".$"), async (signs, source) => {
      const content = signs.join("");
      layTree({ "a.txt": content });
      const { stdout } = Bun.spawnSync(["sed", "-E", `s/${source}/<&>/g`, join(host.root, "a.txt")], {
        env: { LC_ALL: "C.UTF-8" },
      });
      await host.call("replace", { pattern: source, replacement: "<$0>", dry_run: false });
      expect(textsIn(host.root)).toEqual({ "a.txt": stdout.toString() });
    }),
    { numRuns: 30 },
  );
});

function textsIn(root: string): Record<string, string> {
  const paths = [...new Bun.Glob("**").scanSync({ cwd: root, onlyFiles: true })].sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")] as const));
}
