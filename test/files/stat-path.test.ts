/** Metadata of the object itself, and the silence about what lies outside. */
import { afterAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statPath } from "../../src/files/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

test("a file is described in full", async () => {
  const absolute = space.write("dir/a.txt", "abc");
  chmodSync(absolute, 0o4640);
  utimesSync(absolute, 1_000_000_000, 1_000_000_000);
  linkSync(absolute, join(space.root, "second"));
  const stat = await statPath(space.ctx, { path: "dir/a.txt", hash: true });
  expect(stat).toMatchObject({
    path: "dir/a.txt",
    absolute,
    type: "file",
    size: 3,
    mtime: "2001-09-09T01:46:40.000Z",
    mode: "4640",
    owner: process.getuid?.() ?? 0,
    links: 2,
    hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
  expect(await statPath(space.ctx, { path: "dir/a.txt" })).not.toHaveProperty("hash");
});

test("the root, a directory and a FIFO are described as what they are", async () => {
  mkdirSync(join(space.root, "folder"));
  execFileSync("mkfifo", [join(space.root, "pipe")]);
  expect(await statPath(space.ctx, { path: "." })).toMatchObject({
    path: ".",
    absolute: space.root,
    type: "directory",
  });
  expect((await statPath(space.ctx, { path: "folder/" })).type).toBe("directory");
  expect(await statPath(space.ctx, { path: "pipe", hash: true })).not.toHaveProperty("hash");
  expect((await statPath(space.ctx, { path: "pipe" })).type).toBe("fifo");
});

test("a link inside tells its target as it is stored, and the target's type", async () => {
  mkdirSync(join(space.root, "sub"));
  symlinkSync("./sub/../sub", join(space.root, "to-sub"));
  expect(await statPath(space.ctx, { path: "to-sub" })).toMatchObject({
    type: "symlink",
    link_target: "./sub/../sub",
    target_type: "directory",
  });
});

test("a link out tells nothing of its target, and not whether it exists", async () => {
  writeFileSync(join(space.outside, "secret"), "secret");
  symlinkSync("../outside/secret", join(space.root, "out-real"));
  symlinkSync("../outside/absent", join(space.root, "out-none"));
  const told: object[] = [];
  for (const path of ["out-real", "out-none"]) {
    const { type, link_target, link_leads, target_type, hash } = await statPath(space.ctx, {
      path,
      hash: true,
    });
    told.push({ type, link_target, link_leads, target_type, hash });
  }
  const silence = { type: "symlink" as const, link_target: null, link_leads: "outside" as const };
  expect(told).toEqual([
    { ...silence, target_type: undefined, hash: undefined },
    { ...silence, target_type: undefined, hash: undefined },
  ]);
  expect(JSON.stringify(told)).not.toContain("secret");
});

test("a link to nothing inside is described as a link", async () => {
  symlinkSync("nothing", join(space.root, "dangling"));
  expect(await statPath(space.ctx, { path: "dangling" })).toMatchObject({
    link_target: null,
    link_leads: "nowhere",
  });
});

test("a missing path, a path through a link out, and a slash after a file are refused", async () => {
  space.write("plain.txt", "");
  symlinkSync("../outside", join(space.root, "out-dir"));
  expect((await failureFrom(() => statPath(space.ctx, { path: "nope" }))).code).toBe("not_found");
  expect((await failureFrom(() => statPath(space.ctx, { path: "out-dir/x" }))).code).toBe("outside_scope");
  expect((await failureFrom(() => statPath(space.ctx, { path: "plain.txt/" }))).code).toBe("not_found");
});

// Waits for src/scope: its portable backend answers ENOENT for a link to nothing outside, EXDEV for one to something.
test("the portable containment is as silent", async () => {
  using scope = new Scope({ roots: [{ path: space.root, readOnly: true }], containment: "portable" });
  const ctx = { ...space.ctx, scope };
  const told = [];
  for (const path of ["out-real", "out-none"]) told.push((await statPath(ctx, { path })).link_leads);
  expect(told).toEqual(["outside", "outside"]);
});
