/**
 * Ten searches of each kind against ripgrep, in turn, in a running host: the geometric mean of each kind, the worst
 * single search, and the mean of all. `--seed=N` makes other searches; the seed stands in the table.
 */
import type { Bench } from "../bench.ts";
import { ratioOf, type Measurement } from "../measurement.ts";
import { RawClient } from "../raw-client.ts";
import { openCorpus } from "./corpus.ts";
import { meanOfRatios, measureQuery, searchInHost } from "./grep-counts.ts";
import { makeQueries } from "./query-kinds.ts";
import { readVocabulary } from "./vocabulary.ts";

const ROUNDS = 3;
/** Ratios. */
const TARGETS = { kind: 1.2, all: 1, single: 2 };

export async function measureSearchKinds(bench: Bench): Promise<Measurement[]> {
  const corpus = openCorpus(bench);
  const { seed } = bench;
  const kinds = makeQueries(await readVocabulary(corpus.tree, seed), seed);
  await using client = await RawClient.open(corpus.server);
  const rows: Measurement[] = [];
  const all: number[] = [];
  for (const [kind, queries] of kinds) {
    const ratios: (readonly [ratio: number, name: string])[] = [];
    for (const query of queries) {
      const pair = await measureQuery(query, corpus.tree, {
        ours: searchInHost(client, corpus),
        rounds: ROUNDS,
        measure: query.name,
      });
      const ratio = ratioOf(pair) ?? Number.NaN;
      console.error(`  ${ratio.toFixed(2)}  ${query.name} (${pair.detail})`);
      ratios.push([ratio, query.name]);
      all.push(ratio);
    }
    const [worst, name] = ratios.reduce((one, other) => (other[0] > one[0] ? other : one));
    rows.push(
      meanRow(
        `grep ${kind}`,
        ratios.map(([ratio]) => ratio),
        TARGETS.kind,
        `worst ${worst.toFixed(2)}: ${name}`,
      ),
    );
  }
  const worst = Math.max(...all);
  return [
    ...rows,
    meanRow("grep of every kind", all, TARGETS.all, `seed ${seed}, ${all.length} searches`),
    { measure: "worst single search", unit: "times", ours: worst, target: { kind: "at_most", value: TARGETS.single } },
  ];
}

function meanRow(measure: string, ratios: readonly number[], atMost: number, detail: string): Measurement {
  return {
    measure: `${measure}: geometric mean of the ratios`,
    unit: "times",
    ours: meanOfRatios(ratios),
    target: { kind: "at_most", value: atMost },
    detail,
  };
}
