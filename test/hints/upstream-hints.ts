/**
 * The hints about tools of other servers that wait for a person. They are told by a host that was started with a file of its
 * own, which another terminal knows nothing of.
 */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { runRingfence } from "../cli/run-ringfence.ts";
import { BUN, hostile } from "../upstream/upstream-host.ts";
import type { CommandHint } from "./command-hints.ts";
import { commandIn, runPrinted } from "./run-printed.ts";

function configure({ path, root, stateDir }: Place, mode: string): string[] {
  const file = join(path, "its own.json");
  const upstream = { bad: hostile(mode, "", { reads: [REPOSITORY, BUN] }) };
  writeFileSync(file, JSON.stringify({ roots: [root], state_dir: stateDir, mode: "bypass", upstream }));
  return ["--config", file];
}

async function call(place: Place, given: readonly string[]): Promise<string> {
  await using host = await ServeProcess.start(place, { command: ["serve", ...given] });
  host.call(1, "mcp_bad_echo", { text: "hello" });
  const { result, error } = await host.answer(1);
  return error?.message ?? (result?.content?.at(-1)?.text as string);
}

async function review(): Promise<void> {
  using place = new Place();
  const given = configure(place, "ok");
  const { stdout } = await runRingfence(place, ["doctor", ...given]);
  const shown = await runPrinted(commandIn(stdout, "ringfence upstream review "));
  expect(shown.out).toContain("+Says it again.");
  const approved = await runPrinted(commandIn(shown.out, "ringfence upstream approve "));
  expect(approved).toMatchObject({ code: 0, out: expect.stringContaining("Approved: 2 tools of bad") });
  expect(await call(place, given)).toBe("hello");
  const listed = await runRingfence(place, ["upstream", "approve", "bad@0123456789abcdef", ...given]);
  expect((await runPrinted(commandIn(listed.stderr))).out).toContain("2 tools as approved");
}

async function reviewAgain(): Promise<void> {
  using place = new Place();
  await runRingfence(place, ["upstream", "review", "--approve", ...configure(place, "ok")]);
  const given = configure(place, "changed");
  const denied = await call(place, given);
  expect((await runPrinted(commandIn(denied))).out).toContain("-Says it again.");
  const record = ["audit", "show", "--event", "upstream", "--json", "--state-dir", place.stateDir];
  const events = (await runRingfence(place, record)).stdout.trim().split("\n");
  const noted = events.map((line) => (JSON.parse(line) as { said: string }).said);
  const said = noted.find((one) => one.startsWith("its tools are not those that were approved")) ?? "";
  expect((await runPrinted(commandIn(said))).out).toContain("-Says it again.");
  const all = (await runRingfence(place, ["tools", "--all", ...given])).stdout;
  const withheld = all.split("\n").find((line) => line.startsWith("mcp_bad_echo")) ?? "";
  expect((await runPrinted(commandIn(withheld))).out).toContain("-Says it again.");
}

export const UPSTREAM_HINTS: readonly CommandHint[] = [
  {
    title: "the tools of a server that nobody has looked at are reviewed and approved",
    from: [
      ["src/state/decisions.ts", "terminalCommand("],
      ["src/upstream/review.ts", "reviewCommand("],
      ["src/cli/commands/upstream.ts", "terminalCommand("],
      ["src/cli/commands/upstream.ts", "reviewCommand("],
    ],
    run: review,
  },
  {
    title: "tools that have changed are reviewed",
    from: [
      ["src/upstream/upstreams.ts", "reviewCommand("],
      ["src/upstream/offered-tools.ts", "reviewCommand("],
    ],
    run: reviewAgain,
  },
];
