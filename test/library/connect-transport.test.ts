/**
 * A host in this process behind transports of the program's own: the SDK's client over a pair of messages, and lines over a
 * pair of streams, through the same pipeline, limits and record as over standard input and output.
 */
import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHost, type LocalHost } from "ringfence";
import { z } from "zod";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\n" };

async function connectClient(host: LocalHost, capabilities: object = {}): Promise<Client> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "over messages", version: "1" }, { capabilities });
  await host.connect(mine);
  await client.connect(theirs);
  return client;
}

/** The text of a call over the SDK. */
async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { readonly text?: string }[]).at(-1)?.text ?? "";
}

describe("connect()", () => {
  test("connect() serves a client of the SDK, and the program calls beside it", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ rules: [{ deny: "stat" }], client: "the program" });
    const client = await connectClient(host);
    expect(client.getServerVersion()?.name).toBe("ringfence");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      (await host.listTools()).map(({ name }) => name),
    );
    expect(await textOf(client, "read_file", { path: "a.txt" })).toBe("one\n");
    expect(await textOf(client, "stat", { path: "a.txt" })).toStartWith("denied: ");
    expect((await host.callTool("read_file", { path: "a.txt" })).text).toBe("one\n");
    const events = await host.events();
    await textOf(client, "read_file", { path: "a.txt" });
    const { value } = await events.next();
    expect([value?.event, value?.["client"]]).toEqual(["proposed", "over messages"]);
    await client.close();
  });

  test("connect() lets a client answer for its person, and tells it that tools came", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const client = await connectClient(host, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { decision: "apply" } }));
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
    await textOf(client, "write_file", { path: "b.txt", content: "b" });
    expect(place.read("b.txt")).toBe("b");
    await host.tools.register({ name: "hi", description: "Hi.", input: z.object({}), execute: () => "hi" });
    await changed.promise;
    expect(await textOf(client, "hi", {})).toBe("hi");
  });

  test("connect() takes one connection at a time, and another when it is over", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    const connection = await host.connect(mine);
    expect(await codeOf(host.connect(InMemoryTransport.createLinkedPair()[0]))).toBe("conflict");
    await theirs.close();
    await connection.closed;
    const client = await connectClient(host);
    expect(await textOf(client, "read_file", { path: "a.txt" })).toBe("one\n");
    await host.close();
    expect(await codeOf(host.connect(InMemoryTransport.createLinkedPair()[0]))).toBe("cancelled");
  });

  test("connect() answers what is too deep or too long with an error, and goes on", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    const errors: string[] = [];
    mine.onerror = (error) => errors.push(error.message);
    await host.connect(mine);
    const answers: { readonly id?: unknown; readonly error?: { readonly code: number }; readonly result?: object }[] =
      [];
    const third = Promise.withResolvers<void>();
    theirs.onmessage = (message) => {
      if (answers.push(message as (typeof answers)[number]) === 3) third.resolve();
    };
    let deep: unknown = {};
    for (let level = 0; level < 500; level++) deep = { deep };
    const send = async (message: object): Promise<void> => await theirs.send(message as never);
    await send({ jsonrpc: "2.0", id: 1, method: "ping", params: { deep } });
    await send({ jsonrpc: "2.0", id: 2, method: "ping", params: { long: "x".repeat(70_000_000) } });
    await send({ jsonrpc: "2.0", id: 3n, method: "ping" });
    await send({ jsonrpc: "2.0", id: 4, method: "ping" });
    await third.promise;
    expect(answers.map(({ id, error }) => [id, error !== undefined])).toEqual([
      [1, true],
      [2, true],
      [4, false],
    ]);
    expect(errors.length).toBe(1);
  });
});

/** Both ends of a pair of streams. */
function pair() {
  const [input, output] = [
    new TransformStream<Uint8Array, Uint8Array>(),
    new TransformStream<Uint8Array, Uint8Array>(),
  ];
  return {
    streams: { readable: input.readable, writable: output.writable },
    writer: input.writable.getWriter(),
    answers: new Response(output.readable).text(),
  };
}

function call(id: number, name: string, args: object): Uint8Array {
  return Buffer.from(
    `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`,
  );
}

describe("serve()", () => {
  test("serve() answers every call before the streams end", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const { streams, writer, answers } = pair();
    const served = host.serve(streams);
    for (let id = 1; id <= 3; id++) await writer.write(call(id, "read_file", { path: "a.txt" }));
    await writer.close();
    await served;
    const lines = (await answers)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number });
    expect(lines.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  test("serve() ends with the host, and with an output that nobody reads", async () => {
    using place = new Workspace(FILES);
    const host = await createHost({ roots: [place.root], stateDir: place.stateDir });
    const gone = pair();
    const broken = host.serve({ readable: gone.streams.readable, writable: brokenOutput() });
    await gone.writer.write(call(1, "read_file", { path: "a.txt" }));
    await broken;
    const open = pair();
    const served = host.serve(open.streams);
    expect(await codeOf(host.serve(pair().streams))).toBe("conflict");
    await host.close();
    await served;
    expect(await open.answers).toBe("");
  });
});

function brokenOutput(): WritableStream<Uint8Array> {
  return new WritableStream({
    write() {
      throw new Error("gone");
    },
  });
}
