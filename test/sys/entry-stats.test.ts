/**
 * Many names of a directory looked at together: each is as lstat says, in the order of the names, whatever they are made
 * of.
 */
import { expect, test } from "bun:test";
import { linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { Scope } from "../../src/scope/index.ts";
import { fsName, statEntries, statEntry } from "../../src/sys/index.ts";

function inDirectory(run: (path: string, look: (names: readonly string[]) => unknown) => void): void {
  const path = mkdtempSync(join(tmpdir(), "ringfence-stat-"));
  const scope = new Scope({ roots: [{ path, readOnly: true }] });
  try {
    using directory = scope.openDirectory(scope.locate(".", "read"), "read");
    run(path, (names) => {
      const all = statEntries(directory, names);
      expect(names.map((name) => statEntry(directory, name))).toEqual(all);
      return all.map((stat) => stat && [stat.size, stat.mode, stat.nlink, stat.mtimeMs, stat.blocks]);
    });
  } finally {
    scope[Symbol.dispose]();
    rmSync(path, { recursive: true });
  }
}

function expected(path: string, names: readonly string[]): unknown {
  return names.map((name) => {
    const stat = lstatSync(fsName(`${path}/${name}`), { throwIfNoEntry: false });
    return stat && [stat.size, stat.mode, stat.nlink, stat.mtimeMs, stat.blocks];
  });
}

const NAME = fc.oneof(
  fc.stringMatching(/^[a-z.]{1,12}$/).filter((name) => name !== "." && name !== ".."),
  fc.constantFrom("é", "\u{1f600}", "bad-\udcff", "n".repeat(255), "é".repeat(127), "two\nlines"),
);

test("as lstat says, of any number of names", () => {
  fc.assert(
    fc.property(fc.uniqueArray(NAME, { maxLength: 40 }), fc.nat(700), (names, more) => {
      inDirectory((path, look) => {
        for (const [at, name] of names.entries())
          if (at % 4 !== 3) writeFileSync(fsName(`${path}/${name}`), "x".repeat(at));
        const many = Array.from({ length: more }, (_, at) => `many-${at}`);
        for (const name of many) writeFileSync(join(path, name), name);
        const asked = [...names, ...many, "gone"];
        expect(look(asked)).toEqual(expected(path, asked));
      });
    }),
    { numRuns: 15 },
  );
});

test("links are described as themselves, and so are directories and what has several names", () => {
  inDirectory((path, look) => {
    symlinkSync("nowhere", join(path, "link"));
    mkdirSync(join(path, "directory"));
    writeFileSync(join(path, "one"), "1");
    linkSync(join(path, "one"), join(path, "two"));
    const names = ["two", "link", "one", "directory", "none"];
    expect(look(names)).toEqual(expected(path, names));
  });
  inDirectory((_path, look) => expect(look([])).toEqual([]));
});
