/**
 * Sessions on record: of hosts that run, ended and were killed, of two at once; and what is deleted of one and what stays.
 */
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuditLog, type AuditLog } from "../../src/audit/index.ts";
import { deleteSession, keptOf, listSessions, sessionById } from "../../src/recorded/index.ts";
import { openStateFolder, SessionStore, SpillStore, type StateFolder } from "../../src/state/index.ts";

const ROOTS = [{ path: "/srv/project" }];

class Place implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "ringfence-sessions-"));
  readonly folder: StateFolder = openStateFolder(join(this.path, "state"));

  /** Begins in a millisecond of its own, because the names of sessions have no finer order. */
  host(): AuditLog {
    for (const before = Date.now(); Date.now() === before;);
    const log = openAuditLog(this.folder);
    log.record("start", { mode: "default", roots: ROOTS });
    return log;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

test("sessions are listed newest first, each with its state, its client and its counts", async () => {
  using place = new Place();
  {
    using ended = place.host();
    const call = ended.record("proposed", { tool: "read_file", client: "an agent" });
    ended.record("failed", { call, code: "not_found" });
    ended.record("change", { call, status: "applied" });
    ended.record("applied", { proposal: "p_1" });
    ended.record("stop", { why: "the end of its input" });
  }
  // A host that was killed says nothing.
  place.host()[Symbol.dispose]();
  using running = place.host();
  running.record("proposed", { tool: "glob" });
  const { sessions, more } = await listSessions(place.folder, 10);
  expect(more).toBe(false);
  expect(sessions.map(({ state }) => state)).toEqual(["running", "crashed", "ended"]);
  expect(sessions[2]).toMatchObject({
    client: "an agent",
    mode: "default",
    roots: ["/srv/project"],
    why: "the end of its input",
    calls: 1,
    failed: 1,
    changes: 2,
  });
  expect(sessions[0]).not.toHaveProperty("ended");
  expect(await listSessions(place.folder, 1)).toMatchObject({ more: true, sessions: [{ state: "running" }] });
});

test("two hosts at once have a session each", async () => {
  using place = new Place();
  using one = place.host();
  using two = place.host();
  two.record("proposed", { tool: "glob" });
  const { sessions } = await listSessions(place.folder, 10);
  expect(sessions.map(({ id, calls, state }) => [id, calls, state])).toEqual(
    [one.session, two.session]
      .sort()
      .reverse()
      .map((id) => [id, id === two.session ? 1 : 0, "running"]),
  );
});

test("a host with several segments has one session, with the calls of all", async () => {
  using place = new Place();
  const log = place.host();
  const filling = "x".repeat(1024 * 1024);
  for (let n = 0; n < 40; n++) log.record("proposed", { tool: "glob", filling });
  expect(readdirSync(place.folder.audit)).toHaveLength(2);
  expect((await listSessions(place.folder, 10)).sessions).toMatchObject([
    { id: log.session, calls: 40, state: "running" },
  ]);
  log.record("stop", {});
  log[Symbol.dispose]();
  expect((await listSessions(place.folder, 10)).sessions).toMatchObject([{ calls: 40, state: "ended" }]);
});

test("a command that only looked at the state folder is no session", async () => {
  using place = new Place();
  using log = openAuditLog(place.folder);
  log.record("start", { mode: "default", roots: [] });
  expect((await listSessions(place.folder, 10)).sessions).toEqual([]);
});

test("deleting removes the kept calls and outputs of an ended session, and nothing else", async () => {
  using place = new Place();
  const spilled = new SpillStore(place.folder.path);
  const [own, foreign] = [spilled.put("own"), spilled.put("foreign")];
  const log = place.host();
  log.record("spilled", { output: own });
  log.record("spilled", { output: "../../keys/audit.pem" });
  new SessionStore(place.folder.path).append(log.session, { call: "x", name: "read_file", arguments: {} });
  for (const part of ["proposals", "undo", "journal", "answers", "grants"] as const)
    writeFileSync(join(place.folder[part], "stays"), "");
  const running = await sessionById(place.folder, log.session);
  expect(() => deleteSession(place.folder, running)).toThrow("it is still running");
  log.record("stop", {});
  log[Symbol.dispose]();

  const ended = await sessionById(place.folder, log.session);
  expect(keptOf(place.folder, ended)).toEqual({ calls_bytes: expect.any(Number), outputs: 1 });
  expect(deleteSession(place.folder, ended)).toMatchObject({ id: log.session, outputs: 1 });
  expect([spilled.has(own), spilled.has(foreign)]).toEqual([false, true]);
  expect(keptOf(place.folder, ended)).toEqual({ calls_bytes: 0, outputs: 0 });
  for (const part of ["proposals", "undo", "journal", "answers", "grants"] as const)
    expect(existsSync(join(place.folder[part], "stays"))).toBe(true);
  expect(existsSync(join(place.folder.keys, "audit.pem"))).toBe(true);
  expect(await sessionById(place.folder, log.session)).toMatchObject({ state: "ended" });
});

test("a hostile id is no id, and an unknown one is not found", async () => {
  using place = new Place();
  for (const id of ["", "..", "../../etc/passwd", "a:b", "\u0000", "20260101T000000000Z-../../..", "x".repeat(9999)])
    await expect(sessionById(place.folder, id)).rejects.toMatchObject({ code: "invalid_input" });
  const unknown = sessionById(place.folder, "20260101T000000000Z-abcdefgh");
  await expect(unknown).rejects.toMatchObject({ code: "not_found" });
});

test("a record with a broken chain, damaged lines and foreign files is listed as far as it can be read", async () => {
  using place = new Place();
  const log = place.host();
  log.record("stop", {});
  log[Symbol.dispose]();
  appendFileSync(
    join(place.folder.audit, `${log.session}.jsonl`),
    `no line\n{"seq":9}\n{"seq":9,"time":"x","event":"proposed",[[[\n${"z".repeat(5 * 1024 * 1024)}\n{"seq":`,
  );
  writeFileSync(join(place.folder.audit, "..evil.jsonl"), '{"seq":1,"session":"../../x"}\n');
  writeFileSync(join(place.folder.audit, "20260101T000000000Z-abcdefgh.jsonl"), '{"seq":1,"session":"../../x"}\n');
  writeFileSync(join(place.folder.audit, "20260101T000000000Z-abcdefgi.jsonl"), "");
  expect((await listSessions(place.folder, 10)).sessions).toMatchObject([{ id: log.session, state: "ended" }]);
});

test("a record of 100,000 lines is listed in bounded memory", async () => {
  using place = new Place();
  const log = place.host();
  const padding = "x".repeat(200);
  for (let n = 0; n < 50_000; n++) {
    const call = log.announce("proposed", { tool: "read_file", input: padding });
    log.announce("completed", { call, tool: "read_file", result: padding });
    if (n % 1000 === 0) log.write();
  }
  log.record("stop", {});
  log[Symbol.dispose]();
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const { sessions } = await listSessions(place.folder, 10);
  const grown = process.memoryUsage().rss - before;
  expect(sessions[0]?.calls).toBe(50_000);
  // The record has 50 MB; a part of it, and what the collector has not taken back yet, is all that is held.
  expect(grown).toBeLessThan(40 * 1024 * 1024);
});
