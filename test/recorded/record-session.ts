/**
 * A session of calls of every kind, recorded by a host with `keep_calls` on files of its own, and hosts on copies of those files
 * that make it again.
 */
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAsker, type Asker } from "../host/asker.ts";
import { openTestHost, type TestHost, type TestHostOptions } from "../host/in-memory-host.ts";
import { findSessions, readSession, type SessionFacts } from "../../src/audit/index.ts";
import { replaySession, type Replay } from "../../src/cli/replay-session.ts";
import { readSteps } from "../../src/recorded/index.ts";
import { openStateFolder, type StateFolder } from "../../src/state/index.ts";
import { removeTree } from "../host/remove-tree.ts";

export const FILES = {
  "a.txt": "one\ntwo\nthree TODO\n",
  "src/b.ts": "export const b = 1;\n",
  "c.bin": "\u0000\u0001",
};

type NamedCall = readonly [name: string, args: object];

/** Nothing of these depends on a person. */
export const EVERY_KIND: readonly NamedCall[] = [
  ["list_directory", { path: "." }],
  ["read_file", { path: "a.txt" }],
  ["read_files", { paths: ["a.txt", "src/b.ts"] }],
  ["stat", { path: "a.txt" }],
  ["glob", { pattern: "**/*" }],
  ["grep", { pattern: "TODO" }],
  ["disk_usage", { path: "." }],
  ["hash_file", { path: "a.txt" }],
  ["tree", { path: "." }],
  ["diff_files", { a: "a.txt", b: "src/b.ts" }],
  ["system_info", {}],
  ["edit_file", { path: "a.txt", old_text: "one", new_text: "ONE" }],
  ["read_file", { path: "a.txt" }],
  ["write_file", { path: "new.txt", content: "n\n" }],
  ["append_file", { path: "new.txt", content: "m\n" }],
  ["create_directory", { path: "d" }],
  ["move", { from: "src/b.ts", to: "src/c.ts" }],
  ["copy", { from: "a.txt", to: "d/a.txt" }],
  ["apply_patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+TWO\n*** End Patch" }],
  ["read_file", { path: "d/a.txt" }],
  ["delete", { path: "new.txt" }],
  ["read_file", { path: "nope" }],
  ["read_file", { path: "../x" }],
  ["read_file", { pth: 3 }],
];

export interface Recording extends AsyncDisposable {
  readonly top: string;
  readonly folder: StateFolder;
  readonly session: SessionFacts;
  /** The files as they were before the session, in a folder of their own. */
  copy(): string;
}

/** @param more what else happens in the session @param era of a client that asks its person; absent: it cannot */
export async function recordSession(
  calls: readonly NamedCall[],
  options: TestHostOptions = {},
  more: (host: TestHost, asker: Asker | undefined) => Promise<void> = async () => undefined,
  era?: string,
): Promise<Recording> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-recorded-")));
  const config = { keepCalls: true, mode: "bypass", ...options.config };
  let folder: StateFolder;
  {
    const given = { files: FILES, ...options, top: join(top, "first"), config };
    await using asker = era === undefined ? undefined : await openAsker(era, given);
    await using own = asker ? undefined : openTestHost(given);
    const host = asker?.host ?? own;
    if (!host) throw new Error("no host");
    copyExactly(host.root, join(top, "before"));
    for (const [name, args] of calls) await host.request("tools/call", { name, arguments: args });
    await more(host, asker);
    folder = openStateFolder(host.stateDir);
  }
  const [found] = findSessions(folder.audit);
  const session = found && (await readSession(folder.audit, found));
  if (!session) throw new Error("no session is on record");
  let copies = 0;
  return {
    top,
    folder,
    session,
    copy() {
      const copy = join(top, `copy${++copies}`);
      mkdirSync(copy);
      copyExactly(join(top, "before"), join(copy, "root"));
      return copy;
    },
    [Symbol.asyncDispose]: async () => await removeTree(top),
  };
}

/** With all of their times, by which a search sorts. */
function copyExactly(from: string, to: string): void {
  const { exitCode } = Bun.spawnSync(["cp", "-a", from, to]);
  if (exitCode !== 0) throw new Error(`cannot copy ${from}`);
}

/** @param copy of the files, from `Recording.copy` */
export async function replayOn(
  { folder, session }: Recording,
  copy: string,
  options: TestHostOptions = {},
  isDry = false,
): Promise<Replay> {
  const config = { mode: "bypass", ...options.config, stateDir: folder.path };
  await using host = openTestHost({ ...options, top: copy, config });
  return await replaySession(host.host, session, readSteps(folder, session), isDry);
}
