/**
 * `createHost`: the tools in this process, for a program that needs no transport. The pipeline, the workers, the state
 * folder and the record are those of `ringfence serve`; only the pipe is missing. What is asked here passes the same checks,
 * bounds and record, and is plain data like what comes over a pipe.
 */
import { Failure, failureFromData, StopSource } from "../base/index.ts";
import {
  createToolHost,
  failureOfRpc,
  stoppedFailure,
  type FailureData,
  type HostEvent,
  type Listen,
  type RequestHow,
  type ToolHost,
  type Transport,
} from "../calls/index.ts";
import { loadCommands, loadPacks, resolveConfig, type Config } from "../config/index.ts";
import type { ConfiguredPack } from "../contract/index.ts";
import type { FenceState } from "../fence/index.ts";
import { createAbout, createHostService, Host, type RunHostOptions } from "../host/index.ts";
import {
  Peer,
  RequestContext,
  SCRIPT,
  scriptRevision,
  type Announcer,
  type ClientFacts,
  type Service,
} from "../mcp/index.ts";
import { createLaunch } from "../proc/index.ts";
import { runAsHelper, enterHostFence } from "../start/index.ts";
import { sayProgress } from "../text/index.ts";
import { RpcError, Writer } from "../wire/index.ts";

/** What the flags of `serve` take, tools, and who calls. */
export interface CreateHostOptions extends RunHostOptions {
  /** `structured` (default): text and data; `text`: no data, and `call` cannot be used. */
  readonly results?: "structured" | "text";
  /** How this program calls itself; on record with every call, and what limits by client go by. */
  readonly client?: string;
}

/**
 * A host in this process. Its configuration is resolved once: what the options say later changes nothing. Several hosts
 * may live at the same time, also on the same roots and the same state folder, as several processes may.
 *
 * The workers of the host keep the program alive until `close()`. The kernel fence is for a whole process and is
 * refused here: use `runHost`, or `connect` of `ringfence/client`.
 *
 * @throws Failure `invalid_input`, `not_found`, `denied` for a configuration that cannot be used, `conflict` for two
 *   tools of one name, `unsupported` for a fence and for a dialect
 * @example
 * const host = await createHost({ roots: ["/srv/project"] });
 * const { text, proposal } = await host.callTool("write_file", { path: "a.txt", content: "a" });
 * if (proposal) await host.proposals.apply(proposal.id);
 * await host.close();
 */
export async function createHost(options: CreateHostOptions): Promise<ToolHost> {
  const { tools, packs = [], client, ...given } = options;
  await runAsHelper(packs);
  const raw = structuredClone({ results: "structured", ...given });
  const config = resolveConfig(await loadCommands(raw));
  if (config.fence !== "off")
    throw new Failure("unsupported", `Cannot enter the fence "${config.fence}" from inside a program`, {
      hint: "Leave `fence` out. A fenced host is a process of its own: runHost, or connect of ringfence/client.",
    });
  if (config.dialect !== "ringfence")
    throw new Failure("unsupported", `Cannot speak the dialect "${config.dialect}" inside a program`, {
      hint: "Leave `dialect` out: a host of createHost has our own names. A process of its own has others: runHost, or connect of ringfence/client with args.",
    });
  const configured = await loadPacks(config, packs);
  const fence = await enterHostFence(config, { programs: given.fence === "off" ? "off" : "auto", packs: configured });
  const host = openHost(config, fence, tools, configured);
  const transport = new InProcess(host, client);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => await (closing ??= transport.close());
  host.recover();
  // Tools that cannot stand together are an error now, not at the first call.
  if (tools || packs.length > 0)
    await host.registry().catch(async (thrown: unknown) => await closeAndThrow(close, thrown));
  return createToolHost(transport, close);
}

function openHost(
  config: Config,
  fence: FenceState,
  tools: RunHostOptions["tools"],
  packs: readonly ConfiguredPack[],
): Host {
  try {
    return new Host({
      config,
      fence,
      packs,
      tools,
    });
  } catch (thrown) {
    if (fence.kept !== undefined) void createLaunch(fence.kept).end();
    throw thrown;
  }
}

