/**
 * The contract of fusion-ai-host's page in a file of its user, with nothing replaced but the name of the package: the type
 * checker takes it, and a host runs it in the two phases that the page describes.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinTools, type ToolHost } from "ringfence";
import { REPOSITORY } from "../../../scripts/checks/read-sources.ts";
import { Workspace } from "../../library/workspace.ts";
import { BUILT_IN, PACKAGE, PAGE, PROGRAM } from "./page.ts";

interface Program {
  open(root: string, stateDir: string): Promise<ToolHost>;
}

let folder = "";
let program: Program;

/** A project of a user: two files, and the packages that they import. */
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-fusion-")));
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(REPOSITORY, join(modules, "ringfence"));
  for (const name of ["zod", "@types"]) symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "rename.ts"), PAGE.replaceAll(PACKAGE, "ringfence"));
  writeFileSync(join(folder, "main.ts"), PROGRAM.replaceAll(PACKAGE, "ringfence"));
  const compilerOptions = {
    target: "esnext",
    lib: ["esnext"],
    module: "preserve",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ["bun"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  program = (await import(join(folder, "main.ts"))) as Program;
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the page's contract", () => {
  test("the file of the page compiles with nothing replaced but the name of the package", async () => {
    const tsc = join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
    const child = Bun.spawn([process.execPath, tsc, "-p", folder], { stdout: "pipe", stderr: "pipe" });
    expect([await child.stdout.text(), await child.exited]).toEqual(["", 0]);
  });

  test("the page's sixteen tools are there under their names", () => {
    const names = builtinTools.map(({ name }) => name);
    expect(BUILT_IN.filter((name) => !names.includes(name))).toEqual([]);
    expect(BUILT_IN.length).toBe(16);
  });

  test("the page's plain z.object is listed strict, and every parameter has a description", async () => {
    using place = new Workspace({});
    await using host = await program.open(place.root, place.stateDir);
    const tools = await host.listTools();
    expect(tools.find(({ name }) => name === "rename_in_place")?.inputSchema).toEqual({
      type: "object",
      properties: {
        from: { type: "string", description: "from (string)" },
        to: { type: "string", description: "to (string)" },
      },
      required: ["from", "to"],
      additionalProperties: false,
    });
    expect(tools.find(({ name }) => name === "greet")?.inputSchema).toMatchObject({ required: ["name"] });
    const { failure } = await host.callTool("greet", { name: "you", loud: true });
    expect([failure?.code, failure?.message]).toEqual(["invalid_input", expect.stringContaining("loud")]);
  });

  test("a read tool of the page runs on arrival", async () => {
    using place = new Workspace({});
    await using host = await program.open(place.root, place.stateDir);
    expect(await host.dispatch({ callId: "1", tool: "greet", input: { name: "you", times: 2 } })).toEqual({
      callId: "1",
      ok: true,
      output: "hello you hello you 1",
    });
  });
});

