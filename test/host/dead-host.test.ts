/**
 * A host that runs while another one dies in the middle of a change: no call of it sees the half, also one that only
 * reads, and what was applied is not offered again.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { attach, canInject } from "../crash/inject.ts";
import { openTestHost } from "./in-memory-host.ts";

let place: Place;
const NAMES = ["a", "b", "c", "d"];

beforeEach(() => {
  place = new Place();
  for (const name of NAMES) {
    mkdirSync(join(place.root, name));
    writeFileSync(join(place.root, name, "f"), "old\n");
  }
});
afterEach(() => place[Symbol.dispose]());

const all = (): string[] => NAMES.map((name) => readFileSync(join(place.root, name, "f"), "utf8").trim());

/** @param isThere when the host is to die @returns the proposal that it was applying */
async function dieApplying(isThere: () => boolean): Promise<string> {
  const args = ["--fence=off"];
  for (let nth = 1; nth <= 30; nth++) {
    await using host = await ServeProcess.start(place, { args });
    const operations = NAMES.map((name) => ({
      op: "edit_file",
      path: `${name}/f`,
      old_text: "old",
      new_text: "new",
    }));
    host.call(1, "change_files", { operations });
    const { id } = proposalOf(await host.answer(1));
    const tracer = await attach(host.child.pid, join(place.path, "strace.log"), {
      call: "rename",
      nth,
      fault: "kill",
    });
    host.request(2, "ringfence/proposals/apply", { id });
    await host.answerOrEnd(2);
    await tracer.detach();
    await host[Symbol.asyncDispose]();
    if (isThere()) return id;
    // Taken back and rejected, for the next try.
    await using next = openTestHost({ top: place.path });
    await next.request("ringfence/proposals/reject", { id });
    for (const name of NAMES) writeFileSync(join(place.root, name, "f"), "old\n");
  }
  throw new Error("no kill came at the place");
}

describe.skipIf(!canInject())(`while a host runs${component("strace").note}`, () => {
  test("its reads do not see the half that a dead one has left", async () => {
    await using host = openTestHost({ top: place.path });
    expect((await host.call("read_file", { path: "a/f" })).text).toContain("old");
    await dieApplying(() => new Set(all()).size === 2);
    const seen = await Promise.all(NAMES.map(async (name) => await host.call("read_file", { path: `${name}/f` })));
    expect(seen.map(({ text }) => text.trim())).toEqual(["old", "old", "old", "old"]);
    const listed = await host.call("list_directory", { path: "a", hidden: true });
    expect(listed.text).not.toContain("ringfence");
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
  });

  test("a proposal that a dead one had applied does not wait again", async () => {
    const done = (): boolean =>
      all().every((text) => text === "new") &&
      readdirSync(join(place.stateDir, "proposals")).some((name) => name.endsWith(".taken"));
    const id = await dieApplying(done);
    await using host = openTestHost({ top: place.path });
    expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
    const { error } = await host.request("ringfence/proposals/apply", { id });
    expect(error.data).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("it was applied"),
    });
    expect(all()).toEqual(["new", "new", "new", "new"]);
  });
});