async function closeAndThrow(close: () => Promise<void>, thrown: unknown): Promise<never> {
  await close();
  throw thrown;
}

type Params = Readonly<Record<string, unknown>>;

/** What changes in lists is read again by a program that wants to know. */
const NOBODY: Announcer = { listChanged: () => undefined, resourceUpdated: () => undefined };

class InProcess implements Transport {
  readonly #host: Host;
  readonly #service: Service;
  readonly #peer: Peer;
  readonly #client: ClientFacts;
  readonly #running: Set<StopSource> = new Set();
  readonly #pending: Set<Promise<unknown>> = new Set();
  readonly #listeners: Set<Parameters<Listen>> = new Set();
  #lastId = 0;
  #isClosed = false;

  /** @param client how the program calls itself */
  constructor(host: Host, client: string | undefined) {
    this.#host = host;
    this.#client = { ...SCRIPT, name: client };
    const writer = new Writer({ write: (text) => this.#hear(text), flush: () => undefined });
    writer.beforeWrite = () => host.writeRecord();
    this.#peer = new Peer(writer);
    this.#service = createHostService(
      host,
      createAbout("", () => ""),
      this.#peer,
      NOBODY,
    );
  }

  async request(method: string, params: Params, how: RequestHow): Promise<unknown> {
    if (this.#isClosed) throw new Failure("cancelled", `Cannot ask for ${method}: the host was closed`);
    const answer = this.#answer(method, params, how);
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  listen(...listener: Parameters<Listen>): () => void {
    this.#listeners.add(listener);
    if (this.#isClosed) listener[1](undefined);
    return () => this.#listeners.delete(listener);
  }

  fail(data: FailureData): Failure {
    return failureFromData(data);
  }

  /** What runs is stopped. A change under way is finished or taken back, however long that takes: it holds locks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const source of this.#running) source.abort();
    await Promise.allSettled(this.#pending);
    await this.#host.recovering;
    this.#host[Symbol.dispose]();
    for (const [, ended] of this.#listeners) ended(undefined);
    this.#listeners.clear();
  }

  async #answer(method: string, params: Params, { stop, onProgress }: RequestHow): Promise<unknown> {
    const given = asData(params);
    const source = new StopSource();
    this.#running.add(source);
    stop.onStop(() => source.abort());
    const id = ++this.#lastId;
    const report =
      onProgress &&
      ((progress: number, total: number | undefined, message: string) =>
        onProgress({ progress, total, message: sayProgress(progress, total, message) }));
    const context = new RequestContext({
      id,
      revision: scriptRevision,
      client: this.#client,
      signal: source,
      onProgress: report,
      peer: this.#peer,
    });
    let result: unknown;
    try {
      result = JSON.parse(await this.#service.answer({ kind: "request", id, method, params: given }, context));
    } catch (thrown) {
      if (stop.reason === undefined) throw thrown instanceof RpcError ? failureFromData(failureOfRpc(thrown)) : thrown;
    } finally {
      this.#service.beforeAnswers?.();
      this.#running.delete(source);
    }
    // Whatever came of it: its caller gave it up, and hears the same as over a pipe.
    if (stop.reason !== undefined) throw failureFromData(stoppedFailure(stop.reason, method, params));
    return result;
  }

  /** Notifications, one a line. */
  #hear(text: string): void {
    if (this.#listeners.size === 0) return;
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const { method, params } = JSON.parse(line) as { method?: string; params?: HostEvent };
      if (method === "ringfence/events" && params) for (const [take] of this.#listeners) take(params);
    }
  }
}

/** What its caller changes later is not changed here. @throws Failure for what JSON cannot say */
function asData(params: Params): Params {
  try {
    return JSON.parse(JSON.stringify(params)) as Params;
  } catch (cause) {
    throw new Failure("invalid_input", "Cannot read the arguments: they are no plain data", { cause });
  }
}
