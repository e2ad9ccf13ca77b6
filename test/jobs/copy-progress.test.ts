/**
 * A copy that takes long tells its caller how far it is while the transaction makes it, whether it is applied at once or
 * as a proposal, and a cancel within one large file leaves nothing of it.
 *
 * How many bytes take long is the machine's business: they are doubled until a copy takes longer than the moment in which
 * nothing is told.
 */
import { expect, test } from "bun:test";
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const MB: number = 1024 * 1024;
const [FIRST_BYTES, LAST_BYTES] = [64 * MB, 8192 * MB];
/** No machine comes to its end before a cancel is there. */
const ENDLESS_BYTES: number = 65_536 * MB;
const COPY = { source: "large", destination: "copy" };

function openHost(mode: "bypass" | "default"): TestHost {
  return openTestHost({ files: { large: "" }, config: { mode, durability: "fast" } });
}

/** Holes, which a copy fills. */
function makeLarge(host: TestHost, bytes: number): void {
  truncateSync(join(host.root, "large"), bytes);
}

function copied(host: TestHost, token: string): number[] {
  return host.messages
    .filter(({ method, params }: Json) => method === "notifications/progress" && params.progressToken === token)
    .filter(({ params }: Json) => / [kMG]?B copied$/.test(params.message))
    .map(({ params }: Json) => params.progress as number);
}

/** What is told of the smallest copy that something is told of. @param copy makes it */
async function toldOf(host: TestHost, copy: (progressToken: string) => Promise<void>): Promise<number[]> {
  for (let bytes = FIRST_BYTES; bytes <= LAST_BYTES; bytes *= 2) {
    makeLarge(host, bytes);
    const token = `of ${bytes}`;
    await copy(token);
    const numbers = copied(host, token);
    if (numbers.length > 0) return numbers;
    rmSync(join(host.root, "copy"));
  }
  return [];
}

function expectGrowing(numbers: readonly number[]): void {
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.at(-1)).toBeGreaterThan(MB);
}

test("a copy that is applied at once tells of its bytes", async () => {
  await using host = openHost("bypass");
  const numbers = await toldOf(host, async (progressToken) => {
    const answer = await host.call("copy", COPY, { progressToken });
    expect(answer.failure).toBeUndefined();
  });
  expectGrowing(numbers);
});

test("so does the apply of a proposal", async () => {
  await using host = openHost("default");
  const numbers = await toldOf(host, async (progressToken) => {
    const answer = await host.call("copy", COPY);
    const { result } = await host.apply(answer, { _meta: { progressToken } });
    expect(result.status).toBe("applied");
  });
  expectGrowing(numbers);
});

test("one that is cancelled within a file leaves nothing", async () => {
  await using host = openHost("bypass");
  makeLarge(host, ENDLESS_BYTES);
  const params = { name: "copy", arguments: COPY, _meta: { progressToken: "tok" } };
  host.burst([{ jsonrpc: "2.0", id: 7, method: "tools/call", params }]);
  const isAnswered = (): boolean => host.messages.some(({ id }: Json) => id === 7);
  await until("a word of the copy", () => copied(host, "tok").length > 0 || isAnswered());
  expect(isAnswered()).toBe(false);
  host.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  // Changes are made one after the other.
  await host.call("create_directory", { path: "later" });
  expect(readdirSync(host.root).sort()).toEqual(["large", "later"]);
  expect(readdirSync(join(host.stateDir, "journal"))).toEqual([]);
});
