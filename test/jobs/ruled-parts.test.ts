/**
 * A search that gives parts of its work to another worker: what a rule closes for the tool is closed in the parts too. The
 * two workers are two handlers here, so that every part is one that the other worker does, on any machine.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ANSWER_BOUNDS } from "../../src/base/index.ts";
import { createReadHandler, type RuledInput, type Ruling, type WorkerConfig } from "../../src/jobs/index.ts";
import type { JobContext, JobHandler } from "../../src/pool/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { layFiles } from "../host/file-tree.ts";
import { openTestHost } from "../host/in-memory-host.ts";

const DIRECTORIES = 40;
const FILES_EACH = 20;
const OPEN_FILES: number = DIRECTORIES * FILES_EACH;
const DENY = [{ deny: "*(**/private/**)", reason: "not yours" }];

/** Deep enough for the parts of glob and usage, enough files for those of grep. */
const TREE: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: DIRECTORIES }, (_, at) => [
    ...Array.from({ length: FILES_EACH }, (__, file) => [`d${at}/e/open/f${file}.txt`, "needle\n"]),
    [`d${at}/e/private/p.txt`, "needle\n"],
    [`d${at}/e/open/.env`, "needle\n"],
  ]).flat(),
);

interface Part {
  readonly name: string;
  readonly input: string;
}

/** Laid once: nothing here writes to it. */
const ROOT: string = mkdtempSync(join(memoryFolder(), "ringfence-parts-"));
beforeAll(() => layFiles(ROOT, TREE));
afterAll(() => rmSync(ROOT, { recursive: true }));

class Workers {
  readonly parts: Part[] = [];
  readonly other: JobHandler;
  readonly #asking: JobHandler;

  constructor(rules: WorkerConfig["policy"]["rules"]) {
    const tools = builtinTools.flatMap((tool) => ("effect" in tool && tool.effect === "read" ? [tool] : []));
    const config = JSON.stringify(configOf(rules));
    this.#asking = createReadHandler(config, tools);
    this.other = createReadHandler(config, tools);
  }

  async ask(tool: string, input: object): Promise<string> {
    const ruling: Ruling = { tool: { name: tool, effect: "read" }, mode: "default", grants: [] };
    const ruled: RuledInput = { ruling, input: JSON.stringify(input) };
    const share = async (name: string, request: string): Promise<string> => {
      this.parts.push({ name, input: request });
      return (await this.other(name, request, JOB)).payload;
    };
    return (await this.#asking(`ruled:tool:${tool}`, JSON.stringify(ruled), { ...JOB, share })).payload;
  }
}

const JOB: JobContext = {
  cancel: { state: () => "none" },
  deadlineMs: Infinity,
  progress: () => undefined,
  share: () => Promise.resolve(undefined),
  outside: () => Promise.resolve(undefined),
  tidy: () => undefined,
};

function configOf(rules: WorkerConfig["policy"]["rules"]): WorkerConfig {
  return {
    scope: { roots: [{ path: ROOT, readOnly: false }], deny: [], hidden: [], containment: "auto" },
    rootFds: [],
    stateDir: join(ROOT, "state"),
    policy: { rules, configFiles: [], ask: "both" },
    durability: "full",
    undo: { maxBytes: 1, maxAgeMs: 1 },
    skip: [],
    answers: ANSWER_BOUNDS,
    facts: {
      version: "0.0.0",
      platform: "linux-x64",
      runtime: "",
      mode: "default",
      results: "structured",
      answerBytes: ANSWER_BOUNDS.usualBytes,
      durability: "full",
      roots: [{ path: ROOT, access: "read-write" }],
      fence: "none",
    },
  };
}

describe("what a rule denies", () => {
  test.each([
    ["grep", { pattern: "needle", output: "count", hidden: true }, `${OPEN_FILES}`],
    ["glob", { pattern: "**/p.txt" }, "0"],
    ["disk_usage", {}, `${OPEN_FILES}`],
  ])("a file that a rule denies is not in the parts of %s that the other worker does", async (tool, input, count) => {
    const ruled = new Workers(DENY);
    const answer = await ruled.ask(tool, input);
    expect(ruled.parts.length).toBeGreaterThan(0);
    expect(ruled.parts.filter(({ name }) => !name.startsWith("ruled:part:"))).toEqual([]);
    expect(answer).toContain(count);
    expect(answer).not.toContain("private");
    const free = new Workers([]);
    expect(await free.ask(tool, input)).not.toBe(answer);
  });

  test("a file that a rule denies is not read when a part names it", async () => {
    const workers = new Workers(DENY);
    await workers.ask("grep", { pattern: "needle", output: "count" });
    const [part] = workers.parts;
    if (!part) throw new Error("nothing was shared");
    const ruled = JSON.parse(part.input) as RuledInput;
    const named = { ...(JSON.parse(ruled.input) as object), directories: "d0/e/private//p.txt" };
    const asked = async (name: string, input: string): Promise<unknown> =>
      (JSON.parse((await workers.other(name, input, JOB)).payload) as { found: unknown }).found;
    const input = JSON.stringify({ ...ruled, input: JSON.stringify(named) });
    expect(await asked(part.name, input)).toEqual([]);
    // Without the rules the file would be found.
    expect(await asked("part:grep", JSON.stringify(named))).toHaveLength(1);
  });
});

test("through the whole host, whichever worker it is", async () => {
  await using host = openTestHost({ files: TREE, config: { rules: DENY, results: "structured" } });
  const found = await Promise.all([
    host.call("grep", { pattern: "needle", output: "count", hidden: true }),
    host.call("glob", { pattern: "**/p.txt" }),
    host.call("disk_usage", { path: "." }),
  ]);
  for (const { failure, all } of found) expect([failure, all.includes("private")]).toEqual([undefined, false]);
  const [counted, , used] = found;
  expect(counted.result.structuredContent.totals.matches).toBe(OPEN_FILES);
  expect(used.result.structuredContent.files).toBe(OPEN_FILES);
});
