/**
 * Every case of the path corpus against the compiled binary over a pipe, once with handles and once the portable way. A
 * change is applied if it was proposed. After each case nothing below `{OUTSIDE}` may have changed, and no word that
 * only stands there may have come out: not in an answer, not on stderr, not into the record.
 *
 * A process serves many cases: its root is emptied and laid anew, which its handle survives. Cases that replace the root
 * itself get a process of their own. The cases of a race are in `test/race`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTree } from "../host/file-tree.ts";
import { clearFolder, findWrong, perform, readPathCorpus, replacesRoot, type PathCase } from "../scope/path-cases.ts";
import { CorpusHost, type Containment } from "./path-corpus-host.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-paths-")));
/** Where processes are shared, and where a case does to the root what it likes. */
const [shared, own] = [join(base, "shared"), join(base, "own")];
const corpus = readPathCorpus(shared);
const cases: readonly PathCase[] = [
  ...corpus.cases.filter((one) => !replacesRoot(one)),
  ...readPathCorpus(own).cases.filter(replacesRoot),
];
const hosts = new Map<string, CorpusHost>();
let states = 0;

beforeAll(() => {
  for (const top of [shared, own]) mkdirSync(join(top, "outside"), { recursive: true });
  mkdirSync(join(shared, "root"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

test("the corpus is there, and what is left out of it is named", () => {
  const names = cases.map(({ name }) => name);
  expect(names.length + corpus.races.length + corpus.foreign.length).toBe(341);
});

test.if(process.platform === "linux")("what Linux can lay down is all there", () => {
  const counts = { cases: cases.length, races: corpus.races.length, foreign: corpus.foreign.length };
  expect(counts).toEqual({ cases: 293, races: 12, foreign: 36 });
});

describe.each(["auto", "portable"] as const)("containment %s", (containment) => {
  test.each(cases.map((one) => [one.name, one] as const))(
    "the path is met as the corpus says: %s",
    async (_name, one) => {
      expect(await runCase(one, containment)).toEqual([]);
    },
  );

  test("the record and stderr of the shared processes hold no word", async () => {
    const ended = await Promise.all([...hosts.values()].map(async (host) => await host.close()));
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.flat()).toEqual([]);
    hosts.clear();
  });
});

/** What went wrong, in words; an empty list is a case that holds. */
async function runCase(one: PathCase, containment: Containment): Promise<string[]> {
  const isOwn = replacesRoot(one);
  const kept = isOwn ? ["outside"] : ["outside", "root"];
  clearFolder(one.top, kept);
  for (const name of kept) clearFolder(join(one.top, name));
  perform(one.setup);
  const host = isOwn ? await startHost(one, containment) : await sharedHost(one, containment);
  const problems = await askCase(one, host);
  return isOwn ? [...problems, ...(await host.close())] : problems;
}

async function askCase(one: PathCase, host: CorpusHost): Promise<string[]> {
  for (const call of one.warmup ?? []) {
    const { outcome, said } = await host.outcomeOf(one, call, JSON.stringify(call.args));
    if (outcome !== "ok") return [`the call before it failed: ${said}`];
  }
  perform(one.late_setup ?? []);
  const outside = join(one.top, "outside");
  const before = JSON.stringify(readTree(outside));
  const { outcome, said } = await host.outcomeOf(one, one, one.argsText);
  const problems: string[] = [];
  if (outcome !== one.expect && !one.accept?.includes(outcome)) problems.push(`${outcome}: ${said}`);
  if (outcome === "ok" && !said.includes(JSON.stringify(one.result_contains ?? "").slice(1, -1)))
    problems.push(`not what was asked: ${said}`);
  for (const next of outcome === "ok" ? (one.then ?? []) : []) {
    const after = await host.outcomeOf(one, next, JSON.stringify(next.args));
    if (after.outcome === "ok") problems.push(`then ${next.tool} worked: ${after.said}`);
  }
  for (const word of one.no_leak) if (said.includes(word)) problems.push(`${word} came out: ${said}`);
  if (!one.outside_may_change && JSON.stringify(readTree(outside)) !== before) problems.push("outside changed");
  return [...problems, ...findWrong(one.check ?? [], outcome === "ok")];
}

async function sharedHost(one: PathCase, containment: Containment): Promise<CorpusHost> {
  const key = JSON.stringify(one.config);
  const known = hosts.get(key) ?? (await startHost(one, containment));
  hosts.set(key, known);
  return known;
}

async function startHost(one: PathCase, containment: Containment): Promise<CorpusHost> {
  return await CorpusHost.start(one, containment, join(base, `state-${++states}`));
}
