/**
 * The twelve searches, counted, against ripgrep, in turn; in a running host, and spawned from the shell. In every pair the
 * two must have found as many lines in as many files.
 */
import { alternate, compare } from "../alternate.ts";
import { callCommand, type Bench } from "../bench.ts";
import { ratioOf, type Measurement } from "../measurement.ts";
import { RawClient } from "../raw-client.ts";
import { nextArguments } from "../tool-call.ts";
import { openCorpus, type Corpus } from "./corpus.ts";
import { countWithRipgrep, RIPGREP_OK, run, type Run } from "./native.ts";
import { QUERIES, type Query } from "./queries.ts";
import { expectAgreement, sumCounts, wholeAnswer } from "./whole-answer.ts";

/** Fewer where every page starts a program. */
const ROUNDS = { host: 5, called: 3 };
/** No single search may be slower than this, whatever the mean. */
const WORST_RATIO = 2.5;

/** From the request to the last byte of the last page. */
export async function measureGrepInHost(bench: Bench): Promise<Measurement[]> {
  const corpus = openCorpus(bench);
  await using client = await RawClient.open(corpus.server);
  return await measureAll(corpus, searchInHost(client, corpus), {
    how: "in a host",
    rounds: ROUNDS.host,
    meanAtMost: 1,
    eachAtMost: WORST_RATIO,
  });
}

/** Every page of a search, as the answers advise. */
export function searchInHost(client: RawClient, corpus: Corpus): Search {
  return async (query) => await wholeAnswer(client, "grep", argumentsOf(query, corpus));
}

/** From spawning the program to its end, for every page. */
export async function measureGrepCalled(bench: Bench): Promise<Measurement[]> {
  const corpus = openCorpus(bench);
  const ours = async (query: Query): Promise<PagedRun> => {
    let [ms, pages] = [0, 0];
    const texts: string[] = [];
    for (let next: object | undefined = argumentsOf(query, corpus); next !== undefined; pages++) {
      const page = await run(callCommand(corpus.server, "grep", next));
      ms += page.ms;
      texts.push(page.text);
      next = nextArguments([page.text.trimEnd()]);
    }
    return { ms, text: texts.join("\n"), pages };
  };
  return await measureAll(corpus, ours, { how: "called", rounds: ROUNDS.called, meanAtMost: 1.9 });
}

interface PagedRun extends Run {
  readonly pages: number;
}

function argumentsOf(query: Query, { tree }: Corpus): object {
  return { ...query.args, path: tree, output: "count", limit: 20_000 };
}

interface Plan {
  readonly how: string;
  readonly rounds: number;
  /** Ratios. */
  readonly meanAtMost: number;
  readonly eachAtMost?: number;
}

async function measureAll(
  { tree }: Corpus,
  ours: Search,
  { how, rounds, meanAtMost, eachAtMost }: Plan,
): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const query of QUERIES) {
    const measured = await measureQuery(query, tree, { ours, rounds, measure: `grep ${how}: ${query.name}` });
    rows.push({
      ...measured,
      ...(eachAtMost === undefined ? {} : { target: { kind: "ratio_at_most", value: eachAtMost } }),
    });
  }
  const ratios = rows.map((row) => ratioOf(row) ?? Number.NaN);
  const mean: Measurement = {
    measure: `grep ${how}: geometric mean of the ratios`,
    unit: "times",
    ours: meanOfRatios(ratios),
    target: { kind: "at_most", value: meanAtMost },
    detail: `worst ${Math.max(...ratios).toFixed(2)}`,
  };
  return [...rows, mean];
}

type Search = (query: Query) => Promise<PagedRun>;

interface Pair {
  readonly ours: Search;
  readonly rounds: number;
  /** The name of the search in the table. */
  readonly measure: string;
}

/** One search against ripgrep, in turn. @throws Error when the two do not find as many lines in as many files */
export async function measureQuery(query: Query, tree: string, { ours, rounds, measure }: Pair): Promise<Measurement> {
  let counted = sumCounts("");
  let pages = 0;
  const reference = async (): Promise<number> => {
    const { ms, text } = await run(countWithRipgrep(query, tree), RIPGREP_OK);
    expectAgreement(query.name, counted, sumCounts(text));
    return ms;
  };
  const search = async (): Promise<number> => {
    const answer = await ours(query);
    counted = sumCounts(answer.text);
    ({ pages } = answer);
    return answer.ms;
  };
  await search();
  await reference();
  const samples = await alternate(rounds, search, reference);
  const found = `${counted.lines} in ${counted.files} files, ${pages} ${pages === 1 ? "page" : "pages"}`;
  return { measure, unit: "ms", ...compare(samples, `${found}; median of ${rounds}`) };
}

/** The geometric mean. */
export function meanOfRatios(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
