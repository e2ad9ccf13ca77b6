/**
 * The compiled binary killed before every system call with which it commits a change set of all kinds, a few errors of the
 * disk, and a few kills of the recovery too. The long form is `bun run test:crash`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CrashLane, type Trial } from "./crash-lane.ts";
import { SEVERAL } from "./crash-scenes.ts";
import { canInject } from "./inject.ts";
import { everyFault, killsInRecovery, playFaults, type Choice } from "./play-faults.ts";

const ERROR_STEP = 11;
const RECOVERY_STEP = 61;

describe.skipIf(!canInject())("a change set, by faults of the system", () => {
  let lanes: CrashLane[] = [];
  beforeAll(() => {
    lanes = [new CrashLane(), new CrashLane()];
  });
  afterAll(async () => {
    for (const lane of lanes) await lane[Symbol.asyncDispose]();
  });

  const play = async (choose: Choice): Promise<Trial[]> => {
    const trials = await playFaults(lanes, SEVERAL, choose);
    const wrong = trials.filter(({ violations }) => violations.length > 0);
    expect(wrong.slice(0, 5).map(({ injection, violations }) => ({ injection, violations }))).toEqual([]);
    expect(trials.filter(({ isHit }) => !isHit).map(({ injection }) => injection)).toEqual([]);
    return trials;
  };

  test("killed before each of its calls, it is wholly there or not at all", async () => {
    const trials = await play(everyFault(["kill"]));
    expect(trials.length).toBeGreaterThan(80);
    expect(trials.filter(({ tree }) => tree === "old").length).toBeGreaterThan(20);
    expect(trials.filter(({ tree }) => tree === "new").length).toBeGreaterThan(10);
  }, 60_000);

  test("the same when the disk is full or broken for a moment", async () => {
    const trials = await play((counts) =>
      everyFault(["ENOSPC", "EIO"])(counts).filter((_, at) => at % ERROR_STEP === 0),
    );
    expect(trials.length).toBeGreaterThan(10);
  }, 60_000);

  test("the same when its recovery is killed too", async () => {
    expect((await play(killsInRecovery(RECOVERY_STEP))).length).toBeGreaterThan(10);
  }, 60_000);
});
