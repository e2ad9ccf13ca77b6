/**
 * What all or nothing costs: a durable commit against a loop that writes the same files durably one by one, in one process;
 * and a proposal of one edit in a big file over the wire, against `git diff` of the two versions.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alternate, compare } from "../alternate.ts";
import type { Bench } from "../bench.ts";
import type { Measurement, Samples } from "../measurement.ts";
import { RawClient } from "../raw-client.ts";
import { callTool } from "../tool-call.ts";
import { makeTextFile } from "../workload.ts";

const PROBE = join(import.meta.dir, "..", "probes", "commit-cost.ts");
const BIG_BYTES = 10 * 1024 * 1024;
const ROUNDS = 15;

export async function measureCommit(bench: Bench): Promise<Measurement[]> {
  return [measureFiles(100, 1.5), measureFiles(1, 2.5), ...(await measureProposal(bench))];
}

function measureFiles(files: number, target: number): Measurement {
  const probe = spawnSync(process.execPath, [PROBE, String(files)], { encoding: "utf8" });
  if (probe.status !== 0) throw new Error(`Cannot measure the cost of a commit: ${probe.stderr}`);
  const samples = JSON.parse(probe.stdout) as Samples;
  return {
    measure: `durable commit of ${files === 1 ? "one file" : `${files} files`}, against a bare loop`,
    unit: "ms",
    target: { kind: "ratio_at_most", value: target },
    ...compare(samples, `median of ${samples.ours.length}; write, fsync and rename each, one fsync of the directory`),
  };
}

async function measureProposal({ ours, workspace }: Bench): Promise<Measurement[]> {
  if (Bun.which("git") === null) return [];
  using file = makeTextFile(workspace, "ten.txt", BIG_BYTES);
  using edited = makeTextFile(workspace, "ten-edited.txt", BIG_BYTES);
  const text = readFileSync(file.path, "utf8");
  const half = text.indexOf("\n", text.length / 2) + 1;
  const unique = "  // the only line of its kind\n";
  writeFileSync(file.path, text.slice(0, half) + unique + text.slice(half));
  writeFileSync(edited.path, `${text.slice(0, half)}  // another line\n${text.slice(half)}`);
  await using client = await RawClient.open(ours);
  const propose = async (): Promise<number> => {
    const started = performance.now();
    const edits = [{ old_text: unique.trim(), new_text: "// another line" }];
    await callTool(client, "edit_file", { path: file.path, edits });
    return performance.now() - started;
  };
  const diff = async (): Promise<number> => {
    const started = performance.now();
    const child = Bun.spawn(["git", "diff", "--no-index", file.path, edited.path], {
      stdout: "pipe",
      stderr: "ignore",
    });
    const shown = await child.stdout.text();
    if (!shown.includes("+  // another line")) throw new Error(`Cannot trust the run: git diff said ${shown}`);
    return performance.now() - started;
  };
  await propose();
  await diff();
  const samples = await alternate(ROUNDS, propose, diff);
  return [
    {
      measure: "proposal of one edit in 10 MB, against git diff",
      unit: "ms",
      target: { kind: "ratio_at_most", value: 3 },
      ...compare(samples, `median of ${ROUNDS}, warm`),
    },
  ];
}
