/**
 * The parts of one host and how long they live: configuration, tools, workers, the record. It holds no logic of calls;
 * that is `dispatch`.
 *
 * Everything that costs time is made when it is first needed: a client that only shakes hands pays for no tools and no
 * workers.
 */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { CLOCK, endStartPolicy, limits, logLine, reportBug, type Clock } from "../base/index.ts";
import type { AuditLog } from "../audit/index.ts";
import type { Config } from "../config/index.ts";
import type { AnyLocalTool, HostFacts, PackSource, Registry } from "../contract/index.ts";
import type { Dialect } from "../dialects/index.ts";
import { KEEP_ROOTS, showName, type Narrowed } from "../scope/index.ts";
import { Pool, unpackAnswer, type OutsideAsk } from "../pool/index.ts";
import { createLaunch, type ApartProgram, type Launch } from "../proc/index.ts";
import { listsHosts, searchProgram } from "../start/index.ts";
import { JournalWatch, openStateFolder, type KeptCall } from "../state/index.ts";
import { NO_FENCE, type FenceState } from "../fence/index.ts";
import {
  Bridge,
  createOrder,
  createRealNames,
  HostPacks,
  keepInState,
  KnownProposals,
  NO_PACKS,
  OpenCalls,
  openRecord,
  PolicyState,
  recordConnections,
  type Order,
} from "../session/index.ts";
import { hiddenBecause } from "./offer.ts";
import { holdRoots, type HeldRoots } from "./hold-roots.ts";
import { loadContract, loadDialects, loadLateParts } from "./lazy.ts";
import { loadTools } from "./offered-tools.ts";
import type { ToldNarrowing } from "./narrow-roots.ts";
import type { HostSpaces } from "./tools/host-spaces.ts";
import type { Upstreams } from "../upstream/index.ts";
import { createRedactor, type Redactor } from "../policy/index.ts";
import { factsOf, redactionKey, workerConfig } from "./worker-config.ts";
import type { ChangedTools, GuardSettings, Services, SpilledOutput, ToolsToChange } from "../pipeline/index.ts";

export interface HostOptions {
  readonly config: Config;
  /** Default: none. */
  readonly fence?: FenceState;
  /** Default: the built-in tools, imported on first use. */
  readonly tools?: readonly AnyLocalTool[] | undefined;
  /** Default: none. */
  readonly packs?: PackSource;
  readonly guard?: GuardSettings | undefined;
  /** The clock of what waits and measures in this thread. Default: that of this machine. */
  readonly clock?: Clock;
}

/** The client has received `tools/list` by then. */
const WARM_AFTER_MS = 20;

export class Host implements Services, Disposable {
  readonly config: Config;
  readonly clock: Clock;
  facts: Omit<HostFacts, "containment">;
  readonly order: Order;
  readonly policy: PolicyState;
  readonly launch: Launch | undefined;
  readonly packs: HostPacks;
  readonly guard: GuardSettings | undefined;
  readonly openCalls: OpenCalls = new OpenCalls();
  readonly proposed: KnownProposals = new KnownProposals();
  readonly telling: Set<Promise<unknown>> = new Set();
  readonly running: Set<Promise<unknown>> = new Set();
  readonly spilled: Map<string, SpilledOutput> = new Map();
  readonly bridge: Bridge = new Bridge();
  upstreams: Upstreams | undefined;
  spaces: HostSpaces | undefined;
  keepCall: ((kept: KeptCall) => void) | undefined;
  readonly awaitReviews: Services["awaitReviews"] = async (...asked) =>
    await (await loadLateParts()).awaitNews(this, ...asked);
  readonly whyHidden: Services["whyHidden"] = (tool) => hiddenBecause(tool, this.config);
  onSpilled: () => void = () => undefined;
  /** Called when tools came or went. */
  onTools: (changed: ChangedTools) => void = () => undefined;
  /** Called before a request is answered, and before what may be code of others. */
  onWork: () => Promise<void> | undefined = () => undefined;
  isOutputHeld: () => boolean = () => false;
  /** The pending recovery of what dead hosts have left half done; every call awaits it. */
  recovering: Promise<void> | undefined;
  readonly memoryFolder: string | undefined;
  readonly #roots: HeldRoots;
  readonly #tools: readonly AnyLocalTool[] | undefined;
  readonly #apart: ApartProgram | undefined;
  #registry: Promise<Registry> | undefined;
  #dialect: Dialect | undefined;
  #readPool: Pool | undefined;
  #changePool: Pool | undefined;
  #oldChangePools: Pool[] = [];
  #narrowed: Narrowed = {};
  #audit: AuditLog | undefined;
  #redactor: Redactor | undefined;
  #journals: JournalWatch | undefined;
  #warming: ReturnType<typeof setTimeout> | undefined;

