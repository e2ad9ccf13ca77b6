/**
 * A part of an id, and `--last`, in the place of an id: they save typing, and prove nothing. What is applied is still what was
 * shown at this terminal, or what has the digest that was named.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../binary/serve-process.ts";
import { runAtTerminal } from "./at-terminal.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

let place: Place;

beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\ntwo\n");
});
afterEach(() => place[Symbol.dispose]());

const text = (): string => readFileSync(join(place.root, "a.txt"), "utf8");

async function run(...args: string[]): Promise<CliResult> {
  return await runRingfence(place, [...args, "--state-dir", place.stateDir]);
}

async function edit(from: string, to: string, ...flags: string[]): Promise<string> {
  const call = ["call", "edit_file", "path=a.txt", `old_text=${from}`, `new_text=${to}`, "--root", "."];
  return (await run(...call, ...flags)).stdout;
}

async function propose(from: string, to: string): Promise<{ id: string; digest: string }> {
  const [, id = "", digest = ""] = /Proposal (p_[\w-]{22})@([0-9a-f]{40})\n$/.exec(await edit(from, to)) ?? [];
  return { id, digest };
}

/** Another proposal whose id begins as this one's does. */
function twin(id: string): string {
  const other = `${id.slice(0, -1)}${id.endsWith("A") ? "Q" : "A"}`;
  const folder = join(place.stateDir, "proposals");
  for (const name of readdirSync(folder).filter((one) => one.startsWith(id))) {
    copyFileSync(join(folder, name), join(folder, name.replace(id, other)));
    if (!name.endsWith(".json")) continue;
    const proposal = JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
    writeFileSync(join(folder, `${other}.json`), JSON.stringify({ ...proposal, id: other }));
  }
  return other;
}

const START = "p_6Dk".length;

describe("the beginning of an id", () => {
  test("the beginning of an id is enough to show and to reject", async () => {
    const { id } = await propose("two", "2");
    const shown = await run("proposals", "show", id.slice(0, START));
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`\nid: ${id}@`) });
    expect(await run("proposals", "reject", id.slice(0, START))).toMatchObject({ code: 0 });
    expect((await run("proposals")).stderr).toContain("No proposals are waiting");
  });

  test("the whole digest alone is enough to apply without a terminal", async () => {
    const { id, digest } = await propose("two", "2");
    const begun = id.slice(0, START);
    const bare = await run("proposals", "apply", begun);
    expect(bare).toMatchObject({ code: 1, stdout: "" });
    expect(bare.stderr).toStartWith("error: needs_approval: ");
    expect(bare.stderr).toContain(`to apply exactly that: ringfence proposals apply ${id}@${digest}`);
    for (const wrong of [digest.slice(0, 8), "0".repeat(40), ""])
      expect(await run("proposals", "apply", `${begun}@${wrong}`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("it is not what was shown as"),
      });
    expect(text()).toBe("one\ntwo\n");
    expect(await run("proposals", "apply", `${begun}@${digest}`)).toMatchObject({ code: 0 });
    expect(text()).toBe("one\n2\n");
  });

  test("the beginning of an id is refused when several ids have it, which are listed", async () => {
    const { id, digest } = await propose("two", "2");
    const other = twin(id);
    for (const given of [id.slice(0, START), id.slice(0, -1), `${id.slice(0, START)}@${digest}`])
      for (const action of ["show", "apply", "reject"]) {
        const { code, stdout, stderr } = await run("proposals", action, given);
        expect([code, stdout]).toEqual([1, ""]);
        expect(stderr).toContain(`ambiguous: Cannot tell which one "${given.split("@")[0]}" is: 2 ids begin so`);
        for (const one of [id, other]) expect(stderr).toContain(`\n  ${one}  Edit a.txt`);
      }
    expect(text()).toBe("one\ntwo\n");
    expect((await run("proposals", "show", other)).stdout).toContain(`\nid: ${other}@`);
  });

  test("the beginning of an id is refused when no id has it, and so is the prefix of all ids", async () => {
    await propose("two", "2");
    for (const given of ["p_", "p", "", "q_6Dk", "p_*", "p_......"])
      expect(await run("proposals", "reject", given)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Cannot find the proposal "${given}": no such id`),
      });
    expect((await run("proposals")).stdout).toContain("Edit a.txt");
  });

  test("the beginning of an id is enough for a transaction to undo and for a grant to revoke", async () => {
    await edit("two", "2", "--mode", "bypass");
    const [id = ""] = /t_[\w-]{22}/.exec((await run("history")).stdout) ?? [];
    expect(await run("undo", id.slice(0, START), "--dry-run")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`(transaction ${id})`),
    });
    expect(await run("undo", id.slice(0, START))).toMatchObject({ code: 0 });
    expect(text()).toBe("one\ntwo\n");
    await run("grants", "add", "write_file(notes/**)", "--root", ".");
    const [grant = ""] = /g_[\w-]{22}/.exec((await run("grants")).stdout) ?? [];
    expect((await run("grants", "revoke", grant.slice(0, START))).stdout).toBe(`Revoked: ${grant}\n`);
    expect((await run("grants")).stderr).toContain(`Nothing was granted in ${place.stateDir}.`);
  });
});

describe("--last", () => {
  test("--last is refused without a terminal, with the digest to name, and writes nothing", async () => {
    await propose("one", "1");
    const { id, digest } = await propose("two", "2");
    const shown = await run("proposals", "show", "--last");
    expect(shown.stdout).toContain(`\nid: ${id}@${digest}\n`);
    const refused = await run("proposals", "apply", "--last");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toStartWith("error: needs_approval: ");
    expect(refused.stderr).toContain(`to apply exactly that: ringfence proposals apply ${id}@${digest}`);
    expect(refused.stderr).toEndWith(shown.stdout);
    expect(text()).toBe("one\ntwo\n");
  });

  test.each([
    ["y\n", "one\n2\n", 0],
    ["n\n", "one\ntwo\n", 1],
    ["\u0004", "one\ntwo\n", 1],
  ])("shows the newest at a terminal and asks; the answer is %j", async (typed, left, exit) => {
    await propose("one", "1");
    const { id } = await propose("two", "2");
    const shown = (await run("proposals", "show", id)).stdout;
    const args = ["proposals", "apply", "--last", "--state-dir", place.stateDir];
    const { code, screen } = await runAtTerminal(place, args, "Apply this? [y/N]", typed);
    expect([code, screen.slice(0, shown.length)]).toEqual([exit, shown]);
    expect(text()).toBe(left);
  });

  test("--last rejects the newest, and fails when none waits", async () => {
    const { id } = await propose("one", "1");
    await propose("two", "2");
    expect((await run("proposals", "reject", "--last")).code).toBe(0);
    expect((await run("proposals")).stdout.match(/p_[\w-]{22}/g)).toEqual([id]);
    expect((await run("proposals", "reject", "--last")).code).toBe(0);
    const none = await run("proposals", "apply", "--last");
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("not_found: Cannot find the last proposal: no proposals are waiting.");
    expect(none.stderr).toContain(`This looked in ${place.stateDir}.`);
  });

  test("--last cannot stand beside an id, nor with list", async () => {
    for (const [args, said] of [
      [["apply", "p_6Dk", "--last"], "give the ID of a proposal or --last, not both"],
      [["list", "--last"], "proposals list takes no ids"],
      [["apply"], "ringfence proposals apply ID@DIGEST, or --last"],
    ] as const)
      expect(await run("proposals", ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(said),
      });
  });
});
