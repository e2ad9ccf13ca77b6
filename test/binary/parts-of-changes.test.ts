/**
 * Each part of a change is decided by its own name too: operations of change_files, sections of a patch, members of a tree
 * that is moved or copied, other names of a file. The strictest of them wins, and a tool that is off is no operation.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Place, ServeProcess, type CallResult } from "./serve-process.ts";

const FILES: Readonly<Record<string, string>> = {
  "a.txt": "a\n",
  "keep/a.txt": "a\n",
  "keep/b.txt": "b\n",
  "sub/package-lock.json": "{}\n",
  "sub/.github/w.yml": "on: push\n",
  "sub/a.txt": "a\n",
  "plain/a.txt": "a\n",
  "plain/deep/b.txt": "b\n",
};

const change = (...operations: object[]): object => ({ operations });
const add = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
const remove = (path: string): string => `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`;
const update = (path: string, moveTo?: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n${moveTo === undefined ? "" : `*** Move to: ${moveTo}\n`}@@\n-a\n+z\n*** End Patch`;
const rename = (path: string, to: string): string =>
  `diff --git a/${path} b/${to}\nsimilarity index 100%\nrename from ${path}\nrename to ${to}\n`;

const operation = (op: string, args: object): object => ({ operations: [{ op, ...args }] });

/** Each does in `keep` what the tool of that name does. */
const WAYS: readonly (readonly [means: string, tool: string, args: object])[] = [
  ["write_file", "change_files", operation("write_file", { path: "keep/new.txt", content: "x" })],
  ["write_file", "change_files", operation("write", { path: "keep/new.txt", content: "x" })],
  ["edit_file", "change_files", operation("edit_file", { path: "keep/a.txt", old_text: "a", new_text: "z" })],
  ["append_file", "change_files", operation("append_file", { path: "keep/a.txt", content: "x" })],
  ["create_directory", "change_files", operation("create_directory", { path: "keep/new" })],
  ["move", "change_files", operation("move", { source: "keep/a.txt", destination: "gone.txt" })],
  ["rename", "change_files", operation("move", { source: "a.txt", destination: "keep/c.txt" })],
  ["copy", "change_files", operation("copy", { source: "a.txt", destination: "keep/c.txt" })],
  ["delete", "change_files", operation("delete", { path: "keep/a.txt" })],
  ["apply_patch", "change_files", operation("apply_patch", { patch: update("keep/a.txt") })],
  ["delete", "change_files", operation("apply_patch", { patch: remove("keep/a.txt") })],
  ["write_file", "apply_patch", { patch: add("keep/new.txt") }],
  ["delete", "apply_patch", { patch: remove("keep/a.txt") }],
  ["edit_file", "apply_patch", { patch: update("keep/a.txt") }],
  ["edit_file", "apply_patch", { patch: update("keep/a.txt", "gone.txt") }],
  ["move", "apply_patch", { patch: update("a.txt", "keep/c.txt") }],
  ["move", "apply_patch", { patch: rename("keep/a.txt", "gone.txt") }],
  ["group:change", "apply_patch", { patch: update("keep/a.txt") }],
];

