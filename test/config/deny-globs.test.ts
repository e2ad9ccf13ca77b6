/**
 * What a glob of `deny` closes: every path that it plainly names, by whatever link it is named, or it is refused. What is
 * accepted and closes nothing is the worst that can be, since nobody is told.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { denyProblems, parseDeny } from "../../src/config/deny-globs.ts";
import { resolveConfig } from "../../src/config/index.ts";
import { createDenyRules } from "../../src/scope/deny.ts";
import { Scope } from "../../src/scope/index.ts";
import { codeOf } from "../base/code-of.ts";
import { fc } from "../property.ts";

function closes(given: string, path: string): boolean {
  return createDenyRules(parseDeny(given).map((glob) => ({ glob, top: "" }))).denies(path);
}

const closing: [glob: string, paths: string][] = [
  ["./a//b/./", "a/b"],
  [String.raw`a\/`, "a"],
  [String.raw`a\/b\/`, "a/b"],
  [String.raw`\a\{b`, "a{b"],
  ["{a/,b//}", "a b"],
  ["x/{a/./b,c}", "x/a/b x/c"],
  ["@(a/|b)", "a b"],
  ["{a/|x,b}", "a/|x b"],
  [String.raw`x\{a/,b}`, "x{a/,b}"],
  ["{a/}", "{a/}"],
  ["{a,b}{,/c}", "a a/c b"],
  ["a{,/**}", "a a/b"],
  ["a{/**,}", "a a/b"],
  ["{**/,}*.pem", "k.pem a/k.pem"],
  ["**/{,.}env", "env a/.env"],
  ["**/?(.)env", "env a/.env"],
  ["a/**/b", "a/b a/x/y/b"],
  ["a/**", "a a/b"],
  ["+(a/)b", "a/b a/a/b"],
  ["*(a/)b", "b a/b"],
  ["a[/]b", "a/b"],
  ["[.]env", ".env"],
  ["[id]/x", "i/x [id]/x"],
  ["x{./a,b}", "x./a xb"],
  ["...", "..."],
  ["x/!(a)/b", "x/y/b"],
];
test.each(closing)("%s closes what it names: %s", (glob, paths) => {
  expect(paths.split(" ").filter((path) => !closes(glob, path))).toEqual([]);
});

const refused: [glob: string, name: string][] = [
  ["{./a,b}", '"."'],
  ["{a/.,b}", '"."'],
  ["{.,a}/b", '"."'],
  [".{/a,b}", '"."'],
  [String.raw`\./a`, '"."'],
  ["[.]/a", '"."'],
  ["@(.|a)/b", '"."'],
  ["a/*(.)/b", "an empty name"],
  ["{..,a}/b", '".."'],
  ["a/.{.,b}/c", '".."'],
  [String.raw`a/.\./b`, '".."'],
  ["a/{b,..}", '".."'],
  ["{a/,{b/,c/}}", "an empty name"],
  ["{a/,b}/c", "an empty name"],
  ["{a/,b}/**", "an empty name"],
  ["{,a}/b", "an empty name"],
  ["{,a}", "an empty name"],
  ["a/{b,}", "an empty name"],
  ["a/{,b}/c", "an empty name"],
  ["a/?(b)", "an empty name"],
  ["+(a/|{b/,c})", "an empty name"],
  ["a[/]", "an empty name"],
];
test.each(refused)("%s is refused, because it names a path that nobody asks for: %s", (glob, name) => {
  const { message, hint } = failureOf(glob);
  expect(message).toContain(`--deny ${JSON.stringify(glob)} cannot be used: it names a path with ${name} in it`);
  expect(hint).toContain("{a,b/c} for {./a,b/c/}");
});

function failureOf(glob: string): { readonly message: string; readonly hint?: string } {
  try {
    parseDeny(glob);
  } catch (thrown) {
    return (thrown as { data: { message: string; hint?: string } }).data;
  }
  throw new Error(`${glob} was accepted`);
}

/** A glob with all that it plainly names, as a shell would write it out. */
interface Written {
  readonly glob: string;
  readonly names: readonly string[];
}

const TEXTS = [
  "a",
  "bc",
  ".d",
  "a.b",
  ".",
  "..",
  "/",
  "//",
  "./",
  "/../",
  String.raw`\/`,
  String.raw`\.`,
  String.raw`\{`,
];

const text = fc.constantFrom(...TEXTS).map((glob): Written => ({ glob, names: [glob.replace("\\", "")] }));

function inRow(parts: readonly Written[]): Written {
  return {
    glob: parts.map(({ glob }) => glob).join(""),
    names: parts.reduce<string[]>((all, { names }) => all.flatMap((one) => names.map((name) => one + name)), [""]),
  };
}

function group(part: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  const row = fc.array(part, { maxLength: 3 }).map(inRow);
  const choices = fc.array(row, { minLength: 2, maxLength: 3 });
  return fc.tuple(choices, fc.boolean()).map(([all, isBraces]) => ({
    glob: isBraces ? `{${all.map(({ glob }) => glob).join(",")}}` : `@(${all.map(({ glob }) => glob).join("|")})`,
    names: all.flatMap(({ names }) => names),
  }));
}

