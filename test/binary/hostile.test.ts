/**
 * The promise of the build, on the real binary: neither the folder it is started in nor the environment it is given can
 * make it run other code, become a raw Bun, open a port or write a file. The last group shows that the traps work, on a
 * binary that was compiled without our flags and patches.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { plantHostileFolder, type HostileFolder } from "./hostile-folder.ts";
import { tcpSocketsOf } from "./open-sockets.ts";
import { HANG_MS } from "../waits/until.ts";

const INSPECT_PORT = 9377;

/** What an attacker who controls the environment would try, and what must then not be in `outside`. */
const ENVIRONMENTS: [name: string, env: (outside: string) => Record<string, string>][] = [
  ["nothing but the folder", () => ({})],
  ["BUN_BE_BUN", () => ({ BUN_BE_BUN: "1" })],
  ["BUN_OPTIONS --preload", () => ({ BUN_OPTIONS: "--preload ./evil.ts" })],
  ["BUN_OPTIONS --config", () => ({ BUN_OPTIONS: "--config=./bunfig.toml" })],
  ["BUN_OPTIONS --cwd", () => ({ BUN_OPTIONS: "--cwd=/" })],
  ["BUN_OPTIONS --cpu-prof", (outside) => ({ BUN_OPTIONS: `--cpu-prof --cpu-prof-dir=${outside}` })],
  ["BUN_OPTIONS --inspect", () => ({ BUN_OPTIONS: `--inspect=127.0.0.1:${INSPECT_PORT}` })],
  ["BUN_INSPECT", () => ({ BUN_INSPECT: `ws://127.0.0.1:${INSPECT_PORT}/x` })],
  ["BUN_INSPECT_CONNECT_TO", () => ({ BUN_INSPECT_CONNECT_TO: `ws://127.0.0.1:${INSPECT_PORT}/x` })],
  ["BUN_INSPECT_PRELOAD", () => ({ BUN_INSPECT_PRELOAD: "./evil.ts" })],
  ["NODE_OPTIONS", () => ({ NODE_OPTIONS: "--require ./evil.js" })],
  ["BUN_JSC_dumpOptions", () => ({ BUN_JSC_dumpOptions: "1" })],
  ["BUN_JSC_ with a file", (outside) => ({ BUN_JSC_useTextMarkers: "1", BUN_JSC_textMarkersDirectory: outside })],
  ["BUN_BYTECODE_ORDER_OUT", (outside) => ({ BUN_BYTECODE_ORDER_OUT: join(outside, "order") })],
  ["BUN_BYTECODE_DIGEST_OUT", (outside) => ({ BUN_BYTECODE_DIGEST_OUT: join(outside, "digest") })],
  ["BUN_TRACE", (outside) => ({ BUN_TRACE: join(outside, "trace") })],
  ["NODE_V8_COVERAGE", (outside) => ({ NODE_V8_COVERAGE: outside })],
];

let binary = "";
let folder: HostileFolder;
let planted: string[] = [];

beforeAll(async () => {
  binary = await binaryPath();
  folder = plantHostileFolder();
  planted = folder.listing();
});

afterAll(() => {
  folder[Symbol.dispose]();
});

describe("in a hostile folder, with", () => {
  test.each(ENVIRONMENTS)("%s: --version prints what it prints elsewhere", async (_name, env) => {
    const clean = await run(binary, ["--version"], { cwd: folder.outside });
    const hostile = await run(binary, ["--version"], { cwd: folder.path, env: env(folder.outside) });
    expect(hostile).toEqual(clean);
    expect(clean.code).toBe(0);
    expect(clean.stdout).toContain("ringfence");
    expectUntouched();
  });

  test.skipIf(process.platform !== "linux").each(ENVIRONMENTS)(
    "%s: serve answers, without a socket",
    async (_name, env) => {
      const answer = await serveOnce(env(folder.outside));
      expect(answer).toMatchObject({ jsonrpc: "2.0", id: 1, result: { serverInfo: { name: "ringfence" } } });
      expectUntouched();
    },
  );

  test("all of it at once: arguments are not Bun's", async () => {
    const env = Object.assign({}, ...ENVIRONMENTS.map(([, make]) => make(folder.outside))) as Record<string, string>;
    for (const args of [
      ["-e", "require('./evil.js')"],
      ["run", "./evil.ts"],
      ["./evil.ts"],
      ["--preload", "./evil.ts"],
    ]) {
      const result = await run(binary, args, { cwd: folder.path, env });
      expect(result.code).not.toBe(0);
      expectUntouched();
    }
  });
});

describe("the traps are real: in a binary of a plain `bun build --compile`", () => {
  test("each of the main ones runs", async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), "ringfence-plain-"));
    const plain = join(temporary.path, "plain");
    await Bun.write(join(temporary.path, "main.ts"), "console.log('main');\n");
    const build = await run(process.execPath, ["build", "--compile", "main.ts", `--outfile=${plain}`], {
      cwd: temporary.path,
    });
    expect(build.code).toBe(0);
    using trap = plantHostileFolder();
    await run(plain, [], { cwd: trap.path });
    expect(trap.markers()).toEqual(["bunfig"]);
    await run(plain, [], { cwd: trap.path, env: { BUN_OPTIONS: "--preload ./evil.ts" } });
    expect(trap.markers()).toContain("preload");
    const raw = await run(plain, ["--version"], { cwd: trap.outside, env: { BUN_BE_BUN: "1" } });
    expect(raw.stdout.trim()).toBe(Bun.version);
    const options = await run(plain, [], { cwd: trap.outside, env: { BUN_JSC_dumpOptions: "1" } });
    expect(options.stdout + options.stderr).toContain("dumpOptions");
  });
});

function expectUntouched(): void {
  expect(folder.markers()).toEqual([]);
  expect(folder.listing()).toEqual(planted);
  expect(readdirSync(folder.outside).filter((name) => name !== "state")).toEqual([]);
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function environment(extra: Record<string, string> = {}): Record<string, string> {
  const state = join(folder.outside, "state");
  return { PATH: process.env["PATH"] ?? "", HOME: state, XDG_STATE_HOME: state, TMPDIR: tmpdir(), ...extra };
}

async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<Result> {
  const child = Bun.spawn([program, ...args], {
    cwd: options.cwd,
    env: environment(options.env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

/** One `initialize` on stdio; looks for sockets while the server is up, then ends it by closing stdin. */
async function serveOnce(env: Record<string, string>): Promise<unknown> {
  const child = Bun.spawn([binary, "serve", "--root", folder.path], {
    cwd: folder.path,
    env: environment(env),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  };
  void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await child.stdin.flush();
  const line = await firstLine(child.stdout);
  const sockets = line === "" ? [] : tcpSocketsOf(child.pid);
  await child.stdin.end();
  const [code, stderr] = await Promise.all([child.exited, child.stderr.text()]);
  expect({ code, sockets, signal: child.signalCode, stderr: line === "" ? stderr : "" }).toEqual({
    code: 0,
    sockets: [],
    signal: null,
    stderr: "",
  });
  return JSON.parse(line);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}
