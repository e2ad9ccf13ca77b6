/**
 * `bun run test:crash`: the compiled binary is killed before, and fails in, every system call with which it commits a
 * change, some minutes. After each fault a host on the same state must find or make the tree wholly old or wholly new.
 * Ends with a table; `--only=NAME` plays one scene.
 *
 * Exit code 1 on any violation, and when a fault that was to hit did not: then nothing was proved.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { MEDDLED, SCENES, type Scene } from "../test/crash/crash-scenes.ts";
import { CrashLane, type Trial } from "../test/crash/crash-lane.ts";
import { canInject, type Fault } from "../test/crash/inject.ts";
import { errorsThenKills, everyFault, killsInRecovery, lastingFaults, playFaults } from "../test/crash/play-faults.ts";

const FAULTS: readonly Fault[] = ["kill", "ENOSPC", "EIO"];

/** One pair in so many of a kill and another one in the recovery is played. */
const RECOVERY_STEP = 3;
/** One pair in so many of an error and a kill while it is handled is played. */
const PAIR_STEP = 11;

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });

process.exitCode = await main();

async function main(): Promise<number> {
  if (!canInject()) {
    console.error("crash: Cannot inject faults here: there is no strace that may trace");
    return 1;
  }
  const trials: Trial[] = [];
  const scenes = [...SCENES, ...MEDDLED].filter(({ name }) => flags.only === undefined || name === flags.only);
  await using held = new AsyncDisposableStack();
  const lanes = Array.from({ length: availableParallelism() }, () => held.use(new CrashLane()));
  for (const scene of scenes) {
    const played: Trial[] = [];
    const choices = scene.meddling
      ? [everyFault(["kill"])]
      : [
          everyFault(FAULTS),
          killsInRecovery(RECOVERY_STEP),
          lastingFaults(["EIO", "ENOSPC"], 1),
          errorsThenKills(PAIR_STEP),
        ];
    for (const choose of choices) played.push(...(await playFaults(lanes, scene, choose)));
    trials.push(...played);
    for (const trial of played) if (trial.violations.length > 0) console.log(describe(trial));
    console.log(`${scene.name}: ${played.length} faults`);
  }
  printTable(scenes, trials);
  const isSound = trials.length > 0 && trials.every(({ isHit, violations }) => isHit && violations.length === 0);
  return isSound ? 0 : 1;
}

function describe({ scene, injection, violations }: Trial): string {
  const { call, nth, fault, again, dies, lasts } = injection;
  const then = again ? `, and in the recovery at ${again.call} ${again.nth}` : "";
  const also = `${lasts ? "+" : ""}${dies ? `, killed at ${dies.call} ${dies.nth}` : ""}`;
  return `${scene.name}: ${fault} at ${call} ${nth}${also}${then}: ${violations.join("; ").slice(0, 1000)}`;
}

function printTable(scenes: readonly Scene[], trials: readonly Trial[]): void {
  console.log(`\n${"scene".padEnd(52)}${"fault".padEnd(8)}faults     hit     old     new  no note  violations`);
  for (const scene of scenes)
    for (const fault of FAULTS) {
      const own = trials.filter((trial) => trial.scene === scene && trial.injection.fault === fault);
      const numbers = [
        own.length,
        own.filter(({ isHit }) => isHit).length,
        own.filter(({ tree }) => tree === "old").length,
        own.filter(({ tree }) => tree === "new").length,
        own.filter(({ isNoted }) => !isNoted).length,
        own.filter(({ violations }) => violations.length > 0).length,
      ];
      const cells = numbers.map((number) => String(number).padStart(8)).join(" ");
      console.log(scene.name.padEnd(52) + fault.padEnd(6) + cells);
    }
}
