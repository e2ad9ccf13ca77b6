/**
 * The part of the configuration that is the policy: what may be done, by whom, and how much of it. The names of nested
 * members are those of the configuration file.
 */
import type { HookPrograms } from "../proc/index.ts";
import type { Override, Profile, RuleText, ToolList } from "../policy/index.ts";

/** What happens at the calls of some tools, besides the decision. */
export interface HookText extends HookPrograms {
  /** A tool, a group or a glob of names. */
  readonly tool: string;
  /** confirm: ask whatever the rules say; log: also on stderr; silent: not among the events. */
  readonly action?: "confirm" | "log" | "silent" | undefined;
}

export interface BudgetLimits {
  readonly bytes_out?: number | undefined;
  readonly calls?: number | undefined;
  readonly matches?: number | undefined;
  readonly wall_ms?: number | undefined;
}

export interface Budgets {
  readonly call?: Omit<BudgetLimits, "calls"> | undefined;
  readonly session?: BudgetLimits | undefined;
}

export interface SecretSettings {
  /** Exact paths, below a root or absolute, that are no secrets. */
  readonly except?: readonly string[] | undefined;
  /** Whether detected secrets in answers are replaced by placeholders. Default true. */
  readonly redact?: boolean | undefined;
  /** What happens to a search whose only sense is to find secrets. Default ask. */
  readonly search_terms?: "ask" | "allow" | undefined;
}

export interface BridgeSettings {
  readonly enabled?: boolean;
  /** By name or glob; as the client calls them, or as they are listed. */
  readonly read_tools?: readonly string[];
  readonly timeout_ms?: number;
}

export type Overrides = Readonly<Record<string, Override>>;

/** As it is given; everything has a default. */
export interface PolicySettings {
  readonly profile?: string | undefined;
  /** Own profiles, and modes for those that there are. */
  readonly profiles?: Overrides | undefined;
  /** Only tools that read. */
  readonly readOnly?: boolean | undefined;
  /** `tools` in a file. */
  readonly toolList?: ToolList | undefined;
  readonly clients?: Overrides | undefined;
  readonly agents?: Overrides | undefined;
  readonly providers?: Overrides | undefined;
  readonly skills?: Overrides | undefined;
  readonly rules?: readonly RuleText[] | undefined;
  readonly hooks?: readonly HookText[] | undefined;
  readonly secrets?: SecretSettings | undefined;
  readonly budgets?: Budgets | undefined;
  /** Tools that the client offers. */
  readonly bridge?: BridgeSettings | undefined;
  /** Where a person is asked: client, terminal or both. Default both. */
  readonly ask?: string | undefined;
  /** required: nothing is changed that cannot be put on record; best-effort: it is changed nevertheless. */
  readonly audit?: string | undefined;
}

/** As the host obeys it. */
export interface PolicyConfig {
  readonly profile: Profile;
  readonly readOnly: boolean;
  readonly toolList: ToolList;
  readonly clients: Overrides;
  readonly agents: Overrides;
  readonly providers: Overrides;
  readonly skills: Overrides;
  readonly rules: readonly RuleText[];
  readonly hooks: readonly HookText[];
  readonly secrets: {
    readonly except: readonly string[];
    readonly redact: boolean;
    readonly search_terms: "ask" | "allow";
  };
  readonly budgets: Budgets;
  readonly bridge: BridgeSettings & Required<Pick<BridgeSettings, "enabled" | "read_tools">>;
  /** client: no other process applies its proposals; terminal: the client is never asked; both: whoever answers first. */
  readonly ask: "client" | "terminal" | "both";
  readonly audit: "required" | "best-effort";
}
