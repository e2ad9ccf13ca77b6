/**
 * Stands in the place of `src/core.ts` in a copy of Clarvis agent-tools, so that its own contract tests are answered by
 * our binary: every `dispatch` is a `tools/call` to a host on the workspace of the test. Its settings become ours
 * (`settingsOf`); with `RINGFENCE_MODE=default` a change is proposed, and the adapter is the person who applies it.
 *
 * Invariant: nothing that a tool answers is changed here. A call that the protocol refuses (a tool that is not listed)
 * becomes their envelope with the code `not_found`, a cancelled one, which the protocol leaves without an answer, `aborted`.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Settings {
  readonly workspaceRoot: string;
  readonly maxOutputBytes: number;
  readonly maxBashOutputBytes: number;
  readonly maxFileBytes: number;
  readonly maxImageBytes: number;
  readonly bashTimeoutMs: number;
  readonly bashTimeoutMaxMs: number;
  readonly monitorReadyTimeoutMs: number;
  readonly maxMonitors: number;
  readonly readOnly: boolean;
  readonly confineToWorkspace: boolean;
}

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Dispatched {
  readonly isError: boolean;
  readonly content: readonly Part[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly requestedSchema?: { readonly properties?: Readonly<Record<string, Field>> } };
  readonly result?: { readonly content: readonly Part[]; readonly isError?: boolean; readonly _meta?: object };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Field {
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string }[];
}

interface Host {
  readonly child: ChildProcessWithoutNullStreams;
  readonly waiting: Map<number, (message: Message) => void>;
  readonly state: string;
  ask(method: string, params: object, signal?: AbortSignal): Promise<Message>;
}

const BINARY = process.env["RINGFENCE_BINARY"] ?? "ringfence";
const MODE = process.env["RINGFENCE_MODE"] ?? "bypass";
const CALLED = process.env["RINGFENCE_CALLED"];
/** Hosts of the running test, by their settings; a test with another workspace ends those of the one before. */
const hosts = new Map<string, Promise<Host>>();
let workspace = "";

export async function dispatch(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  config: Settings,
  signal?: AbortSignal,
): Promise<Dispatched> {
  noteCall(tool);
  const host = await hostFor(config);
  const { result, error } = await host.ask("tools/call", { name: tool, arguments: args }, signal);
  if (error) return refused(error.code === -32602 ? "not_found" : "internal", error.message);
  if (!result) return refused("aborted", "the call was cancelled");
  // Members of ours have a prefix; a client of theirs does not look at them.
  const own = Object.entries(result._meta ?? {}).filter(([name]) => !name.includes("/"));
  const meta = own.length === 0 ? {} : { meta: Object.fromEntries(own) as Readonly<Record<string, unknown>> };
  return { isError: result.isError === true, content: result.content, ...meta };
}

function refused(error: string, message: string): Dispatched {
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error, message }) }] };
}

/** Which case called which tool, for the count of those that call one. */
function noteCall(tool: string): void {
  const { expect } = globalThis as { expect?: { getState(): { testPath?: string; currentTestName?: string } } };
  const state = expect?.getState();
  if (CALLED !== undefined && state)
    appendFileSync(CALLED, `${JSON.stringify({ file: state.testPath, name: state.currentTestName, tool })}\n`);
}

async function hostFor(config: Settings): Promise<Host> {
  if (config.workspaceRoot !== workspace) {
    const before = [...hosts.values()];
    // Calls that are made at once must find one host.
    hosts.clear();
    workspace = config.workspaceRoot;
    for (const host of before) void host.then(end);
  }
  const settings = JSON.stringify(settingsOf(config));
  const host = hosts.get(settings) ?? openHost(settings);
  hosts.set(settings, host);
  return await host;
}

const BASH_OUTPUT_BYTES = 16 * 1024;
/** Less has no room for a line and what is said about it; their own floor is the same. */
const LEAST_BYTES = 1024;

/** What one stream of a command may put out there, at least. */
const LEAST_CAPTURE_MB = 8;

/** Their limits under our keys: one bounds the text of every answer, the other the time of a command. */
function settingsOf(config: Settings): object {
  const { maxOutputBytes: output, maxBashOutputBytes: bash } = config;
  const bytes = Math.max(LEAST_BYTES, bash === BASH_OUTPUT_BYTES ? output : Math.min(bash, output));
  return {
    roots: [config.workspaceRoot, ...(config.confineToWorkspace ? [] : ["/"])],
    allow_root_fs: !config.confineToWorkspace,
    mode: MODE,
    dialect: "clarvis",
    baseline: "if_known",
    read_only: config.readOnly,
    answer_bytes: String(bytes),
    max_file_bytes: String(config.maxFileBytes),
    shell: {
      enabled: true,
      timeout_ms: config.bashTimeoutMaxMs,
      usual_timeout_ms: config.bashTimeoutMs,
      background: config.maxMonitors,
      output_mb: Math.max(LEAST_CAPTURE_MB, Math.ceil(config.maxOutputBytes / 1024 ** 2)),
    },
  };
}

async function openHost(settings: string): Promise<Host> {
  const state = mkdtempSync(join(tmpdir(), "ringfence-clarvis-"));
  const file = join(state, "settings.json");
  writeFileSync(file, settings);
  const child = spawn(BINARY, ["serve", "--config", file, "--state-dir", join(state, "state")], { env: process.env });
  const waiting = new Map<number, (message: Message) => void>();
  let next = 1;
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  child.on("exit", () => {
    const message = `the host ended: ${said.join("").slice(-500)}`;
    for (const [id, answer] of waiting) answer({ id, error: { code: -32603, message } });
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === "elicitation/create") send({ id: message.id, result: approval(message) });
    else if (message.id !== undefined && message.method === undefined) waiting.get(message.id)?.(message);
  });
  const ask = async (method: string, params: object, signal?: AbortSignal): Promise<Message> => {
    const id = next++;
    const answered = new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
      const cancel = (): void => {
        send({ method: "notifications/cancelled", params: { requestId: id } });
        resolve({});
      };
      if (signal?.aborted === true) cancel();
      else signal?.addEventListener("abort", cancel);
    });
    const message = await answered;
    waiting.delete(id);
    return message;
  };
  const host: Host = { child, waiting, state, ask };
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "clarvis-tests", version: "1" },
  });
  send({ method: "notifications/initialized" });
  return host;
}

/** The person of these tests approves whatever is asked. */
function approval({ params }: Message): object {
  const fields = Object.entries(params?.requestedSchema?.properties ?? {});
  const content = fields.flatMap(([name, field]) => {
    const values = field.enum ?? field.oneOf?.map((one) => one.const) ?? [];
    const chosen = values.find((value) => value === "apply" || value === "allow");
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  return { action: "accept", content: Object.fromEntries(content) };
}

function end({ child, state }: Host): void {
  child.stdin.end();
  child.on("exit", () => rmSync(state, { recursive: true, force: true }));
}

process.on("exit", () => {
  for (const host of hosts.values()) void host.then(({ child }) => child.kill());
});