  /** @throws Failure for a root that cannot be opened */
  constructor({ config, fence, tools, packs = NO_PACKS, guard, clock = CLOCK }: HostOptions) {
    this.config = config;
    this.clock = clock;
    this.policy = new PolicyState(config, () => this.audit.session);
    this.#roots = holdRoots(config, packs.settings);
    this.memoryFolder = this.#roots.memoryFolder;
    this.#tools = tools;
    this.guard = guard;
    this.launch = fence?.kept === undefined ? undefined : createLaunch(fence.kept, () => this.writeRecord());
    // A pack records those of its program when it starts it: a launcher for packs alone sleeps until then.
    if (listsHosts(config)) recordConnections(this.launch, (fields) => void this.audit.announce("connected", fields));
    this.packs = new HostPacks(packs, this.launch, clock);
    this.#apart = searchProgram(fence ?? NO_FENCE);
    this.facts = factsOf(config, fence ?? NO_FENCE);
    if (config.keepCalls) this.keepCall = keepInState(config.stateDir, () => this.audit.session);
    this.order = createOrder(createRealNames(config.roots));
  }

  /** Finishes or takes back the transactions of dead hosts, before any other work begins. */
  recover(): void {
    if (readdirSync(openStateFolder(this.config.stateDir).journal).length > 0) this.recovering = this.#recover();
  }

