/**
 * One connection of a program, from its first byte to its end: what it asks for, whether its list has that, the address that was
 * found, and then bytes both ways. A program that opens a tunnel and greets another server in it than the one it asked for is cut
 * off before a byte of that has left.
 */
import type { Socket } from "node:net";
import { monotonicMs } from "../../base/index.ts";
import type { Authority } from "../authority.ts";
import type { ReachList } from "../reach-list.ts";
import { readGreeting } from "./client-hello.ts";
import { dial, throughProxy, type Dialled } from "./dial.ts";
import { findWay, literalOf, type WayOut } from "./find-way.ts";
import {
  MAX_CHUNK_LINE_BYTES,
  MAX_HEAD_BYTES,
  parseChunkSize,
  parseRequestHead,
  type ProxyRequest,
} from "./request-head.ts";

/** What goes on record of a connection. */
export interface ServedConnection {
  readonly host: string;
  readonly port: number;
  /** "" where none was dialled. */
  readonly address: string;
  readonly up: number;
  readonly down: number;
  readonly ms: number;
  /** Why it was refused or cut off. */
  readonly why?: string | undefined;
}

const HEAD_MS = 30_000;
const GREETING_MS = 30_000;
/** Nothing goes either way for so long. */
const IDLE_MS: number = 15 * 60 * 1000;
const HTTPS = 443;

/** @returns when it has ended; `undefined` for one that asked for nothing */
export async function serveConnection(
  client: Socket,
  list: ReachList,
  out: WayOut,
): Promise<ServedConnection | undefined> {
  const began = monotonicMs();
  const bytes = new Received(client);
  client.setTimeout(IDLE_MS, () => client.destroy());
  const head = await bytes.until(headEnd, HEAD_MS);
  if (head === undefined) {
    refuse(client, "400 Bad Request");
    return undefined;
  }
  const request = parseRequestHead(bytes.take(head).toString("latin1").slice(0, -4));
  if ("status" in request) {
    refuse(client, request.status);
    return undefined;
  }
  const { target } = request;
  const ended = (end: Partial<ServedConnection>): ServedConnection => ({
    ...target,
    address: "",
    up: 0,
    down: 0,
    ...end,
    ms: Math.round(monotonicMs() - began),
  });
  const way = await findWay(target, list, out);
  if ("why" in way) {
    refuse(client, "403 Forbidden", `ringfence: ${target.host}:${target.port} may not be reached\n`);
    return ended({ why: way.why });
  }
  let dialled: Dialled;
  try {
    dialled = await dial(way.addresses, way.proxy?.port ?? target.port);
    if (way.proxy && request.is === "tunnel") await throughProxy(dialled.socket, target);
  } catch (thrown) {
    refuse(client, "502 Bad Gateway", `ringfence: ${target.host}:${target.port} does not accept the connection\n`);
    return ended({
      why: thrown instanceof Error ? thrown.message.slice(0, 200) : "no connection",
      address: way.addresses[0] ?? "",
    });
  }
  const { address, socket } = dialled;
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  endTogether(client, socket);
  const sent =
    request.is === "tunnel"
      ? await openTunnel(bytes, socket, target)
      : await sendRequest(bytes, socket, request, way.proxy);
  if (sent !== undefined) {
    socket.destroy();
    client.resetAndDestroy();
    return ended({ address, why: sent });
  }
  await closed(client, socket);
  return ended({ address, up: socket.bytesWritten, down: socket.bytesRead });
}

function headEnd(bytes: Buffer): number | "too much" | undefined {
  return endOf(bytes, "\r\n\r\n", MAX_HEAD_BYTES);
}

/** Where what ends with this mark is over. */
function endOf(bytes: Buffer, mark: string, most: number): number | "too much" | undefined {
  const at = bytes.indexOf(mark);
  const end = at < 0 ? bytes.length : at + mark.length;
  if (end > most) return "too much";
  return at < 0 ? undefined : end;
}

/** @returns why the tunnel is cut off, if it is */
async function openTunnel(bytes: Received, server: Socket, target: Authority): Promise<string | undefined> {
  const { client } = bytes;
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  // In some protocols the server speaks first.
  server.pipe(client);
  let why: string | undefined;
  const isKnown = (all: Buffer): number | "too much" | undefined => {
    const greeting = readGreeting(all);
    if (greeting.is === "begun") return undefined;
    why = whyCut(greeting, target);
    return why === undefined ? all.length : "too much";
  };
  // Who never speaks has sent nothing that could be wrong.
  const known = await bytes.until(isKnown, target.port === HTTPS ? GREETING_MS : IDLE_MS);
  if (why !== undefined) return why;
  if (known === undefined) {
    if (!bytes.hasEnded) return "no greeting in time";
    server.end();
    return undefined;
  }
  // More may have come since that was looked at.
  server.write(bytes.take(Infinity));
  if (!server.destroyed) client.pipe(server);
  return undefined;
}

