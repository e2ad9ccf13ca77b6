/**
 * What holds once a client's roots have narrowed those of the host: in every tool, for reads, searches and changes, on
 * the object that a path really leads to.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveSettings } from "../../src/config/index.ts";
import { callMethod } from "../../src/methods/index.ts";
import { Host } from "../../src/host/host.ts";
import { labelOf, openTestHost, type TestHost } from "./in-memory-host.ts";
import { connect, FILES, open, read, type RootsClient } from "./roots-client.ts";

describe.each(["auto", "portable"] as const)("in narrowed roots, held %s", (containment) => {
  async function narrowed(mode?: "accept_edits"): Promise<{ host: TestHost; client: RootsClient }> {
    const host = openTestHost({ files: FILES, config: { containment, ...(mode ? { mode } : {}) } });
    const client = await connect(host);
    await client.offer("sub/deep");
    return { host, client };
  }

  test("a failure names what is left, and the same for what exists and what does not", async () => {
    const { host } = await narrowed();
    await using _ = host;
    const told = async (path: string): Promise<string> => {
      const { text } = await read(host, path);
      return text.replace(path, "PATH");
    };
    const expected = `outside_scope: Cannot read "PATH": it is outside the roots of the client. Give a path in "${host.root}/sub/deep". The client left only "${host.root}/sub/deep" of the root "${host.root}": it offered only "${host.root}/sub/deep" as its roots. The person who runs this host can keep its roots open with --client-roots=ignore (client_roots in the configuration).`;
    symlinkSync("../../a.txt", join(host.root, "sub/deep/to-file"));
    symlinkSync("../../missing", join(host.root, "sub/deep/to-nothing"));
    symlinkSync("../..", join(host.root, "sub/deep/to-top"));
    const paths = [
      "a.txt",
      "missing",
      "sub/b.txt",
      "sub/missing",
      "sub/deepest",
      ".",
      "sub",
      "subway",
      "sub/deep/../b.txt",
      "sub/deep/../missing",
      "missing/../sub/deep/c.txt",
      "sub/../sub/deep/c.txt",
      "sub/deep/to-file",
      "sub/deep/to-nothing",
      "sub/deep/to-top/a.txt",
      "sub/deep/to-top/missing",
      `${host.root}/a.txt`,
      `${host.root}/missing`,
    ];
    for (const path of paths) expect([path, await told(path)]).toEqual([path, expected]);
    expect((await read(host, "sub/deep/c.text")).failure).toMatchObject({
      code: "not_found",
      candidates: ["sub/deep/c.txt"],
    });
  });

  test("with nothing left, every path is refused by that reason", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer("../outside");
    const calls: [string, object][] = [
      ["read_file", { path: "a.txt" }],
      ["list_directory", {}],
      ["glob", { pattern: "**" }],
      ["grep", { pattern: "top" }],
      ["tree", {}],
      ["disk_usage", {}],
      ["stat", { path: "." }],
      ["write_file", { path: "a.txt", content: "" }],
      ["create_directory", { path: "new" }],
      ["delete", { path: "a.txt" }],
    ];
    for (const [tool, args] of calls) {
      const { text } = await host.call(tool, args);
      expect(text).toStartWith("outside_scope: ");
      expect(text).toContain("the roots of the client and the roots of this host have nothing in common");
    }
  });

  test("searches and listings stay in what is left, and the directories above are refused", async () => {
    const { host } = await narrowed();
    await using _ = host;
    for (const tool of ["list_directory", "glob", "grep", "tree", "disk_usage"]) {
      const more = tool === "glob" || tool === "grep" ? { pattern: "*" } : {};
      for (const path of [undefined, ".", "sub"])
        expect((await host.call(tool, { ...more, path })).failure?.code).toBe("outside_scope");
    }
    expect((await host.call("glob", { pattern: "**", path: "sub/deep" })).text).toBe("sub/deep/c.txt");
    expect((await host.call("grep", { pattern: "e", path: "sub/deep", hidden: true })).all).toContain("sub/deep/c.txt");
    expect((await host.call("list_directory", { path: "sub/deep" })).text).toContain("c.txt");
    expect((await host.call("stat", { path: "sub/deep" })).text).toContain("directory");
    expect((await host.call("disk_usage", { path: "sub/deep" })).text).toContain("1 file");
  });

  test("changes reach what is left and nothing else", async () => {
    const { host } = await narrowed("accept_edits");
    await using _ = host;
    await host.call("write_file", { path: "sub/deep/new/er/e.txt", content: "e\n" });
    await host.call("edit_file", { path: "sub/deep/c.txt", old_text: "deep", new_text: "deeper" });
    await host.call("copy", { source: "sub/deep/c.txt", destination: "sub/deep/copy.txt" });
    expect(["new/er/e.txt", "c.txt", "copy.txt"].map((path) => host.read(`sub/deep/${path}`))).toEqual([
      "e\n",
      "deeper\n",
      "deeper\n",
    ]);
    const refused: [string, object][] = [
      ["write_file", { path: "sub/x.txt", content: "x" }],
      ["write_file", { path: "new/x.txt", content: "x" }],
      ["create_directory", { path: "sub/other" }],
      ["create_directory", { path: "sub/deep" }],
      ["delete", { path: "sub/deep", recursive: true }],
      ["delete", { path: "sub", recursive: true }],
      ["move", { source: "sub/deep", destination: "sub/deeper" }],
      ["move", { source: "sub/deep/c.txt", destination: "c.txt" }],
      ["copy", { source: "a.txt", destination: "sub/deep/a.txt" }],
      ["copy", { source: "sub", destination: "sub/deep/sub", recursive: true }],
    ];
    for (const [tool, args] of refused) {
      const { failure } = await host.call(tool, args);
      expect([tool, args, failure?.code]).toEqual([tool, args, expect.stringMatching(/^(?:outside_scope|denied)$/)]);
    }
    expect(host.read("sub/deep/c.txt")).toBe("deeper\n");
    expect((await host.call("delete", { path: "sub/deep", recursive: true })).text).toContain("it is the root itself");
  });

  test("a proposal from before is not applied outside of what is left now, and waits", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer(".");
    const above = await host.call("append_file", { path: "a.txt", content: "x\n" });
    const inside = await host.call("append_file", { path: "sub/b.txt", content: "x\n" });
    client.changed();
    await client.offer("sub");
    expect((await host.apply(above)).error.data.code).toBe("outside_scope");
    expect((await host.apply(inside)).result.status).toBe("applied");
    expect([host.read("a.txt"), host.read("sub/b.txt")]).toEqual(["top\n", "sub\nx\n"]);
    client.changed();
    await client.offer(".");
    expect((await host.apply(above)).result.status).toBe("applied");
  });

  test("a proposal carries them along: a host without roots applies it inside them", async () => {
    const { host } = await narrowed();
    await using _ = host;
    const answer = await host.call("append_file", { path: "sub/deep/c.txt", content: "x\n" });
    using rootless = new Host({
      config: resolveSettings({ stateDir: host.stateDir }),
      tools: [],
    });
    const { signal } = new AbortController();
    await callMethod(rootless, "ringfence/proposals/apply", { id: labelOf(answer) }, { signal });
    expect(host.read("sub/deep/c.txt")).toBe("deep\nx\n");
  });

  test("read-only and deny stay", async () => {
    await using host = open();
    const config = { roots: [`${host.root}:ro`], deny: ["**/c.txt"] };
    await using strict = openTestHost({ top: host.top, config });
    const client = await connect(strict);
    await client.offer("sub");
    expect((await read(strict, "sub/b.txt")).text).toBe("sub\n");
    expect((await read(strict, "sub/deep/c.txt")).failure?.code).toBe("denied");
    expect((await strict.call("write_file", { path: "sub/x", content: "" })).failure?.code).toBe("denied");
  });

  test("calls under way end as they began", async () => {
    await using host = open();
    const client = await connect(host);
    await client.offer(".");
    // With the tools loaded a call is handed to a worker at once.
    await read(host, "a.txt");
    const early = Promise.all(Array.from({ length: 20 }, async () => await read(host, "a.txt")));
    client.changed();
    await client.offer("sub");
    expect(new Set((await early).map(({ text }) => text))).toEqual(new Set(["top\n"]));
    expect((await read(host, "a.txt")).failure?.code).toBe("outside_scope");
  });

  test("system_info and the record tell it", async () => {
    const { host, client } = await narrowed();
    await using _ = host;
    const deep = join(host.root, "sub/deep");
    expect((await host.call("system_info")).text).toContain(`the roots of the client leave of them: ${deep}\n`);
    client.changed();
    await client.offer("../outside");
    expect((await host.call("system_info")).text).toContain("the roots of the client leave of them: nothing\n");
    client.changed();
    await client.offer("..");
    expect((await host.call("system_info")).text).not.toContain("the roots of the client");
    const lines = host
      .audit()
      .split("\n")
      .filter((line) => line.includes('"event":"roots"'));
    expect(lines.map((line) => JSON.parse(line).within)).toEqual([[deep], [], "all"]);
  });
});

test("another root narrows by itself, and paths keep their spelling", async () => {
  await using host = open();
  mkdirSync(join(host.outside, "in"));
  writeFileSync(join(host.outside, "in", "o.txt"), "o\n");
  await using both = openTestHost({ top: host.top, config: { roots: [host.root, `${host.outside}:ro`] } });
  const client = await connect(both);
  await client.offer("sub", "../outside/in");
  expect((await read(both, "sub/b.txt")).text).toBe("sub\n");
  expect((await read(both, join(host.outside, "in", "o.txt"))).text).toBe("o\n");
  expect((await read(both, host.outside)).failure?.code).toBe("outside_scope");
  expect((await read(both, "b.txt")).failure?.code).toBe("outside_scope");
});
