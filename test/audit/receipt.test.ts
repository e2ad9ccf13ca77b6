/**
 * Receipts: what is in one, that it is verified with the public key alone, and that no byte of one can be changed.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeReceipt, openAuditLog, openSigningKey, verifyReceipt } from "../../src/audit/index.ts";
import { sha256 } from "../../src/base/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const folder = mkdtempSync(join(memoryFolder(), "ringfence-receipt-"));
const folders = { audit: join(folder, "audit"), checkpoints: join(folder, "checkpoints"), keys: join(folder, "keys") };
let publicKey: string;
/** Two calls at once. */
let first: string;
let second: string;

beforeAll(() => {
  for (const one of Object.values(folders)) mkdirSync(one);
  using log = openAuditLog(folders);
  log.record("start", { mode: "default" });
  first = log.record("proposed", { tool: "write_file", input: "00" });
  second = log.record("proposed", { tool: "read_file", input: "11" });
  log.record("decided", { call: first, tool: "write_file", decision: "ask", rule: "builtin:R2", reason: "it changes" });
  log.record("decided", { call: second, tool: "read_file", decision: "allow" });
  log.record("change", { call: first, status: "proposed", proposal: "p_1", files: [{ path: "a", hash: "22" }] });
  log.record("completed", { call: second, tool: "read_file", result: "33" });
  log.record("completed", { call: first, tool: "write_file", result: "44" });
  log.record("applied", { proposal: "p_1", transaction: "t_1" });
  log.record("stop", {});
  log.flush();
  publicKey = openSigningKey(folders.keys).publicKey;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a receipt says call, decision, result, files and that its proposal was applied", () => {
  const { receipt, text } = makeReceipt(folders, first);
  expect(receipt.says).toEqual({
    tool: "write_file",
    input: "00",
    decision: "ask",
    rule: "builtin:R2",
    reason: "it changes",
    proposal: "p_1",
    files: [{ path: "a", hash: "22" }],
    result: "44",
    ended: "completed",
    applied: true,
  });
  expect(verifyReceipt(text, publicKey)).toMatchObject({ isGenuine: true, problems: [], proven: "signature" });
});

test("a receipt has no line of another call, unless it is whole, and then the chain proves it", () => {
  expect(makeReceipt(folders, first).text).not.toContain("read_file");
  const { text } = makeReceipt(folders, first, true);
  expect(text).toContain("read_file");
  expect(verifyReceipt(text, publicKey)).toMatchObject({ isGenuine: true, proven: "chain" });
});

test("a receipt with any byte changed is refused", () => {
  const whole = Buffer.from(makeReceipt(folders, first).text);
  const missed: number[] = [];
  for (let at = 0; at < whole.length; at++)
    for (const bit of [1, 0x20]) {
      const changed = Buffer.from(whole);
      changed[at] = whole.readUInt8(at) ^ bit;
      if (verifyReceipt(changed.toString(), publicKey).isGenuine) missed.push(at);
    }
  expect(missed).toEqual([]);
});

test("a receipt that was cut, made longer or written in another way is refused", () => {
  const { text, receipt } = makeReceipt(folders, first);
  const others = [text.slice(0, -1), `${text} `, JSON.stringify(receipt), text.replaceAll("\n", "\r\n"), "", "{}", "7"];
  expect(others.map((other) => verifyReceipt(other, publicKey).isGenuine)).toEqual(others.map(() => false));
});

test("a receipt whose lines were taken from another call is refused, whoever signs it anew with another key", () => {
  const { receipt } = makeReceipt(folders, first);
  const other = makeReceipt(folders, second).receipt;
  const mixed = { ...receipt, parts: other.parts, says: other.says };
  const { problems } = verifyReceipt(`${JSON.stringify(mixed, null, 2)}\n`, publicKey);
  expect(problems).toContain("its first line is not the one of the call");
  const keys = join(folder, "other-keys");
  mkdirSync(keys);
  const theirs = openSigningKey(keys).publicKey;
  expect(verifyReceipt(makeReceipt(folders, first).text, theirs).problems).toContain("it was issued with another key");
});

test("no receipt is made from a record with a broken chain, nor of what is no call", () => {
  const path = join(folders.audit, readdirSync(folders.audit)[0] ?? "");
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, whole.replace('"decision":"allow"', '"decision":"deny"'));
  expect(() => makeReceipt(folders, first)).toThrow("line 6 is not what was written");
  writeFileSync(path, whole.split("\n").slice(0, 5).join("\n"));
  expect(() => makeReceipt(folders, first)).toThrow("its end is not the one that was signed");
  writeFileSync(path, whole);
  const decided = first.replace(/\d$/, "5");
  for (const id of [decided, first.replace(/\d{9}$/, "000000999")])
    expect(() => makeReceipt(folders, id)).toThrow("no call of this id");
  for (const id of ["", "../../keys/audit.pem", `${first}/..`, `../${first}`, "\u0000", "x".repeat(10_000)])
    expect(() => makeReceipt(folders, id)).toThrow("that is no audit id");
});

test("the result in a receipt is the hash of the answer as the client got it, in a dialect too", async () => {
  for (const dialect of ["ringfence", "claude"] as const) {
    await using host = openTestHost({ files: { "a.txt": "one\n" }, config: { dialect } });
    const [name, args] = dialect === "claude" ? ["Read", { file_path: "a.txt" }] : ["read_file", { path: "a.txt" }];
    const { result } = await host.call(name, args);
    host.host.audit.flush();
    const stateDir = host.stateDir;
    const where = {
      audit: join(stateDir, "audit"),
      checkpoints: join(stateDir, "checkpoints"),
      keys: join(stateDir, "keys"),
    };
    const { receipt } = makeReceipt(where, result._meta["dev.ringfence/auditId"]);
    const { _meta, ...sent } = result;
    expect(receipt.says.result).toBe(sha256(JSON.stringify(sent)));
  }
});
