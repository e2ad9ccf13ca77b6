/**
 * Links from one root into another, with handles and the portable way: they are followed however they are written, the
 * rules of the root they end in hold, and what leads out of all roots is refused alike, whatever is there.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layFiles, readTree } from "../host/file-tree.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";

describe.each(["auto", "portable"])("containment %s", (containment) => {
  let top = "";
  let host: TestHost;
  const link = (path: string, target: string): void => symlinkSync(target, join(top, path));
  const read = async (path: string): Promise<string> => outcome(await host.call("read_file", { path }));
  const write = async (path: string): Promise<string> =>
    outcome(await host.call("write_file", { path, content: "new\n" }));

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-roots-")));
    layFiles(top, {
      "main/a.txt": "a\n",
      "main/inner/i.txt": "inner\n",
      "main/inner/secret/k": "key\n",
      "other/o.txt": "other\n",
      "other/sub/s.txt": "sub\n",
      "other/secret/k": "key\n",
      "fixed/f.txt": "fixed\n",
      "outside/x.txt": "OUTSIDE\n",
    });
    symlinkSync("other", join(top, "other-name"));
    const roots = [join(top, "main"), `${top}/main/inner:ro`, join(top, "other-name"), `${top}/fixed:ro`];
    const config = { roots, deny: ["secret"], containment, mode: "bypass" };
    host = openTestHost({ top, config });
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    rmSync(top, { recursive: true, force: true });
  });

  test("an absolute glob of --deny holds in every root that it lies in, and in no other", async () => {
    const roots = [join(top, "main"), join(top, "main/inner"), join(top, "other-name")];
    const deny = [join(top, "main/inner/i.txt"), join(top, "other-name/*.txt"), join(top, "other/sub")];
    await using closed = openTestHost({ top, config: { roots, deny, containment, mode: "bypass" } });
    const seen = async (path: string) => outcome(await closed.call("read_file", { path: join(top, path) }));
    for (const path of ["main/inner/i.txt", "other/o.txt", "other-name/o.txt", "other/sub/s.txt"])
      expect([path, await seen(path)]).toEqual([path, "denied"]);
    expect(await seen("main/a.txt")).toBe("a\n");
  });

  test.each([
    ["a sign of exclamation", "!a.txt", (root: string) => `${root}/!a.txt`],
    ["two signs of exclamation", "!!a.txt", (root: string) => `${root}/!!a.txt`],
    ["a sign in the name of the root", "s.txt", (root: string) => `${root}/s.txt`],
    ["a star in the place of the root", "s.txt", (root: string) => `${root.replace(/[^/]+$/, "*")}/s.txt`],
    ["a star behind the root", "sub/s.txt", (root: string) => `${root}/*/s.txt`],
  ])("an absolute glob closes what it names, and nothing else, with %s", async (_what, name, globOf) => {
    const root = join(top, "sig[n] (1)/!ro{o}t");
    layFiles(root, { [name]: "closed\n", "a.txt": "open\n", "b/a.txt": "open\n" });
    const config = { roots: [root], deny: [globOf(root)], containment };
    await using closed = openTestHost({ top, config });
    const seen = async (path: string) => outcome(await closed.call("read_file", { path: join(root, path) }));
    expect([await seen(name), await seen("a.txt"), await seen("b/a.txt")]).toEqual(["denied", "open\n", "open\n"]);
  });

  test("an absolute glob that names a root with signs in its name is refused", () => {
    const root = join(top, "sig[n] (1)");
    layFiles(root, { "a.txt": "a\n" });
    for (const deny of [root, join(top, "sig[n] (1)/**")])
      expect(() => openTestHost({ top, config: { roots: [root], deny: [deny] } })).toThrow(
        "leaves nothing of the root",
      );
  });

  test("an absolute glob with signs before the name of a root holds in every root that it matches", async () => {
    const deny = [`${top}/*/inner/*.TXT`, `${top}/{main,none}/a.txt`, `${top}/other-n*/**/s.txt`, "/**/f.txt"];
    const roots = [join(top, "main"), join(top, "main/inner"), join(top, "other-name"), join(top, "fixed")];
    await using closed = openTestHost({ top, config: { roots, deny, containment, mode: "bypass" } });
    const seen = async (path: string) => outcome(await closed.call("read_file", { path: join(top, path) }));
    for (const path of ["main/inner/i.txt", "main/a.txt", "other/sub/s.txt", "other-name/sub/s.txt", "fixed/f.txt"])
      expect([path, await seen(path)]).toEqual([path, "denied"]);
    expect(await seen("other/o.txt")).toBe("other\n");
    const { all } = await closed.call("list_directory", { path: join(top, "main") });
    expect(all).not.toContain("a.txt");
  });

  test("every way of writing it is followed", async () => {
    const ways: [name: string, target: string, below: string, content: string][] = [
      ["same", `${top}/main/a.txt`, "", "a\n"],
      ["same-up", "../main/a.txt", "", "a\n"],
      ["absolute", `${top}/other/o.txt`, "", "other\n"],
      ["by-given-name", `${top}/other-name/o.txt`, "", "other\n"],
      ["relative", "../other/o.txt", "", "other\n"],
      ["relative-by-given-name", "../other-name/sub", "/s.txt", "sub\n"],
      ["not-plain", `${top}//other/./sub/../../other/sub/`, "/s.txt", "sub\n"],
      ["through-outside", "../outside/../other/o.txt", "", "other\n"],
      ["whole", `${top}/other`, "/sub/../o.txt", "other\n"],
      ["nested", `${top}/main/inner`, "/i.txt", "inner\n"],
      ["read-only", "../fixed", "/f.txt", "fixed\n"],
      ["chain", "relative", "", "other\n"],
    ];
    for (const [name, target] of ways) link(`main/${name}`, target);
    for (const [name, , below, content] of ways) expect([name, await read(name + below)]).toEqual([name, content]);
    link("other/back", "../main/inner/../a.txt");
    expect(await read("whole/back")).toBe("a\n");
    expect((await host.call("list_directory", { path: "whole" })).all).toContain("o.txt");
    expect((await host.call("grep", { pattern: "sub", path: "whole" })).all).toContain("s.txt");
    expect((await host.call("stat", { path: "whole/sub/s.txt" })).failure).toBeUndefined();
  });

  test("a change is made in the root where the link ends, and shown there", async () => {
    link("main/whole", "../other");
    link("main/file", `${top}/other/o.txt`);
    const written = await host.call("write_file", { path: "whole/new/n.txt", content: "n\n" });
    expect(written.failure).toBeUndefined();
    expect(written.all).toContain(join(top, "other/new/n.txt"));
    expect(await write("file")).toBe("ok");
    await host.call("move", { source: "whole/sub/s.txt", destination: "moved.txt" });
    await host.call("delete", { path: "whole/new", recursive: true });
    expect(readFileSync(join(top, "other/o.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(top, "main/moved.txt"), "utf8")).toBe("sub\n");
    expect(Object.keys(readTree(join(top, "other")))).not.toContain("new/n.txt");
  });

  test("a root that is read-only refuses every change through a link", async () => {
    link("main/fixed-dir", "../fixed");
    link("main/fixed-file", `${top}/fixed/f.txt`);
    link("other/inner-dir", `${top}/main/inner`);
    const before = readTree(join(top, "fixed"));
    for (const path of ["fixed-dir/f.txt", "fixed-dir/new.txt", "fixed-dir/d/new.txt", "fixed-file"])
      expect([path, await write(path)]).toEqual([path, "denied"]);
    for (const path of ["inner/i.txt", "inner/new.txt", `${top}/other/inner-dir/i.txt`])
      expect([path, await write(path)]).toEqual([path, "denied"]);
    expect(outcome(await host.call("delete", { path: "fixed-dir/f.txt" }))).toBe("denied");
    expect(outcome(await host.call("create_directory", { path: "fixed-dir/d" }))).toBe("denied");
    const move = { source: "fixed-dir/f.txt", destination: "f.txt" };
    expect(outcome(await host.call("move", move))).toBe("denied");
    expect(outcome(await host.call("move", { source: "a.txt", destination: "fixed-dir/a.txt" }))).toBe("denied");
    expect(outcome(await host.call("copy", move))).toBe("ok");
    expect(readTree(join(top, "fixed"))).toEqual(before);
  });

  test("deny rules are those of the root where it ends, for what is there and what is not", async () => {
    link("main/k", `${top}/other/secret/k`);
    link("main/whole", "../other");
    link("main/gone", "../other/secret/none");
    link("main/dir", "../other/secret");
    for (const path of ["k", "whole/secret/k", "whole/secret/none", "gone", "dir/k", "dir/none", "dir"])
      for (const said of [await read(path), await write(path)]) expect([path, said]).toEqual([path, "denied"]);
    // Relative to the inner root it is denied, by whatever root it is named.
    for (const path of ["inner/secret/k", `${top}/main/inner/secret/k`, "inner/secret/none"])
      expect([path, await read(path)]).toEqual([path, "denied"]);
    expect((await host.call("list_directory", { path: "whole" })).all).not.toContain("secret");
    expect((await host.call("read_file", { path: "whole/secrex" })).all).not.toContain('secret"');
  });

  test("what is missing in another root is missing, and a circle ends", async () => {
    link("main/dangling", "../other/none.txt");
    link("main/one", `${top}/other/two`);
    link("other/two", "../main/one");
    expect(await read("dangling")).toBe("not_found");
    expect(await read("one")).toBe("denied");
    expect(await read("one/x")).toBe("denied");
    for (let at = 0; at < 45; at++)
      link(`${at % 2 ? "other" : "main"}/c${at}`, `../${at % 2 ? "main" : "other"}/c${at + 1}`);
    link("other/c45", "../main/a.txt");
    expect(await read("c10")).toBe("a\n");
    expect(await read("c0")).toBe("denied");
  });

  test("a way out of all roots is refused in the same words, whatever is there", async () => {
    const pairs: [there: string, absent: string, code: string][] = [
      [`${top}/outside/x.txt`, `${top}/outside/y.txt`, "outside_scope"],
      ["../outside/x.txt", "../outside/y.txt", "outside_scope"],
      [`${top}/other/../outside/x.txt`, `${top}/other/../outside/y.txt`, "outside_scope"],
      ["../..", "../none", "outside_scope"],
      // It comes back by name, so what lies between is text, also where the kernel would say that it is no directory.
      ["../outside/x.txt/../../other/none", "../outside/y.txt/../../other/none", "not_found"],
    ];
    for (const [there, absent, code] of pairs) {
      const said: unknown[] = [];
      for (const target of [there, absent]) {
        link("main/out", target);
        for (const path of ["out", "out/z"]) said.push((await host.call("read_file", { path })).failure);
        rmSync(join(top, "main/out"));
      }
      expect(said.map((failure) => (failure as { code: string }).code)).toEqual([code, code, code, code]);
      expect(said.slice(0, 2)).toEqual(said.slice(2));
    }
    // A caller's own steps are no link: they may not leave a root for another.
    link("main/whole", "../other");
    link("main/up", "..");
    for (const path of ["../other/o.txt", "whole/../../main/a.txt", "whole/../o.txt", "up/other/o.txt", "up"])
      expect([path, await read(path)]).toEqual([path, "outside_scope"]);
  });

  test("the other root is what it was at the start", async () => {
    expect(await read("a.txt")).toBe("a\n");
    link("main/whole", `${top}/other`);
    renameSync(join(top, "other"), join(top, "moved"));
    mkdirSync(join(top, "other"));
    layFiles(join(top, "other"), { "o.txt": "REPLACED\n" });
    expect(await read("whole/o.txt")).toBe(containment === "portable" ? "denied" : "other\n");
  });
});

function outcome({ failure, text, all }: CallAnswer): string {
  if (failure) return failure.code;
  return all.startsWith("Applied") || /^(?:Created|Overwrote|Wrote|Copied|Moved)/.test(text) ? "ok" : text;
}
