/**
 * Links, with handles and the portable way: those that stay inside are followed however they are written, those that
 * leave are refused alike whether or not something is behind them, and what was opened at the start stays the root.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

describe.each(["auto", "portable"])("containment %s", (containment) => {
  let host: TestHost;
  const link = (path: string, target: string): void => symlinkSync(target, join(host.root, path));
  const read = async (path: string): Promise<string> => {
    const { failure, text } = await host.call("read_file", { path });
    return failure?.code ?? text;
  };

  beforeEach(() => {
    const files = { "a.txt": "a\n", "dir/b.txt": "b\n", "dir/sub/c.txt": "c\n" };
    host = openTestHost({ files, config: { containment, mode: "bypass", deny: ["denied/**"] } });
    mkdirSync(join(host.outside, "d"));
    writeFileSync(join(host.outside, "d", "secret.txt"), "secret\n");
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
  });

  test("an absolute link into the root is followed", async () => {
    link("file", join(host.root, "a.txt"));
    link("to-dir", join(host.root, "dir"));
    link("dir/up", `${host.root}/`);
    link("chain", "to-dir/sub");
    link("not-plain", `${host.root}/dir//./sub/../b.txt`);
    expect(await read("file")).toBe("a\n");
    expect(await read("to-dir/b.txt")).toBe("b\n");
    expect(await read("to-dir/up/dir/up/a.txt")).toBe("a\n");
    expect(await read("chain/c.txt")).toBe("c\n");
    expect(await read("chain/../b.txt")).toBe("b\n");
    expect(await read("not-plain")).toBe("b\n");
    expect((await host.call("list_directory", { path: "to-dir" })).all).toContain("b.txt");
  });

  test("changes go through it and leave it as it is", async () => {
    link("file", join(host.root, "a.txt"));
    link("to-dir", join(host.root, "dir"));
    await host.call("edit_file", { path: "file", old_text: "a", new_text: "A" });
    await host.call("write_file", { path: "to-dir/new/n.txt", content: "n\n" });
    await host.call("delete", { path: "to-dir/b.txt" });
    expect([host.read("a.txt"), host.read("dir/new/n.txt")]).toEqual(["A\n", "n\n"]);
    expect(await read("dir/b.txt")).toBe("not_found");
    expect((await host.call("stat", { path: "file" })).all).toContain("symlink");
  });

  test("a link to nothing is not suggested for itself", async () => {
    link("dangling", "nowhere");
    link("dangling2", "nowhere");
    const { failure } = await host.call("read_file", { path: "dangling" });
    expect(failure).toMatchObject({ code: "not_found", candidates: ["dangling2"] });
  });

  test("deny rules hold behind it", async () => {
    mkdirSync(join(host.root, "denied"));
    writeFileSync(join(host.root, "denied", "k"), "key\n");
    link("k", join(host.root, "denied/k"));
    link("d", join(host.root, "denied"));
    expect(await read("k")).toBe("denied");
    expect(await read("d/k")).toBe("denied");
  });

  test("a link that leaves is outside, whether or not something is there", async () => {
    const targets: [name: string, target: string][] = [
      ["abs", join(host.outside, "d/secret.txt")],
      ["abs-missing", join(host.outside, "d/missing.txt")],
      ["abs-below-file", join(host.outside, "d/secret.txt/x")],
      ["rel", "../outside/d/secret.txt"],
      ["rel-missing", "../outside/nothing/at/all"],
      ["sibling", `${host.root}-other/x`],
      ["abs-up", `${host.root}/../outside/d/secret.txt`],
      ["abs-up-missing", `${host.root}/../outside/d/none`],
      ["proc", "/proc/self/root/etc/passwd"],
      ["out-and-in", `../${host.root.split("/").at(-1)}/a.txt`],
    ];
    for (const [name, target] of targets) link(name, target);
    link("via", "abs-dir/secret.txt");
    link("abs-dir", join(host.outside, "d"));
    link("missing-dir", join(host.outside, "none"));
    const names = [...targets.map(([name]) => name).slice(0, -1), "via", "abs-dir/secret.txt", "abs-dir/none"];
    for (const name of [...names, "missing-dir/x", "missing-dir"])
      expect([name, await read(name)]).toEqual([name, "outside_scope"]);
    for (const name of ["abs", "abs-missing", "abs-dir/new.txt", "missing-dir/new.txt"]) {
      const { failure } = await host.call("write_file", { path: name, content: "x" });
      expect([name, failure?.code]).toEqual([name, "outside_scope"]);
    }
  });

  test("a link in a circle, and one that leads nowhere inside, are not followed", async () => {
    link("one", "two");
    link("two", join(host.root, "one"));
    link("gone", join(host.root, "missing.txt"));
    link("below-file", join(host.root, "a.txt/x"));
    expect(await read("one")).toBe("denied");
    expect(await read("gone")).toBe("not_found");
    expect(await read("below-file")).toBe("not_found");
  });

  test("the root is what it was at the start, not what its path says by now", async () => {
    renameSync(host.root, `${host.root}-moved`);
    symlinkSync(host.outside, host.root);
    const said = await read("d/secret.txt");
    expect(["not_found", "denied", "outside_scope"]).toContain(said);
    const kept = await read("a.txt");
    expect(containment === "portable" ? ["denied", "outside_scope"] : ["a\n"]).toContain(kept);
    const written = await host.call("write_file", { path: "d/new.txt", content: "x" });
    expect(written.failure === undefined).toBe(containment === "auto");
    expect(await Bun.file(join(host.outside, "d", "new.txt")).exists()).toBe(false);
  });
});
