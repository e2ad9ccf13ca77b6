/**
 * A connection to the address that was found for a host, or to the company's proxy, which is asked for it then.
 */
import { connect, type Socket } from "node:net";
import type { Authority } from "../authority.ts";

const CONNECT_MS = 15_000;
const MAX_TRIES = 3;
const MAX_PROXY_HEAD_BYTES: number = 16 * 1024;

export interface Dialled {
  readonly socket: Socket;
  readonly address: string;
}

/** Tries one address after the other. @throws the reason of the last one */
export async function dial(addresses: readonly string[], port: number): Promise<Dialled> {
  const tries = addresses.slice(0, MAX_TRIES);
  for (const [index, address] of tries.entries()) {
    try {
      return { socket: await dialOne(address, port), address };
    } catch (thrown) {
      if (index === tries.length - 1) throw thrown;
    }
  }
  throw new Error("no address");
}

async function dialOne(host: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port, allowHalfOpen: true });
  const timer = setTimeout(() => reject(new Error("no connection in time")), CONNECT_MS);
  socket.once("connect", () => resolve(socket));
  // Later there is nobody to tell: a connection that breaks is one that ends.
  socket.on("error", reject);
  try {
    return await promise;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the proxy for a tunnel. @throws when it refuses */
export async function throughProxy(socket: Socket, { host, port }: Authority): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let head = "";
  const onData = (bytes: Buffer): void => {
    head += bytes.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end < 0 && head.length <= MAX_PROXY_HEAD_BYTES) return;
    socket.off("data", onData);
    socket.pause();
    const rest = Buffer.from(head.slice(end + 4), "latin1");
    if (end >= 0 && rest.length > 0) socket.unshift(rest);
    if (/^HTTP\/1\.[01] 200\b/.test(head)) resolve();
    else reject(new Error(`the proxy answered ${head.slice(0, 60).split("\r\n", 1)[0]}`));
  };
  const timer = setTimeout(() => reject(new Error("the proxy does not answer")), CONNECT_MS);
  const onEnd = (): void => reject(new Error("the proxy has closed the connection"));
  socket.on("data", onData);
  socket.once("close", onEnd);
  socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
  try {
    await promise;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
    socket.off("close", onEnd);
  }
}
