/**
 * The tools of Clarvis agent-tools as a model that knows them calls them: the schemas of its registry, and the calls and
 * answers of its page `docs/reference/tools.md`. Its own contract tests are run by `bun run test:clarvis`.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallAnswer, TestHost } from "../../host/in-memory-host.ts";
import { openCommandHost } from "../../proc/command-host.ts";
import { CLARVIS_TOOLS } from "./sources.ts";

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  readonly outputSchema?: unknown;
}

interface Schema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly items?: { readonly properties?: Readonly<Record<string, Schema>> } & Schema;
}

function open(files: Record<string, string> = {}, config: object = {}): TestHost {
  return openCommandHost({
    config: { dialect: "clarvis", baseline: "if_known", shell: { enabled: true }, ...config },
    files,
  });
}

/** What both sides say: bounds such as minLength are ours to choose. */
function plain({ type, enum: values, default: usual, items }: Schema): object {
  return {
    type,
    ...(values ? { enum: [...values].sort() } : {}),
    ...(usual === undefined ? {} : { default: usual }),
    ...(items?.properties ? { items: plainOf(items.properties) } : {}),
  };
}

function plainOf(properties: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one as Schema)]));
}

function errorOf({ text, result }: CallAnswer): Record<string, unknown> {
  expect(result.isError).toBe(true);
  return JSON.parse(text) as Record<string, unknown>;
}

