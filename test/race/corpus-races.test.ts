/**
 * The race cases of the path corpus, short: each is played with a racer at full speed on the compiled binary. The whole
 * number of rounds, and more, is played by `bun run test:race`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { readPathCorpus } from "../scope/path-cases.ts";
import { until } from "../waits/until.ts";
import { openRacer, type Racer } from "./open-racer.ts";
import { playCorpusRace } from "./play-corpus-race.ts";
import { RaceHost, type Way } from "./race-host.ts";

const ROUNDS = 300;

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-races-")));
const { races } = readPathCorpus(top);

afterAll(() => rmSync(top, { recursive: true, force: true }));

/** The portable way alone loses against a racer, so in the gate it stands behind the fence, where there is one. */
const WAYS: readonly Way[] = hasLandlock() ? ["handle", "fenced portable"] : ["handle"];

describe.skipIf(process.platform !== "linux").each(WAYS)("%s", (way) => {
  let host: RaceHost;
  let racer: Racer;
  beforeAll(async () => {
    for (const name of ["root", "outside"]) mkdirSync(join(top, name), { recursive: true });
    host = await RaceHost.start(top, way);
    racer = openRacer();
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await racer[Symbol.asyncDispose]();
  });

  test.each(races.map((one) => [one.name, one] as const))(
    "the host reaches nothing outside while the tree changes: %s",
    async (_name, one) => {
      // Once, as a rule; again where the racer got no turn.
      const result = await until("a race", async () => {
        const tally = await playCorpusRace(one, host, racer, ROUNDS);
        return tally.swaps > 10 || tally.faults.length + tally.escapes.length > 0 ? tally : undefined;
      });
      expect(result.faults.slice(0, 5)).toEqual([]);
      expect(result.escapes.slice(0, 5)).toEqual([]);
      expect(result.swaps).toBeGreaterThan(10);
    },
  );
});
