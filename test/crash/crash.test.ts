/**
 * The compiled binary killed before every system call with which it commits a change set of all kinds, a few errors of the
 * disk, and a few kills of the recovery too. The long form is `bun run test:crash`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { CrashLane, type Trial } from "./crash-lane.ts";
import { APPLY, MEDDLED, SEVERAL, UNDO, type Scene } from "./crash-scenes.ts";
import { canInject } from "./inject.ts";
import { errorsThenKills, everyFault, killsInRecovery, lastingFaults, playFaults, type Choice } from "./play-faults.ts";

const ERROR_STEP = 11;
const RECOVERY_STEP = 83;
const LASTING_STEP = 23;
const PAIR_STEP = 151;
/** In other scenes, every eighth point is a kill. */
const KILL_STEP = 8;

function someOf(choose: Choice, step: number): Choice {
  return (counts) => choose(counts).filter((_, at) => at % step === 0);
}

describe.skipIf(!canInject())(`a change set, by faults of the system${component("strace").note}`, () => {
  let lanes: CrashLane[] = [];
  beforeAll(() => {
    lanes = [new CrashLane(), new CrashLane()];
  });
  afterAll(async () => {
    for (const lane of lanes) await lane[Symbol.asyncDispose]();
  });

  const play = async (scene: Scene, choose: Choice): Promise<Trial[]> => {
    const trials = await playFaults(lanes, scene, choose);
    const wrong = trials.filter(({ violations }) => violations.length > 0);
    expect(wrong.slice(0, 5).map(({ injection, violations }) => ({ injection, violations }))).toEqual([]);
    expect(trials.filter(({ isHit }) => !isHit).map(({ injection }) => injection)).toEqual([]);
    return trials;
  };
  test("killed before each of its calls, it is wholly there or not at all", async () => {
    const trials = await play(SEVERAL, everyFault(["kill"]));
    expect(trials.length).toBeGreaterThan(80);
    expect(trials.filter(({ tree }) => tree === "old").length).toBeGreaterThan(20);
    // After the change is whole there are its mark, its flush, the tidying and the answer; how often the runtime wakes
    // is its own.
    expect(trials.filter(({ tree }) => tree === "new").length).toBeGreaterThan(3);
  });

  test("a change set is whole or undone when the disk is full or broken for a moment", async () => {
    const trials = await play(SEVERAL, someOf(everyFault(["ENOSPC", "EIO"]), ERROR_STEP));
    expect(trials.length).toBeGreaterThan(10);
  });

  test("a change set is whole or undone when its recovery is killed too", async () => {
    expect((await play(SEVERAL, killsInRecovery(RECOVERY_STEP))).length).toBeGreaterThan(10);
  });

  test("a change set is whole or undone when the disk stays broken, or the host dies while it takes the change back", async () => {
    const lasting = await play(SEVERAL, lastingFaults(["EIO", "ENOSPC"], LASTING_STEP));
    const pairs = await play(SEVERAL, errorsThenKills(PAIR_STEP));
    expect(Math.min(lasting.length, pairs.length)).toBeGreaterThan(5);
  });

  test.each([UNDO, APPLY, ...MEDDLED].map((scene) => [scene.name, scene] as const))(
    "a change set is whole or undone when it is %s",
    async (_name, scene) => {
      expect((await play(scene, someOf(everyFault(["kill"]), KILL_STEP))).length).toBeGreaterThan(3);
    },
  );
});
