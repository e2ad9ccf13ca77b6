/**
 * What the usual servers die of, sent to the real binary: huge lines, deep nesting, broken bytes, floods, a reader that
 * never reads. After each of them the process must still answer, or have ended as it should, within a bound of memory.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { Place, residentBytes, ServeProcess } from "./serve-process.ts";
import { restOf } from "../waits/at-rest.ts";
import { HANG_MS, settled, until } from "../waits/until.ts";

const MB = 1024 * 1024;
const MAX_RESIDENT_BYTES = 256 * MB;
/** What a pipe takes before its writer must wait (pipe(7)). */
const PIPE_BYTES: number = 64 * 1024;
const isLinux = process.platform === "linux";

async function expectAlive(host: ServeProcess): Promise<void> {
  expect((await host.ask("alive", "ping")).result).toEqual({});
  if (isLinux) expect(residentBytes(host.child.pid)).toBeLessThan(MAX_RESIDENT_BYTES);
}

describe("a line that is not a message", () => {
  const cases: [name: string, line: string | Uint8Array, code: number][] = [
    ["not JSON", "hello\n", -32700],
    ["a million nested brackets", `${"[".repeat(1_000_000)}\n`, -32600],
    ["a million closed brackets", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}\n`, -32600],
    ["invalid UTF-8", Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p\xff"}\n', "latin1"), -32700],
    ["a NUL", '{"jsonrpc":"2.0",\u0000"id":1,"method":"ping"}\n', -32700],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600],
    ["id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}\n', -32600],
    ["no version", '{"id":1,"method":"ping"}\n', -32600],
    ["a number", "5\n", -32600],
  ];
  test.each(cases)("a line that is not a message does not end the host: %s", async (_name, line, code) => {
    using place = new Place();
    await using host = await ServeProcess.start(place);
    host.send(line);
    const refused = await host.find(({ error }) => error !== undefined);
    expect(refused.error?.code).toBe(code);
    await expectAlive(host);
    expect(host.messages).toHaveLength(2);
    expect(await host.close()).toBe(0);
    expect(await host.stderr).toBe("");
  });

  test("an empty line is nothing", async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place);
    host.send("\n\r\n\n");
    await expectAlive(host);
    expect(host.messages).toHaveLength(1);
  });

  test("200 MB in one line: refused with its id, in bounded memory, and the next line is answered", async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place);
    host.send('{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"x":"');
    const megabyte = Buffer.alloc(MB, "a");
    for (let sent = 0; sent < 200; sent++) {
      await host.child.stdin.write(megabyte);
      await host.child.stdin.flush();
    }
    host.send('"}}\n');
    const refused = await host.find(({ error }) => error !== undefined);
    expect(refused).toMatchObject({ id: "big", error: { code: -32600 } });
    await expectAlive(host);
  });
});

describe("the end of the input", () => {
  test("a whole message without its newline is answered", async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place);
    host.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(await host.close()).toBe(0);
    expect(host.messages).toEqual([{ jsonrpc: "2.0", id: 1, result: {} } as never]);
  });

  test("half a message is an error", async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place);
    host.send('{"jsonrpc":"2.0","id":1,"meth');
    expect(await host.close()).toBe(0);
    expect(host.messages).toMatchObject([{ error: { code: -32700 } }]);
  });

  test.skipIf(process.platform === "win32").each(["</dev/null", "<&-"])("stdin is %s: exit 0", async (how) => {
    using place = new Place();
    const line = `exec "$0" serve --root "$1" --state-dir "$2" ${how}`;
    const child = Bun.spawn(["sh", "-c", line, await binaryPath(), place.root, place.stateDir], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: HANG_MS,
    });
    expect(await child.exited).toBe(0);
    expect(await child.stdout.text()).toBe("");
    expect(await child.stderr.text()).toBe("");
  });
});

describe("a flood", () => {
  test("10,000 requests at once: each is answered once, in bounded memory", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "a.txt"), "some text\n");
    await using host = await ServeProcess.start(place);
    const lines: string[] = [];
    for (let id = 1; id <= 10_000; id++)
      lines.push(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "read_file", arguments: { path: "a.txt" } },
        }),
      );
    host.send(`${lines.join("\n")}\n`);
    await host.find(() => host.messages.length === 10_000);
    expect(new Set(host.messages.map(({ id }) => id)).size).toBe(10_000);
    expect(host.messages.filter(({ result }) => result?.["isError"] !== undefined)).toEqual([]);
    await expectAlive(host);
    expect(await host.close()).toBe(0);
  });

  test.skipIf(!isLinux)("a reader that never reads: memory stays bounded, and its end ends the host", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "big.txt"), "0123456789abcdef\n".repeat(12_000));
    const { reader, child } = await startUnread(place);
    for (let id = 1; id <= 6000; id++) {
      const params = { name: "read_file", arguments: { path: "big.txt" } };
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
    }
    void child.stdin.flush();
    await until("a full pipe", () => writtenBytes(child.pid) >= PIPE_BYTES);
    await until("the host to hold", restOf(child.pid));
    const resident = residentBytes(child.pid);
    closeSync(reader);
    const code = await settled("the end of the host", child.exited);
    expect(resident).toBeLessThan(MAX_RESIDENT_BYTES);
    expect(code).toBe(0);
  });

  test.skipIf(!isLinux)("a reader that went away: the host ends by itself", async () => {
    using place = new Place();
    const { reader, child } = await startUnread(place);
    void child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    void child.stdin.flush();
    await until("the first answer", () => canRead(reader));
    closeSync(reader);
    void child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    void child.stdin.flush();
    expect(await settled("the end of the host", child.exited)).toBe(0);
    expect(await child.stderr.text()).toBe("");
  });
});

/** The host writes into a named pipe whose other end is `reader`. */
async function startUnread(place: Place): Promise<{ reader: number; child: Bun.Subprocess<"pipe", number, "pipe"> }> {
  const fifo = join(place.path, "fifo");
  if (Bun.spawnSync(["mkfifo", fifo]).exitCode !== 0) throw new Error("mkfifo failed");
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(fifo, constants.O_WRONLY);
  const binary = await binaryPath();
  const child = Bun.spawn([binary, "serve", "--root", place.root, "--state-dir", place.stateDir], {
    stdin: "pipe",
    stdout: writer,
    stderr: "pipe",
  });
  closeSync(writer);
  return { reader, child };
}

function writtenBytes(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}

/** Takes something out of a pipe that is never waited for. */
function canRead(fd: number): boolean {
  try {
    return readSync(fd, Buffer.alloc(4096)) > 0;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return false;
    throw thrown;
  }
}
