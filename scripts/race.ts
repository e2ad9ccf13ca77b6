/**
 * `bun run test:race`: the races of test/race in full, some minutes. A control that works the usual way must leak, then
 * every case of the corpus and every kind of call is played against the compiled binary, with handles and the portable
 * way, while another process swaps the ground under it. Ends with a table.
 *
 * Exit code 1 on any escape with handles or behind the fence, on any answer that no call should give, and when the
 * control did not leak. The portable way alone cannot be safe from a racer, so its escapes are only counted and shown.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasLandlock } from "../test/binary/has-landlock.ts";
import { createTally, findWords, type Tally } from "../test/race/judge.ts";
import { openRacer, type Racer } from "../test/race/open-racer.ts";
import { playCorpusRace } from "../test/race/play-corpus-race.ts";
import { playControl, playMix } from "../test/race/play-mix.ts";
import { RaceHost, type Way } from "../test/race/race-host.ts";
import { OUTSIDE_WORDS } from "../test/race/race-tree.ts";
import { readPathCorpus } from "../test/scope/path-cases.ts";

const CONTROL_READS = 20_000;
/** What is asked for is 200,000 reads and 20,000 changes with handles; the corpus comes on top. */
const AMOUNTS: Readonly<Record<Way, Amount>> = {
  handle: { directory: [180_000, 18_000], file: [20_000, 2_000], corpusRounds: 1 },
  "fenced portable": { directory: [36_000, 3_600], file: [4_000, 400], corpusRounds: 0.25 },
  portable: { directory: [18_000, 1_800], file: [2_000, 200], corpusRounds: 0.25 },
};
/** The corpus has names inside that also stand outside, so in the state only contents tell. */
const SECRETS: readonly string[] = OUTSIDE_WORDS.filter((word) => !word.startsWith("leakname"));
const CALLS_A_LAYING = { directory: 2_000, file: 200 } as const;

interface Amount {
  /** Reads and changes. */
  readonly directory: readonly [number, number];
  readonly file: readonly [number, number];
  /** The rounds for each race that the corpus asks for. */
  readonly corpusRounds: number;
}

interface Row {
  readonly what: string;
  readonly way: Way;
  readonly tally: Tally;
}

process.exitCode = await main();

async function main(): Promise<number> {
  if (process.platform !== "linux") {
    console.error("race: Cannot race here: only Linux can exchange two names in one step");
    return 1;
  }
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-race-")));
  try {
    await using racer = openRacer();
    const control = await playControl(top, racer, CONTROL_READS);
    console.log(
      `control: realpath and then open, ${CONTROL_READS} reads: ${control.ok} inside, ${control.refused} refused, ` +
        `${control.leaks} leaked`,
    );
    const ways: readonly Way[] = hasLandlock() ? ["handle", "fenced portable", "portable"] : ["handle", "portable"];
    const rows: Row[] = [];
    for (const way of ways) rows.push(...(await playWay(way, top, racer)));
    printTable(rows);
    const isSafe = rows.every(({ way, tally }) => way === "portable" || tally.escapes.length === 0);
    const isSound = rows.every(({ way, tally }) => way === "portable" || tally.faults.length === 0);
    if (control.leaks === 0) console.log("race: the control did not leak, so this run proves nothing");
    return isSafe && isSound && control.leaks > 0 ? 0 : 1;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

async function playWay(way: Way, top: string, racer: Racer): Promise<Row[]> {
  const rows: Row[] = [];
  for (const folder of ["root", "outside"]) mkdirSync(join(top, folder), { recursive: true });
  rmSync(join(top, "state"), { recursive: true, force: true });
  await using host = await RaceHost.start(top, way);
  for (const one of readPathCorpus(top).races) {
    const rounds = Math.ceil(one.race.iterations * AMOUNTS[way].corpusRounds);
    const tally = await playCorpusRace(one, host, racer, rounds);
    rows.push({ what: one.name, way, tally });
    console.log(`${way} ${one.name}: ${describe(tally)}`);
  }
  for (const kind of ["directory", "file"] as const) {
    const [reads, changes] = AMOUNTS[way][kind];
    const tally = createTally();
    const onLaying = progressOf(`${way} ${kind}`, reads + changes);
    const mix = { top, way, kind, reads, changes, callsALaying: CALLS_A_LAYING[kind], onLaying };
    await playMix(mix, host, racer, tally);
    rows.push({ what: `${reads} reads, ${changes} changes, a ${kind} swapped`, way, tally });
  }
  const last = rows.at(-1)?.tally;
  const { code, stderr } = await host.close();
  if (code !== 0) last?.faults.push(`the host ended with exit code ${code}`);
  for (const found of findWords(join(top, "state"), SECRETS)) last?.escapes.push(`state: ${found}`);
  for (const word of OUTSIDE_WORDS) if (stderr.includes(word)) last?.escapes.push(`${word} on stderr`);
  return rows;
}

/** A line for every tenth of the calls. */
function progressOf(what: string, calls: number): (tally: Tally) => void {
  let shown = 0;
  return (tally) => {
    const tenth = Math.floor((tally.calls / calls) * 10);
    if (tenth > shown) console.log(`${what} ${tenth * 10} %: ${describe(tally)}`);
    shown = tenth;
  };
}

function describe(tally: Tally): string {
  return `${tally.calls} calls, ${swapsPerCall(tally)} swaps a call, ${tally.escapes.length} escapes`;
}

/** How hard the ground was shaken under each. */
function swapsPerCall({ swaps, calls }: Tally): number {
  return Math.round(swaps / calls);
}

function printTable(rows: readonly Row[]): void {
  console.log(`\n${"way".padEnd(17)}${"what".padEnd(50)}   calls      ok  swaps/call  escapes  faults`);
  for (const { what, way, tally } of rows) {
    const numbers = [
      [tally.calls, 8],
      [tally.outcomes.get("ok") ?? 0, 8],
      [swapsPerCall(tally), 12],
      [tally.escapes.length, 9],
      [tally.faults.length, 8],
    ] as const;
    const cells = numbers.map(([number, width]) => String(number).padStart(width)).join("");
    console.log(way.padEnd(17) + what.padEnd(50) + cells);
    const failures = [...tally.outcomes].filter(([outcome]) => outcome !== "ok").sort((a, b) => b[1] - a[1]);
    console.log(`${" ".repeat(17)}${failures.map(([code, count]) => `${code} ${count}`).join(", ")}`);
    for (const problem of [...tally.escapes.slice(0, 5), ...tally.faults.slice(0, 5)])
      console.log(`${" ".repeat(19)}${problem}`);
  }
}
