/**
 * The parts of one host and how long they live: configuration, tools, workers, the record. It holds no logic of calls;
 * that is `dispatch`.
 *
 * Everything that costs time is made when it is first needed: a client that only shakes hands pays for no tools and no
 * workers.
 */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { limits, logBug, newId } from "../base/index.ts";
import { openAuditLog, type AuditLog } from "../audit/index.ts";
import { BUILD, hasDesktop, secretFromEnvironment, type Config } from "../config/index.ts";
import type { AnyTool, HostFacts, Registry } from "../contract/index.ts";
import type { WorkerConfig } from "../jobs/index.ts";
import { showName } from "../scope/index.ts";
import { Pool } from "../pool/index.ts";
import { createLaunch, type Launch } from "../proc/index.ts";
import { openStateFolder } from "../state/index.ts";
import { describeFence, NO_FENCE, type FenceState } from "../fence/index.ts";
import { holdRoots, type HeldRoots } from "./hold-roots.ts";
import { loadCommandTools } from "./load-command-tools.ts";
import type { Narrowing } from "./narrow-roots.ts";
import { createOrder, type Order } from "./order.ts";

export interface HostOptions {
  readonly config: Config;
  /** Default: none. */
  readonly fence?: FenceState;
  /** Imported on first use. */
  readonly loadTools: () => Promise<readonly AnyTool[]>;
}

export class Host implements Disposable {
  readonly config: Config;
  facts: Omit<HostFacts, "containment">;
  readonly order: Order;
  /** Starts programs from outside the fence; absent without a fence, or when nothing that starts programs is offered. */
  readonly launch: Launch | undefined;
  /** Proposals by the request that made them, so that a script can apply by request. */
  readonly proposalOf: Map<string, string> = new Map();
  /** Whether answers wait for a slow reader; no further read is begun then. */
  isOutputHeld: () => boolean = () => false;
  /** While what a dead host left is being put right: every call waits for it. */
  recovering: Promise<void> | undefined;
  readonly #roots: HeldRoots;
  readonly #loadTools: () => Promise<readonly AnyTool[]>;
  #registry: Promise<Registry> | undefined;
  #loaded: Registry | undefined;
  #readPool: Pool | undefined;
  #changePool: Pool | undefined;
  #oldChangePools: Pool[] = [];
  #within: readonly string[] | undefined;
  #audit: AuditLog | undefined;

  /** @throws Failure for a root that cannot be opened */
  constructor({ config, fence, loadTools }: HostOptions) {
    this.config = config;
    this.#roots = holdRoots(config.roots);
    this.#loadTools = loadTools;
    this.launch = fence?.kept === undefined ? undefined : createLaunch(fence.kept);
    this.facts = factsOf(config, fence ?? NO_FENCE);
    this.order = createOrder(config.roots[0]?.path ?? "/");
  }

  /** What hosts that died have left half done is finished or taken back before anything else happens. */
  recover(): void {
    const folder = openStateFolder(this.config.stateDir).journal;
    if (readdirSync(folder).length === 0) return;
    this.recovering = this.#recover();
  }

  /** @throws Failure `conflict` for two tools of one name */
  registry(): Promise<Registry> {
    this.#registry ??= this.#load();
    return this.#registry;
  }

  /** The same without waiting, once it is there: calls must enter the order in the order they came. */
  get loadedRegistry(): Registry | undefined {
    return this.#loaded;
  }

  get readPool(): Pool {
    const size = Math.min(limits.MAX_WORKERS, Math.max(1, availableParallelism()));
    this.#readPool ??= this.#createPool("read", size);
    return this.#readPool;
  }

  /** One worker: changes of one process happen one after the other. */
  get changePool(): Pool {
    this.#changePool ??= this.#createPool("change", 1);
    return this.#changePool;
  }

