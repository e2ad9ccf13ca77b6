/**
 * A copy that takes long tells its caller how far it is while the transaction makes it, whether it is applied at once or
 * as a proposal, and a cancel within one large file leaves nothing of it.
 */
import { expect, test } from "bun:test";
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

/** To copy it takes much longer than the 200 ms in which nothing is told. */
const LARGE_BYTES: number = 1536 * 1024 * 1024;
const COPY = { source: "large", destination: "copy" };

function withLarge(mode: "bypass" | "default"): TestHost {
  const host = openTestHost({ files: { large: "" }, config: { mode, durability: "fast" } });
  truncateSync(join(host.root, "large"), LARGE_BYTES);
  return host;
}

function copied(host: TestHost): number[] {
  return host.messages
    .filter(
      ({ method, params }: Json) => method === "notifications/progress" && params.progressToken === "tok",
    )
    .filter(({ params }: Json) => params.message === "bytes copied")
    .map(({ params }: Json) => params.progress as number);
}

function expectGrowing(numbers: readonly number[]): void {
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.at(-1)).toBeGreaterThan(1024 * 1024);
}

test("a copy that is applied at once tells of its bytes", async () => {
  await using host = withLarge("bypass");
  const answer = await host.call("copy", COPY, { progressToken: "tok" });
  expect(answer.failure).toBeUndefined();
  expectGrowing(copied(host));
}, 60_000);

test("so does the apply of a proposal", async () => {
  await using host = withLarge("default");
  const answer = await host.call("copy", COPY);
  const { result } = await host.apply(answer, { _meta: { progressToken: "tok" } });
  expect(result.status).toBe("applied");
  expectGrowing(copied(host));
}, 60_000);

test("one that is cancelled within a file leaves nothing", async () => {
  await using host = withLarge("bypass");
  const params = { name: "copy", arguments: COPY, _meta: { progressToken: "tok" } };
  host.burst([{ jsonrpc: "2.0", id: 7, method: "tools/call", params }]);
  const isAnswered = (): boolean => host.messages.some(({ id }: Json) => id === 7);
  while (copied(host).length === 0 && !isAnswered()) await Bun.sleep(2);
  expect(isAnswered()).toBe(false);
  host.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  // Changes are made one after the other.
  await host.call("create_directory", { path: "later" });
  expect(readdirSync(host.root).sort()).toEqual(["large", "later"]);
  expect(readdirSync(join(host.stateDir, "journal"))).toEqual([]);
}, 60_000);
