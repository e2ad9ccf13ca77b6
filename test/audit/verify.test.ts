/**
 * Tampering: every byte of a log of 200 lines, changed, is found; so is every line that is removed, added, moved or
 * rewritten with a chain that fits, and an end that was cut off. What a kill leaves is torn and not tampered with.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { hasSigningKey, openAuditLog, openSigningKey, verifyAudit } from "../../src/audit/index.ts";
import { listenToLog } from "../../src/base/index.ts";
import { chainLine, splitLine } from "../../src/audit/chain.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";

const LINES = 200;
const folder = mkdtempSync(join(memoryFolder(), "ringfence-verify-"));
const folders = {
  audit: join(folder, "audit"),
  checkpoints: join(folder, "checkpoints"),
  keys: join(folder, "keys"),
};
let path: string;
let whole: Buffer;
let publicKey: string;

beforeAll(() => {
  for (const one of Object.values(folders)) mkdirSync(one);
  const log = openAuditLog(folders);
  for (let n = 2; n <= LINES; n++) log.record("decided", { tool: "read_file", n });
  log[Symbol.dispose]();
  path = join(folders.audit, readdirSync(folders.audit)[0]!);
  whole = readFileSync(path);
  publicKey = openSigningKey(folders.keys).publicKey;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found when the log is this. */
function problemsOf(text: string | Uint8Array): readonly string[] {
  writeFileSync(path, text);
  try {
    return problems();
  } finally {
    writeFileSync(path, whole);
  }
}

/** What is found as it is now. */
function problems(): readonly string[] {
  const report = verifyAudit(folders, publicKey);
  return [...report.problems, ...report.segments.flatMap((one) => one.problems)];
}

const lines = (): string[] => whole.toString().trimEnd().split("\n");
const joined = (all: readonly string[]): string => `${all.join("\n")}\n`;

test("the log itself is intact", () => {
  expect(problemsOf(whole)).toEqual([]);
  expect(lines()).toHaveLength(LINES);
});

test("verify notices a change of every byte", () => {
  const missed: number[] = [];
  const fd = openSync(path, "r+");
  for (let at = 0; at < whole.length; at++) {
    writeSync(fd, Buffer.of(whole.readUInt8(at) ^ (at % 2 === 0 ? 1 : 0x20)), 0, 1, at);
    if (problems().length === 0) missed.push(at);
    writeSync(fd, whole, at, 1, at);
  }
  closeSync(fd);
  expect(readFileSync(path).equals(whole)).toBe(true);
  expect(missed).toEqual([]);
});

describe("of line 100", () => {
  const at = 99;
  test.each([
    ["removed", (all: string[]) => all.toSpliced(at, 1), "line 100 has the number 101"],
    ["doubled", (all: string[]) => all.toSpliced(at, 0, all[at]!), "line 101 has the number 100"],
    ["moved", (all: string[]) => all.with(at, all[at + 1]!).with(at + 1, all[at]!), "line 100 has the number 101"],
    ["edited", (all: string[]) => all.with(at, all[at]!.replace("read_file", "read_fill")), "line 100 is not what"],
    ["cut off behind", (all: string[]) => all.slice(0, at + 1), "the end was cut off"],
  ] as const)("%s is found and named", (_what, tamper, said) => {
    expect(problemsOf(joined(tamper(lines()))).join("\n")).toContain(said);
  });

  test("a changed line with a hash that fits is found at the next", () => {
    const all = lines();
    const before = splitLine(all[at - 1]!)!.hash;
    const body = splitLine(all[at]!)!.body.replace("read_file", "read_fill");
    const found = problemsOf(joined(all.with(at, chainLine(before, body).text)));
    expect(found.join("\n")).toContain("line 101 is not what was written, or does not follow line 100");
  });

  test("a changed line with a whole chain that fits is found at the checkpoint", () => {
    let before = splitLine(lines()[at - 1]!)!.hash;
    const rewritten = lines().map((line, index) => {
      if (index < at) return line;
      const { text, hash } = chainLine(before, splitLine(line)!.body.replace("read_file", "read_fill"));
      before = hash;
      return text;
    });
    expect(problemsOf(joined(rewritten))).toEqual([
      `line ${LINES} is not the one that was signed: it or a line before it was rewritten`,
    ]);
  });
});

