/**
 * In which order the program first uses its functions: by a start, by a session of common calls, and by a start with packs. The
 * bytecode of the executable is laid out by it, so that a start reads pages that lie together. A host that waits takes 3.5 MB less,
 * and 5 MB less after a few calls.
 *
 * A program that is built for this alone is played, because the one that is shipped is deaf to the variable that has the order
 * written (`patch-runtime.ts`). The order holds for every target: it names functions by what they are, and one that it does not name
 * comes last.
 *
 * Usual mistake: a fence around the program that is played, which may then write no file beside its roots.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WireClient } from "../start/wire-client.ts";
import { compile, type Compilation } from "./compile.ts";

/** The packs that need no program. Nothing of what they reach is asked for. */
const PACKS = { web: { network: { reach: ["localhost:443"] } }, memory: {}, media: {}, sessions: {} };

const CALLS: readonly (readonly [string, object])[] = [
  ["list_directory", {}],
  ["read_file", { path: "report.txt" }],
  ["glob", { pattern: "**/*.py" }],
  ["grep", { pattern: "TODO" }],
  ["edit_file", { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" }],
];

/**
 * @param job for this machine. @param folder where it may write; left behind
 * @returns files for `Compilation.order`, the most important first
 */
export async function recordOrder(job: Omit<Compilation, "out" | "order">, folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `recorder${job.target.suffix}`);
  await compile({ ...job, out: program, recordsOrder: true });
  const config = join(folder, "packs.json");
  writeFileSync(config, JSON.stringify({ packs: PACKS }));
  const play = async (name: string, args: readonly string[], calls: typeof CALLS): Promise<string> => {
    const [root, file] = [join(folder, name), join(folder, `${name}.order`)];
    cpSync(join(job.root, "examples", "workspace"), root, { recursive: true });
    // As most roots are, so that the tools of git are among those of the session.
    if (calls.length > 0) mkdirSync(join(root, ".git"));
    const command = ["serve", "--fence=off", "--root", root, "--state-dir", join(folder, `${name}-state`), ...args];
    await using client = new WireClient(program, command, { ...process.env, BUN_BYTECODE_ORDER_OUT: file });
    await client.request("initialize", HELLO);
    client.notify("notifications/initialized");
    if (calls.length > 0) await client.request("tools/list", {});
    for (const [tool, given] of calls) await client.request("tools/call", { name: tool, arguments: given });
    if (calls.length > 0) await Bun.sleep(SETTLE_MS);
    await client.close();
    if (!existsSync(file)) throw new Error(`Cannot record the order of functions: ${file} was not written`);
    if (calls.length > 0) sortLines(file);
    return file;
  };
  return [await play("start", [], []), await play("session", [], CALLS), await play("packs", ["--config", config], [])];
}

/** What follows an answer, such as the record and workers that come to rest, has been used then. */
const SETTLE_MS = 300;

/** Workers have no order among each other, and two builds of the same sources should be the same. The first line is the version. */
function sortLines(file: string): void {
  const [head = "", ...lines] = readFileSync(file, "latin1").trimEnd().split("\n");
  writeFileSync(file, `${[head, ...lines.sort()].join("\n")}\n`);
}

const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1" } };
