/**
 * A client that offers tools of its own to the host it starts, and then calls them through the host, as its model would:
 *
 *     bun examples/bridge/main.ts [--modern]
 *
 * Needs the executable (`npm run build`), or its path in RINGFENCE. Without --modern it shakes hands and is asked by
 * requests; with it every request stands alone, and a result says what to do and is sent again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool, tools } from "./space.ts";

type Members = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name: string; readonly arguments: Members };
  readonly result?: Members;
  readonly error?: { readonly message: string };
}

const BRIDGE = "dev.ringfence/bridge";
const MODERN: Members = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { [BRIDGE]: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "bridge-example", version: "1" },
};
const isModern = process.argv.includes("--modern");
const binary = process.env["RINGFENCE"] ?? join(import.meta.dir, "../../dist/ringfence");
const state = mkdtempSync(join(tmpdir(), "ringfence-bridge-"));
const config = join(import.meta.dir, "ringfence.json");
const root = join(import.meta.dir, "../workspace");
const host = Bun.spawn([binary, "serve", "--root", `${root}:ro`, "--config", config, "--state-dir", state], {
  stdin: "pipe",
  stdout: "pipe",
  stderr: "inherit",
});
const waiting = new Map<number | string, (message: Message) => void>();
let lastId = 0;

const reading = readMessages();
if (isModern) await ask("ringfence/bridge/offer", { tools });
else await shakeHands();
const listed = (await ask("tools/list"))["tools"] as readonly { readonly name: string }[];
console.log(
  `listed: ${listed
    .map(({ name }) => name)
    .filter((name) => name.startsWith("client_"))
    .join(", ")}`,
);
await call("client_space_snapshot");
await call("space.list_actions");
await call("client_space_run_action", { action: "finish_note", id: 2 });
await call("client_space_run_action", { action: "burn" });
await call("client_space_snapshot");
await host.stdin.end();
await reading;
rmSync(state, { recursive: true });
process.exitCode = await host.exited;

/** As the model of this client would. What the host's rules ask about is a proposal, which this program approves. */
async function call(name: string, args: Members = {}): Promise<void> {
  const result = await ask("tools/call", { name, arguments: args });
  const content = result["content"] as readonly { readonly text?: string }[];
  const text = content.map((block) => block.text ?? "").join("\n");
  console.log(`\n${name} ${JSON.stringify(args)}\n${text}`);
  const proposal = (result["_meta"] as Members)["dev.ringfence/proposal"] as { readonly id: string } | undefined;
  if (!proposal) return;
  const applied = await ask("ringfence/proposals/apply", { id: proposal.id });
  console.log(`approved: ${(applied["result"] as { readonly text: string }).text}`);
}

async function shakeHands(): Promise<void> {
  const capabilities = { extensions: { [BRIDGE]: { tools } } };
  const clientInfo = { name: "bridge-example", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  send({ method: "notifications/initialized" });
}

async function ask(method: string, params: Members = {}): Promise<Members> {
  const result = await request(method, params);
  const asked = (result["_meta"] as Members | undefined)?.[BRIDGE] as { readonly call: Message["params"] } | undefined;
  if (result["resultType"] !== "input_required" || !asked?.call) return result;
  // The modern way of asking: the same request once more, with what came of it.
  const { name, arguments: args } = asked.call;
  const _meta = { [BRIDGE]: { result: runTool(name, args) } };
  return await request(method, { ...params, requestState: result["requestState"], _meta });
}

async function request(method: string, params: Members): Promise<Members> {
  const id = ++lastId;
  const { promise, resolve } = Promise.withResolvers<Message>();
  waiting.set(id, resolve);
  send({
    id,
    method,
    params: isModern ? { ...params, _meta: { ...MODERN, ...(params["_meta"] as Members) } } : params,
  });
  const { result, error } = await promise;
  if (!result) throw new Error(`${method}: ${error?.message}`);
  return result;
}

function send(message: Members): void {
  void host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  void host.stdin.flush();
}

/** Answers to what was asked, and what the host asks. */
async function readMessages(): Promise<void> {
  let rest = "";
  for await (const chunk of host.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line) as Message);
  }
}

function take({ id, method, params, result, error }: Message): void {
  if (method === "ringfence/bridge/call" && params) send({ id, result: runTool(params.name, params.arguments) });
  else if (method === undefined && id !== undefined)
    waiting.get(id)?.({ ...(result ? { result } : {}), ...(error ? { error } : {}) });
}
