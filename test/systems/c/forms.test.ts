/**
 * Answers of Clarvis' tools in corners where ours would do more, or say it in another way: links, binary files, patches, and
 * what the system refuses. Its contract tests have a case for each (`bun run test:clarvis`).
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../../components/component.ts";
import { binaryPath } from "../../binary/build-binary.ts";
import { Place, ServeProcess } from "../../binary/serve-process.ts";
import { openTestHost, type TestHost } from "../../host/in-memory-host.ts";

function open(files: Record<string, string>): TestHost {
  return openTestHost({ files, config: { dialect: "clarvis", baseline: "if_known", mode: "bypass" } });
}

describe.skipIf(process.platform === "win32")("links", () => {
  test("the tool replace refuses the path of a link to a file, and takes that of a link to a directory", async () => {
    await using host = open({ "real.txt": "foo\n", "d/x.txt": "foo\n" });
    symlinkSync("real.txt", join(host.root, "link.txt"));
    symlinkSync("d", join(host.root, "ld"));
    const asked = { pattern: "foo", replacement: "bar", dry_run: false };
    const refused = JSON.parse((await host.call("replace", { ...asked, path: "link.txt" })).text) as object;
    expect(refused).toMatchObject({ error: "invalid_input", message: expect.stringContaining("symlink") as unknown });
    expect(host.read("real.txt")).toBe("foo\n");
    expect((await host.call("replace", { ...asked, path: "ld" })).text).toStartWith("Replaced 1 occurrence(s)");
    expect(host.read("d/x.txt")).toBe("bar\n");
  });
});

test("grep sets the lines of two files apart where lines around them were asked for, also on a page", async () => {
  await using host = open({ "a.txt": "x\n", "b.txt": "x\n", "c.txt": "1\nx\n2\n" });
  const page = { pattern: "x", output_mode: "content", context: 1, head_limit: 2 };
  const { text } = await host.call("grep", page);
  expect(text).toStartWith("a.txt:1:x\n--\nb.txt:1:x\n[... showing 0..2 of 3");
});

test("grep has no matches in a binary file that is named, and those of a text file", async () => {
  await using host = open({ "blob.bin": "a\u0000b", "d/a.txt": "a\n", "d/blob.bin": "a\u0000b" });
  const page = { pattern: "a", output_mode: "content" };
  expect((await host.call("grep", { ...page, path: "./blob.bin" })).text).toBe("(no matches)");
  expect((await host.call("grep", { pattern: "a", path: join(host.root, "blob.bin") })).text).toBe("(no matches)");
  expect((await host.call("grep", { pattern: "a", path: "blob.bin", output_mode: "count" })).text).toBe("(no matches)");
  expect((await host.call("grep", { ...page, path: "d/a.txt" })).text).toBe("d/a.txt:1:a");
  expect((await host.call("grep", { ...page, path: "d" })).text).toBe("d/a.txt:1:a");
});

test("apply_patch counts the lines of each file, and takes two spellings of one name for that name", async () => {
  await using host = open({ "a.txt": "a\nb\n", "old.txt": "1\n2\n", "same.txt": "x\n" });
  const patch = [
    "--- a/a.txt\n+++ b/./a.txt\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
    "--- a/old.txt\n+++ b/new.txt\n@@ -1,2 +1,3 @@\n 1\n-2\n+two\n+three\n",
    "--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n",
    "--- a/same.txt\n+++ b/other.txt\n",
  ].join("");
  expect((await host.call("apply_patch", { patch })).text).toBe(
    [
      "Applied patch:",
      "  M a.txt (+1 -1)",
      "  R old.txt -> new.txt (+2 -1)",
      "  A made.txt (+1 -0)",
      "  R same.txt -> other.txt",
    ].join("\n"),
  );
  expect([host.read("a.txt"), host.read("new.txt")]).toEqual(["A\nb\n", "1\ntwo\nthree\n"]);
});

test.each([
  [
    "a second block",
    "--- a/n.txt\n+++ b/n.txt\n@@ -1 +1 @@\n-1\n+I\n--- a/./n.txt\n+++ b/n.txt\n@@ -3 +3 @@\n-3\n+III\n",
  ],
  ["a chain of names", "--- a/n.txt\n+++ b/m.txt\n--- a/m.txt\n+++ b/o.txt\n"],
  [
    "a file that goes and comes",
    "--- a/n.txt\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-1\n-2\n-3\n-4\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n",
  ],
])("apply_patch refuses %s, and writes nothing", async (_, patch) => {
  await using host = open({ "n.txt": "1\n2\n3\n4\n", "m.txt": "m\n" });
  const { error, message } = JSON.parse((await host.call("apply_patch", { patch })).text) as Record<string, string>;
  expect(error).toBe("invalid_input");
  expect(message).toMatch(/the patch has several blocks for it\. Combine them/);
  expect([host.read("n.txt"), host.read("m.txt")]).toEqual(["1\n2\n3\n4\n", "m\n"]);
});

test("apply_patch refuses hunks that stand in another order in the file, and blames none of them", async () => {
  await using host = open({ "n.txt": "one\n2\n3\nfour\n5\n" });
  const patch = "--- a/n.txt\n+++ b/n.txt\n@@ -3 +3 @@\n-four\n+IV\n@@ -5 +5 @@\n-one\n+I\n";
  const failed = JSON.parse((await host.call("apply_patch", { patch })).text) as object;
  expect(failed).toMatchObject({ error: "patch_failed", file: "n.txt" });
  expect(failed).not.toHaveProperty("hunk");
  const inOrder = "--- a/n.txt\n+++ b/n.txt\n@@ -3 +3 @@\n-one\n+I\n@@ -5 +5 @@\n-four\n+IV\n";
  expect((await host.call("apply_patch", { patch: inOrder })).text).toBe("Applied patch:\n  M n.txt (+2 -2)");
  expect(host.read("n.txt")).toBe("I\n2\n3\nIV\n5\n");
});

const OTHER = 65534;
const AS_OTHER = process.getuid?.() === 0 ? ["--reuid=65534", "--regid=65534", "--clear-groups"] : undefined;

/** Root may do everything, so the host runs as somebody else, where they may enter the checkout. */
function canRunAsOther(): boolean {
  if (process.platform !== "linux") return false;
  if (!AS_OTHER) return true;
  if (component("setpriv").isMissing) return false;
  return Bun.spawnSync(["setpriv", ...AS_OTHER, "test", "-r", import.meta.path], { stderr: "ignore" }).exitCode === 0;
}