describe.skipIf(process.platform !== "linux")("the dialect clarvis", () => {
  test("the dialect clarvis lists its tools with the schemas of Clarvis' own registry", async () => {
    await using host = open();
    const listed = (await host.request("tools/list")).result.tools as Listed[];
    const found = listed.map(({ name, inputSchema }) => [
      name,
      { properties: plainOf(inputSchema.properties), required: inputSchema.required ?? [] },
    ]);
    const wanted = Object.entries(CLARVIS_TOOLS).map(([name, { properties, required }]) => [
      name,
      { properties: plainOf(properties), required },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    for (const tool of listed) {
      expect(tool.outputSchema).toBeUndefined();
      expect(tool.inputSchema.additionalProperties).toBeUndefined();
    }
  });

  test("a read-only host lists the reading tools of Clarvis' page and no others", async () => {
    await using host = open({}, { read_only: true, readOnly: true });
    const listed = (await host.request("tools/list")).result.tools as Listed[];
    expect(listed.map(({ name }) => name).sort()).toEqual(
      ["diff", "file_stat", "glob", "grep", "list_dir", "read_file", "read_files", "read_image", "tree"].sort(),
    );
  });

  test("read_file numbers lines six wide with a tab, and says where to go on", async () => {
    await using host = open({ "a.txt": "l1\nl2\nl3\nl4\nl5\n", "empty.txt": "", "win.txt": "\ufeffa\r\nb\r\n" });
    const part = await host.call("read_file", { path: "a.txt", offset: 2, limit: 2 });
    expect(part.text).toBe("     2\tl2\n     3\tl3\n[... 2 of 5 lines shown; continue with offset=4 ...]");
    expect((await host.call("read_file", { path: "a.txt", offset: -1 })).text).toBe("     5\tl5");
    expect((await host.call("read_file", { path: "win.txt" })).text).toBe("     1\ta\n     2\tb");
    const empty = await host.call("read_file", { path: "empty.txt", limit: 0, bogus: 1 });
    expect(empty.result).toMatchObject({ content: [{ type: "text", text: "(empty file)" }] });
    expect(empty.result.structuredContent).toBeUndefined();
  });

  test("a failure is the envelope with a code of Clarvis, and its members", async () => {
    await using host = open({ "a.txt": "one\ntwo\n", "d/x.txt": "x", bin: "a\u0000b", "b.txt": "x x" });
    for (const [tool, args, code] of [
      ["read_file", { path: "missing.txt" }, "not_found"],
      ["read_file", { path: "d" }, "not_a_file"],
      ["read_file", { path: "bin" }, "is_binary"],
      ["read_file", { path: "../x" }, "path_escape"],
      ["read_file", { path: "a.txt", offset: 0 }, "invalid_input"],
      ["read_file", {}, "invalid_input"],
      ["read_image", { path: "a.txt" }, "not_an_image"],
      ["list_dir", { path: "a.txt" }, "not_a_file"],
      ["write_file", { path: "d", content: "x" }, "not_a_file"],
      ["write_file", { path: "a.txt/x", content: "x" }, "not_a_file"],
      ["edit_file", { path: "a.txt", old_string: "zzz", new_string: "y" }, "no_match"],
      ["edit_file", { path: "b.txt", old_string: "x", new_string: "y" }, "ambiguous_match"],
      ["edit_file", { path: "a.txt", old_string: "one", new_string: "one" }, "invalid_input"],
      ["move", { source: "d", destination: "e" }, "not_a_file"],
      ["move", { source: "a.txt", destination: "b.txt" }, "invalid_input"],
      ["copy", { source: "d", destination: "e" }, "not_a_file"],
      ["remove", { path: "d" }, "not_a_file"],
      ["mkdir", { path: "a.txt" }, "not_a_file"],
      ["diff", { from: "a.txt", to: "bin" }, "is_binary"],
      ["bash", { command: "pwd", cwd: "a.txt" }, "not_a_file"],
      ["monitor_poll", { id: "mon_deadbeef" }, "monitor_not_found"],
      ["monitor_start", { command: "true", ready_when: "(" }, "invalid_input"],
      ["grep", { pattern: "(" }, "invalid_input"],
    ] as const) {
      const { error, message } = errorOf(await host.call(tool, args));
      expect([tool, args, error]).toEqual([tool, args, code]);
      expect(typeof message).toBe("string");
    }
    expect(errorOf(await host.call("read_file", { path: "a.txt", offset: 9 }))).toMatchObject({ line_count: 2 });
    const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-WRONG\n+X\n";
    expect(errorOf(await host.call("apply_patch", { patch }))).toMatchObject({
      error: "patch_failed",
      file: "a.txt",
      hunk: 1,
    });
  });

  test("multi_edit makes edits in order, and its answer has the diff in _meta", async () => {
    await using host = open({ "f.txt": "alpha\nfoo\nomega\n" });
    const edits = [
      { old_string: "foo", new_string: "bar" },
      { old_string: "bar", new_string: "baz" },
    ];
    const { text, result } = await host.call("multi_edit", { path: "f.txt", edits });
    expect(text).toBe("Applied 2 edits to f.txt.");
    expect(result._meta?.diff).toContain("@@ -1,3 +1,3 @@\n alpha\n-foo\n+baz\n omega\n");
    expect(host.read("f.txt")).toBe("alpha\nbaz\nomega\n");
    const failed = errorOf(await host.call("multi_edit", { path: "f.txt", edits: [edits[1], edits[0]] }));
    expect(failed).toMatchObject({ error: "no_match", index: 0 });
    expect(host.read("f.txt")).toBe("alpha\nbaz\nomega\n");
    const made = await host.call("write_file", { path: "new.txt", content: "x\n" });
    expect([made.text, made.result._meta?.diff]).toEqual(["Wrote 2 bytes to new.txt (created).", undefined]);
  });

  test.each([
    ["indented alike", "  a\n  b\n  c\n", "a\nb", "X", "X\n  c\n"],
    ["indented otherwise", "if {\n        go();\n}\n", "if {\n  go();\n}", "if {}", "if {}\n"],
    ["blanks inside a line", "a   +   b\n", "a + b", "SUM", "SUM\n"],
    ["a part of a line", "  r = foo(a);\n", "  foo(a)  ", "bar()", "  r = bar();\n"],
    ["an end of line in the old text", "  a\n  b\n  c\n", "a\nb\n", "X", "X  c\n"],
    ["line ends of Windows", "  a\r\n  b\r\n", "a\nb", "X\nY", "X\r\nY\r\n"],
  ])("edit_file takes the only place but for its blanks and says so: %s", async (_name, before, old, fresh, after) => {
    await using host = open({ "f.txt": before });
    const { text } = await host.call("edit_file", { path: "f.txt", old_string: old, new_string: fresh });
    expect(text).toContain("Replaced 1 occurrence in f.txt. (whitespace-tolerant match");
    expect(host.read("f.txt")).toBe(after);
  });

  test("edit_file proposes what it found but for its blanks, also where edits are made at once", async () => {
    await using host = open({ "f.txt": "  a\n" }, { mode: "accept_edits" });
    const loose = await host.call("edit_file", { path: "f.txt", old_string: "\ta", new_string: "b" });
    expect(loose.text).toContain("Nothing is written yet");
    expect(loose.all).toContain("without regard to its blanks, at line 1");
    expect(host.read("f.txt")).toBe("  a\n");
    const { text } = await host.call("edit_file", { path: "f.txt", old_string: "  a", new_string: "b" });
    expect(text).toBe("Replaced 1 occurrence in f.txt.");
  });

  test("edit_file refuses several places that match but for their blanks, and a wrong one when all are meant", async () => {
    const before = "  a\n    b\nx\n  a\n    b\n";
    await using host = open({ "f.txt": before });
    const many = errorOf(await host.call("edit_file", { path: "f.txt", old_string: "a\nb", new_string: "Q" }));
    expect(many).toMatchObject({ error: "ambiguous_match", lines: [1, 4] });
    const all = { path: "f.txt", old_string: "\tx", new_string: "Q", replace_all: true };
    expect(errorOf(await host.call("edit_file", all))).toMatchObject({ error: "no_match" });
    expect(host.read("f.txt")).toBe(before);
  });

  test("tools that change files refuse directories and links, which ours would take", async () => {
    await using host = open({ "real.txt": "original\n", "a.txt": "x" });
    symlinkSync(join(host.root, "real.txt"), join(host.root, "link.txt"));
    mkdirSync(join(host.root, "empty"));
    for (const [tool, args] of [
      ["write_file", { path: "link.txt", content: "new" }],
      ["edit_file", { path: "link.txt", old_string: "original", new_string: "x" }],
      ["move", { source: "link.txt", destination: "b.txt" }],
      ["copy", { source: "a.txt", destination: "link.txt", overwrite: true }],
      ["remove", { path: "link.txt" }],
    ] as const) {
      const { error, message } = errorOf(await host.call(tool, args));
      expect([tool, error]).toEqual([tool, "invalid_input"]);
      expect(message).toContain("symlink");
    }
    expect(errorOf(await host.call("remove", { path: "empty" }))["error"]).toBe("not_a_file");
    expect(host.read("real.txt")).toBe("original\n");
  });

  test("grep lists files unless it is told otherwise, and pages by results", async () => {
    await using host = open({ "a.txt": "hit 0\nhit 1\nhit 2\nhit 3\nhit 4\n", ".b.txt": "hit\n", "sub/c.txt": "no\n" });
    expect((await host.call("grep", { pattern: "hit" })).text).toBe(".b.txt\na.txt");
    expect((await host.call("grep", { pattern: "zzz" })).text).toBe("(no matches)");
    expect((await host.call("grep", { pattern: "HIT", ignore_case: true, output_mode: "count" })).text).toBe(
      ".b.txt:1\na.txt:5",
    );
    const page = { pattern: "hit", path: "a.txt", output_mode: "content", head_limit: 2 };
    expect((await host.call("grep", { ...page, offset: 2 })).text).toBe(
      "a.txt:3:hit 2\na.txt:4:hit 3\n[... showing 2..4 of 5; call again with offset=4 for more ...]",
    );
    expect((await host.call("grep", { ...page, offset: 9 })).text).toBe("(no results at offset 9; 5 total)");
    const around = await host.call("grep", { ...page, head_limit: 0, pattern: "hit 2", context: 2, after_context: 1 });
    expect(around.text).toBe("a.txt-1-hit 0\na.txt-2-hit 1\na.txt:3:hit 2\na.txt-4-hit 3");
  });

  test("the tool replace shows the change unless dry_run is false, and wants a path or a glob", async () => {
    await using host = open({ "src/a.ts": "foo foo\n", "b.ts": "Foo\n" });
    const asked = { pattern: "foo", replacement: "bar", glob: "*.ts", ignore_case: true };
    const tried = await host.call("replace", asked);
    expect(tried.text).toStartWith("3 replacement(s) across 2 file(s) (dry run — pass dry_run: false to apply)\n---");
    expect([host.read("src/a.ts"), tried.result._meta?.diff]).toEqual(["foo foo\n", undefined]);
    const made = await host.call("replace", { ...asked, dry_run: false });
    expect(made.text).toBe(
      "Replaced 3 occurrence(s) in 2 file(s):\n  M b.ts (1 replacement)\n  M src/a.ts (2 replacements)",
    );
    expect(made.result._meta?.diff).toContain("-foo foo\n+bar bar\n");
    expect(host.read("src/a.ts")).toBe("bar bar\n");
    expect((await host.call("replace", asked)).text).toBe("(no matches)");
    for (const wrong of [{ glob: undefined }, { pattern: "foo(" }, { pattern: "x*" }])
      expect(errorOf(await host.call("replace", { ...asked, ...wrong }))["error"]).toBe("invalid_input");
  });

  test("bash answers JSON with both streams, and a time that is over is a failure", async () => {
    await using host = open();
    const failed = await host.call("bash", { command: "printf out; printf err 1>&2; exit 3" });
    expect(JSON.parse(failed.text)).toEqual({
      exit_code: 3,
      stdout: "out",
      stderr: "err",
      signal: null,
      timed_out: false,
    });
    const killed = JSON.parse((await host.call("bash", { command: "kill -TERM $$" })).text) as object;
    expect(killed).toMatchObject({ exit_code: 143, signal: "SIGTERM" });
    const late = errorOf(await host.call("bash", { command: "sleep 100000", timeout_ms: 100 }));
    expect(late).toMatchObject({ error: "timeout", timeout_ms: 100 });
  });

  test("a monitor holds back a line that is not whole, and gives only the lines that match", async () => {
    await using host = open();
    const command = "printf 'first\\nsecond\\nthird'; sleep 100000";
    const started = JSON.parse((await host.call("monitor_start", { command, ready_when: "sec" })).text) as object;
    expect(started).toMatchObject({ running: true, ready: true });
    const { id } = started as { id: string };
    const polled = JSON.parse((await host.call("monitor_poll", { id })).text) as object;
    expect(polled).toEqual({ running: true, output: "first\nsecond\n", next_offset: 13, exit_code: null });
    const some = JSON.parse((await host.call("monitor_poll", { id, match: "^s" })).text) as object;
    expect(some).toEqual({ running: true, output: "second", next_offset: 13, exit_code: null });
    const listed = JSON.parse((await host.call("monitor_list", {})).text) as { monitors: object[] };
    expect(listed.monitors).toMatchObject([{ id, command, running: true, cwd: host.root }]);
    expect(JSON.parse((await host.call("monitor_stop", { id })).text)).toEqual({ stopped: true, id });
  });

  test("file_stat tells of binary content, of images and of links without following them", async () => {
    await using host = open({ "a.txt": "hello", bin: "a\u0000b" });
    writeFileSync(join(host.root, "p.png"), Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "base64"));
    symlinkSync(join(host.root, "a.txt"), join(host.root, "link"));
    const stat = async (path: string): Promise<object> =>
      JSON.parse((await host.call("file_stat", { path })).text) as object;
    expect(await stat("a.txt")).toMatchObject({ path: "a.txt", type: "file", size: 5, binary: false, mime: null });
    expect(await stat("bin")).toMatchObject({ binary: true, mime: null });
    expect(await stat("p.png")).toMatchObject({ binary: true, mime: "image/png" });
    expect(await stat("link")).toMatchObject({ type: "symlink", symlink_target: join(host.root, "a.txt") });
  });

  test("lists and trees stand as on Clarvis' page: directories first, links marked, nothing said as such", async () => {
    await using host = open({ "b.txt": "y", "src/a.ts": "xx", ".h": "h" });
    mkdirSync(join(host.root, "empty"));
    symlinkSync(join(host.root, "src"), join(host.root, "zlink"));
    symlinkSync(join(host.root, "nothing"), join(host.root, "broken"));
    expect((await host.call("list_dir", {})).text).toBe("empty/\nsrc/\nzlink/\n.h\t1\nb.txt\t1\nbroken\t0");
    expect((await host.call("tree", { depth: 0 })).text).toBe(
      [".", "├── empty/", "├── src/", "│   └── a.ts\t2", "├── .h\t1", "├── b.txt\t1", "├── broken@", "└── zlink@"].join(
        "\n",
      ),
    );
    expect((await host.call("tree", { path: "empty" })).text).toBe("empty\n(no entries)");
    expect((await host.call("list_dir", { path: "empty" })).text).toBe("(empty directory)");
    expect((await host.call("glob", { pattern: "**/*.nothing" })).text).toBe("(no matches)");
    expect((await host.call("diff", { from: "b.txt", to: "b.txt" })).text).toBe("(no differences)");
  });
});
