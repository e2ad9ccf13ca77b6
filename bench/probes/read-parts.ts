/**
 * `bun bench/probes/read-parts.ts`: where the processor time of a small read goes, part by part. The main thread of a host with
 * 64 reads in flight is profiled, and the handler of a reading worker in a process of its own; native functions count to the
 * part that calls them. Run from the sources, and most of the calls when they are compiled.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReadingSession } from "../reading-session.ts";
import { makeTextFile } from "../workload.ts";

const CALLS = 150_000;
const DEPTH = 64;
/** What Linux says on every architecture that is built for. */
const TICKS_A_SECOND = 100;
const ROOT = join(import.meta.dir, "../..");

/** The first of them that the path of a source begins with. */
type Parts = readonly (readonly [part: string, ...beginnings: string[]])[];

const MAIN: Parts = [
  ["wire: lines in and out", "src/wire/"],
  ["protocol: requests, sessions, answers", "src/mcp/", "src/host/"],
  ["schema of the arguments", "node_modules/zod/", "src/contract/"],
  ["rules", "src/policy/", "src/pipeline/decide/"],
  ["record: four lines, their chain, digests", "src/audit/", "src/pipeline/record.ts"],
  ["order and state of the session", "src/session/"],
  ["hop to the worker and back", "src/pool/", "src/pipeline/jobs.ts"],
  ["other steps of the call", ""],
];
const WORKER: Parts = [
  ["open, through the scope", "src/scope/", "src/sys/"],
  ["read, close and decode", "src/files/", "src/text/"],
  ["hash", "src/base/hash.ts"],
  ["secrets", "src/policy/"],
  ["answer as JSON", "src/contract/", "src/packs/"],
  ["the job around it", ""],
];

const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-parts-"));
try {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  using file = makeTextFile(workspace, "small.ts", 3000);
  show("main thread", MAIN, join(folder, "main"), await profileHost(workspace, file.path, join(folder, "main")));
  show("worker", WORKER, join(folder, "worker"), profileHandler(workspace, file.path, join(folder, "worker")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function profiled(into: string): string[] {
  return [process.execPath, "--cpu-prof", `--cpu-prof-dir=${into}`, "--cpu-prof-interval=200"];
}

/** @returns microseconds of its main thread */
async function profileHost(workspace: string, path: string, into: string): Promise<number> {
  const serve = [
    "serve",
    "--root",
    workspace,
    "--state-dir",
    `${workspace}-state`,
    "--fence=off",
    "--baseline=if_known",
  ];
  const command = [...profiled(into), join(ROOT, "src/main.ts"), ...serve];
  await using session = await ReadingSession.open({ name: "ringfence", command, readTool: "read_file" }, path);
  await session.run(DEPTH, { calls: CALLS });
  const { pid } = session.client;
  const [, stat = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8")) ?? [];
  const [user = 0, system = 0] = stat.split(" ").slice(11, 13).map(Number);
  await session.client.end();
  return ((user + system) / TICKS_A_SECOND) * 1e6;
}

/** @returns microseconds of the process */
function profileHandler(workspace: string, path: string, into: string): number {
  const [bun, ...args] = [...profiled(into), join(import.meta.dir, "parts/handler.ts"), workspace, path, `${CALLS}`];
  const { status, stdout, stderr } = spawnSync(bun, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot profile the handler: ${stderr}`);
  return Number(stdout);
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
}

function show(title: string, parts: Parts, profileFolder: string, cpuUs: number): void {
  const [name = ""] = readdirSync(profileFolder).filter((one) => one.endsWith(".cpuprofile"));
  const { nodes, samples } = JSON.parse(readFileSync(join(profileFolder, name), "utf8")) as Profile;
  const sources = sourcesOf(nodes);
  const counts = new Map<string, number>(parts.map(([part]) => [part, 0]));
  for (const sample of samples) {
    const source = sources.get(sample) ?? "";
    const [part = ""] = parts.find(([, ...beginnings]) => beginnings.some((one) => source.startsWith(one))) ?? [];
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const perCall = cpuUs / CALLS;
  console.log(`${title}: ${perCall.toFixed(1)} us of processor time a call`);
  for (const [part, count] of counts) {
    const share = count / samples.length;
    console.log(`  ${part.padEnd(42)} ${(share * 100).toFixed(0).padStart(3)} %  ${(share * perCall).toFixed(1)} us`);
  }
}

/** Gives each node its source, or that of the nearest caller which has one, below the repository. */
function sourcesOf(nodes: Profile["nodes"]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sources = new Map<number, string>();
  const walk = [{ id: nodes[0]?.id ?? 0, above: "" }];
  for (let next = walk.pop(); next; next = walk.pop()) {
    const node = byId.get(next.id);
    if (!node) continue;
    const url = node.callFrame.url.replace("file://", "");
    const source = url.startsWith(ROOT) ? url.slice(ROOT.length + 1) : next.above;
    sources.set(next.id, source);
    for (const id of node.children ?? []) walk.push({ id, above: source });
  }
  return sources;
}
