/**
 * Calls that take minutes, and the others beside them: whoever comes is answered while they are still under way, however
 * many there are. What is looked at is the order of the answers, never a time.
 */
import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RawConfig } from "../../src/config/index.ts";
import { openTestHost, type TestHost } from "./in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

const GB = 1024 ** 3;
/** Minutes of hashing, or of looking for a line in it. */
const ENDLESS_BYTES: number = 60 * GB;
/** What makes a file text for a reader: the beginning. */
const TEXT_HEAD: string = "a line of text\n".repeat(1000);

function openHost(config: RawConfig = {}): TestHost {
  const files = { "a.txt": "needle a\n", "src/b.txt": "needle b\n" };
  const host = openTestHost({ files, config });
  writeFileSync(join(host.root, "huge.txt"), TEXT_HEAD);
  truncateSync(join(host.root, "huge.txt"), ENDLESS_BYTES);
  return host;
}

/** Calls that are sent and not waited for. */
class Endless {
  readonly #host: TestHost;
  readonly #ids: string[];

  constructor(host: TestHost, count: number, name: string, args: object) {
    this.#host = host;
    this.#ids = Array.from({ length: count }, (_, at) => `${name}-${at}`);
    host.burst(
      this.#ids.map((id) => ({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name, arguments: args, _meta: { progressToken: id } },
      })),
    );
  }

  /** Each has said how far it is. */
  async underWay(what: RegExp): Promise<void> {
    await until("all of them to be under way", () => {
      const said = this.#host.messages.filter(({ params }) => what.test(params?.message));
      const tokens = new Set(said.map(({ params }) => params.progressToken));
      return this.#ids.every((id) => tokens.has(id));
    });
  }

  get answered(): number {
    return this.#host.messages.filter(({ id, method }) => !method && this.#ids.includes(id)).length;
  }

  async cancel(): Promise<void> {
    this.#host.burst(
      this.#ids.map((requestId) => ({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId },
      })),
    );
    await settled("the end of the endless calls", this.#host.session.settled());
    expect(this.answered).toBe(0);
  }
}

const CALLS: readonly (readonly [tool: string, args: object, shown: string])[] = [
  ["grep", { pattern: "needle", path: "src" }, "src/b.txt:1:needle b"],
  ["grep", { pattern: "(?<=needle )b", path: "src" }, "src/b.txt:1:needle b"],
  ["glob", { pattern: "**/b.txt" }, "src/b.txt"],
  ["tree", {}, "b.txt"],
  ["disk_usage", { path: "src" }, "src/b.txt"],
  ["list_directory", { sort: "size" }, "huge.txt"],
  ["read_file", { path: "a.txt" }, "needle a"],
  ["stat", { path: "a.txt", hash: true }, "a.txt"],
  ["hash_file", { path: "a.txt", algorithm: "md5" }, "a.txt"],
];

async function expectAnswers(host: TestHost): Promise<void> {
  for (const [tool, args, shown] of CALLS) {
    const answer = await settled(`the answer to ${tool}`, host.call(tool, args));
    expect(answer.failure, `${tool}: ${answer.all}`).toBeUndefined();
    expect(answer.all).toContain(shown);
  }
}

describe("every call is answered beside", () => {
  test.each([1, 4, 64])("every call is answered beside %d hashes that take minutes", async (count) => {
    await using host = openHost();
    const hashes = new Endless(host, count, "hash_file", { path: "huge.txt" });
    await hashes.underWay(/hashed/);
    await expectAnswers(host);
    expect(hashes.answered).toBe(0);
    await hashes.cancel();
  });

  test.each([
    ["grep", { pattern: "nothing like it", path: "huge.txt", output: "count", binary: "search" }, /searched/],
    ["read_file", { path: "huge.txt", offset: 1_000_000_000 }, /read/],
    ["stat", { path: "huge.txt", hash: true }, /hashed/],
  ])("several calls of %s that take minutes", async (tool, args, what) => {
    await using host = openHost();
    const others = new Endless(host, 6, tool, args);
    await others.underWay(what);
    await expectAnswers(host);
    expect(others.answered).toBe(0);
    await others.cancel();
  });
});

test("a hash comes to its end, and is right, while searches never cease", async () => {
  await using host = openHost();
  truncateSync(join(host.root, "a.txt"), 0);
  truncateSync(join(host.root, "a.txt"), 300 * 1024 ** 2);
  const hash = { isOver: false };
  let searches = 0;
  const search = async (): Promise<void> => {
    for (; !hash.isOver; searches++)
      expect((await host.call("grep", { pattern: "needle", path: "src" })).failure).toBeUndefined();
  };
  const searching = Array.from({ length: 8 }, search);
  await until("searches before it", () => searches >= 8);
  const before = searches;
  const hashed = await settled("the hash", host.call("hash_file", { path: "a.txt", algorithm: "md5" }));
  hash.isOver = true;
  await settled("the last searches", Promise.all(searching));
  // head -c 300M /dev/zero | md5sum
  expect(hashed.text).toContain("0d97a9cd8bbd7ce75a2a76bb06258915");
  expect(searches).toBeGreaterThan(before);
});

test("a call that nobody waits for ends with its time, and says how far it came", async () => {
  await using host = openHost({ budgets: { call: { wall_ms: 1000 } } });
  const abandoned = host.call("hash_file", { path: "huge.txt" });
  expect((await host.call("read_file", { path: "a.txt" })).text).toContain("needle a");
  const { failure } = await settled("the end of the call", abandoned);
  expect(failure?.code).toBe("timed_out");
  expect(failure?.message).toMatch(
    /^Cannot finish hashing "huge\.txt": the time limit was reached after \S+ [kMG]?B of 64\.4 GB$/,
  );
  expect(failure?.hint).toContain("stat");
  await expectAnswers(host);
});