const inner = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: group(text) });
const globs = fc
  .array(fc.oneof({ weight: 2, arbitrary: text }, { weight: 1, arbitrary: group(inner) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map(inRow)
  .filter(({ glob }) => !/^\\?\//.test(glob));

test("any glob closes each path that it plainly names, or is refused; and none is refused that names paths alone", () => {
  let accepted = 0;
  fc.assert(
    fc.property(globs, ({ glob, names }) => {
      if (names.every((name) => name.split("/").every((one) => !["", ".", ".."].includes(one)))) parseDeny(glob);
      if (codeOf(() => parseDeny(glob)) !== "ok") return;
      accepted++;
      for (const name of names) {
        const plain = name.split("/").filter((one) => one !== "" && one !== ".");
        expect([name, name.startsWith("/") || plain.includes("..") || plain.length === 0]).toEqual([name, false]);
        expect([name, closes(glob, plain.join("/"))]).toEqual([name, true]);
      }
    }),
    { numRuns: 5000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

test("groups in groups are looked through at once", () => {
  const deep = `${"+(".repeat(60)}a/{b,c}d${")".repeat(60)}`;
  expect(closes(deep, "a/bd")).toBe(true);
  expect(closes(`${"{a,".repeat(60)}b/c${"}".repeat(60)}`, "b/c")).toBe(true);
});

describe("links", () => {
  let base = "";
  let root = "";
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "deny-")));
    root = join(base, "real (1)/proj");
    mkdirSync(join(root, "dir/secret"), { recursive: true });
    mkdirSync(join(root, "secret"));
    for (const path of ["dir/secret/k", "secret/k", "open"]) writeFileSync(join(root, path), "");
    symlinkSync("real (1)", join(base, "link"));
    symlinkSync("link", join(base, "other"));
    symlinkSync("dir", join(root, "linked"));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const read = (given: string, path: string, asRoot = root): string => {
    const { deny, roots } = resolveConfig({ roots: [asRoot], deny: [given], stateDir: join(base, "state") });
    using scope = new Scope({ roots, deny });
    return codeOf(() => scope.openFile(scope.locate(path, "read"), "read")[Symbol.dispose]());
  };

  test("an absolute glob through a link closes what it leads to, by whatever link the root was given", () => {
    for (const given of ["link/proj/secret", "other/proj/secret", "link/*/sec*", "other/**/k", "real (1)/proj/secret"])
      for (const asRoot of [root, join(base, "link/proj"), join(base, "other/proj")]) {
        const paths = ["secret/k", `${root}/secret/k`, `${asRoot}/secret/k`];
        expect([given, paths.map((path) => read(`${base}/${given}`, path, asRoot))]).toEqual([
          given,
          ["denied", "denied", "denied"],
        ]);
        expect(read(`${base}/${given}`, "open", asRoot)).toBe("ok");
      }
  });

  test("an absolute glob closes the name of a link in the root and what it leads to; a relative one closes the name alone", () => {
    for (const given of [`${root}/linked/secret`, `${base}/link/proj/linked/secret`]) {
      expect([read(given, "linked/secret/k"), read(given, "dir/secret/k")]).toEqual(["denied", "denied"]);
      expect(parseDeny(given).some((glob) => /real.*1.*\/proj\/linked\/secret$/.test(glob))).toBe(true);
    }
    expect([read("linked/secret", "linked/secret/k"), read("linked/secret", "dir/secret/k")]).toEqual(["denied", "ok"]);
    expect([read("dir/secret", "linked/secret/k"), read("dir/secret", "dir/secret/k")]).toEqual(["denied", "denied"]);
  });

  test("an absolute glob is refused where no spelling lies in a root, or one leaves nothing of it, and named as it was given", () => {
    const roots = [{ path: root, readOnly: false }];
    const problems = (...given: string[]): unknown => denyProblems(given, roots);
    const over = `it leaves nothing of the root ${JSON.stringify(root)}`;
    symlinkSync(".", join(root, "self"));
    symlinkSync("/", join(base, "top"));
    expect(problems(`${base}/link/else`, `${base}//link/proj`, `${base}/link/proj/secret`, `${root}/self`)).toEqual([
      { glob: `${base}//link/proj`, why: over },
      { glob: `${root}/self`, why: over },
      { glob: `${base}/link/else`, why: "it lies in no root" },
    ]);
    expect(problems(`${base}/top`)).toEqual([{ glob: `${base}/top`, why: over }]);
    expect(problems("~/nothing")).toEqual([{ glob: "~/nothing", why: "it lies in no root" }]);
  });

  test("an absolute glob is read in a moment, however long it is", () => {
    const long = `${base}/link${"/a".repeat(100_000)}`;
    expect(parseDeny(long).length).toBe(2);
  });

  test("a home directory is not left by .., which its links would lead elsewhere", () => {
    expect(codeOf(() => parseDeny("~/../x"))).toBe("invalid_input");
  });
});
