/**
 * The name that the kernel gives to an open object, on which deny rules are decided: also when the object was removed or
 * moved meanwhile, or has a name that only looks as if it was.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, constants, linkSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend, Landed, OpenRoot } from "../../src/scope/backend.ts";
import { createHandleBackend } from "../../src/scope/handle-backend.ts";
import { loadOpenat2 } from "../../src/sys/index.ts";
import { layFiles } from "../host/file-tree.ts";

const openat2 = loadOpenat2();
const held: number[] = [];
let base = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-handle-")));
  layFiles(base, { "root/dir/k.pem": "k", "root/odd (deleted)": "o" });
});
afterEach(() => {
  for (const fd of held.splice(0)) closeSync(fd);
  rmSync(base, { recursive: true, force: true });
});

function openIn(backend: Backend, rel: string): Landed {
  const handle = backend.openRoot(join(base, "root"));
  const root: OpenRoot = { index: 0, handle, readOnly: false, spellings: [handle.canonical] };
  const opened = backend.open({ roots: [root], root, rel, links: "follow" }, constants.O_RDONLY);
  held.push(handle.fd, opened.fd);
  return opened;
}

test.skipIf(!openat2)("an object is known by its name of now, and by none when it is gone", () => {
  if (!openat2) return;
  const backend = createHandleBackend(openat2);
  const path = (name: string): string => join(base, "root", name);
  const file = openIn(backend, "dir/k.pem");
  expect(backend.realRel(file)).toBe("dir/k.pem");
  renameSync(path("dir/k.pem"), path("dir/l.pem"));
  expect(backend.realRel(file)).toBe("dir/l.pem");
  // Its other name does not count: it was not opened by that one.
  linkSync(path("dir/l.pem"), path("dir/m.txt"));
  rmSync(path("dir/l.pem"));
  expect(backend.realRel(file)).toBeUndefined();
  // Not even when something else is called what the kernel calls it now.
  writeFileSync(path("dir/l.pem (deleted)"), "x");
  expect(backend.realRel(file)).toBeUndefined();

  const odd = openIn(backend, "odd (deleted)");
  expect(backend.realRel(odd)).toBe("odd (deleted)");
  renameSync(path("odd (deleted)"), join(base, "outside"));
  expect(backend.realRel(odd)).toBeUndefined();
  expect(backend.isGone(odd.root.handle)).toBe(false);
  rmSync(join(base, "root"), { recursive: true });
  expect(backend.isGone(odd.root.handle)).toBe(true);
});
