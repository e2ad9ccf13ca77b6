/**
 * `createHost`: the tools in this process, for a program that needs no transport. The pipeline, the workers, the state
 * folder and the record are those of `ringfence serve`; only the pipe is missing. What is asked here passes the same checks,
 * bounds and record, and is plain data like what comes over a pipe.
 */
import { Failure } from "../base/index.ts";
import { createToolHost, type ToolHost } from "../calls/index.ts";
import { loadCommands, planPacks, resolveConfig } from "../config/index.ts";
import { guardOf, Host, type RunHostOptions } from "../host/index.ts";
import { createLaunch } from "../proc/index.ts";
import { runAsHelper, enterHostFence, sourceOf } from "../start/index.ts";
import {
  createConnections,
  type ByteStreams,
  type TransportConnection,
  type MessageTransport,
} from "./connect-transport.ts";
import { createHostTools, type HostTools } from "./host-tools.ts";
import { InProcess } from "./in-process.ts";
import { createPerson, type Ask } from "./person.ts";

/** What the flags of `serve` take, tools, and who calls. */
export interface CreateHostOptions extends Omit<RunHostOptions, "ask"> {
  /** `structured` (default): text and data; `text`: no data, and `call` cannot be used. */
  readonly results?: "structured" | "text";
  /** How this program calls itself; on record with every call, and what limits by client go by. */
  readonly client?: string;
  /**
   * Answers for the person in front of the program: what would be asked in a form over a pipe is asked here, in the middle of
   * the call. Without it such a call becomes a proposal, or fails as `needs_approval`. A text is the option of the same name.
   */
  readonly ask?: Ask | RunHostOptions["ask"];
  /** Milliseconds in which a question has to be answered; later it decides nothing. Default: ten minutes, which is the most. */
  readonly askTimeoutMs?: number;
}

/** A host in this process: what every host offers, and what only the program around it can do. */
export interface LocalHost extends ToolHost {
  /** The list of tools, which may change while the host runs. */
  readonly tools: HostTools;
  /**
   * Takes an MCP client over a transport in the shape of the SDK's. One at a time; the program itself may call meanwhile.
   *
   * @throws Failure `conflict` while there is a connection
   */
  connect(transport: MessageTransport): Promise<TransportConnection>;
  /**
   * Takes an MCP client over a pair of streams, as lines of JSON. Resolves when the input has ended and every call is
   * answered, or the output is gone.
   *
   * @throws Failure `conflict` while there is a connection
   */
  serve(streams: ByteStreams): Promise<void>;
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
export async function createHost(options: CreateHostOptions): Promise<LocalHost> {
  const { tools, packs = [], client, guard, guardTimeoutMs, ask, askTimeoutMs, ...given } = options;
  const guarding = guardOf({ guard, guardTimeoutMs });
  const [answers, where] = typeof ask === "function" ? [ask, {}] : [undefined, { ask }];
  const person = createPerson(answers, askTimeoutMs);
  await runAsHelper(packs);
  const raw = structuredClone({ results: "structured", ...given, ...where });
  const config = resolveConfig(await loadCommands(raw));
  if (config.fence !== "off")
    throw new Failure("unsupported", `Cannot enter the fence "${config.fence}" from inside a program`, {
      hint: "Leave `fence` out. A fenced host is a process of its own: runHost, or connect of ringfence/client.",
    });
  if (config.dialect !== "ringfence")
    throw new Failure("unsupported", `Cannot speak the dialect "${config.dialect}" inside a program`, {
      hint: "Leave `dialect` out: a host of createHost has our own names. A process of its own has others: runHost, or connect of ringfence/client with args.",
    });
  const fence = await enterHostFence(config, {
    programs: given.fence === "off" ? "off" : "auto",
    packs: await planPacks(config, packs),
  });
  const open = (): Host => new Host({ config, fence, packs: sourceOf(config, packs), tools, guard: guarding });
  const host = openOr(open, () => fence.kept && void createLaunch(fence.kept).end());
  return await composeHost(host, new InProcess(host, client, person), tools !== undefined || packs.length > 0);
}

function openOr<T>(open: () => T, failed: () => void): T {
  try {
    return open();
  } catch (thrown) {
    failed();
    throw thrown;
  }
}

/** @param hasOwn tools that cannot stand together are an error now, and not at the first call */
async function composeHost(host: Host, program: InProcess, hasOwn: boolean): Promise<LocalHost> {
  const { tools, listen } = createHostTools(host);
  listen();
  const connections = createConnections(host, listen);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => await (closing ??= connections.close().then(() => program.close()));
  host.recover();
  try {
    if (hasOwn) await host.registry();
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...createToolHost(program, close), tools, ...connections, close, [Symbol.asyncDispose]: close };
}
