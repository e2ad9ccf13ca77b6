/**
 * `ringfence sessions`, `replay` and `receipt` by the executable: what they print, and how they exit.
 */
import { expect, test } from "bun:test";
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

async function run(place: Place, ...args: string[]): Promise<CliResult> {
  return await runRingfence(place, [...args, "--state-dir", place.stateDir]);
}

interface Served {
  readonly session: string;
  /** The audit ids of its calls. */
  readonly calls: readonly string[];
}

/** Serves a read and a write of a file, after the root was copied to `copy`. */
async function serve(place: Place, isKilled = false): Promise<Served> {
  writeFileSync(join(place.root, "a.txt"), "one\n");
  cpSync(place.root, join(place.path, "copy"), { recursive: true, preserveTimestamps: true });
  await using host = await ServeProcess.start(place, { args: ["--keep-calls", "--mode=bypass"] });
  host.call(1, "read_file", { path: "a.txt" });
  host.call(2, "write_file", { path: "b.txt", content: "b\n" });
  const calls = [];
  for (const id of [1, 2]) calls.push(String((await host.answer(id)).result?._meta?.["dev.ringfence/auditId"]));
  if (isKilled) {
    host.child.kill("SIGKILL");
    await host.ended();
  } else await host.close();
  return { session: calls[0]?.split(":")[0] ?? "", calls };
}

const replayOf = (place: Place, session: string, ...more: string[]): Promise<CliResult> =>
  run(place, "replay", session, "--root", join(place.path, "copy"), "--mode", "bypass", ...more);

test("sessions lists what is on record, shows the calls of one and deletes what it has kept", async () => {
  using place = new Place();
  expect(await run(place, "sessions")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("No session"),
  });
  const { session, calls } = await serve(place);
  const { stdout } = await run(place, "sessions");
  expect(stdout).toMatch(new RegExp(`^${session} +ended +2 +0 +1 `, "m"));
  const shown = await run(place, "sessions", "show", session);
  expect(shown.stdout).toMatch(new RegExp(`^${calls[1]} .* write_file {2}allow {2}completed {2}b.txt$`, "m"));
  const { stdout: json } = await run(place, "sessions", "show", session, "--json");
  expect(JSON.parse(json)).toMatchObject({ id: session, state: "ended", calls: [{ id: calls[0] }, { id: calls[1] }] });
  const deleted = await run(place, "sessions", "delete", session);
  expect(deleted).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Deleted of the session .* \d{3} bytes of calls/),
  });
  expect((await run(place, "sessions", "show", session)).stdout).toContain("besides the record: 0 bytes");
  expect((await run(place, "audit", "verify")).code).toBe(0);
});

test("the session of a killed host is crashed, and can be replayed", async () => {
  using place = new Place();
  const { session } = await serve(place, true);
  expect((await run(place, "sessions")).stdout).toMatch(new RegExp(`^${session} +crashed`, "m"));
  expect(await replayOf(place, session)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 calls ended as they did"),
  });
});

test("a session of a host that runs is listed as running, and is not deleted", async () => {
  using place = new Place();
  await using host = await ServeProcess.start(place);
  host.call(1, "system_info");
  const session = String((await host.answer(1)).result?._meta?.["dev.ringfence/auditId"]).split(":")[0] ?? "";
  expect((await run(place, "sessions")).stdout).toMatch(new RegExp(`^${session} +running +1`, "m"));
  expect(await run(place, "sessions", "delete", session)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("still running"),
  });
});

