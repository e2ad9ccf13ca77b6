/**
 * `serve` behind the kernel fence, from outside: what it says of it, that every thread is in it, what it keeps of the way
 * it was started, and that the desktop is reached through a launcher which trusts nothing.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "./build-binary.ts";
import { createLaunch } from "../../src/proc/index.ts";
import { hasLandlock } from "./has-landlock.ts";
import { settled, until } from "../waits/until.ts";
import { Place, ServeProcess, type WireMessage } from "./serve-process.ts";
import { takeSocket } from "./take-descriptor.ts";

let binary = "";
let place: Place;

beforeAll(async () => {
  binary = await binaryPath();
});
beforeEach(() => {
  place = new Place();
  writeFileSync(join(place.root, "a.txt"), "alpha\n");
});
afterEach(() => place[Symbol.dispose]());

function textOf(message: WireMessage): string {
  return String(message.result?.["content"]?.at(-1)?.text);
}

async function fenceOf(host: ServeProcess): Promise<string> {
  host.call("info", "system_info");
  return /^fence: (.*)$/m.exec(textOf(await host.answer("info")))?.[1] ?? "";
}

function tasksOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => readFileSync(`/proc/${pid}/task/${task}/status`, "utf8"));
}

/** What the descriptors from 3 on lead to, without what the runtime makes for itself. */
function filesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .filter((fd) => Number(fd) > 2)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    .filter((target) => target.startsWith("/") && !target.startsWith("/proc/"));
}

/** Asleep or not; others of the machine may end while they are looked at. */
function launchersOf(pid: number): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      const isChild = new RegExp(`\\) [A-Y] ${pid} `).test(readFileSync(`/proc/${name}/stat`, "utf8"));
      return isChild && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("ringfence");
    } catch {
      return false;
    }
  });
}

