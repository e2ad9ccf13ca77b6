/**
 * Roots as resources: read like `read_file` and `list_directory` read, under the same rules, budget and record, in both
 * eras; what these tools may not see no resource shows.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { connect, open as openRoots } from "../host/roots-client.ts";
import { openCommandHost, script } from "../proc/command-host.ts";

const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const FILES = {
  "a.txt": "one\ntwo\n",
  "sub/b.txt": "b\n",
  "sub/we ird#1?%.txt": "odd\n",
  ".env": "KEY=1\n",
  "token.txt": `token ${SECRET}\n`,
};

async function read(host: TestHost, path: string): Promise<Json> {
  return await host.modern("resources/read", { uri: `ringfence://root/0/${path}` });
}

describe("the list", () => {
  test("the list of resources has the roots, and templates for what is in them", async () => {
    await using host = openTestHost({ files: FILES });
    const { result } = await host.modern("resources/list");
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    expect(result.resources).toMatchObject([
      { uri: "ringfence://root/0/", mimeType: "inode/directory" },
      { uri: "ringfence://root/0/a.txt", name: "a.txt", size: 8 },
      { uri: "ringfence://root/0/token.txt", name: "token.txt" },
    ]);
    const { resourceTemplates } = (await host.request("resources/templates/list")).result;
    expect(resourceTemplates.map(({ uriTemplate }: Json) => uriTemplate)).toEqual([
      "ringfence://root/0/{+path}",
      "ringfence://spill/{id}{?offset}",
    ]);
  });

  test("the list of resources goes page by page", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `r${index}`);
    await using first = openTestHost();
    for (const name of names) mkdirSync(join(first.root, name));
    const roots = names.map((name) => join(first.root, name));
    await using host = openTestHost({ top: first.top, config: { roots } });
    const { result: page } = await host.request("resources/list");
    expect(page).toMatchObject({ resources: { length: 100 }, nextCursor: "resources-100" });
    const { result: rest } = await host.request("resources/list", { cursor: page.nextCursor });
    expect(rest.resources).toHaveLength(50);
    expect(rest.nextCursor).toBeUndefined();
    for (const cursor of ["resources-1", "x", 5, "resources-0", null])
      expect((await host.request("resources/list", { cursor })).error.code).toBe(-32602);
  });

  test("the list of resources has no roots where the tools that read them are hidden", async () => {
    await using host = openTestHost({
      files: FILES,
      config: { toolList: { deny: ["read_file", "list_directory"] } },
    });
    expect((await host.request("resources/list")).result.resources).toEqual([]);
    expect((await read(host, "a.txt")).error.code).toBe(-32602);
  });
});

describe("several roots", () => {
  test("several roots are told apart by their number, names that are not UTF-8 by their bytes", async () => {
    await using first = openTestHost({ files: { "one/a.txt": "first\n", "two/a.txt": "second\n" } });
    writeFileSync(Buffer.concat([Buffer.from(`${first.root}/two/bad`), Buffer.from([0xff])]), "odd\n");
    const roots = ["one", "two"].map((name) => join(first.root, name));
    await using host = openTestHost({ top: first.top, config: { roots } });
    const text = async (uri: string): Promise<Json> =>
      (await host.modern("resources/read", { uri })).result?.contents[0].text;
    expect(await text("ringfence://root/0/a.txt")).toBe("first\n");
    expect(await text("ringfence://root/1/a.txt")).toBe("second\n");
    expect(await text("ringfence://root/1/bad%FF")).toBe("odd\n");
    expect(await text("ringfence://root/2/a.txt")).toBeUndefined();
    const { entries } = JSON.parse(await text("ringfence://root/1/"));
    expect(entries.map(({ uri }: Json) => uri)).toEqual(["ringfence://root/1/a.txt", "ringfence://root/1/bad%FF"]);
    const complete = { ref: { type: "ref/resource", uri: "ringfence://root/1/{+path}" } };
    const { result } = await host.request("completion/complete", {
      ...complete,
      argument: { name: "path", value: "" },
    });
    expect(result.completion.values).toEqual(["a.txt", "bad%FF"]);
  });

  test("the roots of the client narrow the resources of several roots", async () => {
    await using host = openRoots();
    const client = await connect(host);
    await client.offer("sub");
    const { result } = await host.request("resources/list");
    expect(result.resources).toMatchObject([
      { uri: "ringfence://root/0/sub/", name: "sub" },
      { uri: "ringfence://root/0/sub/b.txt", name: "b.txt" },
    ]);
    expect((await host.request("resources/read", { uri: "ringfence://root/0/a.txt" })).error.data.code).toBe(
      "outside_scope",
    );
    const { contents } = (await host.request("resources/read", { uri: "ringfence://root/0/sub/" })).result;
    expect(JSON.parse(contents[0].text).entries).toHaveLength(2);
  });
});

describe("reading", () => {
  test("a file gives its text, with its hash", async () => {
    await using host = openTestHost({ files: FILES });
    const { result } = await read(host, "a.txt");
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    expect(result.contents).toEqual([
      {
        uri: "ringfence://root/0/a.txt",
        mimeType: "text/plain",
        text: "one\ntwo\n",
        _meta: { "dev.ringfence/hash": expect.stringMatching(/^[\da-f]{64}$/) },
      },
    ]);
  });

  test("a resource is read like any other file: a change of the file needs no second read", async () => {
    await using host = openTestHost({ files: FILES, config: { baseline: "required", mode: "accept_edits" } });
    const edit = { path: "a.txt", old_text: "two", new_text: "three" };
    expect((await host.call("edit_file", edit)).text).not.toContain("Transaction");
    await read(host, "a.txt");
    expect((await host.call("edit_file", edit)).failure).toBeUndefined();
    expect(host.read("a.txt")).toBe("one\nthree\n");
  });

  test("long files come in parts, and lines are whole", async () => {
    const long = "x".repeat(50_000);
    const text = `${long}\n`.repeat(60);
    await using host = openTestHost({ files: { "long.txt": text } });
    let [whole, parts, uri]: [string, number, string | undefined] = ["", 0, "ringfence://root/0/long.txt"];
    while (uri !== undefined) {
      const { result } = await host.modern("resources/read", { uri });
      whole += result.contents[0].text;
      parts++;
      uri = result.contents[0]._meta["dev.ringfence/next"];
    }
    expect(whole === text).toBe(true);
    expect(parts).toBe(3);
  });

  test("what is no text comes as bytes", async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7) % 256));
    await using host = openTestHost({ files: FILES });
    writeFileSync(join(host.root, "x.bin"), bytes);
    const { result } = await read(host, "x.bin");
    expect(Buffer.from(result.contents[0].blob, "base64").equals(bytes)).toBe(true);
  });

  test("a directory gives the addresses of what is in it", async () => {
    await using host = openTestHost({ files: FILES });
    const { result } = await read(host, "sub/");
    const { entries } = JSON.parse(result.contents[0].text);
    expect(entries.map(({ uri }: Json) => uri)).toEqual([
      "ringfence://root/0/sub/b.txt",
      "ringfence://root/0/sub/we%20ird%231%3F%25.txt",
    ]);
    const { result: odd } = await host.modern("resources/read", { uri: entries[1].uri });
    expect(odd.contents[0].text).toBe("odd\n");
    const { result: top } = await read(host, "");
    expect(top.contents[0].text).not.toContain(".env");
  });

  test.each(["none.txt", "sub", "../outside.txt", "a/../a.txt", "%2e%2e/x", "a%2Fb", "a%00", "sub//b.txt", "%"])(
    "a read finds no such resource: %s",
    async (path) => {
      await using host = openTestHost({ files: FILES });
      expect((await read(host, path)).error.code).toBe(-32602);
    },
  );

  test("secrets are closed, and replaced where they stand in other files", async () => {
    await using host = openTestHost({ files: FILES });
    expect((await read(host, ".env")).error).toMatchObject({ code: 1, data: { code: "denied" } });
    const { contents } = (await read(host, "token.txt")).result;
    expect(contents[0].text).not.toContain(SECRET);
    expect(contents[0]._meta["dev.ringfence/secrets"]).toBe(1);
  });

  test("a read of a resource is under the rules of the tools", async () => {
    const rules = [{ deny: "read_file(sub/**)" }, { deny: "list_directory(closed/**)" }];
    await using host = openTestHost({
      files: { ...FILES, "closed/c.txt": "c\n" },
      config: { rules },
    });
    expect((await read(host, "sub/b.txt")).error.data.code).toBe("denied");
    expect((await read(host, "closed/")).error.data.code).toBe("denied");
    expect((await read(host, "a.txt")).result.contents[0].text).toBe("one\ntwo\n");
  });

  test("a read that a rule asks about is asked of the person first", async () => {
    await using host = openTestHost({ files: FILES, config: { rules: [{ ask: "read_file(sub/**)" }] } });
    const uri = "ringfence://root/0/sub/b.txt";
    const _meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const { result } = await host.modern("resources/read", { uri, _meta });
    expect(result.inputRequests.approval.method).toBe("elicitation/create");
    const inputResponses = { approval: { action: "accept", content: { decision: "allow" } } };
    const retry = { uri, requestState: result.requestState, inputResponses, _meta };
    expect((await host.modern("resources/read", retry)).result.contents[0].text).toBe("b\n");
    expect((await read(host, "sub/b.txt")).error.data.code).toBe("needs_approval");
  });

  test("a read of a resource is in the budget and on record", async () => {
    await using host = openTestHost({ files: FILES, config: { budgets: { session: { calls: 2 } } } });
    const { result } = await read(host, "a.txt");
    expect(result._meta["dev.ringfence/budget"]).toEqual({ calls: 1 });
    await read(host, "a.txt");
    expect((await read(host, "a.txt")).error).toMatchObject({ code: 1, data: { code: "over_budget" } });
    const lines = host
      .audit()
      .split("\n")
      .filter((line) => line.includes(result._meta["dev.ringfence/auditId"]));
    expect(lines.join("\n")).toContain('"completed"');
    expect(host.audit()).toContain('"as":"resource"');
  });
});

test.skipIf(process.platform === "win32")(
  "the output of a command that was cut is linked, listed and read",
  async () => {
    await using host = openCommandHost({
      config: { commands: { much: { ...script("seq 1 100000"), changes: false } } as never, mode: "bypass" },
    });
    const { result } = await host.call("cmd_much");
    const link = result.content.find(({ type }: Json) => type === "resource_link");
    expect(link.size).toBe(588_895);
    expect((await host.request("resources/list")).result.resources.map(({ uri }: Json) => uri)).toContain(link.uri);
    const { contents } = (await host.modern("resources/read", { uri: link.uri })).result;
    expect(contents[0].text).toHaveLength(588_895);
    const ref = { type: "ref/resource", uri: "ringfence://spill/{id}{?offset}" };
    const { completion } = (
      await host.request("completion/complete", { ref, argument: { name: "id", value: "spill_" } })
    ).result;
    expect(link.uri).toEndWith(completion.values[0]);
  },
);
