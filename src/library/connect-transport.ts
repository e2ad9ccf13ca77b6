/**
 * A host in this process behind a transport of the program's own: bytes or messages come in, and everything after that is as
 * over standard input and output, with the same session, limits, pipeline and record.
 *
 * One at a time: what a session remembers of its calls, and the roots of its client, are those of the host.
 */
import { Failure, limits } from "../base/index.ts";
import { aboutHost, createHostService, type Host } from "../host/index.ts";
import { Session } from "../mcp/index.ts";
import { createFrames, readFrames, Writer, type Frames, type LineSink } from "../wire/index.ts";

/** A way for messages, in the shape of `Transport` of the MCP SDK. */
export interface MessageTransport {
  start?(): Promise<void>;
  send(message: object): Promise<void> | void;
  close(): Promise<void> | void;
  /** Set by the host before `start`. */
  onmessage?: ((message: never) => void) | undefined;
  /** Set by the host; one that is there already is called first. */
  onclose?: (() => void) | undefined;
  /** Called for what is no message. */
  onerror?: ((error: Error) => void) | undefined;
}

/** Both directions of a connection, as newline-delimited JSON in UTF-8: a socket, or the pipes of a process. */
export interface ByteStreams {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** A client that speaks to the host over a transport. */
export interface TransportConnection extends AsyncDisposable {
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  /** Gives up the calls under way and closes the transport. */
  close(): Promise<void>;
}

export interface Connections {
  connect(transport: MessageTransport): Promise<TransportConnection>;
  serve(streams: ByteStreams): Promise<void>;
  close(): Promise<void>;
}

/** @param opened called after each session was made, which has set the listeners of the host */
export function createConnections(host: Host, opened: () => void): Connections {
  let current: TransportConnection | undefined;
  let isClosed = false;

  const begin = (): void => {
    if (isClosed) throw new Failure("cancelled", "Cannot connect: the host was closed");
    if (current)
      throw new Failure("conflict", "Cannot connect: this host has a connection already", {
        hint: "Close that one first, or make another host: several may work on the same roots.",
      });
  };
  const hold = (connection: TransportConnection): void => {
    current = connection;
    void connection.closed.then(() => (current = undefined));
  };

  return {
    async connect(transport) {
      begin();
      const connection = openMessages(host, transport);
      hold(connection);
      opened();
      await transport.start?.();
      return connection;
    },
    async serve(streams) {
      begin();
      const { connection, served } = openBytes(host, streams);
      hold(connection);
      opened();
      await served;
    },
    async close() {
      isClosed = true;
      await current?.close();
    },
  };
}

interface Conversation {
  readonly session: Session;
  readonly writer: Writer;
  readonly frames: Frames;
  /** Nothing more is begun, and what was begun has ended. */
  readonly end: () => Promise<void>;
}

function openConversation(host: Host, sink: LineSink): Conversation {
  const writer = new Writer(sink, { maxQueueBytes: limits.MAX_OUTPUT_QUEUE_BYTES });
  host.isOutputHeld = () => writer.queuedBytes >= limits.MAX_OUTPUT_QUEUE_BYTES;
  const session = new Session(writer, (...way) => createHostService(host, aboutHost(host), ...way));
  return {
    session,
    writer,
    frames: createFrames({ maxBytes: limits.MAX_FRAME_BYTES, maxDepth: limits.MAX_JSON_DEPTH }),
    async end() {
      session.endInput();
      session.cancelAll();
      await session.settled();
      host.isOutputHeld = () => false;
    },
  };
}

function openMessages(host: Host, transport: MessageTransport): TransportConnection {
  const send = async (text: string): Promise<void> => {
    for (const line of text.split("\n").filter((one) => one !== "")) await transport.send(JSON.parse(line) as object);
  };
  const { session, frames, end } = openConversation(host, { write: send, flush: () => undefined });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let ending: Promise<void> | undefined;
  const finish = async (): Promise<void> => await (ending ??= end().then(resolve));
  transport.onmessage = (message: unknown) => {
    try {
      // As text, so that a message of any size and depth meets the same limits as over a pipe.
      frames.push(Buffer.from(`${JSON.stringify(message)}\n`), (frame) => session.receive(frame));
    } catch (thrown) {
      transport.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
  const before = transport.onclose;
  transport.onclose = () => {
    before?.();
    void finish();
  };
  const close = async (): Promise<void> => {
    await finish();
    await transport.close();
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

function openBytes(
  host: Host,
  { readable, writable }: ByteStreams,
): { readonly connection: TransportConnection; readonly served: Promise<void> } {
  const out = writable.getWriter();
  const write = async (text: string): Promise<void> => await out.write(Buffer.from(text));
  const { session, writer, frames, end } = openConversation(host, { write, flush: () => undefined });
  const stop = new AbortController();
  writer.onBroken(() => stop.abort());
  const input = readable.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: stop.signal });
  const run = async (): Promise<void> => {
    try {
      await readFrames(input, frames, {
        onFrame: (frame) => session.receive(frame),
        afterChunk: () => session.afterChunk(),
      });
      session.endInput();
      await session.settled();
    } catch {
      // Whoever sends has gone, or the connection was closed: nobody waits for the answers.
    }
    await end();
    await writer.close();
    await out.close().catch(() => undefined);
  };
  const served = run();
  const close = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  return { served, connection: { closed: served, close, [Symbol.asyncDispose]: close } };
}
