/**
 * A worker trusts nobody: jobs that a main thread should never have let through are handed straight to the handler of a
 * reading and of a changing worker, and every one is refused by the worker's own scope.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWER_BOUNDS, Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import type { Tool } from "../../src/contract/index.ts";
import { createChangeHandler, createReadHandler } from "../../src/jobs/index.ts";
import type { JobHandler } from "../../src/pool/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { layFiles, readTree } from "../host/file-tree.ts";

const JOB = {
  cancel: NEVER_CANCELLED,
  deadlineMs: Infinity,
  progress: () => undefined,
  share: () => Promise.resolve(undefined),
  outside: () => Promise.resolve(undefined),
  tidy: () => undefined,
};
let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-worker-")));
  layFiles(top, {
    "root/a.txt": "a\n",
    "root/secret/k": "SECRET\n",
    "outside/x.txt": "SECRET\n",
    "fixed/f.txt": "f\n",
  });
  mkdirSync(join(top, "state/undo"), { recursive: true });
  symlinkSync("../outside", join(top, "root/out"));
  symlinkSync(join(top, "outside/x.txt"), join(top, "root/out-file"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function configText(containment: string): string {
  const roots = [
    { path: join(top, "root"), readOnly: false },
    { path: join(top, "fixed"), readOnly: true },
  ];
  return JSON.stringify({
    scope: { roots, deny: ["secret"], hidden: [join(top, "state")], containment },
    rootFds: [],
    stateDir: join(top, "state"),
    policy: { rules: [], configFiles: [] },
    skip: [],
    answers: ANSWER_BOUNDS,
    facts: {
      version: "0",
      platform: "x",
      runtime: "x",
      mode: "bypass",
      results: "text",
      roots: [],
      fence: "",
    },
  });
}

async function said(run: JobHandler, name: string, input: unknown): Promise<string> {
  try {
    const { payload } = await run(name, JSON.stringify(input), JOB);
    return payload;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
}

const OUTSIDE = [
  "../outside/x.txt",
  "{top}/outside/x.txt",
  "out/x.txt",
  "out-file",
  "secret/k",
  "secret/none",
  "out/none",
  "/etc/passwd",
  "a.txt/../../outside/x.txt",
];
const at = (path: string): string => path.replace("{top}", top);

test.each(["auto", "portable"])("a reading worker is held to its scope, containment %s", async (containment) => {
  const tools = builtinTools.filter((tool): tool is Tool => "effect" in tool && tool.effect === "read");
  const run = createReadHandler(configText(containment), tools);
  expect(await said(run, "tool:read_file", { path: "a.txt" })).toContain("a\\n");
  for (const path of OUTSIDE.map(at)) {
    const jobs: [name: string, input: object][] = [
      ["tool:read_file", { path }],
      ["tool:list_directory", { path }],
      ["tool:grep", { pattern: "SECRET", path }],
      ["tool:glob", { pattern: "*", path }],
      ["tool:tree", { path }],
      ["tool:diff_files", { a: "a.txt", b: path }],
      ["context:files.read", { path }],
      ["context:search.list", { path }],
      ["resolve", { path }],
    ];
    for (const [name, input] of jobs)
      expect([name, path, await said(run, name, input)]).toEqual([
        name,
        path,
        expect.stringMatching(/^(?:outside_scope|denied|not_found)$/),
      ]);
    for (const [name, input] of [
      ["tool:hash_file", { paths: [path] }],
      ["tool:read_files", { files: [{ path }] }],
      ["context:files.readMany", { files: [{ path }] }],
    ] as const)
      expect(await said(run, name, input)).not.toContain("SECRET\\n");
  }
  // A pattern is no path: it is matched against what a walk finds, and cannot climb.
  for (const pattern of ["../outside/*", "../*", `${top}/outside/*`, "out/*", "secret/*"])
    expect(await said(run, "tool:glob", { pattern })).not.toMatch(/x\.txt|secret\/k/);
});

test.each(["auto", "portable"])("a changing worker is held to its scope, containment %s", async (containment) => {
  const run = createChangeHandler(configText(containment));
  const before = [readTree(join(top, "outside")), readTree(join(top, "root")), readTree(join(top, "fixed"))];
  const plan = async (change: object): Promise<string> =>
    await said(run, "plan", {
      tool: "t",
      set: { changes: [change] },
      risk: "R2",
      apply: true,
      ruling: { tool: { name: "t", effect: "change" }, mode: "accept_edits", grants: [] },
      baseline: { required: false, known: [], partly: [], seen: [], made: [] },
    });
  for (const path of [
    ...OUTSIDE.map(at),
    join(top, "fixed/f.txt"),
    join(top, "fixed/new"),
    join(top, "state/undo/x"),
  ]) {
    const changes = [
      { op: "write", path, content: "x", overwrite: true },
      { op: "append", path, content: "x" },
      { op: "create_directory", path },
      { op: "copy", source: "a.txt", destination: path, overwrite: true },
      { op: "move", source: "a.txt", destination: path, overwrite: true },
      { op: "move", source: path, destination: "taken" },
      { op: "delete", path, recursive: true },
    ];
    for (const change of changes.filter(
      ({ op, destination }) => path !== "out-file" || (op !== "delete" && op !== "move" && destination === undefined),
    ))
      expect([path, change.op, await plan(change)]).toEqual([
        path,
        change.op,
        expect.stringMatching(/^(?:outside_scope|denied|not_found)$/),
      ]);
  }
  expect([readTree(join(top, "outside")), readTree(join(top, "root")), readTree(join(top, "fixed"))]).toEqual(before);
  expect(readFileSync(join(top, "outside/x.txt"), "utf8")).toBe("SECRET\n");
});
