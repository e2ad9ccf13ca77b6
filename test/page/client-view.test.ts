/**
 * MCP Apps: a client that says that it shows views gets one for the tools that change files, and the rows that it shows with each
 * proposal; any other client gets what it always got. The view itself runs as in a client: in a sandboxed frame, driven by the
 * bridge that the makers of the extension publish.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Frame } from "playwright-core";
import type { ClientView } from "../../src/page/index.ts";
import { Place, proposalOf, ServeProcess, type CallResult } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { TestBrowser } from "./open-browser.ts";

const TYPE = "text/html;profile=mcp-app";
const VIEW = "ui://ringfence/proposal";
type Json = Readonly<Record<string, unknown>>;
const SHOWS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [TYPE] } } };

let place: Place;
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.ts"), "const one = 1;\n\tconst two = <b>2</b>;\nconst three = 3;\n");
});
afterEach(() => place[Symbol.dispose]());

async function open(capabilities: object, args: readonly string[] = []): Promise<ServeProcess> {
  const host = await ServeProcess.start(place, { args });
  const hello = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1" } };
  await host.ask("hello", "initialize", hello);
  return host;
}

let lastId = 0;
async function edit(host: ServeProcess, from: string, to: string): Promise<CallResult> {
  const id = ++lastId;
  host.call(id, "edit_file", { path: "a.ts", old_text: from, new_text: to });
  return (await host.answer(id)).result ?? {};
}

const shownIn = ({ _meta: meta }: CallResult): ClientView | undefined =>
  meta?.["dev.ringfence/review"] as ClientView | undefined;

async function viewsOf(host: ServeProcess): Promise<Readonly<Record<string, unknown>>> {
  const { tools = [] } = (await host.ask("list", "tools/list")).result ?? {};
  const listed = tools as readonly { readonly name: string; readonly _meta?: { readonly ui?: unknown } }[];
  return Object.fromEntries(listed.flatMap(({ name, _meta: meta }) => (meta?.ui ? [[name, meta.ui]] : [])));
}

test("a client that shows views is told of one by the tools that change files, and by no other tool", async () => {
  await using host = await open(SHOWS);
  const views = await viewsOf(host);
  expect(views["edit_file"]).toEqual({ resourceUri: VIEW });
  const names = Object.keys(views);
  const changing = ["write_file", "edit_file", "append_file", "apply_patch", "change_files", "move", "copy", "delete"];
  expect(names.filter((name) => changing.includes(name)).sort()).toEqual(changing.sort());
  const { tools = [] } = (await host.ask("all", "tools/list")).result ?? {};
  const reading = tools.filter((tool) => (tool as { annotations?: Json }).annotations?.["readOnlyHint"] === true);
  expect(reading.length).toBeGreaterThan(10);
  expect(reading.filter(({ name }) => names.includes(name))).toEqual([]);
});

test("a client that shows views reads one document that may reach nothing", async () => {
  await using host = await open(SHOWS);
  const [view] = (await host.ask(1, "resources/read", { uri: VIEW })).result?.contents ?? [];
  expect(view).toMatchObject({
    uri: VIEW,
    mimeType: TYPE,
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } } },
  });
  const text = view?.text ?? "";
  const policy = "default-src 'none'; script-src 'sha256-X'; style-src 'sha256-X'; base-uri 'none'; form-action 'none'";
  expect(/content="([^"]+)"/.exec(text)?.[1]?.replaceAll(/sha256-[\w+/=]+/g, "sha256-X")).toBe(policy);
  // Numbers, because the document is long where a test says what it is.
  expect(text.search(/https?:\/\/(?!www\.w3\.org)/)).toBe(-1);
  expect(text.search(/<[a-z]+ [^>]*\b(?:src|href)=/)).toBe(-1);
  expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThan(10_000);
});

test("a client that shows views gets every row of a proposal with its answer, and no digest in them", async () => {
  await using host = await open(SHOWS);
  const answer = await edit(host, "const one = 1;", "const one = 11; ");
  const view = shownIn(answer);
  expect(view).toMatchObject({ id: proposalOf({ result: answer }).id, tool: "edit_file", risk: "R2" });
  expect(view?.files).toHaveLength(1);
  const rows = view?.files[0]?.lines.flatMap((line) => ("row" in line ? [line.row] : [])) ?? [];
  expect(rows.map(({ kind, old, new: now }) => [kind, old, now])).toEqual([
    ["removed", 1, undefined],
    ["added", undefined, 1],
    ["same", 2, 2],
    ["same", 3, 3],
  ]);
  expect(rows[1]?.pieces).toEqual([
    { kind: "plain", text: "const one = " },
    { kind: "word", text: "11" },
    { kind: "plain", text: ";" },
    { kind: "sign", text: "·" },
  ]);
  expect(JSON.stringify(view)).not.toContain(proposalOf({ result: answer }).digest);
});

test("a client that shows views is told when a proposal is too long for one, and gets no part of it", async () => {
  writeFileSync(join(place.root, "a.ts"), "");
  await using host = await open(SHOWS);
  host.call(1, "write_file", { path: "b.txt", content: "a line of text\n".repeat(20_000) });
  const view = shownIn((await host.answer(1)).result ?? {});
  expect(view).toMatchObject({ tool: "write_file", files: [], leftOut: expect.any(Number) });
  expect(view?.text).toBeUndefined();
});

const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const KEY = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBg\n".repeat(40)}-----END PRIVATE KEY-----\n`;
test.each([
  ["in a line that stays", `key = ${TOKEN}\nold\n`],
  ["in the line that is changed", `old ${TOKEN}\n`],
  ["in several lines", `old\n${KEY}`],
  ["in lines that begin before the change and end behind it", `${KEY.slice(0, 300)}\nold\n${KEY.slice(300)}`],
  ["assigned in the next line", "old\npassword:\n  q7Zx93kLmP02vTr8\n"],
])("a view is left out where a secret stands %s, and the answer beside it is redacted", async (_, text) => {
  writeFileSync(join(place.root, "a.ts"), text);
  await using host = await open(SHOWS);
  const answer = await edit(host, "old", "new");
  expect(proposalOf({ result: answer }).id).toBeString();
  expect(shownIn(answer)).toBeUndefined();
  for (const raw of [TOKEN, "MIIEvQIBADANBg", "q7Zx93kLmP02vTr8"]) expect(JSON.stringify(answer)).not.toContain(raw);
});

test("a client that shows views gets every row, secrets too, where the configuration lets them through", async () => {
  writeFileSync(join(place.root, "a.ts"), `key = ${TOKEN}\nold\n`);
  const config = join(place.path, "ringfence.json");
  writeFileSync(config, JSON.stringify({ secrets: { redact: false } }));
  await using host = await open(SHOWS, ["--config", config]);
  expect(shownIn(await edit(host, "old", "new"))?.files).toHaveLength(1);
});

test("a client that shows views gets nothing more with an answer that is no proposal", async () => {
  await using host = await open(SHOWS);
  host.call("read", "read_file", { path: "a.ts" });
  expect(shownIn((await host.answer("read")).result ?? {})).toBeUndefined();
  const failed = await edit(host, "no such text", "x");
  expect([failed.isError, shownIn(failed)]).toEqual([true, undefined]);
});

for (const [what, capabilities] of Object.entries({
  "no extension": {},
  "another extension": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  "views of another type": { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } },
  "views of no type": { extensions: { "io.modelcontextprotocol/ui": {} } },
  "views in a form that is none": { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: TYPE } } },
}))
  test(`a client that declares ${what} is answered as if there were no views`, async () => {
    await using host = await open(capabilities);
    expect(await viewsOf(host)).toEqual({});
    expect(Object.keys((await edit(host, "one", "two"))._meta ?? {})).toEqual([
      "dev.ringfence/auditId",
      "dev.ringfence/observation",
      "dev.ringfence/proposal",
    ]);
    const [read, other] = [VIEW, "ui://ringfence/other"].map(async (uri) =>
      JSON.stringify((await host.ask(`read ${uri}`, "resources/read", { uri })).error),
    );
    expect(await read).toBe(((await other) ?? "").replaceAll("ui://ringfence/other", VIEW));
  });

const metaWith = (capabilities: object): object => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
});

test("a client of the modern era declares views with each request, and is answered by that", async () => {
  await using host = await ServeProcess.start(place);
  const change = { name: "edit_file", arguments: { path: "a.ts", old_text: "one", new_text: "1" } };
  const ask = async (method: string, params: object, capabilities: object): Promise<CallResult> =>
    (await host.ask(`modern ${++lastId}`, method, { ...params, _meta: metaWith(capabilities) })).result ?? {};
  expect((await ask("resources/read", { uri: VIEW }, SHOWS)).contents?.[0]?.text).toStartWith("<!doctype html>");
  expect(shownIn(await ask("tools/call", change, SHOWS))?.files).toHaveLength(1);
  expect(shownIn(await ask("tools/call", change, {}))).toBeUndefined();
});

const chromium = component("chromium-headless-shell");

describe.skipIf(chromium.isMissing)(`the view in a frame${chromium.note}`, () => {
  let browser: TestBrowser;
  let bridge = "";
  beforeAll(async () => {
    browser = await TestBrowser.open();
    const folder = new Place();
    const entry = join(folder.path, "client.js");
    const path = fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/app-bridge"));
    writeFileSync(entry, CLIENT.replace("BRIDGE", JSON.stringify(path)));
    const built = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife" });
    bridge = (await built.outputs[0]?.text()) ?? "";
    folder[Symbol.dispose]();
  });
  afterAll(async () => await browser[Symbol.asyncDispose]());

  /** Plays a client: reads the view, makes the call, and hands its answer to the frame. */
  async function show(
    host: ServeProcess,
    answer: CallResult,
    around = "about:blank",
  ): Promise<{ frame: Frame; heights: () => Promise<number[]> }> {
    const { contents = [] } = (await host.ask("view", "resources/read", { uri: VIEW })).result ?? {};
    const page = await browser.page(around);
    await page.addScriptTag({ content: bridge });
    await page.evaluate(`showView(${JSON.stringify([contents[0]?.text, answer])})`);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    if (!frame) throw new Error("there is no frame");
    await frame.waitForSelector("main, pre");
    return { frame, heights: async () => await page.evaluate("heights") };
  }

  test("the view in a frame shows every row as text, with signs, and has nothing to press", async () => {
    const evil = '<img src=x onerror="document.title=1">\u202e';
    await using host = await open(SHOWS);
    const { frame, heights } = await show(host, await edit(host, "const one = 1;", `const one = 1; ${evil}`));
    expect(await frame.locator(".row").allInnerTexts()).toHaveLength(4);
    expect(await frame.locator(".row.added code").textContent()).toBe(
      `const one = 1; ${evil.replace("\u202e", "\\u202e")}`,
    );
    expect(await frame.locator(".row.added .sign").first().textContent()).toBe("+");
    expect(await frame.locator("h1").textContent()).toStartWith("Edit a.ts");
    expect(await frame.locator("img, button, input, a, form, iframe, object, textarea, select").count()).toBe(0);
    expect((await heights()).at(-1)).toBeGreaterThan(100);
    expect(await frame.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    expect(browser.complaints).toEqual([]);
  });

  test("the view in a frame reaches no network, whatever its script would do", async () => {
    let reached = 0;
    // The client's page is on the same machine, because a browser keeps others from it whatever the view says.
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        if (url.endsWith("/client"))
          return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
        return new Response(String(++reached), { headers: { "access-control-allow-origin": "*" } });
      },
    });
    await using host = await open(SHOWS);
    const { frame } = await show(
      host,
      await edit(host, "const one = 1;", "const one = 2;"),
      `http://127.0.0.1:${server.port}/client`,
    );
    const address = `http://127.0.0.1:${server.port}/`;
    const tried = await frame.evaluate(`(async () => {
      const fetched = await fetch("${address}").then(() => "reached", () => "refused");
      const image = new Image();
      image.src = "${address}";
      const shown = await new Promise((done) => { image.onload = () => done("reached"); image.onerror = () => done("refused"); });
      return [fetched, shown];
    })()`);
    expect([tried, reached]).toEqual([["refused", "refused"], 0]);
    browser.complaints.length = 0;
  });

  test("the view in a frame shows nothing that comes from another window than the client's", async () => {
    await using host = await open(SHOWS);
    const { frame } = await show(host, await edit(host, "const one = 1;", "const one = 2;"));
    const before = await frame.locator("body").innerText();
    await frame.evaluate(`new Promise((heard) => {
      addEventListener("message", heard, { once: true });
      const params = { content: [{ type: "text", text: "forged" }] };
      postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*");
    })`);
    expect(await frame.locator("body").innerText()).toBe(before);
  });

  test("the view in a frame shows what else a call is answered with as text", async () => {
    await using host = await open(SHOWS);
    const answer = await edit(host, "no such text", "x");
    const { frame } = await show(host, answer);
    expect(await frame.locator("pre").textContent()).toBe(answer.content?.[0]?.text ?? "none");
    expect(browser.complaints).toEqual([]);
    expect(readFileSync(join(place.root, "a.ts"), "utf8")).toStartWith("const one = 1;");
  });
});

/** A client as the makers of the extension write one, in a page of its own. */
const CLIENT = `
import { AppBridge, PostMessageTransport } from BRIDGE;
globalThis.heights = [];
globalThis.showView = async ([html, answer]) => {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "test", version: "1" }, {}, { hostContext: { theme: "dark" } });
  const ready = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  bridge.addEventListener("sizechange", ({ height }) => heights.push(height));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(answer);
};
`;
