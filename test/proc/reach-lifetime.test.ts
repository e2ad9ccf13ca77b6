/**
 * What happens to a network that is a list when a part of it dies, and when a program asks much of it: no call hangs, the
 * next one works, and nothing is left.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { component } from "../components/component.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { descendantsOf } from "../../src/proc/tree/processes.ts";
import { until } from "../waits/until.ts";
import { script } from "./command-host.ts";
import { commandLineOf, findLauncher, goneSoon } from "./find-running.ts";
import { openReachHost } from "./reach-host.ts";

const curl = component("curl");
let server: ReturnType<typeof Bun.serve> | undefined;
/** Takes connections, says who they are when somebody is there, and ends them. */
let plain: Server | undefined;

beforeAll(async () => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  plain = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    socket.end("taken\n");
  });
  await new Promise<void>((resolve) => plain?.listen(0, "127.0.0.1", 512, resolve));
});

afterAll(() => {
  void server?.stop(true);
  plain?.close();
});

const BROKER = "stand-in-broker.ts";

function web(): string {
  return `web.test:${server?.port}`;
}

function plainPort(): number {
  const address = plain?.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function open(commands: Record<string, object>): TestHost {
  return openReachHost({ commands: commands as never });
}

const get = (before = ""): object =>
  script(`${before}curl -sS -m 20 http://${web()}/`, { network: { reach: [web()] }, timeout_ms: 60_000 });

/** The process of the last host's launcher that has this in its command line. */
function partOf(mark: string): number | undefined {
  return descendantsOf(findLauncher()).find((pid) => commandLineOf(pid).includes(mark));
}

async function brokerOf(known = 0): Promise<number> {
  return await until("the broker", () => [partOf(BROKER)].find((pid) => pid !== undefined && pid !== known));
}

describe.skipIf(!hasLandlock() || curl.isMissing)(`a network that is a list${curl.note}`, () => {
  test("a network that is a list is there again after its broker was killed, also for a program that runs", async () => {
    await using host = open({ get: get(), slow: get("mkfifo gate; read x < gate; ") });
    expect((await host.call("cmd_get")).text).toContain("hello");
    const slow = host.call("cmd_slow");
    await until("the program", () => existsSync(join(host.root, "gate")));
    const first = await brokerOf();
    process.kill(first, "SIGKILL");
    expect((await host.call("cmd_get")).text).toContain("hello");
    expect(await brokerOf(first)).not.toBe(first);
    await openGate(join(host.root, "gate"));
    expect((await slow).text).toContain("hello");
  });

  test("a program that waits for its broker to start makes other connections meanwhile", async () => {
    const gate = join(mkdtempSync(join(tmpdir(), "ringfence-gate-")), "open");
    await using starting = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        if (url.endsWith("/open")) writeFileSync(gate, "");
        return new Response("listed");
      },
    });
    const address = `127.0.0.1:${starting.port}`;
    // The last of them lets the broker start, which the first connection waits for.
    const line =
      `curl -sS -m 20 http://${web()}/ & for n in $(seq 20); do curl -sS --noproxy '*' http://${address}/$n; done; ` +
      `curl -sS --noproxy '*' http://${address}/open; wait`;
    const both = script(line, { network: { reach: [web(), address] }, timeout_ms: 60_000 });
    await using host = openReachHost({ commands: { both } as never }, { brokerArgs: [gate] });
    const { text } = await host.call("cmd_both");
    expect(text).toContain("listed".repeat(21));
    expect(text).toContain("hello");
    rmSync(dirname(gate), { recursive: true });
  });

  test("a program that was killed while it waited for its broker is not connected when the broker is there", async () => {
    const gate = join(mkdtempSync(join(tmpdir(), "ringfence-gate-")), "open");
    await using starting = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => (writeFileSync(gate, ""), new Response("")),
    });
    const address = `127.0.0.1:${starting.port}`;
    const line =
      `curl -s -m 20 http://${web()}/ & gone=$!; sleep 1; kill -9 $gone; wait $gone; ` +
      `curl -sS -m 20 http://${web()}/ & curl -sS --noproxy '*' http://${address}/open; wait`;
    const late = script(line, { network: { reach: [web(), address] }, timeout_ms: 60_000 });
    await using host = openReachHost({ commands: { late } as never }, { brokerArgs: [gate] });
    expect((await host.call("cmd_late")).text).toContain("hello");
    expect(readdirSync(dirname(gate)).filter((name) => name.startsWith("open."))).toHaveLength(1);
    rmSync(dirname(gate), { recursive: true });
  });

  test("a network that is a list ends with its supervisor, and so does the program; the next call works", async () => {
    // A connection is answered after the keeper has said that the program runs; one that is killed before has started none.
    const answered = `curl -s -o /dev/null http://${web()}/; `;
    await using host = open({ get: get(), slow: get(`${answered}mkfifo gate; sleep 97449 & read x < gate; `) });
    const slow = host.call("cmd_slow");
    await until("the program", () => existsSync(join(host.root, "gate")));
    const program = await until("what it started", () => partOf("sleep 97449"));
    process.kill(keeperOf(program), "SIGKILL");
    expect((await slow).text).toContain("SIGKILL");
    await goneSoon("sleep 97449");
    expect((await host.call("cmd_get")).text).toContain("hello");
  });

  test("a network that is a list leaves no broker behind when the launcher is killed", async () => {
    await using host = open({ get: get() });
    expect((await host.call("cmd_get")).text).toContain("hello");
    const broker = await brokerOf();
    process.kill(findLauncher(), "SIGKILL");
    await until("the end of the broker", () => commandLineOf(broker) === "");
  });

  test("a network that is a list takes connections of many threads at once, and of programs that never wait", async () => {
    const text = `
import asyncio, socket, threading
port, taken = ${plainPort()}, []
def one():
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port), 30) as s: taken.append(s.makefile().read())
threads = [threading.Thread(target=one) for _ in range(20)]
[t.start() for t in threads]; [t.join() for t in threads]
async def many():
    async def ask():
        r, w = await asyncio.open_connection("127.0.0.1", port)
        taken.append((await r.read()).decode()); w.close()
    await asyncio.gather(*[ask() for _ in range(100)])
asyncio.run(many())
print(len(taken), set(taken))
`;
    await using host = open({ many: pythonScript(text) });
    expect((await host.call("cmd_many")).text).toContain("500 {'taken\\n'}");
  });

  test("a network that is a list tells a program what the kernel would: refused, wrong, or made already", async () => {
    const text = `
import errno, os, signal, socket
def say(what, f):
    try: f(); print(what, "worked")
    except OSError as e: print(what, errno.errorcode[e.errno])
taken = ("127.0.0.1", ${plainPort()})
s = socket.socket(); s.connect(taken)
say("again", lambda: s.connect(taken))
say("closed", lambda: socket.socket().connect(("127.0.0.1", CLOSED)))
say("unlisted", lambda: socket.socket().connect(("127.0.0.2", 80)))
say("no socket", lambda: socket.socket(fileno=os.dup(0)).connect(taken))
n = socket.socket(); n.setblocking(False); code = n.connect_ex(taken)
import select; select.select([], [n], [])
print("never waits", code in (0, errno.EINPROGRESS), n.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), n.getblocking())
b = socket.socket(); b.connect(taken); print("waits", b.getblocking(), os.get_blocking(b.fileno()))
hits = []
signal.signal(signal.SIGALRM, lambda *a: hits.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
for _ in range(300): c = socket.socket(); c.connect(taken); c.close()
signal.setitimer(signal.ITIMER_REAL, 0)
print("with signals", len(hits) > 0)
`;
    const closed = await closedPort();
    await using host = open({
      tell: pythonScript(text.replace("CLOSED", String(closed)), [`127.0.0.1:${closed}`]),
    });
    const lines = (await host.call("cmd_tell")).text.split("\n").slice(1);
    expect(lines.filter((line) => line !== "")).toEqual([
      "again EISCONN",
      "closed ECONNREFUSED",
      "unlisted EACCES",
      "no socket ENOTSOCK",
      "never waits True 0 False",
      "waits True True",
      "with signals True",
    ]);
  });
});

function pythonScript(text: string, more: readonly string[] = []): object {
  const reach = [`127.0.0.1:${plainPort()}`, ...more];
  const args = ["-c", text];
  return { description: "A test.", program: "/usr/bin/python3", args, changes: false, network: { reach } };
}

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as { port: number };
  await new Promise((resolve) => gone.close(resolve));
  return port;
}

/** Lets a program go on that waits to read from it. */
async function openGate(path: string): Promise<void> {
  await Bun.spawn(["/bin/sh", "-c", 'echo > "$1"', "sh", path]).exited;
}

function keeperOf(pid: number): number {
  for (let at = pid; ;) {
    const parent = parentOf(at);
    if (parent === findLauncher() || parent === 0) return at;
    at = parent;
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
}
