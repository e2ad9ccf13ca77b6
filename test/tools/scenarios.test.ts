/**
 * The changing tools, case by case as data: every folder below `test/fixtures/scenarios` is a tree, a call, and the tree
 * that must be there once its proposal is applied, byte for byte, mode for mode, link for link. A case without an
 * expected tree must leave everything as it was.
 *
 * `input/` and `expected/` are used where git keeps the bytes; else `files` and `expected` stand in `call.json`.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RawConfig } from "../../src/config/index.ts";
import { normalTree, readTree, type FileTree } from "../host/file-tree.ts";
import { openTestHost, type CallAnswer } from "../host/in-memory-host.ts";

interface Scenario {
  readonly tool: string;
  readonly arguments: object;
  readonly config?: RawConfig;
  readonly files?: FileTree;
  readonly expected?: FileTree;
  readonly expect: {
    /** The failure; without it the call must succeed. */
    readonly code?: string;
    /** Default: proposed, and then applied. */
    readonly status?: "unchanged";
    /** Pieces of the answer. */
    readonly contains?: readonly string[];
    /** Contents that the undo store must hold afterwards. */
    readonly undo?: readonly string[];
  };
}

const FOLDER = join(import.meta.dir, "../fixtures/scenarios");
const NAMES = readdirSync(FOLDER).sort();

beforeAll(() => {
  process.umask(0o022);
});

test("there are scenarios, numbered without a gap", () => {
  expect(NAMES.length).toBeGreaterThan(100);
  expect(NAMES.map((name) => Number(name.slice(0, 3)))).toEqual(NAMES.map((_, index) => index + 1));
});

describe.each(NAMES)("%s", (name) => {
  test("is as expected", async () => {
    const scenario = readScenario(name);
    const before = filesOf(name, "input") ?? scenario.files ?? {};
    await using host = openTestHost({ files: before, config: scenario.config ?? {} });
    const answer = await host.call(scenario.tool, scenario.arguments);
    checkAnswer(answer, scenario);
    expect(readTree(host.root)).toEqual(normalTree(before));
    if (answer.proposal) {
      const applied = await host.request("ringfence/proposals/apply", { request: answer.request });
      expect(applied.error).toBeUndefined();
      expect(applied.result.status).toBe("applied");
    }
    const after = filesOf(name, "expected") ?? scenario.expected ?? before;
    expect(readTree(host.root)).toEqual(normalTree(after));
    const kept = Object.values(readTree(join(host.stateDir, "undo")));
    for (const content of scenario.expect.undo ?? []) expect(kept).toContain(content);
  });
});

function checkAnswer(answer: CallAnswer, { expect: wanted }: Scenario): void {
  if (wanted.code === undefined) expect(answer.failure).toBeUndefined();
  else expect(answer.failure?.code, answer.all).toBe(wanted.code as never);
  for (const piece of wanted.contains ?? []) expect(answer.all).toContain(piece);
  expect(answer.proposal !== undefined).toBe(wanted.code === undefined && wanted.status === undefined);
  if (answer.failure) expect(answer.all).toStartWith(`${answer.failure.code}: ${answer.failure.message}`);
}

function readScenario(name: string): Scenario {
  return JSON.parse(readFileSync(join(FOLDER, name, "call.json"), "utf8")) as Scenario;
}

function filesOf(name: string, part: "input" | "expected"): FileTree | undefined {
  const folder = join(FOLDER, name, part);
  return existsSync(folder) ? readTree(folder) : undefined;
}
