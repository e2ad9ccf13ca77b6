/**
 * Calls that touch no file: URLs and records go the road of every other call, from rules to the order, the record and the
 * explanation. The tools are a consumer's own, as no built-in tool uses such targets.
 */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { sha256 } from "../../src/base/index.ts";
import { defineTool, type Target } from "../../src/contract/index.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

const output = z.looseObject({});
const done = { text: "done", structured: {} };

const fetchPage = defineTool({
  name: "fetch_page",
  title: "Fetch a page",
  summary: "Fetches a page.",
  effect: "reach",
  input: z.strictObject({
    url: z.string().describe("The address."),
    method: z.enum(["GET", "HEAD", "POST"]).optional().describe("Default GET."),
  }),
  output,
  access: ({ url, method = "GET" }): Target[] => [{ kind: "url", url, method }],
  run: () => done,
});

const getObject = defineTool({
  name: "get_object",
  title: "Get an object",
  summary: "Gets an object.",
  effect: "reach",
  input: z.strictObject({ key: z.string().describe("The object.") }),
  output,
  access: ({ key }): Target[] => [{ kind: "object", alias: "art", bucket: "builds", key, mode: "read" }],
  run: () => done,
});

const readNote = defineTool({
  name: "read_note",
  title: "Read a note",
  summary: "Reads a note.",
  effect: "read",
  group: "memory",
  input: z.strictObject({ key: z.string().describe("The note.") }),
  output,
  access: ({ key }): Target[] => [{ kind: "record", store: "notes", key, mode: "read" }],
  run: () => done,
});

const saved: string[] = [];

const saveNote = defineTool({
  name: "save_note",
  title: "Save a note",
  summary: "Saves a note.",
  effect: "change",
  needs: [],
  group: "memory",
  input: z.strictObject({ key: z.string().describe("The note."), text: z.string().describe("What it says.") }),
  output,
  access: ({ key }): Target[] => [{ kind: "record", store: "notes", key, mode: "write" }],
  preview: ({ key, text }) => ({ summary: `Save ${key}`, diff: `+${text}\n`, paths: [] }),
  run: ({ key, text }) => {
    saved.push(`${key}: ${text}`);
    return { text: `saved ${key}`, structured: { key } };
  },
});

const open = (config = {}) => openTestHost({ tools: [fetchPage, getObject, readNote, saveNote], config });

const digestOf = (query: string): string => sha256(query).slice(0, 12);

const decided = (host: TestHost): Readonly<Record<string, unknown>>[] =>
  host
    .audit()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ event }) => event === "decided");

describe("a call that touches a URL", () => {
  // The address of a fetch can carry anything away.
  test.each(["default", "accept_edits", "plan"] as const)(
    "a fetch is made at once where a rule allows its host, and asked about elsewhere, in the mode %s",
    async (mode) => {
      await using host = open({ mode, rules: [{ allow: "fetch_page(https://docs.example/**)" }] });
      for (const method of ["GET", "HEAD"]) {
        expect((await host.call("fetch_page", { url: "https://docs.example/a?q=1", method })).text).toBe("done");
        const elsewhere = await host.call("fetch_page", { url: "https://elsewhere.example/?q=1", method });
        expect(elsewhere.failure?.code).toBe("needs_approval");
      }
      const made = ["allow", "R1", "a rule allows it"];
      const asked = ["ask", "R4", "a request takes data off this machine, and no rule allows it"];
      expect(decided(host).map(({ decision, risk, reason }) => [decision, risk, reason])).toEqual([
        made,
        asked,
        made,
        asked,
      ]);
    },
  );

  test("a rule for every call of a tool allows its fetches at their full risk", async () => {
    await using host = open({ rules: [{ allow: "fetch_page" }] });
    expect((await host.call("fetch_page", { url: "https://docs.example/a" })).text).toBe("done");
    expect(decided(host).map(({ decision, risk }) => [decision, risk])).toEqual([["allow", "R4"]]);
    await using planned = open({ mode: "plan", rules: [{ allow: "fetch_page" }] });
    const { failure } = await planned.call("fetch_page", { url: "https://docs.example/a" });
    expect(failure?.code).toBe("needs_approval");
  });

  test("the mode plan asks about a POST also where a rule allows its host", async () => {
    await using host = open({ rules: [{ allow: "fetch_page(https://docs.example/**)" }], mode: "plan" });
    const sent = await host.call("fetch_page", { url: "https://docs.example/a", method: "POST" });
    expect(sent.failure?.code).toBe("needs_approval");
    expect(decided(host).map(({ decision, risk }) => [decision, risk])).toEqual([["ask", "R4"]]);
  });

  test("an object of a bucket is read without a question, in a tool that reaches the network", async () => {
    await using host = open();
    expect((await host.call("get_object", { key: "2026/a.zip" })).text).toBe("done");
    expect(decided(host).map(({ targets, risk, reason }) => [targets, risk, reason])).toEqual([
      [["read art/builds/2026/a.zip"], "R1", "reading an object changes nothing"],
    ]);
  });

  test("the record proves which query was sent, and does not show it", async () => {
    await using host = open({ rules: [{ allow: "fetch_page(https://docs.example/**)" }] });
    for (const query of ["?q=orchard", "?q=meadow", "?q=orchard#top", "?"])
      await host.call("fetch_page", { url: `https://docs.example/a${query}` });
    expect(decided(host).map(({ targets }) => targets)).toEqual([
      [`GET https://docs.example/a ?sha256:${digestOf("q=orchard")}`],
      [`GET https://docs.example/a ?sha256:${digestOf("q=meadow")}`],
      [`GET https://docs.example/a ?sha256:${digestOf("q=orchard")}`],
      ["GET https://docs.example/a"],
    ]);
    expect(host.audit()).not.toMatch(/orchard|meadow/);
  });

  test("rules and the record know a URL by its canonical subject", async () => {
    const rules = [{ deny: "fetch_page(https://evil.example/**)" }, { allow: "*_page(https://api.example/v1/**)" }];
    await using host = open({ rules });
    const denied = await host.call("fetch_page", { url: "https://sub.EVIL.example:443/%61?key=secret#top" });
    expect(denied.failure?.code).toBe("denied");
    const post = (url: string) => host.call("fetch_page", { url, method: "POST" });
    expect((await post("https://api.example/v1/jobs")).text).toBe("done");
    expect((await post("https://api.example/v2/jobs")).failure?.code).toBe("needs_approval");
    expect(decided(host).map(({ paths, targets }) => [paths, targets])).toEqual([
      [[], [`GET https://sub.evil.example/a ?sha256:${digestOf("key=secret")}`]],
      [[], ["POST https://api.example/v1/jobs"]],
      [[], ["POST https://api.example/v2/jobs"]],
    ]);
  });

  test("the exact rule in a failure allows that call for good, and no other one", async () => {
    await using host = open();
    const post = (url: string) => host.call("fetch_page", { url, method: "POST" });
    const { failure } = await post("https://api.example/v1/jobs");
    const { rule } = (failure!.details as { params: { rule: string } }).params;
    await host.request("ringfence/grants/add", { rule });
    expect((await post("https://api.example/v1/jobs")).text).toBe("done");
    expect((await post("https://api.example/v1/job")).failure?.code).toBe("needs_approval");
    expect((await post("https://api.example/v1/jobs?all=1")).failure?.code).toBe("needs_approval");
  });

  test("a call is refused when its address names nothing", async () => {
    await using host = open();
    for (const url of ["file:///etc/passwd", "https://docs.example/public/..%2fadmin"])
      expect((await host.call("fetch_page", { url })).failure?.code).toBe("invalid_input");
  });
});