describe.skipIf(!hasLandlock())("serve behind the fence", () => {
  test("serve behind the fence says so to the model, the client and the record", async () => {
    await using host = await ServeProcess.start(place, { args: ["--fence=require"] });
    const about = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const answer = await host.ask(1, "initialize", about);
    expect(answer.result?.["instructions"]).toMatch(/Held by: kernel \(Landlock ABI \d+/);
    expect(await fenceOf(host)).toMatch(/^kernel \(Landlock ABI \d+, no sockets, no programs\)$/);
    expect(await host.close()).toBe(0);
    const [record = ""] = readdirSync(place.stateDir, { recursive: true }).filter((name) =>
      String(name).endsWith(".jsonl"),
    );
    expect(readFileSync(join(place.stateDir, String(record)), "utf8")).toContain('"fence":"kernel');
  });

  test("serve is behind the fence by default, with every thread, workers too", async () => {
    await using host = await ServeProcess.start(place);
    host.call(1, "read_file", { path: "a.txt" });
    host.call(2, "write_file", { path: "b.txt", content: "b" });
    await host.answer(1);
    await host.answer(2);
    const tasks = tasksOf(host.child.pid);
    expect(tasks.length).toBeGreaterThan(4);
    for (const status of tasks) {
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      expect(status).toMatch(/^Seccomp:\s*2$/m);
    }
  });

  test("serve behind the fence keeps arguments and environment", async () => {
    const odd = join(place.path, "root with spaces, ü and $(x)");
    mkdirSync(odd);
    writeFileSync(join(odd, "b.txt"), "bravo\n");
    const env = { XDG_STATE_HOME: join(place.path, "xdg") };
    const command = ["serve", "--root", odd, "--deny=*.pem"];
    await using host = await ServeProcess.start(place, { command, env });
    host.call(1, "read_file", { path: "b.txt" });
    expect(textOf(await host.answer(1))).toBe("bravo\n");
    expect(existsSync(join(place.path, "xdg", "ringfence", "audit"))).toBe(true);
  });

  test("serve behind the fence holds no descriptor that the client left open", async () => {
    const secret = join(place.path, "secret.txt");
    writeFileSync(secret, "TOPSECRET");
    const leaked = [openSync(secret, "r"), openSync(place.path, "r")];
    const child = Bun.spawn([binary, "serve", "--root", place.root, "--state-dir", place.stateDir], {
      stdio: ["pipe", "pipe", "pipe", leaked[0] ?? 0, leaked[1] ?? 0],
    });
    try {
      void child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"system_info"}}\n');
      void child.stdin.flush();
      const { done } = await settled("its answer", child.stdout.getReader().read());
      expect(done ? await child.stderr.text() : "").toBe("");
      const open = filesOf(child.pid);
      expect(open).toContain(place.root);
      expect(open).not.toContain(secret);
      expect(open).not.toContain(place.path);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("serve behind the fence works when the client closed stderr", async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt"}}}';
    const script = `printf '%s\\n' '${line}' | '${binary}' serve --root '${place.root}' --state-dir '${place.stateDir}' 2>&-`;
    const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", script]);
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toContain("alpha");
  });

  test("a root that leads elsewhere after the way in is refused by the kernel too", async () => {
    await using host = await ServeProcess.start(place);
    expect(await fenceOf(host)).toContain("kernel");
    symlinkSync("/etc", join(place.root, "way"));
    host.call(2, "read_file", { path: "way/passwd" });
    expect(textOf(await host.answer(2))).toContain("outside the roots");
  });

  test("moves, copies, deletes and undo folders work inside it", async () => {
    await using host = await ServeProcess.start(place, { args: ["--fence=require", "--mode=bypass"] });
    const steps: [string, object][] = [
      ["create_directory", { path: "d/e" }],
      ["move", { source: "a.txt", destination: "d/e/b.txt" }],
      ["copy", { source: "d", destination: "f", recursive: true }],
      ["edit_file", { path: "f/e/b.txt", edits: [{ old_text: "alpha", new_text: "beta" }] }],
      ["delete", { path: "d", recursive: true }],
    ];
    for (const [at, [tool, given]] of steps.entries()) {
      host.call(at, tool, given);
      const answer = await host.answer(at);
      expect([tool, answer.result?.["isError"], textOf(answer)]).toEqual([tool, undefined, textOf(answer)]);
    }
    expect(readFileSync(join(place.root, "f", "e", "b.txt"), "utf8")).toBe("beta\n");
    expect(existsSync(join(place.root, "d"))).toBe(false);
  });
});

describe("the fence", () => {
  test("switched off is said", async () => {
    await using host = await ServeProcess.start(place, { args: ["--fence=off"] });
    expect(await fenceOf(host)).toBe("handles only (switched off)");
  });

  test("required where it cannot be had ends the start", () => {
    const main = join(REPOSITORY, "src", "main.ts");
    const command = [process.execPath, main, "serve", "--root", place.root, "--state-dir", place.stateDir];
    const { exitCode, stdout, stderr } = Bun.spawnSync([...command, "--fence=require"]);
    expect([exitCode, stdout.toString()]).toEqual([3, ""]);
    expect(stderr.toString()).toContain("only the compiled executable can be fenced");
  });

  test("auto goes on and says so where system calls cannot be filtered, require ends the start", async () => {
    const fixture = join(import.meta.dir, "..", "fixtures", "fence", "refusing.ts");
    const command = [fixture, "seccomp", binary, "serve", "--root", place.root, "--state-dir", place.stateDir];
    {
      await using host = await ServeProcess.start(place, { binary: process.execPath, command });
      expect(await fenceOf(host)).toContain("cannot be filtered");
      await host.close();
      expect(await host.stderr).toContain("no kernel fence: system calls cannot be filtered here (seccomp)");
    }
    await using host = await ServeProcess.start(place, {
      binary: process.execPath,
      command,
      args: ["--fence=require"],
    });
    expect(await host.endInput()).toBe(3);
    expect(await host.stderr).toContain("system calls cannot be filtered here");
  });

  test("a configuration that can be read only once is enough for both starts", async () => {
    const pipe = join(place.path, "config.json");
    Bun.spawnSync(["mkfifo", pipe]);
    const written = writeFile(pipe, '{"read_only": true}');
    await using host = await ServeProcess.start(place, { binary, args: [`--config=${pipe}`, "--fence=require"] });
    await written;
    expect(JSON.stringify(await host.ask(1, "tools/list"))).not.toContain('"write_file"');
  });

  test("the fence is not believed to hold because a variable says so", () => {
    const command = [binary, "serve", "--root", place.root, "--state-dir", place.stateDir];
    const env = { ...process.env, RINGFENCE_START: "behind-fence:7:6" };
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env });
    expect([exitCode, stdout.toString()]).toEqual([3, ""]);
    expect(stderr.toString()).toContain("says that it is behind the kernel fence, and it is not");
  });
});

