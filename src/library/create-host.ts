/**
 * `createHost`: the tools in this process, for a program that needs no transport. The pipeline, the workers, the state
 * folder and the record are those of `ringfence serve`; only the pipe is missing.
 */
import { Failure } from "../base/index.ts";
import { createToolHost, type ToolHost } from "../calls/index.ts";
import { loadCommands, loadPacks, resolveConfig, type Config } from "../config/index.ts";
import type { ConfiguredPack } from "../contract/index.ts";
import type { FenceState } from "../fence/index.ts";
import { Host, type RunHostOptions } from "../host/index.ts";
import { createLaunch } from "../proc/index.ts";
import { runAsHelper, enterHostFence } from "../start/index.ts";
import { InProcess } from "./in-process.ts";

/** What the flags of `serve` take, tools, and who calls. */
export interface CreateHostOptions extends RunHostOptions {
  /** `structured` (default): text and data; `text`: no data, and `call` cannot be used. */
  readonly results?: "structured" | "text";
  /** How this program calls itself; on record with every call, and what limits by client go by. */
  readonly client?: string;
}

/**
 * A host in this process. Its configuration is resolved once: what the options say later changes nothing. Several hosts may
 * live at the same time, also on the same roots and the same state folder, as several processes may.
 *
 * The workers of the host keep the program alive until `close()`. The kernel fence is for a whole process and is refused here: use
 * `runHost`, or `connect` of `ringfence/client`.
 *
 * @throws Failure `invalid_input`, `not_found`, `denied` for a configuration that cannot be used, `conflict` for two tools
 *   of one name, `unsupported` for a fence and for a dialect
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
      loadTools: async () => tools ?? (await import("../packs/index.ts")).builtinTools,
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
