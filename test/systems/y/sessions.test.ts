/**
 * Flynn's `sessions.list` and `sessions.delete`, which its page names among the tools, without their parameters. They are there
 * in its dialect, and elsewhere when the pack is named.
 */
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess, type WireMessage } from "../../binary/serve-process.ts";

const textOf = ({ result }: WireMessage): string => result?.content?.at(-1)?.text ?? "";

/** Serves one call that is kept, and ends. @returns the id of the session */
async function endedSession(place: Place): Promise<string> {
  await using host = await ServeProcess.start(place, { args: ["--keep-calls"] });
  host.call(1, "list_directory", { path: "." });
  const { result } = await host.answer(1);
  await host.close();
  return String(result?._meta?.["dev.ringfence/auditId"]).split(":")[0] ?? "";
}

test("sessions.list of Flynn names the sessions, newest first, with their state and their calls", async () => {
  using place = new Place();
  const ended = await endedSession(place);
  await using host = await ServeProcess.start(place, { args: ["--dialect=flynn"] });
  host.call(1, "sessions.list");
  const lines = textOf(await host.answer(1)).split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^\S+ {2}running {2}.* 1 calls, 0 failed, 0 changes/),
    expect.stringMatching(new RegExp(`^${ended} {2}ended {2}.* 1 calls, 0 failed, 0 changes`)),
  ]);
  host.call(2, "sessions.list", { limit: 1 });
  const { result } = await host.answer(2);
  expect(result?.content?.map(({ text }) => text)).toEqual([
    expect.stringContaining('sessions.list {"limit":2}'),
    expect.stringMatching(/^\S+ {2}running/),
  ]);
});

test("sessions.delete of Flynn deletes what an ended session has kept, when a person approves it", async () => {
  using place = new Place();
  const id = await endedSession(place);
  const kept = join(place.stateDir, "sessions", `${id}.jsonl`);
  expect(existsSync(kept)).toBe(true);
  await using host = await ServeProcess.start(place, { args: ["--dialect=flynn", "--mode=accept_edits"] });
  host.call(1, "sessions.delete", { id });
  const proposal = proposalOf(await host.answer(1));
  expect(existsSync(kept)).toBe(true);
  await host.ask(2, "ringfence/proposals/apply", { id: proposal.id });
  expect(existsSync(kept)).toBe(false);
  host.call(3, "sessions.list");
  expect(textOf(await host.answer(3))).toContain(id);
});

test("sessions.delete of Flynn refuses its own session, an unknown one and a hostile id", async () => {
  using place = new Place();
  await using host = await ServeProcess.start(place, { args: ["--dialect=flynn", "--mode=bypass"] });
  host.call(1, "sessions.list");
  const own = textOf(await host.answer(1)).split(" ")[0];
  const cases = [
    [own, "busy"],
    ["20260101T000000000Z-abcdefgh", "not_found"],
    ["../../keys", "invalid_input"],
    ["a:b", "invalid_input"],
    ["x".repeat(81), "invalid_input"],
  ] as const;
  for (const [at, [id, code]] of cases.entries()) {
    host.call(at + 2, "sessions.delete", { id });
    const { result } = await host.answer(at + 2);
    expect([id, result?._meta?.["dev.ringfence/failure"]?.code]).toEqual([id, code]);
  }
});

test("a plain host lists no session tools, one with the pack lists both, and one that only reads the first", async () => {
  using place = new Place();
  const config = join(place.path, "packs.json");
  writeFileSync(config, JSON.stringify({ packs: { sessions: {} } }));
  const listed = async (...args: string[]): Promise<readonly string[]> => {
    await using host = await ServeProcess.start(place, { args });
    const { result } = await host.ask(1, "tools/list");
    return (result?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("sessions"));
  };
  expect(await listed()).toEqual([]);
  expect(await listed("--config", config)).toEqual(["sessions_list", "sessions_delete"]);
  expect(await listed("--config", config, "--read-only")).toEqual(["sessions_list"]);
  expect(await listed("--dialect=flynn")).toEqual(["sessions.list", "sessions.delete"]);
  expect(await listed("--dialect=flynn-plain")).toEqual(["sessions_list", "sessions_delete"]);
  writeFileSync(config, JSON.stringify({ packs: { sessions: {} }, tools: { deny: ["group:sessions"] } }));
  expect(await listed("--config", config)).toEqual([]);
});
