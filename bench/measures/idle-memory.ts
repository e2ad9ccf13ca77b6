/**
 * Memory of a server that only waits: after the handshake, after its tools were listed, and after 1,000 calls. It is paid
 * for every open client.
 */
import { compare } from "../alternate.ts";
import type { Bench, Server } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { CAN_READ_MEMORY, readMemory, type ProcessMemory } from "../process-memory.ts";
import { RawClient } from "../raw-client.ts";
import { callTool } from "../tool-call.ts";
import { makeTextFile } from "../workload.ts";

const ROUNDS = 5;
const CALLS = 1000;
const SETTLE_MS = 700;

export async function measureIdleMemory(bench: Bench): Promise<Measurement[]> {
  if (!CAN_READ_MEMORY) return [];
  using file = makeTextFile(bench.workspace, "small.ts", 3000);
  const ours: Levels[] = [];
  const reference: Levels[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await measureLevels(bench.ours, file.path));
    reference.push(await measureLevels(bench.reference, file.path));
  }
  const row = (measure: string, pick: (levels: Levels) => number, atMostMb?: number): Measurement => ({
    measure,
    unit: "MB",
    ...compare({ ours: ours.map(pick), reference: reference.map(pick) }, `median of ${ROUNDS} processes`),
    ...(atMostMb === undefined ? {} : { target: { kind: "at_most", value: atMostMb } }),
  });
  return [
    row("idle after initialize, RSS", (levels) => levels.atStart.rss, 45),
    row("idle after initialize, PSS", (levels) => levels.atStart.pss),
    row("idle after tools/list, PSS", (levels) => levels.afterList.pss),
    row(`idle after ${CALLS} calls, RSS`, (levels) => levels.afterCalls.rss),
    row(`idle after ${CALLS} calls, PSS`, (levels) => levels.afterCalls.pss),
  ];
}

interface Levels {
  readonly atStart: ProcessMemory;
  readonly afterList: ProcessMemory;
  readonly afterCalls: ProcessMemory;
}

async function measureLevels(server: Server, path: string): Promise<Levels> {
  await using client = await RawClient.open(server);
  await Bun.sleep(SETTLE_MS);
  const atStart = readMemory(client.pid);
  await client.request("tools/list");
  await Bun.sleep(SETTLE_MS);
  const afterList = readMemory(client.pid);
  for (let call = 0; call < CALLS; call++) await callTool(client, server.readTool, { path });
  await Bun.sleep(SETTLE_MS);
  return { atStart, afterList, afterCalls: readMemory(client.pid) };
}