async function serveAsOther(place: Place): Promise<ServeProcess> {
  const config = join(place.path, "config.json");
  writeFileSync(config, JSON.stringify({ dialect: "clarvis", mode: "bypass", shell: { enabled: true } }));
  mkdirSync(place.stateDir);
  const serve = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--config", config];
  if (!AS_OTHER) return await ServeProcess.start(place, { command: serve });
  for (const path of [place.path, place.stateDir]) chownSync(path, OTHER, OTHER);
  return await ServeProcess.start(place, {
    binary: Bun.which("setpriv") ?? "setpriv",
    command: [...AS_OTHER, await binaryPath(), ...serve],
  });
}

test.skipIf(!canRunAsOther())(
  `what the system refuses is io_error, and denied is left to rules${component("setpriv").note}`,
  async () => {
    using place = new Place();
    for (const folder of ["locked", "shut"]) mkdirSync(join(place.root, folder));
    writeFileSync(join(place.root, "a.txt"), "x\n");
    writeFileSync(join(place.root, ".env"), "KEY=1\n");
    chmodSync(join(place.root, "locked"), 0);
    chmodSync(join(place.root, "shut"), 0o555);
    await using host = await serveAsOther(place);
    let id = 0;
    const failed = async (tool: string, args: object): Promise<Record<string, unknown>> => {
      host.call(++id, tool, args);
      const { result } = await host.answer(id);
      expect([tool, result?.isError]).toEqual([tool, true]);
      return JSON.parse(result?.content?.at(-1)?.text ?? "") as Record<string, unknown>;
    };
    for (const [tool, args] of [
      ["list_dir", { path: "locked" }],
      ["tree", {}],
      ["write_file", { path: "shut/b.txt", content: "x" }],
      ["copy", { source: "a.txt", destination: "shut/b.txt" }],
      ["mkdir", { path: "shut/d" }],
    ] as const)
      expect([tool, (await failed(tool, args))["error"]]).toEqual([tool, "io_error"]);
    const inLocked = await failed("bash", { command: "pwd", cwd: "locked" });
    expect(inLocked).toMatchObject({
      error: "io_error",
      message: expect.stringContaining("Failed to run command") as unknown,
    });
    const withNul = await failed("bash", { command: "echo \0" });
    expect(withNul).toMatchObject({
      error: "io_error",
      message: expect.stringContaining("Failed to spawn command") as unknown,
    });
    expect((await failed("read_file", { path: ".env" }))["error"]).toBe("denied");
    // So that the folder can be removed by who made it.
    chmodSync(join(place.root, "locked"), 0o755);
  },
);

