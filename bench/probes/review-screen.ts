/**
 * A program of its own: how fast `ringfence review` is on a terminal in which 100 proposals wait, the first small or with a diff of
 * 20,000 lines. From its start to the first screen, from a key to the screen, and from the key that decides to the answer of the
 * call that waits: `bun bench/probes/review-screen.ts [BINARY]`, which builds the binary when none is given.
 *
 * Budgets: 150 ms, 50 ms (p95) and 200 ms (p95). The exit code is 1 when one is missed.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { Screen } from "./screen.ts";

const LINES = 20_000;
const PROPOSALS = 100;
const STARTS = 9;
const DECISIONS = 12;
/** One after the other, as a person goes through a diff. */
const KEYS = ["j", "j", "\u001b[6~", " ", " ", "k", "\u001b[5~", "]", "[", "w", "w", "+", "-"];
const KEY_ROUNDS = 8;

const repository = join(import.meta.dir, "..", "..");
const top = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-review-screen-"));
try {
  await main(process.argv[2] ?? build());
} finally {
  rmSync(top, { recursive: true, force: true });
}

function build(): string {
  const { success } = Bun.spawnSync([process.execPath, join(repository, "scripts", "build.ts")], { cwd: repository });
  if (!success) throw new Error("Cannot build the binary");
  return join(repository, "dist", "ringfence");
}

async function main(binary: string): Promise<void> {
  const small = await openQueue(binary, "small");
  await tellStarts("start to the queue of small proposals", 150, small, "100 waiting");
  await tellStarts("start to the first of them", 150, small, "hunk 1 of ");
  const made = await openQueue(binary, "made");
  const rewritten = await openQueue(binary, "rewritten");
  await tellStarts("start to the queue", 150, made, "100 waiting");
  await tellStarts("start to the diff", undefined, made, "hunk 1 of ");
  await tellStarts("start to the diff of every second line", undefined, rewritten, "hunk 1 of ");
  await tellKeys(made);
  tell({ what: "deciding key to answer", budget: 200, by: 0.95 }, await measureDecisions(binary));
}

interface Told {
  readonly what: string;
  readonly budget?: number;
  /** The share of the samples that has to meet the budget. */
  readonly by: number;
}

function tell({ what, budget, by }: Told, samples: readonly number[]): void {
  const shown = (share: number): number => Number(quantile(samples, share).toFixed(1));
  const isMet = budget === undefined || quantile(samples, by) <= budget;
  console.log(JSON.stringify({ what, median: shown(0.5), p95: shown(0.95), most: shown(1), budget, isMet }));
  if (!isMet) process.exitCode = 1;
}

/** Nobody reviews yet, so no call waits. @returns the command of the review */
async function openQueue(binary: string, kind: "small" | "made" | "rewritten"): Promise<readonly string[]> {
  const place = placeOf(kind);
  await using host = await openHost(binary, place);
  const numbers = Array.from({ length: LINES }, (_, at) => at);
  if (kind === "rewritten") writeFileSync(join(place.root, "big.ts"), numbers.map((at) => line(at, "old")).join(""));
  const shown = kind === "small" ? numbers.slice(0, 2) : numbers;
  const content = shown.map((at) => line(at, at % 2 === 0 ? "old" : "fresh")).join("");
  await host.request("tools/call", { name: "write_file", arguments: { path: "big.ts", content } });
  for (let at = 1; at < PROPOSALS; at++)
    await host.request("tools/call", {
      name: "write_file",
      arguments: { path: `file-${at}.md`, content: `file ${at}\n` },
    });
  return reviewOf(binary, place);
}

function line(at: number, word: string): string {
  return `const ${word}${at} = compute(${at}, "some text");\n`;
}

interface Folders {
  readonly root: string;
  readonly state: string;
}

function placeOf(name: string): Folders {
  const root = join(top, name, "root");
  mkdirSync(root, { recursive: true });
  return { root, state: join(top, name, "state") };
}

async function openHost(binary: string, { root, state }: Folders): Promise<RawClient> {
  return await RawClient.open({
    name: "ringfence",
    command: [binary, "serve", "--root", root, "--state-dir", state, "--baseline=if_known"],
    readTool: "read_file",
  });
}

function reviewOf(binary: string, { state }: Folders): readonly string[] {
  return [binary, "review", "--state-dir", state];
}

async function tellStarts(
  what: string,
  budget: number | undefined,
  review: readonly string[],
  words: string,
): Promise<void> {
  const [times, work]: [number[], number[]] = [[], []];
  for (let round = 0; round < STARTS; round++) {
    await using screen = new Screen(review);
    times.push(await screen.shows(words));
    work.push(screen.cpuMs);
  }
  tell({ what, by: 0.5, ...(budget === undefined ? {} : { budget }) }, times);
  tell({ what: `${what}, processor time`, by: 0.5 }, work);
}

async function tellKeys(review: readonly string[]): Promise<void> {
  await using screen = new Screen(review);
  await screen.shows("hunk 1 of ");
  await screen.isQuiet();
  const [times, work]: [number[], number[]] = [[], []];
  for (let round = 0; round < KEY_ROUNDS; round++)
    for (const key of KEYS) {
      const before = screen.cpuMs;
      times.push(await screen.press(key));
      await screen.isQuiet();
      work.push(screen.cpuMs - before);
    }
  screen.leave();
  tell({ what: "key to screen", budget: 50, by: 0.95 }, times);
  tell({ what: "key to screen, processor time", by: 0.95 }, work);
}

/** In a state folder of its own, in which nothing else waits. */
async function measureDecisions(binary: string): Promise<readonly number[]> {
  const place = placeOf("decisions");
  await using host = await openHost(binary, place);
  await using screen = new Screen(reviewOf(binary, place));
  await screen.shows("Nothing waits");
  const samples: number[] = [];
  for (let round = 0; round < DECISIONS; round++) {
    const name = `decided-${round}.md`;
    const answer = host.request("tools/call", { name: "write_file", arguments: { path: name, content: "x\n" } });
    await screen.shows(`Create ${name}`);
    await screen.mayDecide();
    const begun = performance.now();
    screen.type("y");
    await answer;
    samples.push(performance.now() - begun);
    await screen.isQuiet();
  }
  screen.leave();
  return samples;
}
