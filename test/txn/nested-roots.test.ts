/**
 * A root inside another one: a set that reaches it from outside, or from another operation, means the same as a single
 * change does. What is asked by a path of the outer root is prepared under the inner one.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";
import { layFiles } from "../host/file-tree.ts";

let top: string;
let host: TestHost;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-nested-")));
  layFiles(join(top, "root"), { g: "g\n", "in/f": "f\n", "in/d/e": "e\n", "in/to": { link: "d" } });
  const roots = [join(top, "root"), join(top, "root/in")];
  host = openTestHost({ top, config: { roots } });
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(top, { recursive: true, force: true });
});

const edit = (path: string, text: string): object => ({
  op: "edit_file",
  path,
  old_text: text,
  new_text: text.toUpperCase(),
});

async function change(...operations: object[]): Promise<CallAnswer> {
  return await host.call("change_files", { operations });
}

test.each(["in/f", "in/d/../f", "in/../in/f", "in/to/../f"])(
  "an operation is undone after another one across nested roots: %s",
  async (path) => {
    const answer = await change(edit("g", "g"), edit(path, "f"));
    expect(answer.failure).toBeUndefined();
    await host.apply(answer);
    expect(host.read("g")).toBe("G\n");
    expect(host.read("in/f")).toBe("F\n");
  },
);

test("a move goes both ways across the border, and makes new directories below the inner root", async () => {
  const answer = await change(
    edit("in/f", "f"),
    { op: "move", source: "in/f", destination: "moved" },
    { op: "move", source: "g", destination: join(top, "root/in/new/g") },
    edit("in/new/g", "g"),
    { op: "edit_file", path: "in/../moved", old_text: "F", new_text: "M" },
  );
  expect(answer.failure).toBeUndefined();
  await host.apply(answer);
  expect(host.read("moved")).toBe("M\n");
  expect(host.read("in/new/g")).toBe("G\n");
});

test("the inner root itself is still no place for a change", async () => {
  for (const path of ["in", "in/d/.."]) {
    const answer = await change(edit("g", "g"), { op: "delete", path, recursive: true });
    expect(answer.failure?.code).toBe("denied");
  }
  const outside = await change(edit("g", "g"), edit("in/../../x", "x"));
  expect(outside.failure?.code).toBe("outside_scope");
});

test("the diff names the file by its absolute path, as the answer does", async () => {
  const answer = await change(edit("g", "g"), edit("in/f", "f"));
  const path = join(top, "root/in/f");
  expect(answer.all).toContain(`--- ${path}\n+++ ${path}\n`);
});

test("a tree that holds another root can be copied, and not moved", async () => {
  layFiles(join(top, "root"), { "p/in/f": "f\n", "p/g": "g\n" });
  await host[Symbol.asyncDispose]();
  host = openTestHost({ top, config: { roots: [join(top, "root"), `${join(top, "root/p/in")}:ro`], mode: "bypass" } });
  const moved = await host.call("move", { source: "p", destination: "z" });
  expect(moved.failure).toMatchObject({ code: "denied", message: 'Cannot move "p": another root lies in it' });
  expect((await host.call("copy", { source: "p", destination: "z", recursive: true })).failure).toBeUndefined();
  expect(host.read("z/in/f")).toBe("f\n");
});

test("a tree that holds the configuration of another root is not copied", async () => {
  layFiles(join(top, "root"), { "p/in/.ringfence.json": "{}\n", "p/g": "g\n" });
  await host[Symbol.asyncDispose]();
  host = openTestHost({ top, config: { roots: [join(top, "root"), join(top, "root/p/in")], mode: "bypass" } });
  const answer = await host.call("copy", { source: "p", destination: "z", recursive: true });
  expect(answer.failure?.code).toBe("denied");
});
