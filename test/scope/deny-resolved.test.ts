/**
 * Deny rules hold on the object, not on the path that was given: through links, for what does not exist, and for changes
 * that would carry something out of a rule's reach or put something under it.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { denyByRoot } from "../../src/scope/deny.ts";
import { Scope } from "../../src/scope/index.ts";
import { readTree } from "../host/file-tree.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

const DENY = ["tree/secret", "**/*.pem", "absent", "box/key"];

describe.each(["auto", "portable"])("containment %s", (containment) => {
  let host: TestHost;
  const link = (path: string, target: string): void => symlinkSync(target, join(host.root, path));
  const said = async (tool: string, args: object): Promise<string> => {
    const answer = await host.call(tool, args);
    expect(answer.all).not.toContain("KEY");
    return answer.failure?.code ?? "ok";
  };

  const relocate = async (tool: "move" | "copy", source: string, destination: string): Promise<string> =>
    await said(tool, { source, destination, ...(tool === "copy" ? { recursive: true } : {}) });

  beforeEach(() => {
    const files = {
      "tree/secret/k": "KEY\n",
      "tree/open.txt": "open\n",
      "deep/er/tree.pem": "KEY\n",
      "free/key": "free\n",
      "free/sub/a.pemx": "free\n",
      "plain.txt": "plain\n",
      "empty/": { directory: true } as const,
    };
    host = openTestHost({ files, config: { containment, mode: "bypass", deny: DENY } });
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
  });

  test("a denied path is closed through links, whether or not it is there", async () => {
    link("to-tree", "tree");
    link("to-secret", join(host.root, "tree/secret"));
    link("to-key", "tree/secret/k");
    link("to-none", "tree/secret/none");
    link("to-absent", "absent/x/y");
    link("around", "to-tree/../to-secret");
    const paths = ["to-tree/secret/k", "to-tree/secret/none/x", "to-secret", "to-secret/k", "to-secret/none"];
    const more = ["to-key", "to-none", "to-absent", "to-absent/z", "around/k", "around/none", "to-tree/../absent/x"];
    for (const path of [...paths, ...more, "tree/secret/../open.txt", "TREE/SECRET/k"]) {
      expect([path, await said("read_file", { path })]).toEqual([path, "denied"]);
      expect([path, await said("write_file", { path, content: "x" })]).toEqual([path, "denied"]);
    }
    expect(await said("create_directory", { path: "to-tree/../absent" })).toBe("denied");
    expect(existsSync(join(host.root, "absent"))).toBe(false);
  });

  test("no suggestion and no listing names it, by whatever way", async () => {
    link("to-tree", "tree");
    for (const path of ["tree/secre", "to-tree/secre", "to-tree/secret2", "deep/er/tree.pe"])
      expect((await host.call("read_file", { path })).all).not.toMatch(/secret"|tree\.pem/);
    for (const path of ["to-tree", "tree"])
      expect((await host.call("list_directory", { path })).all).not.toContain("secret");
    expect((await host.call("glob", { pattern: "**/*" })).all).not.toMatch(/secret|\.pem$/m);
  });

  test("a tree that holds it is neither moved, copied nor deleted", async () => {
    const before = readTree(host.root);
    for (const source of ["tree", "deep", "deep/er"]) {
      for (const tool of ["move", "copy"] as const) expect(await relocate(tool, source, "gone")).toBe("denied");
      expect(await said("delete", { path: source, recursive: true })).toBe("denied");
    }
    const { failure } = await host.call("move", { source: "tree", destination: "gone" });
    expect(failure?.message).toContain("a deny rule covers something in it");
    expect(readTree(host.root)).toEqual(before);
  });

  test("nothing is put under a rule, not even as part of a tree", async () => {
    const before = readTree(host.root);
    const moves: [source: string, destination: string][] = [
      ["free", "box"],
      ["free/sub/a.pemx", "free/sub/a.pem"],
      ["plain.txt", "absent"],
      ["plain.txt", "absent/x"],
      ["plain.txt", "tree/secret/k"],
    ];
    for (const [source, destination] of moves)
      for (const tool of ["move", "copy"] as const)
        expect([tool, destination, await relocate(tool, source, destination)]).toEqual([tool, destination, "denied"]);
    expect(readTree(host.root)).toEqual(before);
    expect(await said("move", { source: "free", destination: "other" })).toBe("ok");
    expect(await said("move", { source: "tree/open.txt", destination: "open.txt" })).toBe("ok");
  });

  test("a link to it can be moved and deleted, which leaves it alone", async () => {
    link("to-key", "tree/secret/k");
    expect(await said("move", { source: "to-key", destination: "moved" })).toBe("ok");
    expect(await said("delete", { path: "moved" })).toBe("ok");
    expect(host.read("tree/secret/k")).toBe("KEY\n");
  });

  test("a rule of any root that holds it is enough, and a hidden folder is hidden from all", () => {
    const roots = [host.root, join(host.root, "tree")].map((path) => ({ path, readOnly: false }));
    const hidden = [join(host.root, "tree/open.txt"), join(host.root, "free/[sub]")];
    using scope = new Scope({ roots, deny: ["tree/er", "secret"], hidden, containment: "auto" });
    const rules = denyByRoot(scope.roots, { deny: ["tree/er", "secret"], hidden });
    const [outer, inner] = scope.roots;
    if (!outer || !inner) throw new Error("no roots");
    expect(
      ["tree/er/x", "tree/secret", "tree/open.txt", "free/[sub]/x"].filter((rel) => !rules.denies(outer, rel)),
    ).toEqual([]);
    expect(["er", "secret/k", "open.txt"].filter((rel) => !rules.denies(inner, rel))).toEqual([]);
    expect(["open.txt", "tree", "free/s", "er"].filter((rel) => rules.denies(outer, rel))).toEqual([]);
  });
});
