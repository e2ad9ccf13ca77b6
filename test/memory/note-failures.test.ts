/**
 * What a writer of notes is told where nothing is written: the note by its namespace, as the call names it, and the tool that
 * reads notes. The path of its file is of no use to a caller, which can reach it with no tool.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestHost } from "../host/in-memory-host.ts";
import { openMemoryHost } from "./memory-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await openMemoryHost({ config: { baseline: "required" } });
  for (const namespace of ["seen", "bytes"]) await host.call("memory_write", { namespace, content: "mine" });
  writeFileSync(join(host.stateDir, "memory/seen.md"), "a person wrote this\n");
  writeFileSync(join(host.stateDir, "memory/bytes.md"), Buffer.from([0xff, 0xff, 0, 1, 2]));
  writeFileSync(join(host.stateDir, "memory/unread.md"), "a person wrote this too\n");
});
afterAll(async () => await host[Symbol.asyncDispose]());

const WRONG_HASH = "0".repeat(64);

describe("a failure of the memory names the namespace", () => {
  test.each([
    ["memory_write", { namespace: "seen", content: "x", mode: "replace" }, "it has changed since you read it"],
    ["memory_write", { namespace: "seen", content: "x", if_hash: WRONG_HASH }, "its content does not have the hash"],
    ["memory_delete", { namespace: "seen", if_hash: WRONG_HASH }, "its content does not have the hash"],
    ["memory_write", { namespace: "seen", content: "a\0b" }, "the control character U+0000"],
    ["memory_write", { namespace: "seen", content: " \n\t\u3000" }, "the content has nothing but blanks"],
    ["memory_write", { namespace: "seen", content: "\ud800" }, "cannot be written in utf-8"],
    ["memory_write", { namespace: "bytes", content: "x" }, "its file holds something else than text"],
    ["memory_write", { namespace: "unread", content: "x", mode: "replace" }, "it exists and was not read"],
  ])("%s of %j is told its namespace", async (tool, args, why) => {
    const { failure } = await host.call(tool, args);
    expect(failure?.message).toMatch(new RegExp(`^Cannot \\w+ "${args.namespace}": `));
    expect(failure?.message).toContain(why);
    expect(JSON.stringify(failure)).not.toContain("read_file");
  });

  test("a note that was not read is replaced once it was read with memory_read", async () => {
    const args = { namespace: "unread", content: "x", mode: "replace" };
    expect((await host.call("memory_write", args)).failure?.hint).toStartWith("Read all of it with memory_read first");
    await host.call("memory_read", { namespace: "unread" });
    expect((await host.call("memory_write", args)).failure).toBeUndefined();
  });

  test("a namespace that could be read in two ways is called a namespace", async () => {
    const { failure } = await host.call("memory_read", { namespace: "a//b" });
    expect(failure?.message).toStartWith('Cannot use the namespace "a//b": ');
  });
});
