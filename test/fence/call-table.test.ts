/**
 * The table of system calls: every call of this machine's kernel headers is in it with its number and a reason, and what it
 * does not have, or nobody has judged, is closed in the host and in commands.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSources } from "../../scripts/checks/read-sources.ts";
import { addNewCalls, compareCalls, headersOf, readHeader } from "../../scripts/checks/kernel-calls.ts";
import { readCallTable, ruleOf, type FilterReach } from "../../src/fence/call-rules.ts";
import { childFilterProgram, filterProgram, makeFilters, type HelperNetwork } from "../../src/fence/filter-programs.ts";

const TEXT = readFileSync(join(import.meta.dir, "..", "..", "src", "fence", "call-table.txt"), "utf8");
const rows = readCallTable();
const headers = headersOf();

describe("the table of system calls", () => {
  test("the table of system calls says of each call why, and has no call and no number twice", () => {
    expect(rows.filter(({ why }) => why.length < 5)).toEqual([]);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const architecture of ["x64", "arm64"] as const) {
      const numbers = rows.flatMap((row) => row.numbers[architecture] ?? []);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length).toBeGreaterThan(300);
    }
  });

  test("the table of system calls has no word that means nothing", () => {
    for (const { host, command, name } of rows)
      for (const word of [host, command])
        for (const network of ["none", "internet", "all", "listen", "listed", "listed and unix"] as const)
          expect(ruleOf(word, name, network).length).toBeGreaterThan(0);
    expect(() => ruleOf("perhaps", "read", "none")).toThrow("no rule");
  });

  test.skipIf(headers === undefined)(
    "the table of system calls has every call of this machine's kernel headers",
    () => {
      expect(compareCalls(TEXT, headers as NonNullable<typeof headers>)).toEqual([]);
    },
  );

  test("takes a call that is new, closed, until somebody says why it may be opened", () => {
    const fresh = readHeader("#define __NR_read 0\n#define __NR_brand_new 480\n#define __NR_syscalls 481\n");
    const generic = readHeader(
      "63\tcommon\tread\tsys_read\n480\tcommon\tbrand_new\tsys_brand_new\n25\t32\tfcntl64\tx\n",
    );
    const both = { x64: fresh, arm64: generic };
    expect(compareCalls(TEXT, both)).toEqual([
      "x64 brand_new is 480, and missing in the table",
      "arm64 brand_new is 480, and missing in the table",
    ]);
    const after = addNewCalls(TEXT, both);
    expect(compareCalls(after, both)).toEqual([]);
    expect(readCallTable(after).at(-1)).toMatchObject({
      name: "brand_new",
      host: "absent",
      command: "absent",
    });
    expect(compareCalls(TEXT.replace("\n0 63 read ", "\n1000 63 read "), both)).toContain(
      "x64 read is 0, and 1000 in the table",
    );
  });
});

test.each(["x64", "arm64"] as const)(
  "the filters that an executable for %s brings say what its programs say",
  (arch) => {
    const filters = Object.entries(makeFilters(arch));
    expect(filters.map(([name]) => name)).toEqual([
      ...["none", "internet", "listen"].map((network) => `host ${network}`),
      ...["none", "internet", "all", "listen", "listed", "listed and unix"].map((network) => `command ${network}`),
    ]);
    for (const [name, filter] of filters) {
      const [, role, network] = /^(host|command) (.+)$/.exec(name) ?? [];
      const made =
        role === "host"
          ? filterProgram(arch, network as HelperNetwork)
          : childFilterProgram(arch, network as FilterReach);
      expect(instructionsOf(filter)).toEqual(made.map(([code, yes, no, value]) => [code, yes, no, value >>> 0]));
    }
  },
);

function instructionsOf(filter: string): readonly (readonly number[])[] {
  const bytes = Buffer.from(filter, "base64");
  return Array.from({ length: bytes.length / 8 }, (_, at) => [
    bytes.readUInt16LE(at * 8),
    bytes.readUInt8(at * 8 + 2),
    bytes.readUInt8(at * 8 + 3),
    bytes.readUInt32LE(at * 8 + 4),
  ]);
}

test("no system call is given memory that the runtime may move", () => {
  const files = readSources(["src"]);
  const moved = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bcall\("\w+",[^\n]*(?<!foreignBytes\()\bBuffer\.(?:from|alloc)\w*\(/g)].map(
      ([line]) => `${path}: ${line}`,
    ),
  );
  expect(moved).toEqual([]);
  expect(files.filter(({ text }) => text.includes('call("')).length).toBeGreaterThan(2);
});
