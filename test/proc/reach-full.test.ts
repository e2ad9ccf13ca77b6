/**
 * A program in a network that is a list, and a listener that has no room for one connection more: the program waits for it, as it
 * would without a list.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { component } from "../components/component.ts";
import { until } from "../waits/until.ts";
import { openReachHost } from "./reach-host.ts";

const python = component("python3");

/** Fills its own queue, and takes what is in it when it is told to. */
const LISTENER = `
import socket, sys
server = socket.socket(socket.AF_UNIX); server.bind(sys.argv[1]); server.listen(0)
kept = []
while True:
    one = socket.socket(socket.AF_UNIX); one.setblocking(False)
    try: one.connect(sys.argv[1])
    except BlockingIOError: break
    kept.append(one)
print("full", flush=True)
sys.stdin.readline()
while True: kept.append(server.accept())
`;

/** Says after a while that it still waits. */
const PROGRAM = `
import os, socket, sys, threading
threading.Timer(0.3, lambda: open(sys.argv[2], "w").close()).start()
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    print("connected", flush=True)
except OSError as error: print(error.strerror, flush=True)
os._exit(0)
`;

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-full-")));
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "program.py"), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasLandlock() || python.isMissing)(`a listener without room${python.note}`, () => {
  test(`a program that waits for a unix socket without room is connected when there is some${python.note}`, async () => {
    const [path, waits] = [join(folder, "socket"), join(folder, "out", "waits")];
    const listener = Bun.spawn(["python3", "-c", LISTENER, path], { stdin: "pipe", stdout: "pipe" });
    try {
      const { value } = await listener.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toStartWith("full");
      // What is called python3 may be a script that looks for it.
      const where = Bun.spawnSync(["python3", "-c", "import sys; print(sys.executable, sys.base_prefix, sep='\\n')"]);
      const [program = "", home = ""] = where.stdout.toString().split("\n");
      const command = {
        description: "A test.",
        program,
        args: [join(folder, "program.py"), path, waits],
        changes: false,
        reads: [folder, home],
        writes: [join(folder, "out")],
        network: { reach: ["127.0.0.1:1"], unix: true },
      };
      await using host = openReachHost({ commands: { connect: command } });
      const call = host.call("cmd_connect");
      const over = call.then(() => true);
      await until("the program to wait or end", async () => existsSync(waits) || (await Promise.race([over, false])));
      await listener.stdin.write("\n");
      await listener.stdin.flush();
      expect((await call).text).toContain("connected");
    } finally {
      listener.kill();
      await listener.exited;
    }
  });
});
