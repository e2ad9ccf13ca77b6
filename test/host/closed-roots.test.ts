/**
 * A client whose roots close a root of the host: who runs the host is told once, a model is told in each failure and where
 * it looks, and a key keeps the roots open. An empty list closes nothing.
 */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandHost, script } from "../proc/command-host.ts";
import { openTestHost, type TestHost } from "./in-memory-host.ts";
import { ALL, connect, FILES, open, reachable } from "./roots-client.ts";

const KEEP = "--client-roots=ignore";

/** A host with two roots, of which the client has the first or a part of it. */
async function closed(offered = "."): Promise<TestHost> {
  const first = open();
  const { top, root, outside } = first;
  await first[Symbol.asyncDispose]();
  const host = openTestHost({ files: FILES, config: { roots: [root, `${outside}:ro`] }, top });
  writeFileSync(join(outside, "o.txt"), "o\n");
  await (await connect(host)).offer(offered);
  return host;
}

describe("an empty list", () => {
  test("an empty list is no offer: the host keeps its roots, and says nothing", async () => {
    await using host = open();
    await (await connect(host)).offer();
    expect(await reachable(host)).toEqual(ALL);
    expect(host.log()).toEqual([]);
    expect(host.audit()).toContain('"event":"roots","within":"all","ignored":0');
  });

  test("an empty list takes an earlier narrowing back", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer("sub");
    client.changed();
    await client.offer();
    expect(await reachable(host)).toEqual(ALL);
  });
});

describe("a root that a client closed", () => {
  test("a root that a client closed is named in each failure, with what the client offered and the key", async () => {
    await using host = await closed();
    const path = join(host.outside, "o.txt");
    const calls: [string, object][] = [
      ["read_file", { path }],
      ["stat", { path: join(host.outside, "missing") }],
      ["list_directory", { path: host.outside }],
      ["grep", { pattern: "o", path: host.outside }],
      ["write_file", { path, content: "" }],
      ["copy", { source: path, destination: "o.txt" }],
      ["change_files", { operations: [{ op: "copy", source: path, destination: "o.txt" }] }],
      ["read_files", { files: ["a.txt", path] }],
      ["hash_file", { paths: ["a.txt", path] }],
    ];
    for (const [tool, args] of calls) {
      const { all } = await host.call(tool, args);
      expect([tool, all]).toEqual([tool, expect.stringContaining(`The client closed the root "${host.outside}": `)]);
      expect(all).toContain(`it offered only "${host.root}"`);
      expect(all).toContain(KEEP);
    }
    const { error } = await host.request("resources/read", { uri: "ringfence://root/1/o.txt" });
    expect(error.data).toMatchObject({ code: "outside_scope", hint: expect.stringContaining(KEEP) });
  });

  test("a root that a client closed is told in one line to who runs the host, once for each change", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer("sub");
    client.changed();
    await client.offer("sub");
    await reachable(host);
    expect(host.log()).toEqual([
      `the client left only "${host.root}/sub" of the root "${host.root}": it offered only "${host.root}/sub" as its roots; ${KEEP} (client_roots in the configuration) keeps the roots of this host`,
    ]);
    client.changed();
    await client.offer("../outside");
    await reachable(host);
    expect(host.log()).toHaveLength(2);
    expect(host.log()[1]).toContain(`the client closed the root "${host.root}": it offered only "${host.outside}"`);
  });

  test("system_info names a root that a client closed", async () => {
    await using host = await closed("sub");
    const { text } = await host.call("system_info");
    expect(text).toContain(`closed the root "${host.outside}"`);
    expect(text).toContain(`the client left only "${host.root}/sub" of the root "${host.root}"`);
    expect(text).toContain(KEEP);
  });

  test("a root of which a client left a part is named with that part", async () => {
    await using host = await closed("sub");
    const { failure } = await host.call("read_file", { path: "a.txt" });
    expect(failure?.message).toBe('Cannot read "a.txt": it is outside the roots of the client');
    expect(failure?.hint).toStartWith(`Give a path in "${host.root}/sub". `);
    expect(failure?.hint).toContain(`The client left only "${host.root}/sub" of the root "${host.root}": `);
  });

  test("by no directory that is one here is told as that", async () => {
    await using host = open();
    await (await connect(host)).answer({ result: { roots: [{ uri: "vscode-remote://x/y" }] } });
    const { failure } = await host.call("read_file", { path: "a.txt" });
    expect(failure?.hint).toContain(`The client closed the root "${host.root}": it offered no local directory`);
    expect(failure?.hint).toContain(KEEP);
  });

  test("by many long names is told in few words", async () => {
    await using host = open();
    await (await connect(host)).offer(...Array.from({ length: 40 }, (_, index) => `${"x".repeat(400)}${index}`));
    const { failure } = await host.call("read_file", { path: "a.txt" });
    expect(failure?.hint).toContain("and 37 more");
    expect(failure?.hint.length).toBeLessThan(1500);
  });
});

describe.skipIf(process.platform !== "linux")("a command", () => {
  test("a command is told the same of a path and a directory that the client closed", async () => {
    const parameters = { what: { type: "path", required: true } };
    const commands = { show: script("cat $1", { args: ["-c", "cat $0", "{what}"], parameters }) } as never;
    await using host = openCommandHost({ config: { commands, shell: { enabled: true } }, files: FILES });
    await (await connect(host)).offer("sub");
    const calls: [string, object][] = [
      ["cmd_show", { what: "a.txt" }],
      ["shell", { command: "true", cwd: "subway" }],
    ];
    for (const [tool, args] of calls) {
      const { failure } = await host.call(tool, args);
      expect([tool, failure?.code]).toEqual([tool, "outside_scope"]);
      expect(failure?.hint).toContain(KEEP);
      expect(failure?.hint).toContain(`The client left only "${host.root}/sub" of the root "${host.root}": `);
    }
  });
});

describe("with client_roots ignore", () => {
  test("no client is asked, and none is waited for", async () => {
    await using host = openTestHost({ files: FILES, config: { clientRoots: "ignore" } });
    await connect(host);
    expect(await reachable(host)).toEqual(ALL);
    expect(host.messages.filter((message) => "method" in message)).toEqual([]);
  });

  test('client_roots is ignored with "ignore", and any other word than "narrow" is refused', () => {
    expect(() => openTestHost({ config: { clientRoots: "widen" } })).toThrow("--client-roots");
  });
});
