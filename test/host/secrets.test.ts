/**
 * Files that hold secrets, by every tool: none reads, searches, copies, hashes, compares, patches or changes one, by its
 * name or through a link, and none names one; they are counted. And secrets in ordinary files: placeholders in every
 * answer, none of which can be written.
 */
import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostOfEachTest } from "../proc/command-host.ts";
import { openTestHost } from "./in-memory-host.ts";

const TOKEN = ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("");
const FILES = {
  "a.txt": "needle\n",
  ".env": "needle=1\n",
  ".env.example": "needle=\n",
  "keys/id_rsa": "needle\n",
  "keys/id_rsa.pub": "needle pub\n",
  ".ssh/config": "needle\n",
};

describe("files of secrets", () => {
  const every: readonly (readonly [string, object])[] = [
    ["read_file", { path: ".env" }],
    ["read_file", { path: "./keys/../.ENV" }],
    ["read_file", { path: "door" }],
    ["read_file", { path: "hidden/id_rsa" }],
    ["stat", { path: "keys/id_rsa", hash: true }],
    ["grep", { pattern: "needle", path: ".env" }],
    ["list_directory", { path: ".ssh" }],
    ["tree", { path: ".ssh" }],
    ["diff_files", { a: "a.txt", b: ".env" }],
    ["write_file", { path: ".env", content: "x" }],
    ["write_file", { path: "new.pem", content: "x" }],
    ["edit_file", { path: "door", old_text: "needle", new_text: "x" }],
    ["append_file", { path: ".env", content: "x" }],
    ["delete", { path: ".env" }],
    ["delete", { path: "keys", recursive: true }],
    ["move", { source: ".env", destination: "env.txt" }],
    ["move", { source: "keys", destination: "others" }],
    ["copy", { source: ".env", destination: "env.txt" }],
    ["copy", { source: "keys", destination: "others", recursive: true }],
    ["copy", { source: "a.txt", destination: ".env.local" }],
    ["apply_patch", { patch: "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-needle=1\n+needle=2\n" }],
    ["change_files", { operations: [{ op: "append_file", path: ".env", content: "x" }] }],
  ];

  test.each(every)("%s %j is denied", async (tool, args) => {
    await using host = openTestHost({ files: FILES, config: { mode: "bypass" } });
    symlinkSync(".env", join(host.root, "door"));
    symlinkSync("keys", join(host.root, "hidden"));
    expect((await host.call(tool, args)).failure?.code).toBe("denied");
    expect(host.read(".env")).toBe("needle=1\n");
    expect(host.read("keys/id_rsa")).toBe("needle\n");
  });

  test("one of several files in a call says so in its place", async () => {
    await using host = openTestHost({ files: FILES });
    const hashes = await host.call("hash_file", { paths: ["a.txt", ".env"] });
    expect(hashes.text).toMatch(/^[0-9a-f]{64} {2}a\.txt\n\.env: denied: /);
    const read = await host.call("read_files", { files: [{ path: ".env" }, { path: "a.txt" }] });
    expect(read.all).toContain("==> .env <==\ndenied: ");
    expect(read.all).toContain("needle\n");
    expect(read.all).not.toContain("needle=1");
  });

  test("they are counted and not named", async () => {
    await using host = openTestHost({ files: FILES });
    for (const [tool, args] of [
      ["list_directory", { hidden: true, recursive: true }],
      ["tree", { hidden: true }],
      ["glob", { pattern: "**/*", hidden: true }],
      ["grep", { pattern: "needle", hidden: true }],
    ] as const) {
      const { all } = await host.call(tool, args);
      expect([tool, all]).toEqual([tool, expect.stringContaining(".env.example")]);
      expect([tool, all]).toEqual([tool, expect.stringContaining("id_rsa.pub")]);
      expect([tool, /\.env(?!\.example)|\.ssh|id_rsa(?!\.pub)/.test(all)]).toEqual([tool, false]);
      expect([tool, all]).toEqual([tool, expect.stringContaining("denied")]);
    }
  });

  test("the operator's exact paths are no secrets, and no others", async () => {
    await using host = openTestHost({ files: FILES, config: { secrets: { except: ["keys/id_rsa"] } } });
    expect((await host.call("read_file", { path: "keys/id_rsa" })).text).toBe("needle\n");
    expect((await host.call("read_file", { path: ".env" })).failure?.code).toBe("denied");
  });
});

