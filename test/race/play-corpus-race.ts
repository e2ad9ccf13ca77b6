/**
 * One race case of the path corpus against a running host. The case is laid anew after every hundred calls, because the
 * race and the calls together can wear it down to a state in which nothing is left to win.
 */
import { closeSync, constants, lstatSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearFolder, findWrong, perform, type PathCase, type Race } from "../scope/path-cases.ts";
import { addRace, createTally, findWords, judgeAnswer, snapshot, type Tally } from "./judge.ts";
import type { RaceHost } from "./race-host.ts";
import type { Racer } from "./open-racer.ts";

export type RaceCase = PathCase & { readonly race: Race };

const CALLS_A_LAYING = 100;
const AT_ONCE = 16;

export async function playCorpusRace(one: RaceCase, host: RaceHost, racer: Racer, iterations: number): Promise<Tally> {
  const result = createTally();
  while (result.calls < iterations)
    await playLaying(one, host, racer, result, Math.min(CALLS_A_LAYING, iterations - result.calls));
  return result;
}

async function playLaying(one: RaceCase, host: RaceHost, racer: Racer, result: Tally, calls: number): Promise<void> {
  const [root, outside] = [join(one.top, "root"), join(one.top, "outside")];
  for (const folder of [root, outside]) clearFolder(folder);
  perform(one.setup);
  const before = snapshot(outside);
  const handles = openHandles(one.race);
  await racer.race({ kind: one.race.kind, a: one.race.a, b: one.race.b });
  try {
    await (handles.size > 0 ? callOneByOne(one, host, result, calls, handles) : callAtOnce(one, host, result, calls));
  } finally {
    addRace(result, await racer.stop());
    for (const fd of handles.values()) closeSync(fd);
  }
  if (snapshot(outside) !== before) result.escapes.push(`${one.name}: outside changed`);
  for (const wrong of findWrong(one.check ?? [], false)) result.escapes.push(`${one.name}: ${wrong}`);
  // Some cases have a file inside that is named like one outside; no content is the same.
  const contents = one.no_leak.filter((word) => word.startsWith("TOPSECRET"));
  for (const found of findWords(root, contents)) result.escapes.push(`${one.name}: ${found}`);
}

async function callOneByOne(
  one: RaceCase,
  host: RaceHost,
  result: Tally,
  calls: number,
  handles: ReadonlyMap<string, number>,
): Promise<void> {
  for (let call = 0; call < calls; call++) {
    resetTree(one.race, handles);
    judge(one, result, await host.call(one.tool, one.argsText));
  }
}

async function callAtOnce(one: RaceCase, host: RaceHost, result: Tally, calls: number): Promise<void> {
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left-- > 0) judge(one, result, await host.call(one.tool, one.argsText));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/**
 * What the case accepts will do, and `conflict`, `stale` and `busy`: somebody was in the way. Whether `internal` will do is
 * judged with every other answer.
 */
function judge(one: RaceCase, result: Tally, line: string): void {
  const outcome = judgeAnswer(result, { tool: one.tool, args: one.argsText }, line, one.no_leak);
  const known = [one.expect, ...(one.accept ?? []), "outside_scope", "conflict", "stale", "busy", "internal"];
  if (!known.includes(outcome)) result.faults.push(`${one.name}: ${line.slice(0, 500)}`);
}

function openHandles({ reset = [] }: Race): Map<string, number> {
  const places = new Set(reset.map(({ at }) => at));
  return new Map([...places].map((at) => [at, openSync(at, constants.O_RDONLY | constants.O_DIRECTORY)] as const));
}

/** A raced link is made anew only when the call replaced it: to remove the wrong one of the two would end the race. */
function resetTree({ a, b, reset = [] }: Race, handles: ReadonlyMap<string, number>): void {
  const isLinkLeft = [a, b].some((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  for (const { op, at, name, content = "", target = "" } of reset) {
    if (isLinkLeft && [a, b].includes(join(at, name))) continue;
    const path = `/proc/self/fd/${handles.get(at)}/${name}`;
    if (op === "mkdir") mkdirSync(path, { recursive: true });
    else if (op === "file") writeFileSync(path, content);
    else if (op === "symlink") symlinkSync(target, path);
    else rmSync(path, { recursive: true, force: true });
  }
}
