/**
 * What the steps of a call are handed: the configuration, the workers, the record, and what this session has done so far.
 * The class `Host` implements it; no step knows that class.
 */
import type { AuditLog } from "../audit/index.ts";
import type { Clock, FailureCode } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import type { HostFacts, Registry, ReviewNews, ReviewsApi, Tool } from "../contract/index.ts";
import type { Dialect } from "../dialects/index.ts";
import type { Redactor } from "../policy/index.ts";
import type { Pool } from "../pool/index.ts";
import type { Launch } from "../proc/index.ts";
import type { SpaceView } from "../spaces/index.ts";
import type { Narrowed } from "../scope/index.ts";
import type { Bridge, HostPacks, KnownProposals, OpenCalls, Order, PolicyState } from "../session/index.ts";
import type { KeptCall } from "../state/index.ts";
import type { Upstreams } from "../upstream/index.ts";
import type { Call } from "./call.ts";
import type { GuardSettings } from "./decide/guard.ts";

export interface SpilledOutput {
  readonly name: string;
  readonly size: number;
  /** Default: text. */
  readonly mime?: string;
}

/** Removed are first. */
export interface ToolsToChange {
  /** Names, without aliases. */
  readonly remove?: readonly string[];
  readonly add?: readonly Tool[];
}

/** What became of each. */
export interface ChangedTools {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly refused: readonly ToolRefusal[];
}

/** A tool that was not added, with the reason in words. */
export interface ToolRefusal {
  readonly name: string;
  readonly code: FailureCode;
  readonly why: string;
}

/** The spaces of a host while it runs. */
export interface LoadedSpaces {
  views(): readonly SpaceView[];
  /** One line for each. */
  lines(): readonly string[];
  /** Looks at all of them now, and not when the next second is over. */
  reload(): Promise<ChangedTools>;
  /** @throws Failure `not_found` */
  setLoaded(id: string, isLoaded: boolean): Promise<ChangedTools>;
}

export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly facts: Omit<HostFacts, "containment">;
  readonly order: Order;
  readonly policy: PolicyState;
  /** The tools of packs, and the processes that have the code of their powers. */
  readonly packs: HostPacks;
  /** A function of the program that is asked before every call. */
  readonly guard: GuardSettings | undefined;
  /** Starts programs from outside the fence; absent without a fence, or when nothing that starts programs is offered. */
  readonly launch: Launch | undefined;
  /** Each must have its end on record before the host ends. */
  readonly openCalls: OpenCalls;
  /** What this process has proposed. */
  readonly proposed: KnownProposals;
  /** Programs of hooks that are being told something. */
  readonly telling: Set<Promise<unknown>>;
  /** What tools and guards do on this thread, until that ends by itself: its call may have been answered long before. */
  readonly running: Set<Promise<unknown>>;
  /** Outputs that were cut and linked in an answer of this process, by id, the newest last. */
  readonly spilled: Map<string, SpilledOutput>;
  /** Tools that the client offers. */
  readonly bridge: Bridge;
  readonly audit: AuditLog;
  /** Replaces the secrets in the output of programs; `undefined` where secrets are not replaced. */
  readonly redactor: Redactor | undefined;
  /** Other MCP servers; absent where there are none, and before the tools are there. */
  readonly upstreams: Upstreams | undefined;
  /** Absent where the configuration names none, and before the tools are there. */
  readonly spaces: LoadedSpaces | undefined;
  /** The folder of the memory, where this host has one. */
  readonly memoryFolder: string | undefined;
  /** What the client's roots leave of the roots. */
  readonly narrowed: Narrowed;
  readonly readPool: Pool;
  /** This pool has one worker: changes of one process happen one after the other. */
  readonly changePool: Pool;
  /** What the tools are called here, once they are loaded; `undefined`: by their own names. */
  readonly dialect: Dialect | undefined;
  /** @throws Failure `conflict` for two tools of one name */
  registry(): Promise<Registry>;
  /** Adds and removes tools while the host runs; clients are told that the list has changed. */
  changeTools(change: ToolsToChange): Promise<ChangedTools>;
  /** What a call has to wait for before it looks at anything: a host may have died in the middle of a change. */
  whole(): Promise<void> | undefined;
  /** Waits for the decisions of people about what this process has proposed. */
  awaitReviews(call: Call, ask: Parameters<ReviewsApi["wait"]>[0]): Promise<readonly ReviewNews[]>;
  /** Told of every call that has ended, where calls are kept; must not throw. */
  readonly keepCall: ((kept: KeptCall) => void) | undefined;
  /** Why a tool is not offered here, or `undefined` when it is. */
  whyHidden(tool: Tool): string | undefined;
  /** Something begins that could keep this thread. @returns when that is watched, where somebody has to wait for it */
  onWork(): Promise<void> | undefined;
  /** Called when a cut output is saved. */
  onSpilled(): void;
  /** Whether answers wait for a slow reader; no further read is begun then. */
  isOutputHeld(): boolean;
}
