/**
 * The record on disk: whole chained lines in the order of the events, private, a new file when one is full, and a reason
 * for a change not to be made when it cannot be written.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenToLog } from "../../src/base/index.ts";
import { openAuditLog, openSigningKey, readAudit, verifyAudit } from "../../src/audit/index.ts";
import { canMount } from "../components/can-mount.ts";
import { TestClock } from "../waits/test-clock.ts";
import { until } from "../waits/until.ts";

let folder: string;
/** What a person is told. */
let said: string[];
let listening: Disposable;
let folders: { audit: string; checkpoints: string; keys: string };

beforeEach(() => {
  said = [];
  listening = listenToLog((text) => said.push(text));
  folder = mkdtempSync(join(tmpdir(), "ringfence-audit-"));
  folders = {
    audit: join(folder, "audit"),
    checkpoints: join(folder, "checkpoints"),
    keys: join(folder, "keys"),
  };
  for (const one of Object.values(folders)) mkdirSync(one);
});

afterEach(() => {
  listening[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const report = () => verifyAudit(folders, openSigningKey(folders.keys).publicKey);

test("events are numbered lines with a time and a hash, in their order, at once on disk", () => {
  using log = openAuditLog(folders);
  for (let n = 0; n < 500; n++) log.record("call", { n, text: "line\nbreak \u2028" });
  const [name = ""] = readdirSync(folders.audit);
  const lines = readFileSync(join(folders.audit, name), "utf8").trim().split("\n");
  expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, event: "segment", previous: [] });
  expect(JSON.parse(lines[1]!)).toEqual({
    seq: 2,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    event: "call",
    n: 0,
    text: "line\nbreak \u2028",
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(lines.slice(1).map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  expect(statSync(join(folders.audit, name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folders.keys, "audit.pem")).mode & 0o777).toBe(0o600);
});

test("what is announced stands before the next line, and is on disk when the host asks for it or has nothing to do", async () => {
  using log = openAuditLog(folders);
  const events = () =>
    readdirSync(folders.audit).flatMap((name) =>
      readFileSync(join(folders.audit, name), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event),
    );
  const id = log.announce("proposed", {});
  log.announce("decided", {});
  expect(events()).toEqual(["segment"]);
  log.record("started", {});
  expect(events()).toEqual(["segment", "proposed", "decided", "started"]);
  log.announce("proposed", {});
  log.write();
  expect(events()).toHaveLength(5);
  log.announce("decided", {});
  expect(events()).toHaveLength(5);
  await new Promise((resolve) => setImmediate(resolve));
  expect(events()).toHaveLength(6);
  expect(id).toEndWith(":000000002");
  expect(report()).toMatchObject({ isIntact: true });
});

test("what is recorded is signed soon without being asked, and at the end", async () => {
  const log = openAuditLog(folders);
  const id = log.record("one", {});
  expect(id).toMatch(/^\d{8}T\d{9}Z-[\w-]{8}:000000002$/);
  await until("a signature", () => report().segments[0]!.signed >= 2);
  log.record("two", {});
  log[Symbol.dispose]();
  expect(report()).toMatchObject({ isIntact: true, segments: [{ lines: 3, signed: 3 }] });
});

test("a spoilt key stops changes, and the hint speaks of the key and not of a full disk", () => {
  {
    using log = openAuditLog(folders);
    log.record("a", {});
  }
  writeFileSync(join(folders.keys, "audit.pem"), "junk\n");
  using log = openAuditLog(folders);
  log.record("b", {});
  const hint = expect.stringContaining("Put back the file as it was. Without it, move the state folder away");
  expect(() => log.ensureWritten()).toThrow(expect.objectContaining({ data: expect.objectContaining({ hint }) }));
});

test("two logs of one folder have chains of their own, and the later names the earlier", () => {
  using clock = new TestClock();
  using one = openAuditLog(folders);
  one.record("a", {});
  one.flush();
  using two = openAuditLog(folders);
  // Their names are in the order of the milliseconds in which they were begun.
  clock.setNow(Date.now() + 1);
  for (let n = 0; n < 50; n++) {
    one.record("one", { n });
    two.record("two", { n });
  }
  one.flush();
  two.flush();
  expect(report()).toMatchObject({ isIntact: true, segments: [{ lines: 52 }, { lines: 51 }] });
  expect(readAudit(folders.audit, { events: ["segment"] })[1]!["previous"]).toHaveLength(1);
  expect(readAudit(folders.audit, { events: ["two"] })).toHaveLength(50);
});

test("a record that cannot be written stops changes and nothing else", () => {
  using log = openAuditLog({ ...folders, audit: join(folder, "missing") });
  expect(log.record("lost", {})).toBe("");
  expect(() => log.ensureWritten()).toThrow("the record cannot be written");
  mkdirSync(join(folder, "missing"));
  expect(() => log.ensureWritten()).not.toThrow();
  using relaxed = openAuditLog({ ...folders, audit: join(folder, "missing too"), isBestEffort: true });
  relaxed.record("lost", {});
  expect(() => relaxed.ensureWritten()).not.toThrow();
  const cannot = expect.stringContaining("cannot write the record: ENOENT");
  expect(said).toEqual([cannot, cannot]);
});

test("a file that was removed under it is noticed before the next change, and another is begun", () => {
  using log = openAuditLog(folders);
  log.record("one", {});
  for (const name of readdirSync(folders.audit)) rmSync(join(folders.audit, name));
  log.ensureWritten();
  expect(said).toEqual(["cannot write the record: its file was removed"]);
  expect(readdirSync(folders.audit)).toHaveLength(1);
  expect(report()).toMatchObject({ isIntact: false, problems: [expect.stringContaining("is missing")] });
});

test("a segment that is full is ended and signed, and the next one goes on", () => {
  using log = openAuditLog(folders);
  const filling = "x".repeat(1024 * 1024);
  for (let n = 0; n < 40; n++) log.record("big", { n, filling });
  log.flush();
  const { segments, isIntact } = report();
  expect(isIntact).toBe(true);
  expect(segments).toHaveLength(2);
  expect(segments.reduce((sum, { lines }) => sum + lines, 0)).toBe(40 + 2 + 1);
  expect(readAudit(folders.audit, { events: ["segment_end"] })).toHaveLength(1);
});

test("what is too old goes, and that it went is on record; what another host writes to stays", () => {
  const old = openAuditLog(folders);
  old.record("old", {});
  old[Symbol.dispose]();
  using running = openAuditLog(folders);
  running.record("running", {});
  running.flush();
  const long = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
  for (const name of readdirSync(folders.audit)) utimesSync(join(folders.audit, name), long, long);
  using next = openAuditLog(folders);
  next.record("next", {});
  next.flush();
  expect(readdirSync(folders.audit)).toHaveLength(2);
  const headers = readAudit(folders.audit, { events: ["segment"] });
  expect(headers.flatMap((line) => (line["pruned"] as object[] | undefined) ?? [])).toMatchObject([{ count: 2 }]);
  expect(report()).toMatchObject({ isIntact: true, problems: [] });
});

test.skipIf(!canMount())("a full disk leaves no segment that looks like a record that somebody has changed", () => {
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", folder]);
  expect(exitCode).toBe(0);
  try {
    for (const one of Object.values(folders)) mkdirSync(one);
    {
      using log = openAuditLog(folders);
      log.record("call", { n: 1 });
    }
    const filler = join(folder, "filler");
    fillDisk(filler);
    for (let n = 0; n < 5; n++) {
      using log = openAuditLog(folders);
      log.record("call", { n });
    }
    rmSync(filler);
    expect(report()).toMatchObject({ isIntact: true, problems: [] });
    expect(readdirSync(folders.audit).length).toBe(1);
    expect(said.join("\n")).toContain("cannot write the record");
  } finally {
    Bun.spawnSync(["umount", "--lazy", folder]);
  }
});

function fillDisk(path: string): void {
  const fd = openSync(path, "w");
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  } catch (thrown) {
    expect((thrown as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    closeSync(fd);
  }
}
