/**
 * The three prompts: what they take, what they bring along, and that they show nothing that the tools would not.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost, type Json } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "one\n", "sub/b.txt": "b\n", ".env": "K=1\n" };

const names = (answer: Json): string[] => answer.result.prompts.map(({ name }: Json) => name);

test("the prompts are listed in both eras", async () => {
  await using host = openTestHost();
  const wanted = ["explain_file", "tour_project", "review_changes"];
  expect(names(await host.request("prompts/list"))).toEqual(wanted);
  const modern = await host.modern("prompts/list");
  expect(names(modern)).toEqual(wanted);
  expect(modern.result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: "private" });
  expect((await host.request("prompts/list", { cursor: "x" })).error.code).toBe(-32602);
});

describe("explain_file", () => {
  test("explain_file brings the file along", async () => {
    await using host = openTestHost({ files: FILES });
    const params = { name: "explain_file", arguments: { path: "a.txt", question: "Why?" } };
    for (const { result } of [await host.request("prompts/get", params), await host.modern("prompts/get", params)]) {
      const [ask, file] = result.messages;
      expect(ask.content.text).toContain("Why?");
      expect(file.content).toMatchObject({
        type: "resource",
        resource: { uri: "ringfence://root/0/a.txt", text: "one\n" },
      });
    }
  });

  test.each([
    [{}, "path is missing"],
    [{ path: "" }, "path is missing"],
    [{ path: "a.txt", quest: "x" }, "quest"],
    [{ path: 5 }, "must be a string"],
    [[], "must be an object"],
    [{ path: "none.txt" }, "not_found"],
    [{ path: "." }, "no resource"],
    [{ path: "/etc/passwd" }, "no resource"],
    [{ path: "../a.txt" }, "no resource"],
  ])("explain_file refuses %j", async (args, why) => {
    await using host = openTestHost({ files: FILES });
    const { error } = await host.request("prompts/get", { name: "explain_file", arguments: args });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain(why);
  });

  test("explain_file reads no secrets", async () => {
    await using host = openTestHost({ files: FILES });
    const { error } = await host.request("prompts/get", {
      name: "explain_file",
      arguments: { path: ".env" },
    });
    expect(error.data.code).toBe("denied");
  });
});

test("tour_project brings the tree along", async () => {
  await using host = openTestHost({ files: FILES });
  const { result } = await host.modern("prompts/get", {
    name: "tour_project",
    arguments: { focus: "tests" },
  });
  expect(result.messages[0].content.text).toContain("b.txt");
  expect(result.messages[0].content.text).toContain("tests");
  expect(result.messages[0].content.text).not.toContain(".env");
  const { error } = await host.modern("prompts/get", { name: "tour_project", arguments: { path: "missing" } });
  expect(error).toMatchObject({ code: -32602, data: { uri: "missing" } });
});

test("review_changes brings what waits and what was made", async () => {
  await using host = openTestHost({ files: FILES });
  const made = await host.call("append_file", { path: "sub/b.txt", content: "made\n" });
  await host.apply(made);
  await host.call("append_file", { path: "a.txt", content: "waits\n" });
  const { result } = await host.request("prompts/get", { name: "review_changes" });
  expect(result.messages[0].content.text).toContain("+waits");
  expect(result.messages[0].content.text).toContain("sub/b.txt");
});

test("an unknown one is named with its nearest", async () => {
  await using host = openTestHost();
  const nameless = await host.request("prompts/get", { name: 5 });
  expect(nameless.error.message).toContain("params.name must be a string");
  const { error } = await host.request("prompts/get", { name: "explain_files" });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("explain_file") });
});

test("without the tools that they need there are none", async () => {
  await using host = openTestHost({ config: { toolList: { deny: ["group:all"] } } });
  expect((await host.request("prompts/list")).result.prompts).toEqual([]);
});
