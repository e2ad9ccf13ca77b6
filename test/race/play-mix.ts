/**
 * Reads and changes of every kind at once, while a racer swaps the ground under them. The tree is laid anew after a part
 * of the calls; then everything stands still and is compared.
 *
 * `playControl` is the same race against the usual way of doing it, realpath and then open. It must leak: otherwise the
 * race would prove nothing.
 */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { addRace, findWords, judgeAnswer, snapshot, type Tally } from "./judge.ts";
import type { Racer } from "./open-racer.ts";
import { DIRECTORY_READS, directoryChanges, FILE_READS, fileChanges, type RaceCall } from "./race-calls.ts";
import type { RaceHost, Way } from "./race-host.ts";
import { CHANGE_LANES, layRaceTree, OUTSIDE_WORDS, raceOf, wordsFor } from "./race-tree.ts";

export interface Mix {
  readonly top: string;
  readonly way: Way;
  readonly kind: "directory" | "file";
  readonly reads: number;
  readonly changes: number;
  /** Calls until the tree is laid anew. */
  readonly callsALaying: number;
  readonly onLaying?: (tally: Tally) => void;
}

const READ_LANES = 8;

export async function playMix(mix: Mix, host: RaceHost, racer: Racer, tally: Tally): Promise<void> {
  const layings = Math.max(1, Math.ceil((mix.reads + mix.changes) / mix.callsALaying));
  const [reads, changes] = [Math.ceil(mix.reads / layings), Math.ceil(mix.changes / layings)];
  for (let laying = 0; laying < layings; laying++) {
    await playLaying(mix, host, racer, tally, { reads, changes });
    mix.onLaying?.(tally);
  }
}

async function playLaying(
  mix: Mix,
  host: RaceHost,
  racer: Racer,
  tally: Tally,
  left: { reads: number; changes: number },
): Promise<void> {
  const [root, outside] = [join(mix.top, "root"), join(mix.top, "outside")];
  layRaceTree(root, outside);
  const before = snapshot(outside);
  const words = wordsFor(mix.way);
  const isDirectory = mix.kind === "directory";
  const play = async (call: RaceCall): Promise<void> => {
    const line = await host.call(call.tool, call.args);
    const outcome = judgeAnswer(tally, call, line, words);
    if (outcome === "ok" && !line.includes(call.holds ?? ""))
      tally.faults.push(`${call.tool} ${call.args} is ok without what is inside: ${line.slice(0, 500)}`);
  };
  const lanes = (count: number, take: () => boolean, callsOf: (lane: number) => readonly RaceCall[]) =>
    Array.from({ length: count }, async (_, lane) => {
      const calls = callsOf(lane);
      for (let next = lane; take(); next++) await play(calls[next % calls.length] as RaceCall);
    });
  await racer.race(raceOf(mix.kind, root));
  try {
    await Promise.all([
      ...lanes(
        READ_LANES,
        () => left.reads-- > 0,
        () => (isDirectory ? DIRECTORY_READS : FILE_READS),
      ),
      ...lanes(CHANGE_LANES, () => left.changes-- > 0, isDirectory ? directoryChanges : fileChanges),
    ]);
  } finally {
    addRace(tally, await racer.stop());
  }
  if (snapshot(outside) !== before) tally.escapes.push(`${mix.kind}: the outside has changed`);
  for (const found of findWords(root, words)) tally.escapes.push(`${mix.kind}: inside, ${found}`);
}

/** Steps that the control makes between proving a name and opening it: up to about twenty microseconds. */
const MOST_BETWEEN = 20_000;
let between = 0;

/** @returns how many of the reads came back with what is outside */
export async function playControl(
  top: string,
  racer: Racer,
  reads: number,
): Promise<{ leaks: number; ok: number; refused: number }> {
  const [root, outside] = [join(top, "root"), join(top, "outside")];
  layRaceTree(root, outside);
  await racer.race(raceOf("directory", root));
  const counts = { leaks: 0, ok: 0, refused: 0 };
  for (let read = 0; read < reads; read++) {
    const path = join(root, "x", "tree", "b.txt");
    // As most servers do it: the name is proven, and then the name is opened again.
    const isInside = realpathSync(path).startsWith(`${root}/`);
    // What a server does in between is more or less each time; without it the two can fall into step.
    for (let more = Math.random() * MOST_BETWEEN; more > 0; more--) between++;
    const text = isInside ? readFileSync(path, "utf8") : "";
    if (!isInside) counts.refused++;
    else if (OUTSIDE_WORDS.some((word) => text.includes(word))) counts.leaks++;
    else counts.ok++;
  }
  await racer.stop();
  return counts;
}