describe("what a rule says of a tool holds for its part of another", () => {
  test.each(WAYS)("a rule that denies %s holds for its part of another tool, by %s %j", async (means, tool, args) => {
    await using host = await open({ mode: "bypass", rules: [{ deny: `${means}(keep/**)` }] });
    expect(codeOf(await host.ask(tool, args))).toBe("denied");
    host.isUnchanged();
  });

  test.each(WAYS)(
    "a rule that asks about %s holds for its part of another tool, by %s %j",
    async (means, tool, args) => {
      await using host = await open({ mode: "accept_edits", rules: [{ ask: `${means}(keep/**)` }] });
      expect(proposalOf(await host.ask(tool, args))).toBeDefined();
      host.isUnchanged();
    },
  );

  test("a rule about a member holds through a tree that has it", async () => {
    await using host = await open({
      mode: "bypass",
      rules: [
        { deny: "delete(plain/deep/b.txt)" },
        { deny: "move(plain/deep/b.txt)" },
        { deny: "copy(other/deep/b.txt)" },
      ],
    });
    for (const args of [
      operation("delete", { path: "plain", recursive: true }),
      operation("move", { source: "plain", destination: "other" }),
      operation("copy", { source: "plain", destination: "other", recursive: true }),
    ])
      expect([args, codeOf(await host.ask("change_files", args))]).toEqual([args, "denied"]);
    host.isUnchanged();
  });

  test("a hook that confirms a tool confirms its part of another", async () => {
    await using host = await open({
      mode: "accept_edits",
      hooks: [{ tool: "edit_file", action: "confirm" }],
    });
    for (const [tool, args] of [
      ["change_files", operation("edit_file", { path: "a.txt", old_text: "a", new_text: "z" })],
      ["apply_patch", { patch: update("a.txt") }],
    ] as const)
      expect([tool, proposalOf(await host.ask(tool, args))]).toEqual([tool, expect.anything()]);
    host.isUnchanged();
  });

  test("a rule about one tool holds for nothing else: other places and other operations are made at once", async () => {
    const rules = [{ deny: "delete(keep/**)" }, { ask: "write_file(keep/**)" }, { ask: "delete" }];
    await using host = await open({ mode: "accept_edits", rules });
    const operations = [
      { op: "edit_file", path: "keep/a.txt", old_text: "a", new_text: "z" },
      { op: "write_file", path: "other.txt", content: "x" },
      { op: "move", source: "plain", destination: "moved" },
    ];
    expect(proposalOf(await host.ask("change_files", { operations }))).toBeUndefined();
    expect(host.read("keep/a.txt")).toBe("z\n");
    expect(host.read("moved/deep/b.txt")).toBe("b\n");
    expect(proposalOf(await host.ask("apply_patch", { patch: update("a.txt") }))).toBeUndefined();
    expect(host.read("a.txt")).toBe("z\n");
  });

  test("a rule that allows the whole allows its parts", async () => {
    await using host = await open({ mode: "default", rules: [{ allow: "change_files(plain/**)" }] });
    const args = operation("append_file", { path: "plain/a.txt", content: "x\n" });
    expect(proposalOf(await host.ask("change_files", args))).toBeUndefined();
    expect(host.read("plain/a.txt")).toBe("a\nx\n");
  });
});

describe("a tool that is off is no operation", () => {
  test.each<readonly [string, object]>([
    ["tools.deny", { tools: { deny: ["delete"] } }],
    ["an alias in tools.deny", { tools: { deny: ["remove"] } }],
    ["a profile without it", { profile: "minimal", tools: { allow: ["change_files", "write_file", "apply_patch"] } }],
    ["a list for the client", { clients: { test: { tools: { deny: ["delete"] } } } }],
  ])("an operation of a tool that is off is refused by %s", async (_, config) => {
    await using host = await open({ mode: "bypass", ...config });
    const answer = await host.ask("change_files", operation("delete", { path: "keep/a.txt" }));
    expect(codeOf(answer)).toBe("denied");
    expect(JSON.stringify(answer)).toContain("delete is off: ");
    if (!("profile" in config))
      expect(codeOf(await host.ask("apply_patch", { patch: remove("keep/a.txt") }))).toBe("denied");
    host.isUnchanged();
    // What is left is as before.
    const args = operation("write_file", { path: "new.txt", content: "x" });
    expect(codeOf(await host.ask("change_files", args))).toBeUndefined();
    expect(host.read("new.txt")).toBe("x");
  });

  test("a tool that is off is not in the list of operations", async () => {
    await using host = await open({ tools: { deny: ["delete", "move"] } });
    const tools = (await host.request("tools/list"))?.tools;
    const listed = tools?.find(({ name }) => name === "change_files");
    expect(listed?.inputSchema.properties?.["operations"]?.items?.properties?.["op"]?.enum).toEqual([
      "write_file",
      "edit_file",
      "append_file",
      "create_directory",
      "copy",
      "apply_patch",
    ]);
    expect(listed?.description).not.toMatch(/\bdelete\b|\bmove\b/);
    await using without = await open({ profile: "minimal", tools: { allow: ["change_files"] } });
    const left = (await without.request("tools/list"))?.tools ?? [];
    expect(left.map(({ name }) => name)).not.toContain("change_files");
  });
});

describe("a tree costs what the strictest name in it does", () => {
  const calls: readonly (readonly [string, object])[] = [
    ["move", { source: "sub", destination: "old" }],
    ["copy", { source: "sub", destination: "other", recursive: true }],
    ["change_files", operation("move", { source: "sub", destination: "old" })],
  ];
  test.each(calls)("%s %j waits", async (tool, args) => {
    await using host = await open({ mode: "accept_edits" });
    expect(proposalOf(await host.ask(tool, args))).toMatchObject({ risk: "R4" });
    host.isUnchanged();
  });

  test.each<readonly [string, object]>([
    ["move", { source: "plain", destination: "old" }],
    ["copy", { source: "plain", destination: "old", recursive: true }],
  ])("%s %j of ordinary files does not", async (tool, args) => {
    await using host = await open({ mode: "accept_edits" });
    expect(proposalOf(await host.ask(tool, args))).toBeUndefined();
    expect(host.read("old/deep/b.txt")).toBe("b\n");
  });
});

