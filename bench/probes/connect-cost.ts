/**
 * A program of its own: what one connection costs a program whose network is a list, over the same program with the whole
 * network. The listener is an address on this machine, so that nothing but the supervisor is measured. From source, with
 * Python as the program; prints microseconds as JSON: `bun bench/probes/connect-cost.ts`.
 *
 * Budget: 50 us more.
 */
import { createServer } from "node:net";
import { openCommandHost } from "../../test/proc/command-host.ts";
import { median } from "../quantiles.ts";

const ROUNDS = 7;
const CONNECTIONS = 2000;

const server = createServer((socket) => socket.on("error", () => undefined).end());
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1024, resolve));
const { port } = server.address() as { port: number };

const text = `
import socket, time
took = []
for _ in range(${CONNECTIONS}):
    s = socket.socket(); begun = time.perf_counter(); s.connect(("127.0.0.1", ${port})); took.append(time.perf_counter() - begun); s.close()
took.sort(); print("us", took[len(took) // 2] * 1e6)
`;
const program = { description: "Connects.", program: "/usr/bin/python3", args: ["-c", text], changes: false };
const commands = {
  open: { ...program, network: "internet" as const },
  listed: { ...program, network: { reach: [`127.0.0.1:${port}`] } },
};

async function measure(name: keyof typeof commands): Promise<number> {
  const { text: said } = await host.call(`cmd_${name}`);
  return Number(/^us (.*)$/m.exec(said)?.[1]);
}

const host = openCommandHost({ config: { fence: "require", commands } });
try {
  const took: Record<keyof typeof commands, number[]> = { open: [], listed: [] };
  // In turn, because the machine is not the same from one moment to the next.
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ["open", "listed"] as const) took[name].push(await measure(name));
  const [open, listed] = [median(took.open), median(took.listed)];
  const rounded = [open, listed, listed - open].map((one) => Number(one.toFixed(1)));
  console.log(JSON.stringify({ openUs: rounded[0], listedUs: rounded[1], moreUs: rounded[2] }));
} finally {
  await host[Symbol.asyncDispose]();
  server.close();
}
process.exit(0);
