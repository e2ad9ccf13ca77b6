/**
 * The table of system calls: every call of this machine's kernel headers is in it with its number and a reason, and what it
 * does not have, or nobody has judged, is closed in the host and in commands.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addNewCalls, compareCalls, headersOf, readHeader } from "../../scripts/checks/kernel-calls.ts";
import { readCallTable, ruleOf } from "../../src/fence/call-rules.ts";
import { childFilterProgram, encodedFilter } from "../../src/fence/seccomp.ts";

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

test.skipIf(process.arch !== "x64" && process.arch !== "arm64")(
  "the bytes of a filter say what its instructions say",
  () => {
    for (const network of ["none", "internet", "all"] as const) {
      const bytes = Buffer.from(encodedFilter(network), "base64");
      const decoded = Array.from({ length: bytes.length / 8 }, (_, at) => {
        const [code, ifTrue, ifFalse] = [bytes.readUInt16LE(at * 8), bytes[at * 8 + 2], bytes[at * 8 + 3]];
        return [code, ifTrue, ifFalse, bytes.readUInt32LE(at * 8 + 4)];
      });
      expect(decoded).toEqual(childFilterProgram(process.arch as "x64" | "arm64", network).map((one) => [...one]));
    }
  },
);
