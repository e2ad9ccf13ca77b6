/**
 * A broker of programs in this process, with a resolver of the test's own, and programs that connect to it.
 */
import { connect, type Socket } from "node:net";
import { openProgramBroker, type BrokerSaid, type ProgramBroker } from "../../src/reach/broker/program-broker.ts";
import { settled, until } from "../waits/until.ts";

export interface BrokerOfPrograms extends Disposable {
  readonly broker: ProgramBroker;
  readonly port: number;
  /** The names that were looked up. */
  readonly asked: string[];
  /** What it has put on record. */
  readonly connections: () => object[];
  /** A connection of a program, registered after it was made as keepers do it. */
  readonly program: (how?: { readonly isRegistered?: boolean; readonly list?: number }) => Promise<Program>;
}

export interface Program extends Disposable {
  readonly socket: Socket;
  /** What came, once it fits. */
  readonly heard: (pattern: RegExp) => Promise<string>;
  /** How it ended: with all that came, or with the code of an error. */
  readonly end: Promise<string>;
}

/** @param names a promise is looked up for as long as it takes */
export async function openBroker(
  names: Readonly<Record<string, readonly string[] | Promise<readonly string[]>>>,
): Promise<BrokerOfPrograms> {
  const said: BrokerSaid[] = [];
  const asked: string[] = [];
  const broker = openProgramBroker(
    (one) => said.push(one),
    async (host) => {
      asked.push(host);
      return await Promise.resolve(names[host] ?? []);
    },
  );
  const ready = await until("the broker", () => said.find((one) => "ready" in one));
  const port = "ready" in ready ? ready.ready.port : 0;
  return {
    broker,
    port,
    asked,
    connections: () => said.flatMap((one) => ("connection" in one ? [one.connection] : [])),
    program: async ({ isRegistered = true, list = 1 } = {}) => {
      const program = await connectTo(port);
      const { localPort = 0 } = program.socket;
      if (isRegistered) broker.hear({ register: { port: localPort, program: "cmd_test", list } });
      return program;
    },
    [Symbol.dispose]: () => broker.close(),
  };
}

async function connectTo(port: number): Promise<Program> {
  const socket = connect({ host: "127.0.0.1", port });
  let text = "";
  const end = Promise.withResolvers<string>();
  socket.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  socket.on("error", (error: NodeJS.ErrnoException) => end.resolve(error.code ?? ""));
  socket.on("close", () => end.resolve(text));
  await until("the connection", () => socket.localPort !== undefined && !socket.connecting);
  return {
    socket,
    end: settled("the end of the connection", end.promise),
    heard: async (pattern) =>
      await until(`${String(pattern)} in ${text}`, () => (pattern.test(text) ? text : undefined)),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
