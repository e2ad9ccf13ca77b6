/**
 * glob and disk_usage over the whole tree, and the first page of a search that would find very much. A glob is answered
 * when its totals are known: the newest paths first need all of them. By name it is followed to the last page.
 */
import { alternate, compare } from "../alternate.ts";
import { callCommand, type Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { openCorpus } from "./corpus.ts";
import { filesWithFd, filesWithRipgrep, run } from "./native.ts";
import { countLines, expectAgreement, timedCall, wholeAnswer } from "./whole-answer.ts";

const ROUNDS = 7;
const FIRST_PAGE_ROUNDS = 21;
const FIRST_PAGE_MS = 40;
const GLOBS = ["**/*.c", "**/*"];
/** What somebody asks for who wants everything. */
const LARGEST_PAGE = 20_000;

export async function measureGlob(bench: Bench): Promise<Measurement[]> {
  const { tree, server } = openCorpus(bench);
  await using client = await RawClient.open(server);
  const rows: Measurement[] = [];
  for (const pattern of GLOBS) {
    const everything = { pattern, path: tree, sort: "name", limit: LARGEST_PAGE };
    const all = await wholeAnswer(client, "glob", everything);
    const fd = filesWithFd(pattern, tree);
    for (const [name, command] of [
      ["rg --files", filesWithRipgrep(pattern, tree)],
      ["fd", fd],
    ] as const) {
      if (command === undefined) {
        console.error(`not measured: glob against ${name}, which is not installed`);
        continue;
      }
      const native = await run(command);
      expectAgreement(`glob ${pattern} against ${name}`, [countLines(all.text)], [countLines(native.text)]);
      const reference = async (): Promise<number> => (await run(command)).ms;
      const page = async (): Promise<number> => (await timedCall(client, "glob", { pattern, path: tree })).ms;
      const pages = async (): Promise<number> => (await wholeAnswer(client, "glob", everything)).ms;
      await page();
      rows.push(globRow(`glob ${pattern} newest, against ${name}`, await alternate(ROUNDS, page, reference)));
      const samples = await alternate(ROUNDS, pages, reference);
      rows.push(globRow(`glob ${pattern} by name, ${all.pages} pages, against ${name}`, samples));
    }
  }
  return rows;
}

function globRow(measure: string, samples: Awaited<ReturnType<typeof alternate>>): Measurement {
  const target = { kind: "ratio_at_most", value: 1 } as const;
  return { measure, unit: "ms", target, ...compare(samples, `median of ${ROUNDS}`) };
}

export async function measureUsage(bench: Bench): Promise<Measurement[]> {
  const { tree, server } = openCorpus(bench);
  const du = async (): Promise<number> => (await run(["du", "-s", tree])).ms;
  const said = await run(["du", "-s", "--block-size=1", tree]);
  const raw = await run([...callCommand(server, "disk_usage", { path: tree }), "--raw", "--results=structured"]);
  const { structuredContent } = JSON.parse(raw.text) as { structuredContent: { allocated: number } };
  expectAgreement("disk_usage", [structuredContent.allocated], [Number.parseInt(said.text, 10)]);
  await using client = await RawClient.open(server);
  const ours = async (): Promise<number> => (await timedCall(client, "disk_usage", { path: tree })).ms;
  await ours();
  const samples = await alternate(ROUNDS, ours, du);
  return [
    {
      measure: "disk_usage, against du -s",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1 },
      ...compare(samples, `median of ${ROUNDS}`),
    },
  ];
}

/** What an agent waits for when it searches for a word that is everywhere. */
export async function measureFirstPage(bench: Bench): Promise<Measurement[]> {
  const { tree, server } = openCorpus(bench);
  await using client = await RawClient.open(server);
  const page = async (): Promise<number> => {
    const { ms, texts } = await timedCall(client, "grep", { pattern: "return", path: tree, limit: 200 });
    expectAgreement("a first page", [countLines(texts.at(-1) ?? "")], [200]);
    return ms;
  };
  await page();
  const samples: number[] = [];
  for (let round = 0; round < FIRST_PAGE_ROUNDS; round++) samples.push(await page());
  return [
    {
      measure: "grep of a common word, limit 200",
      unit: "ms",
      ours: median(samples),
      target: { kind: "at_most", value: FIRST_PAGE_MS },
      detail: `median of ${FIRST_PAGE_ROUNDS}, slowest ${Math.max(...samples).toFixed(1)} ms`,
    },
  ];
}
