/**
 * git in a host behind the kernel fence, as it is shipped: until it is called a shell stands in the place of the launcher, and a
 * host without a work tree has neither.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readResult } from "../../src/calls/call-result.ts";
import { git, makeRepository, runGit } from "../packs/git/repository.ts";
import { until } from "../waits/until.ts";
import { hasLandlock } from "./has-landlock.ts";
import { Place, ServeProcess } from "./serve-process.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "alpha\n");
});
afterEach(() => place[Symbol.dispose]());

function makeWorkTree(): void {
  makeRepository(place.root);
  runGit(place.root, "add", "--all");
  runGit(place.root, "commit", "--quiet", "--message", "first");
}

/** The command lines of what a process has started. */
function childrenOf(pid: number): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
        return Number(parent) === pid ? [readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
      } catch {
        return [];
      }
    });
}

test.skipIf(!hasLandlock() || git.isMissing)(
  `a fenced host in a work tree has a sleeping shell, which becomes the launcher when git is called${git.note}`,
  async () => {
    makeWorkTree();
    await using host = await ServeProcess.start(place, { args: ["--fence=require"] });
    host.call("read", "read_file", { path: "a.txt" });
    await host.answer("read");
    const asleep = childrenOf(host.child.pid);
    expect(asleep.length).toBe(1);
    expect(asleep[0]).toStartWith("/bin/sh -c read -r _ ");
    writeFileSync(join(place.root, "a.txt"), "beta\n");
    host.call("status", "git_status", {});
    const { result } = await host.answer("status");
    expect(result?.content?.at(-1)?.text).toBe("On main\nChanged, not staged:\n  modified: a.txt");
    expect(childrenOf(host.child.pid).filter((line) => line.startsWith("/bin/sh"))).toEqual([]);
    host.call("diff", "git_diff", {});
    expect((await host.answer("diff")).result?.content?.at(-1)?.text).toContain("-alpha\n+beta");
  },
);

test.skipIf(!hasLandlock() || git.isMissing)(
  `git in a fenced host writes no mark that a filter of the repository would${git.note}`,
  async () => {
    makeWorkTree();
    const mark = join(place.root, "mark");
    runGit(place.root, "config", "filter.evil.clean", `touch ${mark}; cat`);
    writeFileSync(join(place.root, ".gitattributes"), "* filter=evil\n");
    writeFileSync(join(place.root, "a.txt"), "beta\n");
    await using host = await ServeProcess.start(place, { args: ["--fence=require"] });
    host.call("diff", "git_diff", {});
    expect(readResult((await host.answer("diff")).result ?? {}).failure).toBeUndefined();
    expect(existsSync(mark)).toBe(false);
  },
);

test.skipIf(!hasLandlock())("a fenced host without a work tree starts nothing for git", async () => {
  await using host = await ServeProcess.start(place, { args: ["--fence=require"] });
  host.call("read", "read_file", { path: "a.txt" });
  await host.answer("read");
  expect(childrenOf(host.child.pid)).toEqual([]);
});

test.skipIf(!hasLandlock() || git.isMissing)(`the sleeping shell ends with its host${git.note}`, async () => {
  makeWorkTree();
  const host = await ServeProcess.start(place, { args: ["--fence=require"] });
  const { pid } = host.child;
  const isSleeping = (): boolean => childrenOf(pid).some((line) => line.startsWith("/bin/sh"));
  await until("the shell to sleep", isSleeping);
  await host[Symbol.asyncDispose]();
  await until("the shell to be gone", () => !isSleeping());
});
