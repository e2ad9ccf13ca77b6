/**
 * A root inside another one whose directory another program has replaced or removed: what stands at its name now is held to
 * what was said of the root, by whichever path it is reached.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layFiles, type FileTree } from "../host/file-tree.ts";
import { openTestHost, type Members, type TestHost } from "../host/in-memory-host.ts";

let top = "";
let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
  rmSync(top, { recursive: true, force: true });
});

type Containment = "auto" | "portable";

function start(containment: Containment, more: { deny?: string[]; inner?: string } = {}): TestHost {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-replaced-")));
  layFiles(join(top, "root"), { "a.txt": "a\n", "other/dir/b.txt": "other\n", "p/dir/b.txt": "first\n" });
  const { inner = "dir:ro", ...rest } = more;
  const roots = [join(top, "root"), `${join(top, "root/p")}/${inner}`];
  host = openTestHost({ top, config: { roots, containment, mode: "bypass", ...rest } });
  return host;
}

const NEW: FileTree = { "b.txt": "new\n", ".env": "new\n", "sub/c.txt": "new\n" };

/** What another program may have done to the directory of the inner root. */
const CASES: Record<string, (directory: string) => void> = {
  "moved away, and another one made": (directory) => {
    renameSync(directory, join(top, "root/old"));
    layFiles(directory, NEW);
  },
  "removed, and another one made": (directory) => {
    rmSync(directory, { recursive: true });
    layFiles(directory, NEW);
  },
  removed: (directory) => rmSync(directory, { recursive: true }),
  "moved out of all roots": (directory) => renameSync(directory, join(top, "elsewhere")),
};

const PATCH = "*** Begin Patch\n*** Update File: p/dir/b.txt\n@@\n-new\n+HACK\n*** End Patch\n";

const CHANGES: readonly [tool: string, input: Members][] = [
  ["write_file", { path: "p/dir/b.txt", content: "HACK", overwrite: true }],
  ["write_file", { path: "p/dir/none/n.txt", content: "HACK" }],
  ["append_file", { path: "p/dir/b.txt", content: "HACK" }],
  ["edit_file", { path: "p/dir/b.txt", old_text: "new", new_text: "HACK" }],
  ["apply_patch", { patch: PATCH }],
  ["create_directory", { path: "p/dir" }],
  ["create_directory", { path: "p/dir/n" }],
  ["copy", { source: "a.txt", destination: "p/dir/c" }],
  ["move", { source: "a.txt", destination: "p/dir/c" }],
  ["move", { source: "other/dir", destination: "p/dir" }],
  ["move", { source: "p/dir/b.txt", destination: "stolen" }],
  ["delete", { path: "p/dir/b.txt" }],
  ["delete", { path: "p/dir", recursive: true }],
  ["move", { source: "p", destination: "q" }],
  ["delete", { path: "p", recursive: true }],
];

describe.each(["auto", "portable"] as const)("containment %s", (containment) => {
  test.each(Object.keys(CASES))("no change reaches the name of a read-only root that was %s", async (what) => {
    const { root, read, call } = start(containment);
    CASES[what]?.(join(root, "p/dir"));
    const codes: unknown[] = [];
    for (const [tool, input] of CHANGES) codes.push([tool, input, (await call(tool, input)).failure?.code]);
    // The portable way cannot open a root again whose directory is another one, and then does nothing at all.
    const refusals = ["denied", "not_found"];
    expect(codes.filter((one) => !refusals.includes(String((one as unknown[])[2])))).toEqual([]);
    expect(read("a.txt")).toBe("a\n");
    if (what.endsWith("made")) expect(read("p/dir/b.txt")).toBe("new\n");
  });

  test("what was written before the directory was replaced makes no difference", async () => {
    const { root, read, call } = start(containment);
    expect((await call("write_file", { path: "x.txt", content: "x" })).failure).toBeUndefined();
    CASES["removed, and another one made"]?.(join(root, "p/dir"));
    const answer = await call("write_file", { path: "p/dir/b.txt", content: "HACK", overwrite: true });
    expect(answer.failure?.code).toBe("denied");
    expect(read("p/dir/b.txt")).toBe("new\n");
  });

  test("no tree is put where the name of a read-only root would come to lie in it", async () => {
    const { root, call } = start(containment);
    rmSync(join(root, "p"), { recursive: true });
    for (const [tool, more] of [
      ["copy", { recursive: true }],
      ["move", {}],
    ] as const) {
      const answer = await call(tool, { source: "other", destination: "p", ...more });
      expect(["denied", "not_found"]).toContain(answer.failure?.code ?? "");
    }
  });
});

test("a deny rule of an inner root holds at its name when its directory was replaced", async () => {
  const { root, call } = start("auto", { deny: ["b.txt"], inner: "dir" });
  renameSync(join(root, "p/dir"), join(root, "old"));
  mkdirSync(join(root, "p/dir"));
  layFiles(join(root, "p/dir"), NEW);
  for (const path of ["p/dir/b.txt", "old/b.txt"])
    expect((await call("read_file", { path })).failure?.code).toBe("denied");
  expect((await call("read_file", { path: "p/dir/sub/c.txt" })).failure).toBeUndefined();
});

test("the name of a root stays with it when the outer one is moved as well", async () => {
  const { root, call } = start("auto");
  renameSync(root, join(top, "moved"));
  rmSync(join(top, "moved/p/dir"), { recursive: true });
  layFiles(join(top, "moved/p/dir"), NEW);
  const answer = await call("write_file", { path: "p/dir/b.txt", content: "HACK", overwrite: true });
  expect(answer.failure?.code).toBe("denied");
});
