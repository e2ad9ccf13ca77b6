/**
 * How cost grows with the tree: the same slice of it once, twice, four and eight times, so that nothing differs but how
 * much there is. Straight means: no size lies more than 10 % off the best line through all four.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { linkOrCopy, type Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { openCorpus } from "./corpus.ts";
import { NO_LITERAL, RARE_LITERAL } from "./queries.ts";
import { timedCall, wholeAnswer } from "./whole-answer.ts";

const SIZES = [1, 2, 4, 8];
const ROUNDS = 5;
/** One directory in so many is in the slice, so that eight slices are about one tree. */
const EVERY = 8;
const MOST_OFF_PERCENT = 10;

export async function measureGrowth(bench: Bench): Promise<Measurement[]> {
  const { tree } = openCorpus(bench);
  using slices = makeSlices(tree, join(bench.workspace, "slices"));
  await using client = await RawClient.open(bench.ours);
  const at = (size: number, args: object): object => ({ ...args, path: join(slices.path, `${size}x`) });
  const count = { output: "count", limit: 20_000 };
  const search = (args: object) => async (size: number) =>
    (await wholeAnswer(client, "grep", at(size, { ...args, ...count }))).ms;
  // One answer each: their totals are of the whole tree, and further pages would start from the beginning.
  const once = (tool: string, args: object) => async (size: number) =>
    (await timedCall(client, tool, at(size, args))).ms;
  return [
    await growthRow("grep rare literal", search(RARE_LITERAL.args)),
    await growthRow("grep no literal", search(NO_LITERAL.args)),
    await growthRow("glob **/*.c", once("glob", { pattern: "**/*.c" })),
    await growthRow("disk_usage", once("disk_usage", {})),
  ];
}

async function growthRow(name: string, work: (size: number) => Promise<number>): Promise<Measurement> {
  const samples = new Map(SIZES.map((size) => [size, [] as number[]]));
  await work(SIZES.at(-1) ?? 1);
  for (let round = 0; round < ROUNDS; round++) for (const [size, times] of samples) times.push(await work(size));
  const points = [...samples].map(([size, times]) => ({ size, ms: median(times) }));
  return {
    measure: `growth of ${name}, off the line`,
    unit: "%",
    ours: offTheLine(points),
    target: { kind: "at_most", value: MOST_OFF_PERCENT },
    detail: `${points.map(({ size, ms }) => `${size}x ${ms.toFixed(1)} ms`).join(", ")}; medians of ${ROUNDS}`,
  };
}

/** The largest distance from the line of least relative squares, in percent of it. */
export function offTheLine(points: readonly { readonly size: number; readonly ms: number }[]): number {
  // Relative: each point weighs 1 / ms², or the largest would decide the line alone.
  let [w, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const { size, ms } of points) {
    const weight = 1 / (ms * ms);
    w += weight;
    x += weight * size;
    y += weight * ms;
    xx += weight * size * size;
    xy += weight * size * ms;
  }
  const slope = (w * xy - x * y) / (w * xx - x * x);
  const base = (y - slope * x) / w;
  return Math.max(...points.map(({ size, ms }) => Math.abs(ms / (base + slope * size) - 1) * 100));
}

/** `1x` holds one copy of the slice, `2x` two, and so on. Links, so that eight copies take the place of one. */
function makeSlices(tree: string, path: string): Disposable & { readonly path: string } {
  const directories = [
    "",
    ...readdirSync(tree, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
      .filter((rel) => !/^\.git(\/|$)/.test(rel))
      .sort(),
  ];
  const taken = directories.filter((_, at) => at % EVERY === 0);
  for (const size of SIZES)
    for (let copy = 0; copy < size; copy++)
      for (const rel of taken) {
        const into = join(path, `${size}x`, `copy-${copy}`, rel);
        mkdirSync(into, { recursive: true });
        for (const entry of readdirSync(join(tree, rel), { withFileTypes: true }))
          if (entry.isFile()) linkOrCopy(join(tree, rel, entry.name), join(into, entry.name));
      }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