  get audit(): AuditLog {
    if (!this.#audit) {
      this.#audit = openAuditLog(openStateFolder(this.config.stateDir).audit);
      this.#audit.record("start", {
        ...BUILD,
        mode: this.config.mode,
        fence: this.facts.fence,
        roots: this.facts.roots,
      });
    }
    return this.#audit;
  }

  /** What the client's roots leave of the roots, as canonical directories; `undefined` for all of them. */
  get narrowedTo(): readonly string[] | undefined {
    return this.#within;
  }

  /** Whether a change is under way that must be let finish before the process ends. */
  get changing(): boolean {
    return this.#changePools().some((pool) => pool.active > 0);
  }

  /** What the client's roots leave of the roots, from the next job on: those that workers have are finished as they are. */
  narrow({ within, ignored }: Narrowing): void {
    if (JSON.stringify(within) !== JSON.stringify(this.#within)) {
      const { within: _before, ...facts } = this.facts;
      this.facts = within ? { ...facts, within: within.map(showName) } : facts;
      this.#within = within;
      this.#readPool?.closeWhenIdle();
      this.#readPool = undefined;
      this.#oldChangePools = this.#changePools().filter((pool) => pool.active > 0);
      this.#changePool?.closeWhenIdle();
      this.#changePool = undefined;
    }
    this.audit.record("roots", { within: this.facts.within ?? "all", ignored });
  }

  [Symbol.dispose](): void {
    this.#audit?.record("stop", {});
    this.#audit?.[Symbol.dispose]();
    void this.launch?.end();
    this.#readPool?.close();
    for (const pool of this.#changePools()) pool.close();
    this.#roots[Symbol.dispose]();
  }

  async #recover(): Promise<void> {
    try {
      const job = { name: "recover", input: "{}", timeoutMs: limits.LONG_CALL_MS };
      const { payload } = await this.changePool.run(job);
      this.audit.record("recovered", { transactions: JSON.parse(payload) as unknown });
    } catch (thrown) {
      reportBug(thrown);
    } finally {
      this.recovering = undefined;
    }
  }

  async #load(): Promise<Registry> {
    const { createRegistry } = await import("../contract/index.ts");
    const [tools, commands] = await Promise.all([this.#loadTools(), loadCommandTools(this)]);
    this.#loaded = createRegistry([...tools.filter(isVisible), ...commands]);
    return this.#loaded;
  }

  /** The one that takes jobs, and those that have some left from wider or other roots. */
  #changePools(): Pool[] {
    return this.#changePool ? [...this.#oldChangePools, this.#changePool] : this.#oldChangePools;
  }

  #createPool(entry: "read" | "change", size: number): Pool {
    const config = JSON.stringify(workerConfig(this.config, this.facts, this.#within, this.#roots.fds));
    const isHeld = (): boolean => entry === "read" && this.isOutputHeld();
    return new Pool({ entry, size, config, repeatable: entry === "read", onBug: reportBug, isHeld });
  }
}

/** A bug's id goes to the caller, its cause to stderr. */
export function reportBug(cause: unknown): string {
  const id = newId("bug");
  logBug(id, cause);
  return id;
}

/** Why a tool is not offered, or `undefined` when it is. */
export function hiddenBecause(tool: AnyTool): string | undefined {
  if ("effect" in tool && tool.effect === "show" && !hasDesktop()) return "there is no desktop here";
  const named = "kind" in tool ? tool.tool.secrets : tool.secrets;
  const missing = (named ?? []).filter((name) => secretFromEnvironment(name) === undefined);
  return missing.length === 0 ? undefined : `the secret ${missing.join(", ")} is not set in the environment`;
}

function isVisible(tool: AnyTool): boolean {
  return hiddenBecause(tool) === undefined;
}

function workerConfig(
  config: Config,
  facts: Omit<HostFacts, "containment">,
  within: readonly string[] | undefined,
  rootFds: readonly number[],
): WorkerConfig {
  const { roots, deny, containment, stateDir, skip, legacyEncoding } = config;
  return {
    scope: { roots, deny, containment, hidden: [stateDir], within },
    rootFds,
    stateDir,
    durability: config.durability,
    skip,
    facts,
    ...(legacyEncoding === undefined ? {} : { legacyEncoding }),
  };
}

function factsOf(config: Config, fence: FenceState): Omit<HostFacts, "containment"> {
  return {
    version: BUILD.version,
    platform: `${process.platform}-${process.arch}`,
    runtime: BUILD.runtime,
    mode: config.mode,
    results: config.results,
    roots: config.roots.map(({ path, readOnly }) => ({
      path,
      access: readOnly ? "read-only" : "read-write",
    })),
    fence: describeFence(fence),
  };
}
