/**
 * Faults of one scene on several lanes at once. Which ones is the caller's: every call with every fault in the long form,
 * a few of them in the gate.
 */
import type { CrashLane, Trial } from "./crash-lane.ts";
import type { Scene } from "./crash-scenes.ts";
import type { Fault, Injection } from "./inject.ts";

/** From how often each kind of call is made to the faults that are played. */
export type Choice = (counts: ReadonlyMap<string, number>) => Injection[];

/** Opening a file changes nothing unless it makes one, so opens are left to the other calls around them. */
const PASSED_OVER = new Set(["openat", "openat2"]);

export function everyFault(faults: readonly Fault[]): Choice {
  return (counts) =>
    [...counts].flatMap(([call, count]) =>
      PASSED_OVER.has(call)
        ? []
        : Array.from({ length: count }, (_, at) => faults.map((fault) => ({ call, nth: at + 1, fault }))).flat(),
    );
}

/** The disk fails from one call on, until the call is answered. */
export function lastingFaults(faults: readonly Fault[], step: number): Choice {
  return (counts) =>
    everyFault(faults)(counts)
      .map((injection): Injection => ({ ...injection, lasts: true }))
      .filter((_, at) => at % step === 0);
}

/** An error, and a kill in what is done about it. */
export function errorsThenKills(step: number): Choice {
  return (counts) => {
    const errors = everyFault(["EIO"])(counts).filter(({ call }) => /^(?:rename|fsync|p?write|link)/.test(call));
    const pairs = errors.flatMap((injection) =>
      ["rename", "unlink", "rmdir", "pwrite64", "ftruncate", "fsync"].flatMap((call) =>
        [1, 2, 3, 5, 8, 13].map((nth): Injection => ({ ...injection, dies: { call, nth } })),
      ),
    );
    return pairs.filter(({ call, dies }, at) => dies?.call !== call && at % step === 0);
  };
}

/** Kills at which there is something to take back or to finish, each with a second one in the recovery. */
export function killsInRecovery(step: number): Choice {
  return (counts) => {
    const first = everyFault(["kill"])(counts).filter(({ call }) => /^(?:rename|fsync|p?write)/.test(call));
    const again = ["rename", "unlink", "link", "rmdir", "mkdir", "unlinkat", "fsync"].flatMap((call) =>
      [1, 2, 3, 5, 8].map((nth) => ({ call, nth })),
    );
    const both = first.flatMap((injection) => again.map((second) => ({ ...injection, again: second })));
    return both.filter((_, at) => at % step === 0);
  };
}

export async function playFaults(lanes: readonly CrashLane[], scene: Scene, choose: Choice): Promise<Trial[]> {
  const [first] = lanes;
  if (!first) return [];
  const { counts, tree } = await first.measure(scene);
  const waiting = choose(counts).reverse();
  const trials: Trial[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        trials.push(await playUntilHit(async () => await lane.play(scene, tree, next)));
    }),
  );
  return trials;
}

/**
 * A `write` of the traced thread wakes another one, and is not made where that one is awake already: how many there are
 * depends on how busy the machine is. What was not hit is played again, and its first violation is told all the same.
 */
async function playUntilHit(play: () => Promise<Trial>): Promise<Trial> {
  let trial = await play();
  for (let again = 0; again < MAX_MISSES && !trial.isHit && trial.violations.length === 0; again++)
    trial = await play();
  return trial;
}

const MAX_MISSES = 20;
