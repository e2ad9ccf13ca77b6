/**
 * The tools that the client offers (extension `dev.ringfence/bridge`): taken before the first `tools/list` is answered,
 * so that they are fixed from then on, and carried out by asking the client. See docs/bridge.md.
 *
 * This file is loaded with the handshake and holds the offer as it came; what reads it is loaded with the tools.
 */
import type { Capabilities, Peer } from "../mcp/index.ts";
import type { TakenCall } from "../jobs/index.ts";

export const BRIDGE = "dev.ringfence/bridge";

/** What became of an offer. */
export interface BridgeTool {
  /** As it stands in `tools/list`. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** As the client calls it. */
  readonly offered: string;
}

export interface RefusedTool {
  readonly offered: string;
  readonly why: string;
}

/** Clients that do not come back leave them until their states expire; above this number, the oldest are given up. */
const MAX_PAUSED = 64;

export class Bridge {
  readonly tools: BridgeTool[] = [];
  readonly refused: RefusedTool[] = [];
  /** The connection of the client that carries the tools out. */
  peer: Peer | undefined;
  readonly #paused: Map<string, TakenCall> = new Map();
  #offer: readonly unknown[] | undefined;
  #isFixed = false;
  #isRegistered = false;
  #registering: Promise<void> | undefined;

  /** @returns why it is not taken, or `undefined` */
  offer(tools: unknown): string | undefined {
    if (!Array.isArray(tools)) return "tools must be a list";
    if (this.#offer) return Bun.deepEquals(this.#offer, tools) ? undefined : "this process has another offer already";
    if (this.#isFixed) return "tools/list was answered already, and does not change after that";
    this.#offer = tools;
    return undefined;
  }

  /** Whether there is an offer whose tools are not in the registry yet. */
  get isPending(): boolean {
    return this.#offer !== undefined && !this.#isRegistered;
  }

  /** Puts the offered tools behind those that are there, once; whoever comes meanwhile waits for it. */
  async register(put: (offer: readonly unknown[]) => Promise<void>): Promise<void> {
    this.#registering ??= this.#registerOnce(put);
    await this.#registering;
  }

  async #registerOnce(put: (offer: readonly unknown[]) => Promise<void>): Promise<void> {
    await put(this.#offer ?? []);
    this.#isRegistered = true;
  }

  /** A proposal that waits for the client's answer. @returns the oldest, where there are too many and it is given up */
  pause(taken: TakenCall): TakenCall | undefined {
    this.#paused.set(taken.id, taken);
    const [oldest] = this.#paused.values();
    return this.#paused.size > MAX_PAUSED && oldest ? this.resume(oldest.id) : undefined;
  }

  /** Takes a paused call; only the first who asks gets it. */
  resume(id: string): TakenCall | undefined {
    const paused = this.#paused.get(id);
    this.#paused.delete(id);
    return paused;
  }

  /** Whether that proposal waits for the client's answer. */
  isPaused(id: string): boolean {
    return this.#paused.has(id);
  }

  /** Gives up that very call, unless its answer has come meanwhile. @returns whether it was waiting */
  giveUp(taken: TakenCall): boolean {
    return this.#paused.get(taken.id) === taken && this.#paused.delete(taken.id);
  }

  /** The list was given. */
  fix(): void {
    this.#isFixed = true;
  }

  get isFixed(): boolean {
    return this.#isFixed;
  }
}

/** A client shook hands, perhaps again; one that offers nothing any more is not asked. */
export function greetBridge(bridge: Bridge, capabilities: Capabilities, peer: Peer): string | undefined {
  const settings = bridgeSettings(capabilities);
  bridge.peer = settings ? peer : undefined;
  return settings && "tools" in settings ? bridge.offer(settings["tools"]) : undefined;
}

/** What the client declared of the extension. */
export function bridgeSettings(capabilities: Capabilities): Readonly<Record<string, unknown>> | undefined {
  for (const place of ["extensions", "experimental"]) {
    const settings = memberOf(memberOf(capabilities, place), BRIDGE);
    if (typeof settings === "object" && settings !== null) return settings as Record<string, unknown>;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
