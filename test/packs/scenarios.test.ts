/**
 * The changing tools, case by case as data: every file of `test/fixtures/scenarios` is a tree, a call, and the tree that must
 * be there once its proposal is applied, byte for byte, mode for mode, link for link. `read-scenario.ts` says how they are
 * written.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { normalTree, readTree } from "../host/file-tree.ts";
import { openTestHost, type CallAnswer } from "../host/in-memory-host.ts";
import { readScenario, type Answer } from "./read-scenario.ts";

const FOLDER = join(import.meta.dir, "../fixtures/scenarios");
const NAMES = readdirSync(FOLDER).sort();

beforeAll(() => {
  process.umask(0o022);
});

test("the scenarios are numbered without a gap", () => {
  expect(NAMES.length).toBeGreaterThan(100);
  expect(NAMES.map((name) => Number(name.slice(0, 3)))).toEqual(NAMES.map((_, index) => index + 1));
});

test.each(NAMES)("the scenario %s ends as it says", async (name) => {
  const { tool, arguments: input, config, before, after, answer: wanted } = scenarioOf(name);
  await using host = openTestHost({ files: before, config });
  const answer = await host.call(tool, input);
  checkAnswer(answer, wanted);
  expect(readTree(host.root)).toEqual(normalTree(before));
  if (answer.proposal) {
    const applied = await host.request("ringfence/proposals/apply", { request: answer.request });
    expect(applied.error).toBeUndefined();
    expect(applied.result.status).toBe("applied");
  }
  expect(readTree(host.root)).toEqual(normalTree(after));
  const kept = Object.values(readTree(join(host.stateDir, "undo")));
  for (const content of wanted.undo ?? []) expect(kept).toContain(content);
});

function checkAnswer(answer: CallAnswer, { outcome, contains = [] }: Answer): void {
  const isSuccess = outcome === "proposed" || outcome === "unchanged";
  expect(answer.failure?.code, answer.all).toBe((isSuccess ? undefined : outcome) as never);
  for (const piece of contains) expect(answer.all).toContain(piece);
  expect(answer.proposal !== undefined).toBe(outcome === "proposed");
  if (answer.failure) expect(answer.all).toStartWith(`${answer.failure.code}: ${answer.failure.message}`);
}

function scenarioOf(name: string): ReturnType<typeof readScenario> {
  return readScenario(readFileSync(join(FOLDER, name), "utf8"));
}

describe("readScenario()", () => {
  const end = "-- call move --\nsource: a\n-- answer --\noutcome: proposed\n";

  test("reads every mark of a file, and takes files that are not named after the call as unchanged", () => {
    const { before, after } = readScenario(`What it shows.

-- plain --
one
-- "line\\nbreak" (unterminated) --
two
-- ending (json) (mode 600) --
"\\ufeffa\\r\\n"
-- bytes (base64) (mode 755) --
AP8=
-- to-plain (link to plain) --
-- same (hardlink to plain) --
-- empty --
-- d (directory) --
-- p (fifo) --
-- call move --
source: plain
-- plain (gone) --
-- empty (mode 755) --
full
-- answer --
outcome: proposed
`);
    expect(before).toEqual({
      plain: "one\n",
      "line\nbreak": "two",
      ending: { text: "\ufeffa\r\n", mode: "0600" },
      bytes: { base64: "AP8=", mode: "0755" },
      "to-plain": { link: "plain" },
      same: { hardlink: "plain" },
      empty: "",
      d: { directory: true },
      p: { fifo: true },
    });
    const { plain: _, ...rest } = normalTree(before);
    expect(normalTree(after)).toEqual({ ...rest, empty: { text: "full\n", mode: "0755" } });
  });

  test.each([
    ["no sentence", end, "a first sentence"],
    ["no call", "What it shows.\n-- answer --\noutcome: proposed\n", "one call"],
    ["no answer at its end", `What it shows.\n${end}-- a --\n`, "an answer"],
    ["an unknown mark", `What it shows.\n-- a (crlf) --\n${end}`, "no mark (crlf)"],
    ["marks that contradict each other", `What it shows.\n-- a (base64) (json) --\nAA==\n${end}`, "contradict"],
    ["a carriage return", `What it shows.\r\n${end}`, "LF only"],
    [
      "a file gone that was never there",
      `What it shows.\n${end.replace("-- answer", "-- b (gone) --\n-- answer")}`,
      "never there",
    ],
  ])("a broken scenario is refused: %s", (_name, text, message) => {
    expect(() => readScenario(text)).toThrow(message);
  });
});
