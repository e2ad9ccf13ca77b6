/**
 * The whole host in this process, by its front door: bytes go in as they would on stdin and lines come out as they would
 * on stdout. Session, pipeline, workers, workspace and state folder are the real ones; only the two streams are not.
 *
 * Usual mistake: to look inside. What a client cannot see, a test here should not see either.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readResult, type PendingProposal } from "../../src/calls/call-result.ts";
import { listenToLog, type Clock, type FailureData } from "../../src/base/index.ts";
import { resolveConfig, type Config, type RawConfig } from "../../src/config/index.ts";
import type { FenceState } from "../../src/fence/index.ts";
import type { ConfiguredPack, PackSource, Tool } from "../../src/contract/index.ts";
import { Host } from "../../src/host/host.ts";
import { createAbout } from "../../src/host/about.ts";
import { createHostService } from "../../src/host/service.ts";
import { Session } from "../../src/mcp/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { createFrames, Writer } from "../../src/wire/index.ts";
import { MessageCheck } from "../schema/check-message.ts";
import { settled } from "../waits/until.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { layFiles, type FileTree } from "./file-tree.ts";
import { removeTree } from "./remove-tree.ts";

export interface TestHostOptions {
  readonly files?: FileTree;
  /** Default: the root read-write, the state folder beside it. */
  readonly config?: RawConfig;
  readonly tools?: readonly Tool[];
  /** As `loadPacks` gives them. Default: none. */
  readonly packs?: readonly ConfiguredPack[];
  /** What the host is told of its fence; for one that has a launcher. */
  readonly fence?: (config: Config) => FenceState;
  /** One that the test moves by hand. Default: the one of this machine. */
  readonly clock?: Clock;
  /** A folder to work in, with its state: another host on the same files. It is not removed. */
  readonly top?: string;
  /** Sees what leaves, as it leaves. */
  readonly onWrite?: (text: string) => void;
}

/** What a test gives to a host: arguments, parameters and answers by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The parameters of a call. */
export interface CallParams {
  readonly name: string;
  readonly arguments: Members;
  readonly _meta?: Members;
}

/** One message out, as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface CallAnswer {
  /** The last text: those before it are notes. */
  readonly text: string;
  /** All text blocks together. */
  readonly all: string;
  readonly failure?: FailureData;
  readonly proposal?: PendingProposal & { readonly digest: string };
  readonly result: Json;
  /** The id that it was asked with. */
  readonly request: number | string;
}

export interface TestHost extends AsyncDisposable {
  readonly top: string;
  readonly root: string;
  readonly outside: string;
  readonly stateDir: string;
  readonly host: Host;
  readonly session: Session;
  /** Every message that came out, in order. */
  readonly messages: readonly Json[];
  /** One line in, as it is. */
  readonly send: (line: string) => void;
  /** Messages in one chunk, as one write of a client. */
  readonly burst: (messages: readonly object[]) => void;
  readonly request: (method: string, params?: object, id?: number | string) => Promise<Json>;
  /** As `request`, with the `_meta` of the modern era. */
  readonly modern: (method: string, params?: object) => Promise<Json>;
  readonly call: (name: string, args?: unknown, meta?: object) => Promise<CallAnswer>;
  /** The proposal of a call, applied. @throws the answer of the call when it made none */
  readonly apply: (answer: CallAnswer, more?: object) => Promise<Json>;
  /** What would settle the proposal of a call. */
  readonly rulesOf: (answer: CallAnswer) => Promise<readonly string[]>;
  readonly answerTo: (id: number | string | null) => Promise<Json>;
  readonly read: (path: string) => string;
  /** What it has said on stderr, a line each. Who does not look at it says that there is no bug in it. */
  readonly log: () => readonly string[];
  /** The record, as it stands on disk now. */
  readonly audit: () => string;
}

/** As another process names the proposal that it has looked at. */
export function labelOf({ proposal }: CallAnswer): string {
  return `${proposal?.id}@${proposal?.digest}`;
}

export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

function packSource(packs: readonly ConfiguredPack[]): PackSource {
  const on = packs.filter(({ isOn }) => isOn).map(({ pack, settings }) => [pack.name, settings] as const);
  return { settings: Object.fromEntries(on), load: async () => await Promise.resolve(packs) };
}

