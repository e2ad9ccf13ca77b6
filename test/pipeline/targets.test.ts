/**
 * Calls that touch no file: URLs and records go the road of every other call, from rules to the order, the record and the
 * explanation. The tools are a consumer's own, as no built-in tool uses such targets.
 */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
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

const open = (config = {}) => openTestHost({ tools: [fetchPage, readNote, saveNote], config });

const decided = (host: TestHost): Readonly<Record<string, unknown>>[] =>
  host
    .audit()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ event }) => event === "decided");

describe("a call that touches a URL", () => {
  test("a call that only fetches is made at once, and one that sends something is asked about", async () => {
    await using host = open();
    expect((await host.call("fetch_page", { url: "https://docs.example/a" })).text).toBe("done");
    expect((await host.call("fetch_page", { url: "https://docs.example/a", method: "HEAD" })).text).toBe("done");
    const sent = await host.call("fetch_page", { url: "https://docs.example/a", method: "POST" });
    expect(sent.failure?.code).toBe("needs_approval");
    expect(decided(host).map(({ decision, risk }) => [decision, risk])).toEqual([
      ["allow", "R1"],
      ["allow", "R1"],
      ["ask", "R4"],
    ]);
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
      [[], ["GET https://sub.evil.example/a"]],
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
    expect((await host.call("fetch_page", { url: "file:///etc/passwd" })).failure?.code).toBe("invalid_input");
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
