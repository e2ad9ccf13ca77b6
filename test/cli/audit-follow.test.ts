/**
 * `ringfence audit show --follow` with the compiled binary: every event once, also over the change of a segment and when
 * an old one is tidied away, and a quiet end when nobody reads any more.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openAuditLog } from "../../src/audit/index.ts";
import { openStateFolder } from "../../src/state/index.ts";
import { binaryPath } from "../binary/build-binary.ts";
import { Place } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";

let place: Place;
let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;

beforeEach(() => {
  place = new Place();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await child?.exited;
  place[Symbol.dispose]();
});

interface Following {
  readonly lines: () => string[];
  readonly until: (count: number) => Promise<void>;
  readonly hangUp: () => Promise<void>;
}

async function follow(...args: string[]): Promise<Following> {
  child = Bun.spawn([await binaryPath(), "audit", "show", "--follow", "--state-dir", place.stateDir, ...args], {
    env: { PATH: process.env["PATH"], HOME: place.path },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
    }
  })();
  const lines = (): string[] => text.split("\n").slice(0, -1);
  return {
    lines,
    async until(count) {
      await until(`${count} lines`, () => lines().length >= count);
    },
    async hangUp() {
      await reader.cancel();
      await reading;
    },
  };
}

test("audit --follow tells every event once, over the end of a segment, a new host, and what is tidied away", async () => {
  const folders = openStateFolder(place.stateDir);
  const log = openAuditLog(folders);
  for (let n = 0; n < 3; n++) log.record("call", { n });
  const following = await follow("--event", "call", "--json");
  await following.until(3);
  // 33 MiB, where a segment ends at 32: the lines go on in the next one.
  const padding = "x".repeat(3 * 1024 * 1024);
  for (let n = 3; n < 14; n++) log.record("padding", { n, padding });
  for (let n = 3; n < 6; n++) log.record("call", { n });
  expect(readdirSync(folders.audit).length).toBe(2);
  await following.until(6);
  log[Symbol.dispose]();
  const [oldest = ""] = readdirSync(folders.audit).sort();
  rmSync(join(folders.audit, oldest));
  const next = openAuditLog(folders);
  next.record("call", { n: 6 });
  await following.until(7);
  next[Symbol.dispose]();
  const seen = following.lines().map((line) => (JSON.parse(line) as { n: number }).n);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

function eventLine(n: number): string {
  return `{"seq":${n},"time":"2026-01-01T00:00:00.000Z","event":"call","n":${n},"hash":"x"}\n`;
}

test("audit --follow waits for the end of a line that is being written", async () => {
  const folders = openStateFolder(place.stateDir);
  const path = join(folders.audit, "20260101T000000000Z-abcdefgh.jsonl");
  appendFileSync(path, eventLine(1) + eventLine(2).slice(0, 30));
  const following = await follow("--json");
  await following.until(1);
  // It looks at all segments at a time, so who shows this line has looked at the half one again.
  appendFileSync(join(folders.audit, "20260102T000000000Z-abcdefgh.jsonl"), eventLine(3));
  await following.until(2);
  appendFileSync(path, eventLine(2).slice(30));
  await following.until(3);
  expect(following.lines().map((text) => (JSON.parse(text) as { n: number }).n)).toEqual([1, 3, 2]);
});

test.each(["and nothing happens", "and there is another line"])(
  "audit --follow ends quietly when nobody reads it any more, %s",
  async (what) => {
    const folders = openStateFolder(place.stateDir);
    using log = openAuditLog(folders);
    log.record("call", { n: 1 });
    const following = await follow();
    await following.until(2);
    await following.hangUp();
    if (what.includes("line")) log.record("call", { n: 2 });
    expect(await settled("its end", child!.exited)).toBe(0);
    expect(await child?.stderr.text()).toBe("");
  },
);