test.each([
  ["edit_file", { old_string: "one", new_string: "one" }, 'Cannot edit "n.txt": old_string'],
  ["multi_edit", { edits: [{ old_string: "one", new_string: "one" }] }, 'Cannot edit "n.txt": edit[0]: old_string'],
  [
    "multi_edit",
    {
      edits: [
        { old_string: "one", new_string: "1" },
        { old_string: "two", new_string: "two" },
      ],
    },
    'Cannot edit "n.txt": edit[1]: old_string',
  ],
])("%s refuses an edit that changes nothing, and writes nothing: %j", async (name, given, words) => {
  await using host = open({ "n.txt": "one\ntwo\n" });
  expect(JSON.parse((await host.call(name, { path: "n.txt", ...given })).text)).toMatchObject({
    error: "invalid_input",
    message: expect.stringContaining(`${words} and new_string are identical.`) as unknown,
  });
  expect(host.read("n.txt")).toBe("one\ntwo\n");
});

test("write_file answers the bytes that the file has, with a byte order mark and in its encoding", async () => {
  await using host = open({ "bom.txt": "\ufeffold\n", "a.txt": "old\n" });
  writeFileSync(join(host.root, "wide.txt"), Buffer.from("\ufeffold\n", "utf16le"));
  const write = async (path: string, more: object = {}): Promise<string> =>
    (await host.call("write_file", { path, content: "ab\n", ...more })).text;
  expect(await write("bom.txt")).toBe("Wrote 6 bytes to bom.txt (overwritten).");
  expect(await write("wide.txt")).toBe("Wrote 8 bytes to wide.txt (overwritten).");
  expect(await write("a.txt")).toBe("Wrote 3 bytes to a.txt (overwritten).");
  expect(await write("raw.bin", { content: "AAEC", encoding: "base64" })).toBe("Wrote 3 bytes to raw.bin (created).");
});

test.each([
  ["list_dir", { path: "" }, "a.txt\t4\nempty.txt\t0"],
  ["tree", { path: "" }, ".\n├── a.txt\t4\n└── empty.txt\t0"],
  ["glob", { path: "", pattern: "a*" }, "a.txt"],
  ["grep", { path: "", glob: "", pattern: "one" }, "a.txt"],
  ["read_file", { path: "empty.txt", offset: 0 }, "(empty file)"],
])("%s takes an empty text for what is not said: %j", async (name, given, answer) => {
  await using host = open({ "a.txt": "one\n", "empty.txt": "" });
  expect((await host.call(name, given)).text).toBe(answer);
});

test("the tool replace needs a path or a glob that is not empty", async () => {
  await using host = open({ "a.txt": "one\n" });
  const { text } = await host.call("replace", { pattern: "one", replacement: "1", glob: "", dry_run: false });
  expect(JSON.parse(text)).toMatchObject({ error: "invalid_input" });
  expect(host.read("a.txt")).toBe("one\n");
});
