/**
 * The tools of Flynn as a model that knows them calls them: the parameters of its page, no more and no less, and what each
 * documented call does.
 */
import { describe, expect, test } from "bun:test";
import { openCommandHost } from "../../proc/command-host.ts";
import { FLYNN_TOOLS } from "./sources.ts";

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly type: string; readonly enum?: readonly string[] }>>;
    readonly required?: readonly string[];
  };
}

function open(files: Record<string, string> = {}) {
  return openCommandHost({ config: { dialect: "flynn", shell: { enabled: true }, results: "structured" }, files });
}

function shapeOf({ inputSchema }: Listed): object {
  const properties = Object.entries(inputSchema.properties).map(([name, { type, enum: values }]) => [
    name,
    { type, ...(values ? { enum: values } : {}) },
  ]);
  return { properties: Object.fromEntries(properties), required: inputSchema.required ?? [] };
}

describe.skipIf(process.platform !== "linux")("the dialect flynn", () => {
  test("the dialect flynn lists every tool for files and programs with the parameters of its page", async () => {
    await using host = open();
    const listed = (await host.modern("tools/list")).result.tools as Listed[];
    const found = Object.fromEntries(listed.map((tool) => [tool.name, shapeOf(tool)]));
    expect(found).toMatchObject(FLYNN_TOOLS);
    for (const [name, { properties }] of Object.entries(FLYNN_TOOLS))
      expect(Object.keys((found[name] as { properties: object }).properties)).toEqual(Object.keys(properties));
    expect(Object.keys(found)).toEqual(expect.arrayContaining(["process.output", "process.list", "system.info"]));
  });

  test("file.read gives text as utf8 and bytes as base64", async () => {
    await using host = open({ "notes.txt": "héllo\n" });
    expect((await host.call("file.read", { path: "notes.txt", encoding: "utf8" })).text).toBe("héllo\n");
    const bytes = await host.call("file.read", { path: "notes.txt", encoding: "base64" });
    expect(bytes.text).toContain(Buffer.from("héllo\n").toString("base64"));
    expect((await host.call("file.read", { path: "notes.txt", encoding: "hex" })).failure?.code).toBe("invalid_input");
  });

  test("file.edit replaces what search finds, once", async () => {
    await using host = open({ "a.ts": "let a = 1;\n" });
    await host.call("file.read", { path: "a.ts" });
    expect((await host.call("file.edit", { path: "a.ts", search: "1", replace: "2" })).failure).toBeUndefined();
    expect(host.read("a.ts")).toBe("let a = 2;\n");
    const missing = await host.call("file.edit", { path: "a.ts", search: "nowhere", replace: "x" });
    expect(missing.failure?.code).toBe("no_match");
    expect((await host.call("file.edit", { path: "a.ts", search: "1" })).failure?.hint).toContain("replace");
  });

  test("shell.exec has 30 seconds unless the call gives a timeout in milliseconds", async () => {
    await using host = open();
    const ended = await host.call("shell.exec", { command: "sleep 100000", timeout: 50 });
    expect(ended.text).toContain("its time was over");
    expect(ended.result.isError).toBe(true);
    await using asking = openCommandHost({ config: { dialect: "flynn", shell: { enabled: true }, mode: "default" } });
    const { proposal } = await asking.call("shell.exec", { command: "make" });
    const shown = await asking.modern("ringfence/proposals/get", { id: proposal?.id });
    expect(JSON.stringify(shown.result)).toContain("30000 ms");
  });

  test("a number of Flynn need not be whole, and is rounded down", async () => {
    await using asking = openCommandHost({ config: { dialect: "flynn", shell: { enabled: true }, mode: "default" } });
    const { proposal } = await asking.call("shell.exec", { command: "make", timeout: 700.5 });
    const shown = await asking.modern("ringfence/proposals/get", { id: proposal?.id });
    expect(JSON.stringify(shown.result)).toContain("700 ms");
    for (const timeout of [0.5, -1, 1e12, "many"]) {
      const { failure } = await asking.call("shell.exec", { command: "make", timeout });
      expect([timeout, failure?.code]).toEqual([timeout, "invalid_input"]);
    }
    expect((await asking.call("process.status", { pid: 1.5 })).failure?.code).toBe("not_found");
  });

  test("process.start starts a program with arguments, and its pid names it from then on", async () => {
    await using host = open();
    const given = { command: "sh", args: ["-c", "echo ready; echo oops >&2; exec sleep 100000"] };
    const started = (await host.call("process.start", given)).result.structuredContent as { pid: number };
    const { pid } = started;
    const out = await host.call("process.output", { pid, wait_for: "oops", wait_ms: 300_000, offset: 0 });
    expect(out.result.structuredContent).toMatchObject({ pid, stdout: "ready\n", stderr: "oops\n" });
    const status = await host.call("process.status", { pid });
    expect(status.result.structuredContent).toMatchObject({ processes: [{ pid, status: "running" }] });
    expect((await host.call("process.list", {})).text).toContain(`pid ${pid}`);
    const killed = await host.call("process.kill", { pid, signal: "SIGKILL" });
    expect(killed.result.structuredContent).toMatchObject({ status: "ended", signal: "SIGKILL" });
    expect((await host.call("process.list", {})).text).toContain(`ended  pid ${pid}, signal SIGKILL`);
    const missing = { code: "not_found", hint: "process.list names those that there are." };
    expect((await host.call("process.kill", { pid: 1 })).failure).toMatchObject(missing);
    expect((await host.call("process.status", { pid: 1 })).failure).toMatchObject(missing);
  });

  test("process.start says where the arguments of a program belong", async () => {
    await using host = open();
    const { failure } = await host.call("process.start", { command: "echo a b" });
    expect(failure).toMatchObject({ code: "not_found", hint: expect.stringContaining("into args") as unknown });
  });

  test("process.output from beyond the end goes on at the end", async () => {
    await using host = open();
    const given = { command: "sh", args: ["-c", "echo ready; exec sleep 100000"] };
    const { pid } = (await host.call("process.start", given)).result.structuredContent as { pid: number };
    await host.call("process.output", { pid, wait_for: "ready", wait_ms: 300_000, offset: 0 });
    const { result } = await host.call("process.output", { pid, offset: 1000 });
    expect(result.structuredContent).toMatchObject({ text: "", next_offset: 6 });
  });

  test("process.output names a next call that can be made", async () => {
    await using host = open();
    const given = { command: "sh", args: ["-c", "yes | head -c 100000; echo the end"] };
    const { pid } = (await host.call("process.start", given)).result.structuredContent as { pid: number };
    const { all } = await host.call("process.output", { pid, wait_for: "the end", wait_ms: 300_000, offset: 0 });
    const [, next = "{}"] = /process\.output (\{.*\})/.exec(all) ?? expect.unreachable();
    const more = await host.call("process.output", JSON.parse(next));
    expect(more.failure).toBeUndefined();
    expect(more.text).toContain("y\ny\n");
  });
});
