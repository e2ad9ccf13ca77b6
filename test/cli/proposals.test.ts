/**
 * `ringfence proposals`: a person's answer from another process than the one that proposed, also while that one runs,
 * and also two at once.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

async function proposals(place: Place, ...args: string[]): Promise<CliResult> {
  return await runRingfence(place, ["proposals", ...args, "--state-dir", place.stateDir]);
}

/** @returns `ID@DIGEST` */
async function propose(place: Place, from: string, to: string): Promise<string> {
  const edit = ["edit_file", "path=a.txt", `old_text=${from}`, `new_text=${to}`];
  const { stdout } = await runRingfence(place, ["call", ...edit, "--root", ".", "--state-dir", place.stateDir]);
  const label = /Proposal (p_[\w-]{22}@[0-9a-f]{40})\n$/.exec(stdout)?.[1];
  if (label === undefined) throw new Error(stdout);
  return label;
}

const idOf = (label: string): string => label.split("@")[0] ?? "";

function plant(): Place & { readonly text: () => string } {
  const place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\ntwo\n");
  return Object.assign(place, { text: () => readFileSync(join(place.root, "a.txt"), "utf8") });
}

test("a proposal is listed, shown and applied from another process, and applied only once", async () => {
  using place = plant();
  const label = await propose(place, "two", "2");
  const id = idOf(label);
  expect((await proposals(place)).stdout).toContain(id);
  const listed = JSON.parse((await proposals(place, "list", "--json")).stdout) as object[];
  expect(listed).toMatchObject([{ id, tool: "edit_file", paths: [join(place.root, "a.txt")] }]);
  const shown = await proposals(place, "show", id);
  expect(shown.stdout).toContain("-two\n+2");
  expect(shown.stdout).toContain(`id: ${label}\ntool: edit_file, risk R2\n`);
  expect(shown.stdout).toContain(`\n1. Edit ${join(place.root, "a.txt")} (8 bytes -> 6 bytes, mode 644, utf-8)\n`);
  expect(JSON.parse((await proposals(place, "show", id, "--json")).stdout)).toMatchObject({ id });
  expect(place.text()).toBe("one\ntwo\n");
  const applied = await proposals(place, "apply", label);
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied: Edit a.txt .*t_/) });
  expect(place.text()).toBe("one\n2\n");
  const again = await proposals(place, "apply", label);
  expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("it was applied") });
  expect((await proposals(place)).stderr).toContain("No proposals are waiting");
});

test("an apply with single hunks and files names what it has left out", async () => {
  using place = plant();
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  writeFileSync(join(place.root, "a.txt"), lines.join(""));
  const middle = lines.slice(3, 15).join("");
  const id = await propose(place, `line 2\n${middle}line 15\n`, `2\n${middle}15\n`);
  const wrong = await proposals(place, "apply", id, "--hunk", "a.txt");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("a.ts:1,3") });
  const missing = await proposals(place, "apply", id, "--file", "b.txt");
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("not one of its files") });
  const applied = await proposals(place, "apply", id, "--hunk", "a.txt:1");
  expect(applied.stdout).toMatch(/^Applied: Edit a.txt .*t_.*\nLeft out: a.txt, hunk 2\n.*proposed again.\n$/);
  expect(place.text()).toBe(lines.join("").replace("line 2\n", "2\n"));
});

test("reject keeps its reason, which the next to ask is shown", async () => {
  using place = plant();
  const id = await propose(place, "two", "2");
  expect((await proposals(place, "reject", id, "--reason", "wrong file")).stdout).toStartWith("Rejected: ");
  const apply = await proposals(place, "apply", id);
  expect(apply).toMatchObject({ code: 1, stderr: expect.stringContaining("wrong file") });
  expect(place.text()).toBe("one\ntwo\n");
});

test("a stale proposal is not applied, and its new diff is printed", async () => {
  using place = plant();
  const id = await propose(place, "two", "2");
  writeFileSync(join(place.root, "a.txt"), "zero\none\ntwo\n");
  const result = await proposals(place, "apply", id);
  expect(result.code).toBe(1);
  expect(result.stderr).toStartWith("error: stale: ");
  expect(result.stderr).toContain("-zero\n");
  expect(place.text()).toBe("zero\none\ntwo\n");
});

describe("two processes that apply at once", () => {
  test("two processes that apply at once apply the same proposal once, and the other is told so", async () => {
    using place = plant();
    const id = await propose(place, "two", "2");
    const both = await Promise.all([proposals(place, "apply", id), proposals(place, "apply", id)]);
    expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 1]);
    expect(place.text()).toBe("one\n2\n");
  });

  test("two processes that apply at once apply different proposals, each with an outcome of its own", async () => {
    using place = plant();
    const first = await propose(place, "one", "1");
    const second = await propose(place, "two", "2");
    const result = await proposals(place, "apply", first, second);
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining("Applied: ") });
    expect(result.stderr).toContain("stale");
    expect(place.text()).toBe("1\ntwo\n");
  });
});

test("apply and reject tell the host that proposed, while it still runs", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  host.call(1, "edit_file", { path: "a.txt", old_text: "two", new_text: "2" });
  const { id, digest } = proposalOf(await host.answer(1));
  expect((await proposals(place, "apply", `${id}@${digest}`)).code).toBe(0);
  host.call(2, "read_file", { path: "a.txt" });
  expect((await host.answer(2)).result?.content?.at(-1)?.text).toBe("one\n2\n");
  const again = await host.ask(3, "ringfence/proposals/apply", { id });
  expect(again.error).toMatchObject({ code: 1, data: { code: "conflict" } });
  expect((await host.ask(4, "ringfence/proposals/list")).result).toEqual({ proposals: [] });
});

describe("a proposal named by its id alone, without a terminal", () => {
  test("a proposal named by its id alone, without a terminal, is refused with all that show prints", async () => {
    using place = plant();
    const label = await propose(place, "two", "2");
    const shown = (await proposals(place, "show", idOf(label))).stdout;
    const refused = await proposals(place, "apply", idOf(label));
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toStartWith(
      `error: needs_approval: Cannot apply the proposal "${idOf(label)}" by its id alone: there is no`,
    );
    expect(refused.stderr).toMatch(new RegExp(`to apply exactly that: ringfence proposals apply ${label}( |\n)`));
    expect(refused.stderr).toEndWith(shown);
    expect(place.text()).toBe("one\ntwo\n");
  });

  test("a proposal named with another digest is refused too, also by show", async () => {
    using place = plant();
    const label = await propose(place, "two", "2");
    for (const wrong of [`${idOf(label)}@${"0".repeat(40)}`, `${label}0`, `${idOf(label)}@`])
      for (const action of ["apply", "show"])
        expect(await proposals(place, action, wrong)).toMatchObject({
          code: 1,
          stdout: "",
          stderr: expect.stringContaining("it is not what was shown as"),
        });
    expect(place.text()).toBe("one\ntwo\n");
    expect((await proposals(place, "show", label)).stdout).toContain("+2\n");
  });
});