describe("a call that touches a record", () => {
  test("rules are matched against the name of a record, and the group is the one that the tool names", async () => {
    await using host = open({ rules: [{ deny: "group:memory(people/**)" }] });
    expect((await host.call("read_note", { key: "project/plan" })).text).toBe("done");
    expect((await host.call("read_note", { key: "people/jane" })).failure?.code).toBe("denied");
    await using closed = open({ toolList: { deny: ["group:memory"] } });
    const { error } = await closed.request("tools/call", { name: "read_note", arguments: { key: "a" } });
    expect(error.message).toContain("there is no tool");
  });

  test("explain says which record a call touches, and which rule decides it", async () => {
    await using host = open({ rules: [{ ask: "read_note(people/**)" }] });
    const { result } = await host.request("ringfence/policy/explain", {
      name: "read_note",
      arguments: { key: "people/jane" },
    });
    expect(result).toMatchObject({
      paths: [],
      targets: ["read notes/people/jane"],
      decision: { type: "ask", rule: "read_note(people/**)", risk: "R1" },
    });
  });

  test("explain refuses a call without the argument that names its target", async () => {
    await using host = open();
    const { error } = await host.request("ringfence/policy/explain", { name: "fetch_page", arguments: {} });
    expect(error.message).toContain('Cannot explain a call of "fetch_page" without url');
  });

  test("a call that is asked about is stored with its preview, and made when that is applied", async () => {
    await using host = open();
    saved.length = 0;
    const proposed = await host.call("save_note", { key: "plan", text: "one road" });
    expect(proposed.proposal).toMatchObject({ tool: "save_note", summary: "Save plan" });
    expect(saved).toEqual([]);
    const { result } = await host.apply(proposed);
    expect(result).toMatchObject({ status: "applied", result: { text: "saved plan", key: "plan" } });
    expect(saved).toEqual(["plan: one road"]);
    expect(decided(host).map(({ paths, targets, risk }) => [paths, targets, risk])).toEqual([
      [[], ["write notes/plan"], "R2"],
    ]);
  });

  test("a call that saves a record is made at once in the mode accept_edits", async () => {
    await using host = open({ mode: "accept_edits" });
    expect((await host.call("save_note", { key: "plan", text: "at once" })).text).toBe("saved plan");
    const { tools } = (await host.request("tools/list", {})).result;
    const { description, annotations } = tools.find(({ name }: { name: string }) => name === "save_note");
    expect([description, annotations.readOnlyHint]).toEqual([
      "Saves a note. The change is proposed first and made when it is approved.",
      false,
    ]);
  });
});