describe.skipIf(!hasLandlock())("the launcher", () => {
  let env: Record<string, string> = {};
  let opened = "";

  beforeEach(() => {
    const bin = join(place.path, "bin");
    opened = join(place.path, "opened");
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    env = { DISPLAY: ":0", PATH: `${bin}:${process.env["PATH"]}` };
  });

  async function openedPath(): Promise<string> {
    return await until(`a path in ${opened}`, () => (existsSync(opened) && readFileSync(opened, "utf8")) || undefined);
  }

  test("the launcher opens for a fenced host, and ends with it", async () => {
    await using host = await ServeProcess.start(place, { env });
    expect(await fenceOf(host)).toContain("kernel");
    const [launcher = ""] = launchersOf(host.child.pid);
    expect(launcher).not.toBe("");
    host.call(1, "open_path", { path: "a.txt" });
    expect(textOf(await host.answer(1))).toContain("handed to the desktop");
    expect(await openedPath()).toBe(join(place.root, "a.txt"));
    expect(await host.close()).toBe(0);
    await until("the end of the launcher", () => !isAlive(launcher));
  });

  test("takes no opener from where the tools can write", async () => {
    const planted = join(place.path, "planted");
    writeFileSync(join(place.root, "xdg-open"), `#!/bin/sh\ntouch '${planted}'\n`);
    chmodSync(join(place.root, "xdg-open"), 0o755);
    const path = `${place.root}:.:${env["PATH"]}`;
    await using host = await ServeProcess.start(place, {
      env: { DISPLAY: ":0", PATH: path },
      cwd: place.root,
    });
    host.call(1, "open_path", { path: "a.txt" });
    expect(textOf(await host.answer(1))).toContain("handed to the desktop");
    // One program is started for a call, and it was the right one.
    expect(await openedPath()).toBe(join(place.root, "a.txt"));
    expect(existsSync(planted)).toBe(false);
  });

  test("the launcher is not started where nothing is offered that starts programs", async () => {
    await using host = await ServeProcess.start(place);
    expect(await fenceOf(host)).toContain("kernel");
    expect(launchersOf(host.child.pid)).toEqual([]);
  });

  test("the launcher opens nothing outside for a host that was taken over", async () => {
    symlinkSync("/etc/passwd", join(place.root, "way"));
    writeFileSync(join(place.root, "key.pem"), "");
    await using host = await ServeProcess.start(place, { env, args: ["--deny", "*.pem"] });
    expect(await fenceOf(host)).toContain("kernel");
    // Whoever took it over speaks in its stead.
    const fd = takeSocket(host.child.pid);
    host.child.kill("SIGSTOP");
    const launch = createLaunch(fd);
    try {
      for (const path of ["/etc/passwd", join(place.root, "way"), join(place.root, "..", "bin", "xdg-open")])
        await expect(launch("open", { path })).rejects.toThrow("outside the roots");
      await expect(launch("open", { path: join(place.root, "key.pem") })).rejects.toThrow("a deny rule");
      const shell = { kind: "shell" as const, command: `touch ${opened}` };
      await expect(launch("run", shell)).rejects.toThrow("no commands are declared");
      expect(existsSync(opened)).toBe(false);
      await launch("reveal", { path: join(place.root, "a.txt") });
      expect(await openedPath()).toBe(place.root);
    } finally {
      await launch.end();
    }
  });
});

function isAlive(pid: string): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}