export function openTestHost(options: TestHostOptions = {}): TestHost {
  const top = options.top ?? realpathSync(mkdtempSync(join(memoryFolder(), "ringfence-host-")));
  const [root, outside, stateDir] = [join(top, "root"), join(top, "outside"), join(top, "state")];
  for (const folder of [root, outside]) mkdirSync(folder, { recursive: true });
  layFiles(root, options.files ?? {});
  const config = resolveConfig({ roots: [root], stateDir, ...options.config });
  const fence = options.fence?.(config);
  const { tools = builtinTools } = options;
  const log = openLog();
  const clock = options.clock ? { clock: options.clock } : {};
  const host = new Host({
    config,
    tools,
    ...(options.packs ? { packs: packSource(options.packs) } : {}),
    ...(fence ? { fence } : {}),
    ...clock,
  });
  const check = new MessageCheck();
  const out = openOutput(check, options.onWrite);
  const writer = new Writer(out.sink);
  const session = new Session(
    writer,
    (...way) =>
      createHostService(
        host,
        createAbout("0.0.0", () => "Test."),
        ...way,
      ),
    options.clock,
  );
  const frames = createFrames({ maxBytes: 1024 * 1024, maxDepth: 128 });
  const push = (text: string): void => {
    for (const line of text.split("\n")) check.sent(line);
    frames.push(Buffer.from(text), (frame) => session.receive(frame));
  };
  let lastId = 0;

  const test: TestHost = {
    top,
    root,
    outside,
    stateDir: config.stateDir,
    host,
    session,
    messages: out.messages,
    answerTo: out.answerTo,
    send: (line) => push(`${line}\n`),
    burst: (messages) => push(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    async request(method, params, id = ++lastId + 1_000_000) {
      push(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return await out.answerTo(id);
    },
    async modern(method, params) {
      return await test.request(method, { ...params, _meta: { ...MODERN_META, ...metaOf(params) } });
    },
    async call(name, args, meta) {
      const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
      const { id, result, error } = await test.request("tools/call", params);
      if (error) throw new Error(`${name} was answered with ${JSON.stringify(error)}`);
      return callAnswer(result, id);
    },
    async apply(answer, more) {
      if (!answer.proposal) throw new Error(`there is no proposal: ${answer.all}`);
      return await test.request("ringfence/proposals/apply", { id: answer.proposal.id, ...more });
    },
    async rulesOf({ proposal }) {
      return (await test.request("ringfence/proposals/get", { id: proposal?.id })).result.suggested_rules;
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    log: log.look,
    audit() {
      host.audit.flush();
      const folder = join(config.stateDir, "audit");
      const segments = readdirSync(folder).sort();
      return segments.map((name) => readFileSync(join(folder, name), "utf8")).join("");
    },
    async [Symbol.asyncDispose]() {
      session.cancelAll();
      // What is cancelled goes on record, in a folder that must be there.
      await settled("the calls that were cancelled to end", session.settled());
      host[Symbol.dispose]();
      log[Symbol.dispose]();
      if (options.top === undefined) await removeTree(top);
      check.assertNone();
      log.assertNoBug();
    },
  };
  return test;
}

export function callAnswer(result: Json, request: number | string = 0): CallAnswer {
  const texts: string[] = result.content.filter((one: Json) => one.type === "text").map((one: Json) => one.text);
  const { failure, proposal } = readResult(result);
  return {
    text: texts.at(-1) ?? "",
    all: texts.join("\n"),
    result,
    request,
    ...(failure ? { failure } : {}),
    ...(proposal ? { proposal: { ...proposal, digest: proposal.digest ?? "" } } : {}),
  };
}

interface Log extends Disposable {
  readonly look: () => readonly string[];
  readonly assertNoBug: () => void;
}

/** A green run prints nothing; a bug that nobody expects must not be lost with the rest. */
function openLog(): Log {
  const lines: string[] = [];
  let isSeen = false;
  const listening = listenToLog((line) => lines.push(line));
  return {
    look() {
      isSeen = true;
      return lines;
    },
    assertNoBug() {
      const bug = lines.find((line) => line.startsWith("internal error"));
      if (bug !== undefined && !isSeen) throw new Error(`the host has a bug: ${bug}`);
    },
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}

function metaOf(params: { _meta?: object } | undefined): object {
  return params?._meta ?? {};
}

interface Output {
  readonly sink: { write(text: string): void; flush(): void };
  readonly messages: Json[];
  readonly answerTo: (id: number | string | null) => Promise<Json>;
}

function openOutput(check: MessageCheck, onWrite: TestHostOptions["onWrite"]): Output {
  const messages: Json[] = [];
  const waiting = new Map<unknown, (message: Json) => void>();
  return {
    messages,
    sink: {
      write(text) {
        onWrite?.(text);
        for (const line of text.split("\n").slice(0, -1)) {
          const message = JSON.parse(line);
          messages.push(message);
          check.came(message);
          if ("method" in message) continue;
          waiting.get(message.id)?.(message);
          waiting.delete(message.id);
        }
      },
      flush: () => undefined,
    },
    answerTo(id) {
      const known = messages.find((message) => !("method" in message) && message.id === id);
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}