test("replay exits with 0 where all is as it was, with 5 where a call differs, and names it", async () => {
  using place = new Place();
  const { session, calls } = await serve(place);
  const dry = await replayOf(place, session, "--dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("2 calls would be made again, 0 cannot be.") });
  expect(readdirSync(join(place.path, "copy"))).toEqual(["a.txt"]);
  expect(await replayOf(place, session)).toMatchObject({
    code: 0,
    stdout: "2 calls ended as they did, 0 differ, 0 were not made again.\n",
  });
  // What the first replay has left there makes the second one differ.
  appendFileSync(join(place.path, "copy", "b.txt"), "more\n");
  const again = await replayOf(place, session, "--json");
  expect(again.code).toBe(5);
  expect(JSON.parse(again.stdout)).toMatchObject({
    session,
    same: 1,
    differs: 1,
    skipped: 0,
    calls: [
      { call: calls[0], state: "same" },
      { call: calls[1], tool: "write_file", state: "differs" },
    ],
  });
});

test("replay says of each call why it is not made again, and exits with 1 where none is", async () => {
  using place = new Place();
  const { session } = await serve(place);
  await run(place, "sessions", "delete", session);
  const { code, stdout } = await replayOf(place, session);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("write_file: the record has only a digest of its arguments"),
  ]);
  const config = join(place.path, "without.json");
  writeFileSync(config, JSON.stringify({ tools: { deny: ["read_file"] } }));
  const nothing = await replayOf(place, session, "--config", config);
  expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining("read_file: the tool is not here") });
});

test("replay refuses the directory of the session, an unknown session and a hostile id", async () => {
  using place = new Place();
  const { session } = await serve(place);
  expect(await run(place, "replay", session, "--root", place.root)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("it worked there"),
  });
  for (const [id, code] of [
    ["20260101T000000000Z-abcdefgh", 1],
    ["../../x", 2],
  ] as const)
    expect(await replayOf(place, id)).toMatchObject({
      code,
      stderr: expect.stringContaining("Cannot find the session"),
    });
  expect(await run(place, "replay", "--root", place.root)).toMatchObject({ code: 2 });
});

test("a receipt is verified elsewhere with the public key alone, and refused when a byte is changed", async () => {
  using place = new Place();
  using elsewhere = new Place();
  const { calls } = await serve(place);
  const { stdout: text } = await run(place, "receipt", calls[1] ?? "");
  const [file, key] = [join(elsewhere.path, "receipt.json"), join(elsewhere.path, "key.pem")];
  writeFileSync(file, text);
  writeFileSync(key, (await run(place, "audit", "key")).stdout);
  const genuine = await run(elsewhere, "receipt", "verify", file, "--key", key);
  expect(genuine.code).toBe(0);
  expect(genuine.stdout).toContain("tool: write_file");
  expect(genuine.stdout).toEndWith("The receipt is genuine, by the signature of its issuer.\n");
  writeFileSync(file, text.replace("write_file", "write_fill"));
  const changed = await run(elsewhere, "receipt", "verify", file, "--key", key);
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining("The receipt is not genuine.") });
  expect(await run(elsewhere, "receipt", "verify", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--key FILE"),
  });
  expect(await run(elsewhere, "receipt", "verify", file, "--key", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no public key in PEM"),
  });
  expect(await run(elsewhere, "receipt", "verify", join(elsewhere.path, "none"), "--key", key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no such file"),
  });
});

test("a whole receipt is proven by the chain, and none is made from a record that was edited", async () => {
  using place = new Place();
  const { calls, session } = await serve(place);
  const { stdout: text } = await run(place, "receipt", calls[0] ?? "", "--whole");
  const file = join(place.path, "receipt.json");
  writeFileSync(file, text);
  const { stdout } = await run(place, "receipt", "verify", file);
  expect(stdout).toEndWith("by the chain up to the signed head.\n");
  const path = join(place.stateDir, "audit", `${session}.jsonl`);
  writeFileSync(path, readFileSync(path, "utf8").replace('"a.txt"', '"b.txt"'));
  const broken = await run(place, "receipt", calls[0] ?? "");
  expect(broken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("is not what was written") });
  for (const id of ["nothing", "../../keys/audit.pem"])
    expect(await run(place, "receipt", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("no audit id") });
});
