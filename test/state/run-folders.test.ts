/**
 * The temporary folders of commands: they are made below a state folder that is there, and go with their runs.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFolders } from "../../src/state/index.ts";

const DAY_S = 24 * 60 * 60;

function openState(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "ringfence-runs-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test("create() makes a folder of the owner, which remove() and removeAll() take away", () => {
  using state = openState();
  const folders = new RunFolders(state.path);
  const [one, other] = [folders.create(), folders.create()];
  expect(statSync(one.path).mode & 0o777).toBe(0o700);
  one.remove();
  expect([existsSync(one.path), existsSync(other.path)]).toEqual([false, true]);
  folders.removeAll();
  expect(readdirSync(join(state.path, "run"))).toEqual([]);
});

test("a launcher that starts removes only what is older than the longest run", () => {
  using state = openState();
  const left = [new RunFolders(state.path).create(), new RunFolders(state.path).create()] as const;
  const longAgo = Date.now() / 1000 - 3 * DAY_S;
  utimesSync(left[0].path, longAgo, longAgo);
  new RunFolders(state.path).create();
  expect(left.map(({ path }) => existsSync(path))).toEqual([false, true]);
});
