/**
 * The fence around a command: a program that tries to get out of it cannot, and the same program without the fence can, so
 * that the first half cannot pass by accident. Its environment holds what was meant and nothing else.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { openCommandHost, script } from "./command-host.ts";

const PROGRAM = join(import.meta.dir, "..", "fixtures", "programs", "attempts.ts");
/** What the runtime and the program are read from. */
const READS = [dirname(realpathSync(process.execPath)), dirname(PROGRAM)];

let outside = "";
let listeners: readonly Server[] = [];
let port = 0;
/** Stands for the host: whoever may trace it stops it. */
let victim: Bun.Subprocess | undefined;

beforeAll(async () => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-outside-")));
  const tcp = createServer((socket) => socket.end());
  const unix = createServer((socket) => socket.end());
  listeners = [tcp, unix];
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => unix.listen(join(outside, "socket"), resolve));
  port = (tcp.address() as { port: number }).port;
  victim = Bun.spawn(["/bin/sleep", "36000"]);
});

afterAll(() => {
  victim?.kill("SIGKILL");
  for (const listener of listeners) listener.close();
  rmSync(outside, { recursive: true, force: true });
});

async function attempt(fence: string, more: object = {}): Promise<ReadonlyMap<string, string>> {
  mkdirSync(join(outside, ".ssh"), { recursive: true });
  writeFileSync(join(outside, ".ssh", "id_ed25519"), "SECRET");
  writeFileSync(join(outside, "victim.txt"), "SECRET");
  const args = ["run", PROGRAM, outside, String(victim?.pid), String(port), join(outside, "socket")];
  const escape = { description: "x", program: process.execPath, args, reads: READS, ...more };
  await using host = openCommandHost({ config: { fence, commands: { escape } } });
  const { text, all } = await host.call("cmd_escape");
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  if (lines.length === 0) throw new Error(all);
  return new Map(
    lines.map((line) => {
      const { what, outcome } = JSON.parse(line) as { what: string; outcome: string };
      return [what, outcome];
    }),
  );
}

describe.skipIf(!hasLandlock())("a command", () => {
  test("behind its fence reaches nothing outside", async () => {
    const outcomes = await attempt("require");
    const inside = [...outcomes].filter(([what]) => what.startsWith("inside"));
    expect(inside.map(([, outcome]) => outcome)).toEqual(Array.from({ length: 5 }, () => "worked"));
    const others = [...outcomes].filter(([what]) => !what.startsWith("inside"));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(([, outcome]) => outcome === "worked")).toEqual([]);
    expect(readdirSync(outside).sort()).toEqual([".ssh", "socket", "victim.txt"]);
    expect(readFileSync(join(outside, "victim.txt"), "utf8")).toBe("SECRET");
  });

  test("a program without the fence reaches all of it", async () => {
    const outcomes = await attempt("off");
    for (const what of ["read a secret", "list", "environment of the host", "signal", "a TCP socket", "TCP connection"])
      expect([what, outcomes.get(what)]).toEqual([what, "worked"]);
  });

  test("a program with a network has that, and still no sockets of this machine's programs", async () => {
    const outcomes = await attempt("require", { network: "internet" });
    expect(outcomes.get("TCP connection")).toBe("worked");
    for (const what of ["a unix socket", "a netlink socket", "a pair of datagrams", "read a secret"])
      expect([what, outcomes.get(what) === "worked"]).toEqual([what, false]);
  });

  test("a command leaves no file behind that runs with the rights of its owner", async () => {
    const text = "touch a; chmod 700 a; chmod u+s a; chmod g+s a; stat -c %a a";
    await using host = openCommandHost({
      config: { fence: "require", commands: { mark: script(text) } as never },
    });
    expect((await host.call("cmd_mark")).text).toMatch(/\n700(?:\n|$)/);
    expect(statSync(join(host.root, "a")).mode & 0o7777).toBe(0o700);
  });

  test("a command may have less memory than the runtime that starts it takes, and no more than that", async () => {
    const text = "ulimit -d; printf 'x%.0s' $(seq 1 100)";
    const greedy = "ulimit -d; head -c 100000000 /dev/zero | tail -n 1 | wc -c";
    await using host = openCommandHost({
      config: {
        fence: "require",
        commands: {
          small: script(text, { memory_mb: 16 }),
          greedy: script(greedy, { memory_mb: 16 }),
        } as never,
      },
    });
    expect((await host.call("cmd_small")).text).toMatch(/^16384\nx{100}$/m);
    expect((await host.call("cmd_greedy")).text).not.toContain("100000000");
  });

  test("a command cannot change a root for reading, nor take back what was limited", async () => {
    const readOnly = join(outside, "kept");
    mkdirSync(readOnly, { recursive: true });
    await using host = openCommandHost({
      config: {
        fence: "require",
        roots: [`${readOnly}:ro`],
        commands: {
          change: script("echo x > new.txt; ulimit -f unlimited; ulimit -f; head -c 3000000 /dev/zero > $TMPDIR/big", {
            file_mb: 1,
          }),
        } as never,
      },
    });
    const { text } = await host.call("cmd_change");
    expect(readdirSync(readOnly)).toEqual([]);
    expect(text).not.toContain("unlimited\n");
    rmSync(readOnly, { recursive: true });
  });
});

describe.skipIf(process.platform === "win32")("the environment of a command", () => {
  test("the environment of a command holds what is named and nothing that steers", async () => {
    const secrets = {
      RF_API_TOKEN: "s3cret",
      GIT_SSH_COMMAND: "evil",
      NODE_OPTIONS: "--x",
      RF_PLAIN: "plain",
    };
    Object.assign(process.env, secrets);
    try {
      const env = script("env", {
        environment: { GIT_PAGER: "cat", LD_PRELOAD: "evil.so", NODE_OPTIONS: "--y", OWN: "yes" },
        inherit: ["RF_PLAIN", "GIT_SSH_COMMAND"],
      });
      await using host = openCommandHost({ config: { commands: { env } as never } });
      const { text } = await host.call("cmd_env");
      for (const there of ["OWN=yes", "RF_PLAIN=plain", "GIT_PAGER=cat", "HOME=/"]) expect(text).toContain(there);
      for (const absent of ["s3cret", "evil", "NODE_OPTIONS", "LD_PRELOAD", "RINGFENCE_START", "BUN_"])
        expect(text).not.toContain(absent);
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });
});