describe("secrets in ordinary files", () => {
  const files = { "c.ts": `const a = 1;\nconst token = "${TOKEN}";\nconst b = 2;\n` };

  test("secrets in ordinary files are placeholders in every answer, always the same one", async () => {
    await using host = openTestHost({ files, config: { results: "structured" } });
    const answers = [
      await host.call("read_file", { path: "c.ts" }),
      await host.call("read_files", { files: [{ path: "c.ts" }] }),
      await host.call("grep", { pattern: "const" }),
      await host.call("edit_file", { path: "c.ts", old_text: "const b = 2;", new_text: "const b = 3;" }),
      await host.call("edit_file", { path: "c.ts", old_text: "const tokn = 1;", new_text: "" }),
      await host.call("diff_files", { a: "c.ts", text: "" }),
    ];
    const found = answers.map(({ result }) => JSON.stringify(result));
    for (const text of found) expect(text).not.toContain(TOKEN);
    const [placeholder = ""] = /\[secret:[0-9a-f]{6}\]/.exec(found[0]!)!;
    for (const at of [0, 1, 2, 3, 5]) expect(found[at]).toContain(placeholder);
    expect(answers[0]!.all).toContain("[1 secret is replaced by a placeholder");
    await using next = openTestHost({ top: host.top });
    expect((await next.call("read_file", { path: "c.ts" })).text).toContain(placeholder);
  });

  test("secrets of many lines are in no answer to a change beside them: proposed, applied or stale", async () => {
    const line = "MIIEvQIBADANBg";
    const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----\n`);
    const key = `${begin}${`${line}\n`.repeat(20)}old\n${`${line}\n`.repeat(20)}${end}`;
    await using host = openTestHost({ files: { "a.md": key, "b.md": key } });
    await using atOnce = openTestHost({ top: host.top, files: { "c.md": key }, config: { mode: "accept_edits" } });
    const edit = { old_text: "old", new_text: "new" };
    const [proposed, stale] = [
      await host.call("edit_file", { path: "a.md", ...edit }),
      await host.call("edit_file", { path: "b.md", ...edit }),
    ];
    writeFileSync(join(host.root, "b.md"), `${key}more\n`);
    const said = [
      proposed.result,
      await host.apply(stale).catch(String),
      (await atOnce.call("edit_file", { path: "c.md", ...edit })).result,
    ].map((one) => JSON.stringify(one));
    expect(atOnce.read("c.md")).toContain("new");
    expect(said.filter((one) => one.includes(line))).toEqual([]);
    expect(said.map((one) => one.includes("+[secret:"))).toEqual([true, true, true]);
  });

  test("secrets of many lines are in no other diff: of two files, of an undo, of a proposal with what stands there now", async () => {
    const line = "MIIEvQIBADANBg";
    const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----\n`);
    const body = `${line}\n`.repeat(20);
    const key = (mark: string, behind: string): string => `${begin}${body}${mark}\n${body}${end}${behind}`;
    const given = { "a.md": key("old", "last\n"), "b.md": key("other", "least\n"), "c.md": key("third", "last\n") };
    await using host = openTestHost({ files: given });
    await using atOnce = openTestHost({ top: host.top, config: { mode: "accept_edits" } });
    const differing = await host.call("diff_files", { a: "a.md", b: "b.md" });
    const inKey = await host.call("diff_files", { a: "a.md", b: "c.md" });
    const changed = await atOnce.call("edit_file", { path: "c.md", old_text: "third", new_text: "fourth" });
    const transaction = (changed.result?.structuredContent as { transaction?: string } | undefined)?.transaction;
    writeFileSync(join(host.root, "c.md"), key("fifth", "last\n"));
    const undone = await atOnce.request("ringfence/history/undo", { transaction, dry_run: true });
    const proposed = await host.call("edit_file", { path: "a.md", old_text: "last", new_text: "end" });
    writeFileSync(join(host.root, "a.md"), key("sixth", "last\nmore\n"));
    const compared = await host.request("ringfence/proposals/compare", { id: proposed.proposal?.id });
    const said = [differing.result, inKey.result, undone, compared].map((one) => JSON.stringify(one));
    expect(said.filter((one) => one.includes(line))).toEqual([]);
    expect(differing.all).toContain("-last\n+least");
    expect(inKey.all).toMatch(/^-\[secret:.*\n\+\[secret:/m);
    expect(said[2]).toContain("[secret:");
    expect(said[3]).toContain("more");
  });

  test("raw bytes of them are refused", async () => {
    await using host = openTestHost({ files });
    expect((await host.call("read_file", { path: "c.ts", encoding: "base64" })).failure?.code).toBe("denied");
  });

  test("a change that would write a placeholder is refused, in every form", async () => {
    await using host = openTestHost({ files, config: { mode: "bypass" } });
    const text = "x [secret:1a2b3c]\n";
    for (const [tool, args] of [
      ["write_file", { path: "c.ts", content: text }],
      ["write_file", { path: "c.ts", content: Buffer.from(text).toString("base64"), encoding: "base64" }],
      ["append_file", { path: "c.ts", content: text }],
      ["edit_file", { path: "c.ts", old_text: "const a = 1;", new_text: text }],
      ["apply_patch", { patch: `*** Begin Patch\n*** Add File: n.txt\n+${text}*** End Patch` }],
      ["change_files", { operations: [{ op: "write_file", path: "n.txt", content: text }] }],
    ] as const)
      expect([tool, (await host.call(tool, args)).failure?.code]).toEqual([tool, "denied"]);
    expect(host.read("c.ts")).toBe(files["c.ts"]);
    expect(
      (await host.call("edit_file", { path: "c.ts", old_text: "a = 1", new_text: "a = 2" })).failure,
    ).toBeUndefined();
    expect(host.read("c.ts")).toContain(TOKEN);
  });

  test("secrets in ordinary files are shown as they are where the configuration says so", async () => {
    await using host = openTestHost({ files, config: { secrets: { redact: false } } });
    expect((await host.call("read_file", { path: "c.ts" })).text).toBe(files["c.ts"]);
  });
});

describe("a model that wants to widen its own limits", () => {
  const rules = [{ deny: "write_file(locked/**)" }];
  const wider = '{"mode":"bypass"}';
  const attempts: readonly (readonly [string, object])[] = [
    ["write_file", { path: ".ringfence.json", content: wider }],
    ["write_file", { path: "conf/ringfence.json", content: wider }],
    ["write_file", { path: "door/ringfence.json", content: wider }],
    ["write_file", { path: "link.json", content: wider }],
    ["write_file", { path: "conf/../.RINGFENCE.json", content: wider }],
    ["edit_file", { path: "link.json", old_text: "plan", new_text: "bypass" }],
    ["append_file", { path: "conf/ringfence.json", content: " " }],
    [
      "apply_patch",
      { patch: '--- a/conf/ringfence.json\n+++ b/conf/ringfence.json\n@@ -1 +1 @@\n-{"mode":"plan"}\n+{}\n' },
    ],
    ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: conf/ringfence.json\n*** End Patch" }],
    ["delete", { path: "conf/ringfence.json" }],
    ["delete", { path: "conf", recursive: true }],
    ["move", { source: "conf", destination: "other" }],
    ["move", { source: "door", destination: "other/../.ringfence.json" }],
    ["copy", { source: "a.txt", destination: ".ringfence.json" }],
    ["copy", { source: "a.txt", destination: "conf/ringfence.json", overwrite: true }],
    ["change_files", { operations: [{ op: "write_file", path: "link.json", content: wider }] }],
  ];

  test.each(attempts)("%s %j is denied and on record", async (tool, args) => {
    await using outer = openTestHost({
      files: { "a.txt": wider, "conf/ringfence.json": '{"mode":"plan"}\n' },
    });
    symlinkSync("conf", join(outer.root, "door"));
    symlinkSync("conf/ringfence.json", join(outer.root, "link.json"));
    const configFiles = [join(outer.root, "conf", "ringfence.json")];
    await using host = openTestHost({ top: outer.top, config: { mode: "bypass", rules, configFiles } });
    const answer = await host.call(tool, args);
    expect(answer.failure?.code).toBe("denied");
    expect(outer.read("conf/ringfence.json")).toBe('{"mode":"plan"}\n');
    const id = answer.result._meta["dev.ringfence/auditId"];
    const lines = host
      .audit()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.find(({ event, call }) => event === "failed" && call === id)).toMatchObject({
      code: "denied",
    });
  });

  test("places where the next start would look, and other names of what is there", async () => {
    await using outer = openTestHost({
      files: { "a.txt": wider, "x/ringfence/ringfence.json": wider, "c.json": "{}\n" },
    });
    linkSync(join(outer.root, "c.json"), join(outer.root, "other.json"));
    const configFiles = [join(outer.root, ".config", "ringfence"), join(outer.root, "c.json")];
    await using host = openTestHost({ top: outer.top, config: { mode: "bypass", configFiles } });
    for (const [tool, args] of [
      ["write_file", { path: ".config/ringfence/ringfence.yaml", content: "mode: bypass" }],
      ["create_directory", { path: ".config/ringfence" }],
      ["move", { source: "x/ringfence", destination: ".config/ringfence" }],
      ["move", { source: "x", destination: ".config" }],
      ["copy", { source: "x", destination: ".config", recursive: true }],
      ["edit_file", { path: "other.json", old_text: "{}", new_text: wider, in_place: true }],
    ] as const)
      expect([tool, args, (await host.call(tool, args)).failure?.code]).toEqual([tool, args, "denied"]);
    expect((await host.call("write_file", { path: ".config/other/a", content: "x" })).failure).toBeUndefined();
    expect(outer.read("c.json")).toBe("{}\n");
  });

  test("a model cannot widen its own limits through _meta, the roots of a client, or grants by a tool", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "plan", rules } });
    mkdirSync(join(host.root, "locked"));
    const meta = { "dev.ringfence/mode": "bypass", "dev.ringfence/grant": "*" };
    expect((await host.call("write_file", { path: "b.txt", content: "x" }, meta)).proposal).toBeDefined();
    expect((await host.call("write_file", { path: "locked/b.txt", content: "x" }, meta)).failure?.code).toBe("denied");
    const { tools } = (await host.request("tools/list")).result;
    expect(tools.filter(({ name }: { name: string }) => /grant|policy|apply_proposal|explain/.test(name))).toEqual([]);
  });
});

const showing = (intent: string) => ({
  description: "x",
  program: "/bin/cat",
  args: ["--", "{files}"],
  parameters: { files: { type: "list", items: { type: "path", intent } } },
  changes: false,
  risk: "R1",
});

describe.skipIf(process.platform === "win32")("programs", () => {
  const open = hostOfEachTest();

  test("programs are handed no secret file, by no name, link or list, whatever the mode", async () => {
    const host = open({ show: showing("read"), change: showing("write") }, {}, FILES);
    symlinkSync(".env", join(host.root, "door"));
    for (const path of [".env", "./.env", "door", "keys/id_rsa"])
      for (const [tool, args] of [
        ["cmd_show", { files: ["a.txt", path] }],
        ["cmd_change", { files: [path] }],
        ["run_command", { command: "show", arguments: { files: [path] } }],
        ["process_start", { command: "show", arguments: { files: [path] } }],
      ] as const) {
        const { failure, all } = await host.call(tool, args);
        expect([tool, path, failure?.code, all.includes("needle")]).toEqual([tool, path, "denied", false]);
      }
    expect((await host.call("cmd_show", { files: ["a.txt", ".env.example"] })).text).toContain("needle=");
  });
});