describe("other names of a protected file are protected", () => {
  const edit = { old_text: "a", new_text: "z", in_place: true };
  const calls: readonly (readonly [name: string, tool: string, args: object])[] = [
    [".hidden", "edit_file", { path: "vis.txt", ...edit }],
    ["deep/go.sum", "edit_file", { path: "vis.txt", ...edit }],
    [".hidden", "change_files", change({ op: "edit_file", path: "vis.txt", ...edit })],
    [
      ".hidden",
      "change_files",
      change({ op: "move", source: "vis.txt", destination: "x.txt" }, { op: "edit_file", path: "x.txt", ...edit }),
    ],
    [".hidden", "move", { source: "vis.txt", destination: "x.txt" }],
    [".hidden", "copy", { source: "vis.txt", destination: "x.txt" }],
    ["../outside.txt", "edit_file", { path: "vis.txt", ...edit }],
  ];
  test.each(calls)("%s by %s %j waits", async (name, tool, args) => {
    await using host = await open({ mode: "accept_edits" });
    host.lay({ "deep/x.txt": "", [name]: "a\n" });
    linkSync(join(host.root, name), join(host.root, "vis.txt"));
    expect(proposalOf(await host.ask(tool, args))).toBeDefined();
    expect(host.read(name)).toBe("a\n");
  });

  test("a member of a tree that is moved is one of them", async () => {
    await using host = await open({ mode: "accept_edits" });
    host.lay({ ".hidden": "a\n" });
    linkSync(join(host.root, ".hidden"), join(host.root, "plain", "vis.txt"));
    expect(proposalOf(await host.ask("move", { source: "plain", destination: "old" }))).toBeDefined();
    host.isUnchanged();
  });

  test("a secret is written under no name, in no mode", async () => {
    await using host = await open({ mode: "bypass" });
    host.lay({ ".env": "a\n" });
    linkSync(join(host.root, ".env"), join(host.root, "vis.txt"));
    expect(codeOf(await host.ask("edit_file", { path: "vis.txt", ...edit }))).toBe("denied");
    expect(host.read(".env")).toBe("a\n");
  });

  test("two ordinary names of a file are changed at once", async () => {
    await using host = await open({ mode: "accept_edits" });
    linkSync(join(host.root, "a.txt"), join(host.root, "vis.txt"));
    expect(proposalOf(await host.ask("edit_file", { path: "vis.txt", ...edit }))).toBeUndefined();
    expect(host.read("a.txt")).toBe("z\n");
  });
});

interface Opened extends AsyncDisposable {
  readonly root: string;
  ask(tool: string, args: object): Promise<CallResult | undefined>;
  request(method: string): Promise<CallResult | undefined>;
  read(path: string): string;
  lay(files: Readonly<Record<string, string>>): void;
  /** @throws unless every file is as it was laid, and no other is there */
  isUnchanged(): void;
}

async function open(config: object): Promise<Opened> {
  const place = new Place();
  const { root } = place;
  const lay = (files: Readonly<Record<string, string>>): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  lay(FILES);
  const file = join(place.path, "config.json");
  writeFileSync(file, JSON.stringify(config));
  const host = await ServeProcess.start(place, { args: ["--config", file] });
  const clientInfo = { name: "test", version: "1" };
  await host.ask("start", "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  let asked = 0;
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  return {
    root,
    lay,
    read,
    async ask(tool, args) {
      const id = ++asked;
      host.call(id, tool, args);
      return (await host.answer(id)).result;
    },
    async request(method) {
      return (await host.ask(++asked, method)).result;
    },
    isUnchanged() {
      for (const [path, content] of Object.entries(FILES)) expect([path, read(path)]).toEqual([path, content]);
      for (const path of ["keep/new.txt", "keep/new", "keep/c.txt", "gone.txt", "old", "other"])
        expect([path, existsSync(join(root, path))]).toEqual([path, false]);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

function codeOf(result: CallResult | undefined): string | undefined {
  return result?.["_meta"]?.["dev.ringfence/failure"]?.code;
}

function proposalOf(result: CallResult | undefined): object | undefined {
  return result?.["_meta"]?.["dev.ringfence/proposal"];
}