test("a line that was never finished is torn, and nothing else", () => {
  appendFileSync(path, '{"seq":201,"time":"20');
  try {
    const report = verifyAudit(folders, publicKey);
    expect(report).toMatchObject({ isIntact: true, segments: [{ lines: LINES, isTorn: true }] });
  } finally {
    writeFileSync(path, whole);
  }
});

test("verify notices a segment without its checkpoint, a checkpoint without its segment, and a signature of another key", () => {
  const [name = ""] = readdirSync(folders.checkpoints);
  const checkpoint = join(folders.checkpoints, name);
  const signed = readFileSync(checkpoint, "utf8");
  const other = join(folder, "other");
  mkdirSync(other);
  expect(verifyAudit(folders, openSigningKey(other).publicKey).isIntact).toBe(false);
  writeFileSync(checkpoint, signed.replace('"count":200', '"count":199'));
  expect(problemsOf(whole).join()).toContain("not signed by the key");
  rmSync(checkpoint);
  expect(problemsOf(whole)).toEqual(["its checkpoint is missing"]);
  for (const damaged of ["", "{", "null", "[]", signed.replace('"signature"', '"signatura"'), signed.slice(1)]) {
    writeFileSync(checkpoint, damaged);
    expect(problemsOf(whole)).toEqual(["its checkpoint is not valid: it was edited or damaged"]);
  }
  writeFileSync(checkpoint, signed);
  rmSync(path);
  expect(verifyAudit(folders, publicKey).problems).toEqual([expect.stringContaining("is missing")]);
  writeFileSync(path, whole);
});

const fresh = () => {
  const top = mkdtempSync(join(folder, "emptied-"));
  const own = {
    audit: join(top, "audit"),
    checkpoints: join(top, "checkpoints"),
    keys: join(top, "keys"),
  };
  for (const one of Object.values(own)) mkdirSync(one);
  return own;
};
const write = (own: ReturnType<typeof fresh>) => {
  using log = openAuditLog(own);
  log.record("decided", { tool: "read_file" });
};
const empty = ({ audit, checkpoints }: ReturnType<typeof fresh>) => {
  for (const one of [audit, checkpoints]) for (const name of readdirSync(one)) rmSync(join(one, name));
};
const keyOf = ({ keys }: ReturnType<typeof fresh>) =>
  hasSigningKey(keys) ? openSigningKey(keys).publicKey : undefined;

describe("a record that was emptied", () => {
  test("before its first line there is neither a key nor anything to find", () => {
    const own = fresh();
    expect(verifyAudit(own, keyOf(own))).toEqual({ segments: [], problems: [], isIntact: true });
    expect(readdirSync(own.keys)).toEqual([]);
  });

  test("a record that was emptied does not verify while its key is there", () => {
    const own = fresh();
    write(own);
    expect(verifyAudit(own, keyOf(own)).isIntact).toBe(true);
    empty(own);
    expect(verifyAudit(own, keyOf(own))).toEqual({
      segments: [],
      problems: ["the record is empty, and its key shows that there was one: all of it was removed"],
      isIntact: false,
    });
  });

  test("a record that was emptied does not verify after the next line either", () => {
    const own = fresh();
    write(own);
    empty(own);
    using listening = listenToLog(() => undefined);
    expect(listening).toBeDefined();
    write(own);
    write(own);
    const report = verifyAudit(own, keyOf(own));
    expect(report.isIntact).toBe(false);
    // Both may have been begun in the same millisecond, and stand in any order then.
    const begun = report.segments.map(
      ({ segment }) => `${segment} was begun when nothing but the key was left: the record before it was removed`,
    );
    expect(report.problems).toHaveLength(1);
    expect(begun).toContain(report.problems[0] ?? "");
  });
});