describe('a mutating tool of the page "never touches disk on a normal dispatch"', () => {
  const input = { from: "a.txt", to: "sub/new/b.txt" };
  const FILES = { "a.txt": "one\n", "sub/keep.txt": "" };

  test("a normal dispatch of a mutating tool answers with plan's proposal and changes nothing", async () => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const call = { callId: "1", tool: "rename_in_place", input: { from: "a.txt", to: "b.txt" } };
    const { ok, proposal } = await host.dispatch(call);
    expect([ok, proposal?.summary, proposal?.paths]).toEqual([
      true,
      "Rename a.txt → b.txt",
      [join(place.root, "a.txt"), join(place.root, "b.txt")],
    ]);
    expect(existsSync(join(place.root, "b.txt"))).toBe(false);
    expect(await host.dispatch({ ...call, callId: "2", mode: "apply" })).toEqual({
      callId: "2",
      ok: true,
      output: { from: "a.txt", to: join(place.root, "b.txt") },
    });
    expect(place.read("b.txt")).toBe("one\n");
  });

  test("a dispatch in apply mode of what was never proposed answers with the proposal first", async () => {
    using place = new Workspace({ ...FILES, "sub/new/keep.txt": "" });
    await using host = await program.open(place.root, place.stateDir);
    const apply = { callId: "1", tool: "rename_in_place", input, mode: "apply" as const };
    const first = await host.dispatch(apply);
    expect([first.ok, first.failure?.code, first.proposal?.summary]).toEqual([
      false,
      "needs_approval",
      "Rename a.txt → sub/new/b.txt",
    ]);
    expect(place.read("a.txt")).toBe("one\n");
    expect(await host.dispatch({ ...apply, callId: "2" })).toMatchObject({ callId: "2", ok: true });
    expect(place.read("sub/new/b.txt")).toBe("one\n");
  });

  test("a dispatch in apply mode of a built-in change makes exactly what was proposed, and a changed file is stale", async () => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const edit = { path: "a.txt", old_text: "one", new_text: "two" };
    const call = { callId: "1", tool: "edit_file", input: edit };
    const { proposal } = await host.dispatch(call);
    expect(proposal?.diff).toContain("-one\n+two");
    // The order of members is not what the call says.
    const again = { new_text: "two", old_text: "one", path: "a.txt" };
    expect(await host.dispatch({ ...call, input: again, mode: "apply" })).toMatchObject({ ok: true });
    expect(place.read("a.txt")).toBe("two\n");
    const back = { ...call, input: { path: "a.txt", old_text: "two", new_text: "one" } };
    await host.dispatch(back);
    writeFileSync(join(place.root, "a.txt"), "two\nthree\n");
    const stale = await host.dispatch({ ...back, mode: "apply" });
    expect([stale.ok, stale.failure?.code, place.read("a.txt")]).toEqual([false, "stale", "two\nthree\n"]);
  });

  test("what the system refuses to a tool of the page is said in words, and without the path", async () => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const call = { callId: "1", tool: "rename_in_place", input: { from: "nope.txt", to: "b.txt" } };
    expect(await host.dispatch(call)).toMatchObject({ ok: true });
    const { ok, failure } = await host.dispatch({ ...call, callId: "2", mode: "apply" });
    expect([ok, failure?.code, failure?.message]).toEqual([
      false,
      "not_found",
      'Cannot finish "rename_in_place": there is no such file or directory (ENOENT, rename)',
    ]);
  });

  test("a dispatch never throws: an unknown tool and a path outside are results with an error", async () => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const unknown = await host.dispatch({ callId: "x", tool: "rename_in_plac", input: {} });
    expect(unknown).toMatchObject({ callId: "x", ok: false, failure: { code: "not_found" } });
    const outside = { callId: "y", tool: "rename_in_place", input: { from: "a.txt", to: "../b.txt" } };
    expect(await host.dispatch(outside)).toMatchObject({ ok: false, failure: { code: "outside_scope" } });
    expect(await host.dispatch({ callId: "z", tool: "stat", input: 7 })).toMatchObject({ ok: false });
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const trap = {
    get callId(): string {
      throw new Error("no");
    },
  };
  const [callId, tool] = ["1", "stat"];

  test.each([
    ["nothing", null, "tool must be"],
    ["nothing at all", undefined, "tool must be"],
    ["an empty object", {}, "tool must be"],
    ["a list", ["stat"], "tool must be"],
    ["a number", 7, "tool must be"],
    ["a tool that is no text", { callId, tool: 7 }, "tool must be"],
    ["a mode that there is not", { callId, tool, input: {}, mode: "weird" }, "mode must be"],
    ["input that is a list", { callId, tool, input: ["a.txt"] }, "input must be"],
    ["input that is nothing", { callId, tool, input: null }, "input must be"],
    ["input that is a function", { callId, tool, input: () => 1 }, "plain data"],
    ["input that holds itself", { callId, tool, input: circle }, "plain data"],
    ["input with a BigInt", { callId, tool, input: { path: 1n } }, "plain data"],
    ["a member that throws", trap, "plain data"],
    ["input with a member that throws", { callId, tool, input: trap }, "plain data"],
  ])("a dispatch of %s resolves with an error that says what a call is", async (_what, call, state) => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const { ok, failure, error, ...answer } = await host.dispatch(call as never);
    expect(ok).toBe(false);
    expect(failure).toMatchObject({ code: "invalid_input", message: expect.stringContaining(state) });
    expect(error).toContain("{ callId, tool, input, mode }");
    expect(answer).toEqual({ callId: call !== null && Object.hasOwn(Object(call), "tool") ? callId : "" });
  });

  test("a dispatch sends what was there when it was called, also where its input answers differently each time", async () => {
    using place = new Workspace(FILES);
    await using host = await program.open(place.root, place.stateDir);
    const names = ["a.txt", "none.txt", "none.txt"];
    const changing = {
      get path() {
        return names.shift();
      },
    };
    expect(await host.dispatch({ callId, tool: "read_file", input: changing })).toMatchObject({ ok: true });
  });
});
