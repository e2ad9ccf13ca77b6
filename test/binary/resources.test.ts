/**
 * Resources, subscriptions, prompts and completion with the compiled binary behind its fence, in both eras; and that
 * subscriptions leave nothing behind.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { SDK_CLIENTS } from "./sdk-clients.ts";
import { until } from "../waits/until.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
};
const URI = "ringfence://root/0/a.txt";
const isUpdate = ({ method }: WireMessage): boolean => method === "notifications/resources/updated";

async function shakeHands(host: ServeProcess): Promise<WireMessage> {
  const clientInfo = { name: "t", version: "1" };
  return await host.ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
}

function replace(place: Place, name: string, text: string): void {
  writeFileSync(join(place.root, "new.txt"), text);
  renameSync(join(place.root, "new.txt"), join(place.root, name));
}

test("what is declared is there, in both eras", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\n");
  await using host = await ServeProcess.start(place);
  const wanted = { resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} };
  expect((await host.ask(2, "server/discover", { _meta: MODERN })).result?.["capabilities"]).toMatchObject(wanted);
  expect((await shakeHands(host)).result?.["capabilities"]).toMatchObject(wanted);
  let id = 10;
  for (const _meta of [{}, MODERN]) {
    const ask = async (method: string, params: object = {}): Promise<WireMessage> =>
      await host.ask(++id, method, { ...params, _meta });
    const { result: list } = await ask("resources/list");
    expect(list?.resources?.[0]?.uri).toBe("ringfence://root/0/");
    expect((await ask("resources/read", { uri: URI })).result?.contents?.[0]?.text).toBe("one\n");
    expect((await ask("prompts/list")).result?.["prompts"]).toHaveLength(3);
    const prompt = await ask("prompts/get", { name: "explain_file", arguments: { path: "a.txt" } });
    expect(prompt.result?.messages?.[1]?.content.resource?.text).toBe("one\n");
    const ref = { type: "ref/resource", uri: "ringfence://root/0/{+path}" };
    const { result: completed } = await ask("completion/complete", {
      ref,
      argument: { name: "path", value: "" },
    });
    expect(completed?.completion?.values).toEqual(["a.txt"]);
  }
  expect(await host.close()).toBe(0);
});

describe.skipIf(process.platform !== "linux").each(SDK_CLIENTS)("%s", (_name, connect) => {
  test("an official client finds nothing wrong with resources, prompts and completion", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "one\n");
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir];
    await using client = await connect({ command: await binaryPath(), args, env: {} });
    const { resources, resourceTemplates } = await client.listResources();
    expect(resources?.[0]?.uri).toBe("ringfence://root/0/");
    expect(resourceTemplates).toHaveLength(2);
    expect((await client.readResource(URI)).contents?.[0]?.text).toBe("one\n");
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(3);
    expect((await client.getPrompt("tour_project", {})).messages?.[0]?.content.text).toContain("a.txt");
    expect(await client.completePath("ringfence://root/0/{+path}", "a")).toEqual(["a.txt"]);
    const missing = await client.readResource("ringfence://root/0/none").then(String, String);
    expect(missing).toContain("no resource");
  });
});

describe("a subscription", () => {
  test("a subscription of each era hears of a replaced file once, in one process", async () => {
    using place = new Place();
    const uris = { "a.txt": URI, "b.txt": "ringfence://root/0/b.txt" };
    for (const name of Object.keys(uris)) writeFileSync(join(place.root, name), "one\n");
    await using host = await ServeProcess.start(place);
    await shakeHands(host);
    for (const uri of Object.values(uris)) await host.ask(uri, "resources/subscribe", { uri });
    host.request("s", "subscriptions/listen", {
      notifications: { resourceSubscriptions: Object.values(uris) },
      _meta: MODERN,
    });
    await host.find(({ method }) => method === "notifications/subscriptions/acknowledged");
    const updatesOf = (uri: string): WireMessage[] =>
      host.messages.filter((message) => isUpdate(message) && message.params?.["uri"] === uri);
    // The second is seen by a later look than the first, which would tell the first again.
    for (const [name, uri] of Object.entries(uris)) {
      replace(place, name, "two\n");
      await host.find(() => updatesOf(uri).length >= 2);
    }
    const isModern = updatesOf(URI).map(({ params }) => params?.["_meta"] !== undefined);
    expect(isModern.filter(Boolean)).toHaveLength(1);
    expect(host.messages.filter(isUpdate)).toHaveLength(4);
    expect(await host.close()).toBe(0);
    expect(host.messages.find(({ id }) => id === "s")?.result?.["resultType"]).toBe("complete");
  });

  test("a subscription leaves no descriptor behind, however often", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "one\n");
    await using host = await ServeProcess.start(place);
    await shakeHands(host);
    const descriptors = (): number => readdirSync(`/proc/${host.child.pid}/fd`).length;
    let id = 10;
    const round = async (): Promise<void> => {
      await host.ask(++id, "resources/subscribe", { uri: URI });
      await host.ask(++id, "resources/unsubscribe", { uri: URI });
    };
    for (let count = 0; count < 20; count++) await round();
    // It begins a moment after the first call, and has descriptors of its own.
    await until("the thread that watches", () => threadNames(host.child.pid).includes("watch"));
    for (let count = 0; count < 20; count++) await round();
    const before = descriptors();
    for (let count = 0; count < 300; count++) await round();
    expect(descriptors()).toBeLessThanOrEqual(before);
  });
});

function threadNames(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, "latin1").trim());
}
