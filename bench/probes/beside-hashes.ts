/**
 * A program of its own: `bun bench/probes/beside-hashes.ts TREE`. What a `grep` of a tree costs while the same host
 * computes one or four hashes that do not end, beside the same grep alone, by turns in one host. The aim is twice the
 * time alone plus 50 ms.
 *
 * Usual mistake: two hosts, one of them hashing; then the hashes also slow down the grep that is said to be alone.
 */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "../quantiles.ts";
import { RawClient, requestLine } from "../raw-client.ts";

const ROUNDS = 15;
/** As a sparse file: far more than is hashed while this runs. */
const ENDLESS_BYTES = 8 * 1024 ** 4;
const FIRST_HASH_ID = 1_000_000;

const tree = resolve(process.argv[2] ?? "src");
const place = mkdtempSync(join(tmpdir(), "ringfence-beside-"));
const endless = join(place, "endless.bin");
try {
  writeFileSync(endless, "");
  truncateSync(endless, ENDLESS_BYTES);
  const roots = ["--root", tree, "--root", `${place}:ro`];
  const command = [resolve("dist/ringfence"), "serve", ...roots, "--state-dir", `${place}-state`];
  await using client = await RawClient.open({ name: "ringfence", command, readTool: "read_file" });
  for (let at = 0; at < 3; at++) await grep(client);
  for (const hashes of [1, 4]) {
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await grep(client));
      beside.push(await besideHashes(client, hashes, FIRST_HASH_ID + round * hashes));
    }
    const [one, other] = [median(alone), median(beside)];
    const most = (2 * one + 50).toFixed(0);
    console.log(`${hashes} hashes: ${one.toFixed(0)} ms alone, ${other.toFixed(0)} ms beside, at most ${most}`);
    if (other > 2 * one + 50) process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
  rmSync(`${place}-state`, { recursive: true, force: true });
}

async function besideHashes(client: RawClient, hashes: number, firstId: number): Promise<number> {
  const ids = Array.from({ length: hashes }, (_, at) => firstId + at + hashes * 1000);
  const hash = { name: "hash_file", arguments: { path: endless } };
  for (const id of ids) client.write(requestLine(id, "tools/call", hash));
  // The hashes are well under way with the second.
  await grep(client);
  const took = await grep(client);
  for (const requestId of ids)
    client.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })}\n`);
  await client.request("ping");
  return took;
}

async function grep(client: RawClient): Promise<number> {
  const start = Bun.nanoseconds();
  const args = { pattern: "function \\w+Time", output: "count", path: tree };
  const result = (await client.request("tools/call", { name: "grep", arguments: args })) as {
    readonly isError?: boolean;
  };
  if (result.isError) throw new Error(`Cannot grep: ${JSON.stringify(result)}`);
  return (Bun.nanoseconds() - start) / 1e6;
}