  whole(): Promise<void> | undefined {
    if (this.recovering) return this.recovering;
    this.#journals ??= new JournalWatch(openStateFolder(this.config.stateDir).journal);
    if (this.#journals.hasAbandoned()) this.recovering = this.#recover();
    return this.recovering;
  }

  /** @throws Failure `conflict` for two tools of one name */
  registry(): Promise<Registry> {
    this.#registry ??= this.#load();
    return this.bridge.isPending ? this.#withOffered(this.#registry) : this.#registry;
  }

  async changeTools(change: ToolsToChange): Promise<ChangedTools> {
    const registry = await this.registry();
    const changed = (await loadLateParts()).changeTools(this, registry, change);
    if (changed.added.length + changed.removed.length === 0) return changed;
    await this.#openDialect(registry);
    this.onTools(changed);
    return changed;
  }

  get dialect(): Dialect | undefined {
    return this.#dialect;
  }

  get readPool(): Pool {
    this.#readPool ??= this.#createPool("read", Math.min(limits.MAX_WORKERS, Math.max(1, availableParallelism())));
    return this.#readPool;
  }

  /** Loads a worker before there is a job, where the tools are those that workers have. */
  warm(): void {
    if (!this.#tools) this.readPool.warm();
  }

  /** Whoever has listed the tools will soon call one, so a worker is loaded meanwhile. */
  warmSoon(): void {
    this.#warming ??= setTimeout(() => this.warm(), WARM_AFTER_MS);
    this.#warming.unref();
  }

  get changePool(): Pool {
    this.#changePool ??= this.#createPool("change", 1);
    return this.#changePool;
  }

  get audit(): AuditLog {
    return (this.#audit ??= openRecord(this.config, this.facts));
  }

  /** Writes the announced lines of the record before anything leaves the process. */
  writeRecord(): void {
    this.#audit?.write();
  }

  get redactor(): Redactor | undefined {
    const { redactionKey: key } = redactionKey(this.config);
    this.#redactor ??= key === undefined ? undefined : createRedactor(Buffer.from(key, "base64"));
    return this.#redactor;
  }

  get narrowed(): Narrowed {
    return this.#narrowed;
  }

  /** Whether a change is under way that must be let finish before the process ends. */
  get changing(): boolean {
    return this.#changePools().some((pool) => pool.active > 0);
  }

  /** Whether something is under way in a worker. */
  get isWorking(): boolean {
    return this.changing || (this.#readPool?.active ?? 0) > 0;
  }

  /** Narrows the roots to those that the client offers. Running jobs keep the old ones. */
  narrow({ within, ignored, offered, said }: ToldNarrowing): void {
    const told = `${said}; ${KEEP_ROOTS} keeps the roots of this host`;
    const narrowed = within ? { within, offered } : {};
    if (JSON.stringify(narrowed) !== JSON.stringify(this.#narrowed)) {
      const { within: _before, narrowed: _said, ...facts } = this.facts;
      this.facts = within ? { ...facts, within: within.map(showName), narrowed: told } : facts;
      this.#narrowed = narrowed;
      if (within) logLine(told);
      this.#readPool?.closeWhenIdle();
      this.#readPool = undefined;
      this.#oldChangePools = this.#changePools().filter((pool) => pool.active > 0);
      this.#changePool?.closeWhenIdle();
      this.#changePool = undefined;
    }
    this.audit.record("roots", { within: this.facts.within ?? "all", ignored });
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Calls that are still under way have no other end than this. @param why as it stands on record */
  end(why?: string): void {
    clearTimeout(this.#warming);
    this.policy.resumed[Symbol.dispose]();
    this.proposed[Symbol.dispose]();
    if (this.#audit) {
      this.openCalls.endAll(this.#audit);
      this.#audit.record("stop", { why });
      this.#audit[Symbol.dispose]();
    }
    this.upstreams?.[Symbol.dispose]();
    this.spaces?.[Symbol.dispose]();
    this.packs[Symbol.dispose]();
    void this.launch?.end();
    this.#readPool?.close();
    for (const pool of this.#changePools()) pool.close();
    this.#roots[Symbol.dispose]();
  }

  async #recover(): Promise<void> {
    try {
      const job = { name: "recover", input: "{}", timeoutMs: limits.LONG_CALL_MS };
      const transactions = unpackAnswer(await this.changePool.run(job));
      this.audit.record("recovered", { transactions });
    } catch (thrown) {
      reportBug(thrown);
    } finally {
      this.recovering = undefined;
    }
  }

  async #load(): Promise<Registry> {
    endStartPolicy();
    const { createRegistry } = await loadContract();
    const all = await loadTools(this, this.#tools);
    const registry = createRegistry(all.filter((tool) => this.whyHidden(tool) === undefined));
    if (this.config.spaces.length > 0 && this.launch)
      this.spaces = await (await loadLateParts()).openSpaces(this, registry);
    await this.#openDialect(registry);
    return registry;
  }

  /** The dialect has rows for the tools that there are. */
  async #openDialect(registry: Registry): Promise<void> {
    const { dialect, shell } = this.config;
    if (dialect !== "ringfence") this.#dialect = await (await loadDialects()).openDialect(dialect, registry, shell);
  }

  async #withOffered(loading: Promise<Registry>): Promise<Registry> {
    const registry = await loading;
    await this.bridge.register(async (offer) => {
      const { registerOffered } = await loadLateParts();
      registerOffered(this, registry, offer);
    });
    return registry;
  }

  /** The one that takes jobs, and those that have some left from wider or other roots. */
  #changePools(): Pool[] {
    return this.#changePool ? [...this.#oldChangePools, this.#changePool] : this.#oldChangePools;
  }

  #createPool(entry: "read" | "change", size: number): Pool {
    const config = JSON.stringify(workerConfig(this.config, this.#apart, this.facts, this.#narrowed, this.#roots));
    const isRead = entry === "read";
    const isHeld = (): boolean => isRead && this.isOutputHeld();
    // A read can be noticed by nobody before its answer, so its worker begins while its lines are written.
    const beforePost = (): void => void (isRead || this.writeRecord());
    const outside = async (ask: OutsideAsk) => this.launch && (await (await loadLateParts()).askApart(this, ask));
    return new Pool({ entry, size, config, repeatable: isRead, onBug: reportBug, isHeld, beforePost, outside });
  }
}