function whyCut(greeting: ReturnType<typeof readGreeting>, { host, port }: Authority): string | undefined {
  if (greeting.is === "malformed") return "its TLS greeting is malformed";
  if (greeting.is === "other") return port === HTTPS ? "it speaks no TLS" : undefined;
  if (greeting.is !== "tls" || literalOf(host) !== undefined) return undefined;
  return greeting.name === host ? undefined : `its TLS greeting asks for ${greeting.name ?? "no host"}`;
}

type PlainRequest = Extract<ProxyRequest, { is: "request" }>;

/** One request and its answer; the connection ends with it, so that no second one follows in the same bytes. */
async function sendRequest(
  bytes: Received,
  server: Socket,
  request: PlainRequest,
  proxy: Authority | undefined,
): Promise<string | undefined> {
  const { client } = bytes;
  server.write(request.head(proxy ? request.url : request.path), "latin1");
  server.pipe(client);
  const { bodyBytes } = request;
  const why = bodyBytes === "chunked" ? await sendChunks(bytes, server) : await sendBytes(bytes, server, bodyBytes);
  // Whatever follows is no part of this request.
  if (why === undefined) client.resume();
  return why;
}

const CUT = "its body is cut";
const NO_CHUNKS = "its body is in no chunks";

async function sendBytes(bytes: Received, server: Socket, length: number): Promise<string | undefined> {
  let left = length;
  while (left > 0 && !server.destroyed) {
    const some = await bytes.until((all) => (all.length > 0 ? Math.min(all.length, left) : undefined), IDLE_MS);
    if (some === undefined) return CUT;
    left -= some;
    if (!server.write(bytes.take(some))) await drained(server);
  }
  return undefined;
}

/** The chunks of a body, each written anew with its size alone. What is no chunk never comes to an end for the server. */
async function sendChunks(bytes: Received, server: Socket): Promise<string | undefined> {
  while (!server.destroyed) {
    const line = await bytes.until(chunkLineEnd, IDLE_MS);
    const size = line === undefined ? undefined : parseChunkSize(bytes.take(line).toString("latin1"));
    if (size === undefined) return NO_CHUNKS;
    if (size === 0) return await endChunks(bytes, server);
    server.write(`${size.toString(16)}\r\n`);
    const why = await sendBytes(bytes, server, size);
    if (why !== undefined) return why;
    const end = await bytes.until(({ length }) => (length >= 2 ? 2 : undefined), IDLE_MS);
    if (end === undefined || bytes.take(end).toString("latin1") !== "\r\n") return NO_CHUNKS;
    server.write("\r\n");
  }
  return undefined;
}

/** The last chunk without the trailers that may follow it; most often there are none. */
async function endChunks(bytes: Received, server: Socket): Promise<string | undefined> {
  const trailers = await bytes.until(trailersEnd, IDLE_MS);
  if (trailers === undefined) return CUT;
  bytes.take(trailers);
  server.write("0\r\n\r\n");
  return undefined;
}

function chunkLineEnd(bytes: Buffer): number | "too much" | undefined {
  return endOf(bytes, "\r\n", MAX_CHUNK_LINE_BYTES);
}

function trailersEnd(bytes: Buffer): number | "too much" | undefined {
  return bytes.indexOf("\r\n") === 0 ? 2 : headEnd(bytes);
}

async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ["drain", "close"]) socket.once(event, () => resolve());
  await promise;
}

/** A server that breaks off does not end what it says, so a pipe from it ends nothing. */
function endTogether(client: Socket, server: Socket): void {
  client.once("close", () => server.destroy());
  if (client.destroyed) server.destroy();
  // A pipe to a server that closes pauses the client first, and a paused client never closes.
  void closed(server).then(() => client.end().resume());
}

async function closed(...sockets: readonly Socket[]): Promise<void> {
  const all = sockets.map(async (socket) => {
    if (socket.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("close", () => resolve());
    await promise;
  });
  await Promise.all(all);
}

function refuse(client: Socket, status: string, text = ""): void {
  const length = Buffer.byteLength(text);
  client.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
  client.resume();
}

/** What a program has sent and nobody has taken; it is asked for more only when it is wanted. */
class Received {
  readonly client: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  hasEnded = false;

  constructor(client: Socket) {
    this.client = client;
    client.once("end", () => (this.hasEnded = true));
    client.once("close", () => (this.hasEnded = true));
  }

  /** @param look says how many bytes are wanted, once that is known. @returns `undefined` when it never will be */
  async until(look: (all: Buffer) => number | "too much" | undefined, ms: number): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const check = (): void => {
      const seen = look(this.#bytes);
      if (seen === "too much") resolve(undefined);
      else if (seen !== undefined) resolve(seen);
      else if (this.hasEnded) resolve(undefined);
    };
    const onData = (bytes: Buffer): void => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      check();
    };
    const timer = setTimeout(() => resolve(undefined), ms);
    this.client.on("data", onData);
    for (const event of ["end", "close"]) this.client.on(event, check);
    check();
    this.client.resume();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.client.pause();
      this.client.off("data", onData);
      for (const event of ["end", "close"]) this.client.off(event, check);
    }
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}
