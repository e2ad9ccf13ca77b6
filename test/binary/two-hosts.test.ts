/**
 * Two hosts on one root, with a state folder each and with one for both: clients count in the same files at the same time.
 * No count is lost, no file is ever seen half, and who is told that a file has changed is told the truth.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/base/index.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";

const FILES = 20;
/** 2,000 is what is asked for; the gate takes fewer. */
const EDITS = Number(process.env["EDITS"] ?? 400);
const CLIENTS = 8;
/** Long enough that a write of it is not one page. */
const FILLING = "filling that stays as it is\n".repeat(400);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const textOf = (count: number): string => `${FILLING}count ${count}\n${FILLING}`;

function countIn(text: string): number {
  const count = Number(/^count (\d+)$/m.exec(text)?.[1]);
  if (text !== textOf(count)) throw new Error(`torn: ${text.length} bytes`);
  return count;
}

test.each([
  ["a state folder each", ["state", "state-of-the-other"]],
  ["one state folder", ["state", "state"]],
] as const)("nothing is lost with %s", async (_what, states) => {
  for (let at = 0; at < FILES; at++) writeFileSync(join(place.root, `f${at}`), textOf(0));
  await using held = new AsyncDisposableStack();
  const hosts: ServeProcess[] = [];
  for (const state of states) {
    const command = ["serve", "--root", place.root, "--state-dir", join(place.path, state)];
    const args = ["--mode=bypass", "--durability=fast"];
    hosts.push(held.use(await ServeProcess.start(place, { command, args })));
  }
  const seen = { stale: 0, busy: 0 };
  let left = EDITS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const host = hosts[client % hosts.length]!;
      for (let turn = 0; left > 0; turn++) {
        left--;
        await increment(host, `${client}-${turn}`, `f${(client * 7 + turn) % 3 === 0 ? 0 : (turn * 3) % FILES}`, seen);
      }
    }),
  );
  const counts = Array.from({ length: FILES }, (_, at) => countIn(readFileSync(join(place.root, `f${at}`), "utf8")));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(EDITS);
  expect(seen.stale).toBeGreaterThan(0);
  expect(readdirSync(place.root).length).toBe(FILES);
  for (const host of hosts) expect(await host.close()).toBe(0);
  for (const state of states) expect(readdirSync(join(place.path, state, "journal"))).toEqual([]);
});

/** Reads, counts and writes until nobody else was faster. */
async function increment(
  host: ServeProcess,
  id: string,
  path: string,
  seen: { stale: number; busy: number },
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const before = readFileSync(join(place.root, path), "utf8");
    const count = countIn(before);
    const given = {
      path,
      old_text: `count ${count}\n`,
      new_text: `count ${count + 1}\n`,
      if_hash: sha256(Buffer.from(before)),
    };
    host.call(`${id}-${attempt}`, "edit_file", given);
    const answer = await host.answer(`${id}-${attempt}`);
    if (answer.result?.["isError"] !== true) return;
    const code = codeOf(answer);
    if (code !== "stale" && code !== "busy") throw new Error(`${code}: ${JSON.stringify(answer)}`);
    seen[code]++;
    // Counts only grow, so a file that is as it was has not been changed in between.
    if (code === "stale") expect(countIn(readFileSync(join(place.root, path), "utf8"))).toBeGreaterThan(count);
  }
}

function codeOf(answer: WireMessage): string {
  return String(answer.result?.["_meta"]?.["dev.ringfence/failure"]?.code);
}
