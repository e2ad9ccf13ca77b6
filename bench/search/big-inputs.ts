/**
 * One big file and one big directory: hash_file against sha256sum, and a list of 100,000 entries against `ls -f | wc -l`.
 * Both are made for the measure. Why `-f`: unsorted, so nothing but reading the names is in the reference.
 */
import { alternate, compare } from "../alternate.ts";
import type { Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";
import { makeEntries, makeSparseFile } from "../workload.ts";
import { run } from "./native.ts";
import { countLines, expectAgreement, timedCall, wholeAnswer } from "./whole-answer.ts";

const HASHED_BYTES: number = 2 * 1024 * 1024 * 1024;
const ENTRIES = 100_000;
const HASH_ROUNDS = 3;
const LIST_ROUNDS = 7;
/** What a list may cost beyond `ls -f | wc -l`: names are sorted, and each is answered with its size and time. */
const LIST_ALLOWANCE_MS = 60;

export async function measureHash({ ours, workspace }: Bench): Promise<Measurement[]> {
  using file = makeSparseFile(workspace, "zeros", HASHED_BYTES);
  await using client = await RawClient.open(ours);
  let hash = "";
  const hashFile = async (): Promise<number> => {
    const { ms, texts } = await timedCall(client, "hash_file", { path: file.path });
    hash = texts.at(-1)?.split(" ")[0] ?? "";
    return ms;
  };
  const sha256sum = async (): Promise<number> => {
    const { ms, text } = await run(["sha256sum", file.path]);
    expectAgreement("hash_file", [hash], [text.split(" ")[0]]);
    return ms;
  };
  await hashFile();
  await sha256sum();
  const samples = await alternate(HASH_ROUNDS, hashFile, sha256sum);
  return [
    {
      measure: "hash_file of 2 GB, against sha256sum",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 1.05 },
      ...compare(samples, `median of ${HASH_ROUNDS}`),
    },
  ];
}

export async function measureList({ ours, workspace }: Bench): Promise<Measurement[]> {
  using folder = makeEntries(workspace, "many", ENTRIES);
  await using client = await RawClient.open(ours);
  const ls = async (): Promise<number> => {
    const { ms, text } = await run(["sh", "-c", 'ls -f "$0" | wc -l', folder.path]);
    // `.` and `..` come too.
    expectAgreement("ls", [Number(text)], [ENTRIES + 2]);
    return ms;
  };
  const first = async (): Promise<number> => (await timedCall(client, "list_directory", { path: folder.path })).ms;
  const whole = async (): Promise<number> => {
    const answer = await wholeAnswer(client, "list_directory", { path: folder.path });
    expectAgreement("list_directory", [countLines(answer.text)], [ENTRIES]);
    return answer.ms;
  };
  const listRow = async (measure: string, work: () => Promise<number>): Promise<Measurement> => {
    await work();
    await ls();
    const samples = await alternate(LIST_ROUNDS, work, ls);
    const value = median(samples.reference) + LIST_ALLOWANCE_MS;
    const compared = compare(samples, `median of ${LIST_ROUNDS}`);
    return { measure, unit: "ms", target: { kind: "at_most", value }, ...compared };
  };
  return [
    await listRow("list of 100,000 entries, first page, against ls -f", first),
    await listRow("list of 100,000 entries, every page, against ls -f", whole),
  ];
}
