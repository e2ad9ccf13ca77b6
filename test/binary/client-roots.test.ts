/**
 * The compiled binary with a client that offers roots: the official SDK, which answers `roots/list` by itself, and one
 * that cannot answer.
 */
import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { binaryPath } from "./build-binary.ts";
import { plantWorkspace, textOf } from "./sdk-session.ts";
import { Place, ServeProcess, type CallResult, type WireMessage } from "./serve-process.ts";

describe.skipIf(process.platform !== "linux")("a client with roots", () => {
  test("SDK v1: narrowed at the start, changed, never wider than the command line", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    let offered = ["src"];
    const client = new Client(
      { name: "ringfence-test", version: "1" },
      { capabilities: { roots: { listChanged: true } } },
    );
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: offered.map((path) => ({ uri: pathToFileURL(join(place.root, path)).href })),
    }));
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir];
    await client.connect(new StdioClientTransport({ command: await binaryPath(), args, env: { HOME: place.path } }));
    const read = async (path: string): Promise<string> =>
      textOf((await client.callTool({ name: "read_file", arguments: { path } })) as CallResult);
    const offer = async (...paths: string[]): Promise<void> => {
      offered = paths;
      await client.sendRootsListChanged();
    };
    try {
      expect(await read("a.txt")).toStartWith("outside_scope: ");
      expect(await read("src/main.ts")).toContain("TODO");
      await offer("..");
      expect(await read("a.txt")).toContain("one");
      expect(await read("../state/audit")).toStartWith("outside_scope: ");
      await offer("../state");
      expect(await read("src/main.ts")).toContain("have nothing in common");
      await offer(".");
      expect(await read("src/main.ts")).toContain("TODO");
    } finally {
      await client.close();
    }
    const lines = readdirSync(join(place.stateDir, "audit"))
      .map((name) => readFileSync(join(place.stateDir, "audit", name), "utf8"))
      .join("")
      .trim()
      .split("\n");
    const roots = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "roots");
    expect(roots.map(({ within }) => within)).toEqual([[join(place.root, "src")], "all", [], "all"]);
  });

  test("one that answers with errors: they are told once, and the roots stay", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    await using host = await ServeProcess.start(place);
    await host.ask(1, "initialize", { capabilities: { roots: { listChanged: true } } });
    for (const method of ["notifications/initialized", "notifications/roots/list_changed"]) {
      const seen = host.messages.length;
      host.send({ jsonrpc: "2.0", method });
      const { id } = await host.find((message) => host.messages.indexOf(message) >= seen);
      host.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } });
    }
    host.call(2, "read_file", { path: "a.txt" });
    expect(textOf((await host.answer(2)).result ?? {})).toContain("one");
    expect(await host.close()).toBe(0);
    const told = (await host.stderr).split("\n").filter((line) => line.includes("roots"));
    expect(told).toEqual([
      "ringfence: the roots of the client are not known, the roots stay as they are: it answered roots/list with the error -32601",
    ]);
  });

  test("one with an empty list, as the MCP Inspector answers: the roots of the command line hold", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    await using host = await ServeProcess.start(place);
    await host.ask(1, "initialize", { capabilities: { roots: {} } });
    host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { id = null } = await host.find(({ method }) => method === "roots/list");
    host.send({ jsonrpc: "2.0", id, result: { roots: [] } });
    host.call(2, "stat", { path: "a.txt" });
    expect(textOf((await host.answer(2)).result ?? {})).toStartWith("path: a.txt\n");
  });

  test("one that closes a root: stderr and the next instructions say it, and a key keeps it open", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    const other = join(place.path, "other");
    mkdirSync(other);
    writeFileSync(join(other, "o.txt"), "o\n");
    writeFileSync(join(place.path, "ignore.json"), JSON.stringify({ client_roots: "ignore" }));
    const open = async (...args: string[]): Promise<ServeProcess> =>
      await ServeProcess.start(place, { args: [`--root=${other}:ro`, ...args] });
    for (const args of [["--client-roots=ignore"], ["--config", join(place.path, "ignore.json")]]) {
      await using host = await open(...args);
      await greet(host, 1);
      host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      host.call(2, "read_file", { path: join(other, "o.txt") });
      expect(textOf((await host.answer(2)).result ?? {})).toEndWith("\no\n");
    }
    await using host = await open();
    expect(await greet(host, 1)).not.toContain("closed");
    host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { id = null } = await host.find(({ method }) => method === "roots/list");
    host.send({ jsonrpc: "2.0", id, result: { roots: [{ uri: pathToFileURL(place.root).href }] } });
    host.call(2, "read_file", { path: join(other, "o.txt") });
    const said = `closed the root "${other}": it offered only "${place.root}"`;
    expect(textOf((await host.answer(2)).result ?? {})).toContain(`The client ${said}`);
    expect(await greet(host, 3)).toContain(`The client ${said}`);
    expect(await host.close()).toBe(0);
    const told = (await host.stderr).split("\n").filter((line) => line.includes("root"));
    expect(told).toEqual([expect.stringContaining(`ringfence: the client ${said}`)]);
    expect(told[0]).toContain("--client-roots=ignore");
  });

  test("one that leaves without an answer: its calls are answered, while another host still waits for its own", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    await using waiting = await ServeProcess.start(place);
    await using left = await ServeProcess.start(place);
    // Reading is warm, so that after its handshake the second has next to nothing left to do.
    for (const host of [waiting, left]) {
      host.call(1, "read_file", { path: "a.txt" });
      await host.answer(1);
    }
    askAndCall(waiting);
    await waiting.find(({ method }) => method === "roots/list");
    askAndCall(left);
    expect(await left.close()).toBe(0);
    expect(textOf((await left.answer(3)).result ?? {})).toContain("one");
    expect(waiting.messages.filter(({ id }) => id === 3)).toEqual([]);
  });

  test("more calls than may be in flight do not keep its answer from being read", async () => {
    using place = new Place();
    plantWorkspace(place.root);
    await using host = await ServeProcess.start(place);
    const capabilities = { roots: {} };
    const clientInfo = { name: "test", version: "1" };
    await host.ask("hello", "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
    host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (let id = 1; id <= 2000; id++) host.call(id, "read_file", { path: "a.txt" });
    const { id } = await host.find(({ method }) => method === "roots/list");
    host.send({
      jsonrpc: "2.0",
      id,
      result: { roots: [{ uri: pathToFileURL(join(place.root, "src")).href }] },
    });
    const answered = (): WireMessage[] => host.messages.filter(({ result }) => result?.["content"] !== undefined);
    for (let call = 1; call <= 2000; call++) await host.answer(call);
    // A host that did not read the answer would go on in its own roots after a while.
    expect(answered().filter(({ result }) => !textOf(result ?? {}).startsWith("outside_scope: "))).toEqual([]);
  });
});

/** A handshake with a question of the host, and a call that waits for its answer. */
function askAndCall(host: ServeProcess): void {
  host.request(2, "initialize", { capabilities: { roots: {} } });
  host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  host.call(3, "read_file", { path: "a.txt" });
}

/** @returns the instructions */
async function greet(host: ServeProcess, id: number): Promise<string> {
  const { result } = await host.ask(id, "initialize", { capabilities: { roots: {} } });
  return String(result?.["instructions"]);
}
