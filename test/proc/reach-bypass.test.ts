/**
 * Ways past a list of hosts: a program tries all of them against a listener that is not listed, as a command, as a hook and
 * as another server, with Landlock's rules for TCP and without. No byte arrives. The same program without a list delivers.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { createSocket, type Socket } from "node:dgram";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { component } from "../components/component.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";
import { openReachHost } from "./reach-host.ts";

const gcc = component("gcc");
const SOURCE = join(import.meta.dir, "..", "fixtures", "reach", "bypass.c");

/** What arrived where nothing should, and where it may. */
const arrived = { secret: [] as string[], listed: [] as string[], unix: [] as string[] };
let folder = "";
let servers: readonly Server[] = [];
let datagrams: Socket | undefined;
let [secret, listed] = [0, 0];

beforeAll(async () => {
  if (gcc.isMissing) return;
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-bypass-")));
  mkdirSync(join(folder, "out"));
  const compiled = Bun.spawnSync(["gcc", "-O1", "-Wall", "-Werror", "-o", join(folder, "bypass"), SOURCE, "-lpthread"]);
  if (compiled.exitCode !== 0) throw new Error(compiled.stderr.toString());
  servers = [taking(arrived.secret), taking(arrived.listed), taking(arrived.unix), taking(arrived.unix)];
  const [one, other, path, abstract] = servers as [Server, Server, Server, Server];
  // Both families: `::` takes IPv4 as well.
  await new Promise<void>((resolve) => one.listen(0, "::", resolve));
  await new Promise<void>((resolve) => other.listen(0, "::", resolve));
  await new Promise<void>((resolve) => path.listen(unixPath(), resolve));
  await new Promise<void>((resolve) => abstract.listen(`\0${unixPath()}`, resolve));
  [secret, listed] = [one, other].map((server) => (server.address() as { port: number }).port) as [number, number];
  const udp = createSocket({ type: "udp6" }).on("message", (bytes) => arrived.secret.push(bytes.toString("latin1")));
  await new Promise<void>((resolve) => udp.bind(secret, "::", resolve));
  datagrams = udp;
});

afterAll(() => {
  for (const server of servers) server.close();
  datagrams?.close();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

function taking(into: string[]): Server {
  return createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => into.push(bytes.toString("latin1")));
  });
}

function unixPath(): string {
  return join(folder, "socket");
}

interface Attacker {
  readonly args: string[];
  readonly results: () => Promise<ReadonlyMap<string, string>>;
}

/** What is declared of it besides, wherever it is declared. */
function given(network: unknown): object {
  return { reads: [folder], writes: [join(folder, "out")], network };
}

function attacker(name: string): Attacker {
  const file = join(folder, "out", name);
  rmSync(file, { force: true });
  for (const bytes of Object.values(arrived)) bytes.length = 0;
  const read = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return {
    args: [file, String(secret), String(listed), unixPath()],
    async results() {
      await until("the end of the program", () => /^done done$/m.test(read()));
      const lines = read().trimEnd().split("\n");
      return new Map(lines.map((line) => line.split(" ") as [string, string]));
    },
  };
}

type As = (attack: Attacker, network: unknown) => [config: object, start: (host: TestHost) => Promise<unknown>];

const program = (): string => join(folder, "bypass");

const ways: readonly (readonly [as: string, way: As])[] = [
  [
    "a command",
    ({ args }, network) => [
      { commands: { bypass: { description: "A test.", program: program(), args, changes: false, ...given(network) } } },
      async (host) => await host.call("cmd_bypass"),
    ],
  ],
  [
    "a hook",
    ({ args }, network) => [
      {
        hooks: [{ tool: "list_directory", before: [program(), ...args], timeout_ms: 60_000, ...given(network) }],
      },
      async (host) => await host.call("list_directory", { path: "." }),
    ],
  ],
  [
    "another server",
    ({ args }, network) => [
      { upstream: { bypass: { command: program(), args, ...given(network) } } },
      async (host) => {
        await host.host.registry();
        // It speaks no protocol, and is looked at as one that might.
        await host.host.upstreams
          ?.server("bypass")
          .look()
          .catch(() => undefined);
      },
    ],
  ],
];

const REACHED: readonly string[] = ["listed", "listed-mapped", "child-listed"];

describe.skipIf(!hasLandlock() || gcc.isMissing)(`a program with a list of hosts${gcc.note}`, () => {
  const cases = ways.flatMap(([as, way]) => [false, true].map((alone) => ({ as, way, alone })));
  test.each(cases.map((one) => [`${one.as}${one.alone ? ", without Landlock's rules for TCP" : ""}`, one] as const))(
    "a program that is %s gets no byte past its list",
    async (_name, { way, alone }) => {
      const attack = attacker("results");
      const [config, start] = way(attack, { reach: [`127.0.0.1:${listed}`] });
      await using host = openReachHost(config, { supervisedOnly: alone });
      await start(host);
      const results = await attack.results();
      expect(
        [...results]
          .filter(([, said]) => said === "worked")
          .map(([name]) => name)
          .sort(),
      ).toEqual([...REACHED].sort());
      expect(results.size).toBeGreaterThan(35);
      await until("what may arrive", () => REACHED.every((name) => arrived.listed.join("").includes(name)));
      expect(arrived.secret).toEqual([]);
      expect(arrived.unix).toEqual([]);
    },
  );

  test("a program without a list delivers in most of these ways, so that they are ways", async () => {
    const attack = attacker("open");
    const [config, start] = ways[0]![1](attack, "all");
    await using host = openReachHost({ ...config, fence: "off" });
    await start(host);
    const results = await attack.results();
    const worked = [...results].filter(([, said]) => said === "worked").map(([name]) => name);
    for (const name of ["udp", "wrong-address", "wrong-address-6", "wrong-address-mapped", "unix", "unix-abstract"])
      expect(worked).toContain(name);
    await until("what arrives", () => ["udp", "wrong-address"].every((name) => arrived.secret.join("").includes(name)));
    expect(arrived.unix.join("")).toContain("unix");
  });

  test("a program whose list says so reaches unix sockets that have a path, and nothing else besides", async () => {
    const attack = attacker("unix");
    const [config, start] = ways[0]![1](attack, { reach: [`127.0.0.1:${listed}`], unix: true });
    await using host = openReachHost(config);
    await start(host);
    const results = await attack.results();
    const worked = [...results].filter(([, said]) => said === "worked").map(([name]) => name);
    expect(worked.sort()).toEqual([...REACHED, "unix"].sort());
    await until("what arrives", () => arrived.unix.includes("unix"));
    expect(arrived.secret).toEqual([]);
  });
});
