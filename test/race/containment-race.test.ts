/**
 * Every kind of call while a racer swaps a directory, or a file, for a link to the outside: short, for the gate. With
 * handles nothing may escape, ever. The long form is `bun run test:race`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { until } from "../waits/until.ts";
import { createTally, type Tally } from "./judge.ts";
import { openRacer, type Racer } from "./open-racer.ts";
import { playMix } from "./play-mix.ts";
import { RaceHost, type Way } from "./race-host.ts";
import { layRaceTree } from "./race-tree.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-race-")));

afterAll(() => rmSync(top, { recursive: true, force: true }));

/** The portable way alone loses against a racer, so in the gate it stands behind the fence, where there is one. */
const WAYS: readonly Way[] = hasLandlock() ? ["handle", "fenced portable"] : ["handle"];

describe.skipIf(process.platform !== "linux").each(WAYS)("%s, while names are swapped", (way) => {
  let host: RaceHost;
  let racer: Racer;
  beforeAll(async () => {
    layRaceTree(join(top, "root"), join(top, "outside"));
    host = await RaceHost.start(top, way);
    racer = openRacer();
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await racer[Symbol.asyncDispose]();
  });

  test.each([
    { top, kind: "directory", reads: 2000, changes: 400, callsALaying: 800 } as const,
    { top, kind: "file", reads: 1000, changes: 200, callsALaying: 100 } as const,
  ])("the host reaches nothing outside while names are swapped: $kind", async (mix) => {
    const tally = createTally();
    // Once, as a rule. Where the racer hardly gets its turn, more calls are made until there was something to win.
    await until("both states, each met often", async () => {
      await playMix({ ...mix, way }, host, racer, tally);
      return tally.escapes.length + tally.faults.length > 0 || hasMetBoth(tally);
    });
    expect(tally.escapes.slice(0, 5)).toEqual([]);
    expect(tally.faults.slice(0, 5)).toEqual([]);
    expect(tally.calls).toBeGreaterThanOrEqual(mix.reads + mix.changes);
    expect(tally.swaps).toBeGreaterThan(1000);
    expect(tally.outcomes.get("ok")).toBeGreaterThan(100);
    expect(tally.outcomes.get("outside_scope")).toBeGreaterThan(100);
  });
});

function hasMetBoth({ swaps, outcomes }: Tally): boolean {
  return swaps > 1000 && ["ok", "outside_scope"].every((outcome) => (outcomes.get(outcome) ?? 0) > 100);
}
