/**
 * The types of the configuration: what a person or a program says (`RawConfig`) and what the host obeys (`Config`). Options
 * with a plain value come from the table; those with a structure are written out here.
 *
 * An option has three names: its key in a file (`read_only`), its setting in a program (`readOnly`) and its flag
 * (`--read-only`). The members inside a structure are named as in a file.
 */
import type { Override, Profile, RuleText, ToolList } from "../policy/index.ts";
import type { CommandDeclarations, HookPrograms, ShellSettings, UpstreamsConfig } from "../proc/index.ts";
import type { NetworkConfig } from "../reach/index.ts";
import type { RootSpec } from "../scope/index.ts";
import type { HistoryBounds } from "../state/index.ts";
import type { LegacyEncoding } from "../text/index.ts";
import type { Option } from "./option.ts";
import { OPTIONS } from "./options.ts";

type Options = typeof OPTIONS;
type Key = keyof Options;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type NameOf<K extends Key> = K extends "tools" ? "toolList" : K extends "packs" ? "packSettings" : CamelCase<K>;

/** What a value is before it is resolved; a choice is a text until then. */
interface Plain {
  readonly text: string;
  readonly list: readonly string[];
  readonly switch: boolean;
  readonly number: number;
}
type PlainValue<Takes> = Takes extends keyof Plain ? Plain[Takes] : string;

export type StructureKey = { [K in Key]: Options[K]["takes"] extends "structure" ? K : never }[Key];
type ChoiceKey = { [K in Key]: Options[K]["takes"] extends readonly string[] ? K : never }[Key];
type PlainKey = Exclude<Key, StructureKey | "$schema" | "lock">;

/** The choices as the host obeys them: one of the values in the table each. */
export type Choices = {
  readonly [K in ChoiceKey as NameOf<K>]: Options[K]["takes"] extends readonly (infer Value)[] ? Value : never;
};

type PlainSettings = {
  readonly [K in PlainKey as NameOf<K>]?: PlainValue<Options[K]["takes"]> | undefined;
};

/** What happens at the calls of some tools besides the decision. */
export interface HookText extends HookPrograms {
  /** A tool, a group or a glob of names. */
  readonly tool: string;
  /** confirm: ask whatever the rules say; log: also on stderr; silent: not among the events. */
  readonly action?: "confirm" | "log" | "silent" | undefined;
  /** proposal: `run` is told of every proposal of the tool. */
  readonly on?: "proposal" | undefined;
}

interface BudgetLimits {
  readonly bytes_out?: number | undefined;
  readonly calls?: number | undefined;
  readonly lines?: number | undefined;
  readonly matches?: number | undefined;
  readonly wall_ms?: number | undefined;
}

export interface Budgets {
  readonly call?: Omit<BudgetLimits, "calls"> | undefined;
  readonly session?: BudgetLimits | undefined;
}

interface SecretSettings {
  /** Exact paths, below a root or absolute, that are not secrets whatever their name. */
  readonly except: readonly string[];
  /** Whether detected secrets in answers are replaced by placeholders. Default true. */
  readonly redact: boolean;
  /** What happens to a search whose only sense is to find secrets. Default ask. */
  readonly search_terms: "ask" | "allow";
}

interface BridgeSettings {
  readonly enabled: boolean;
  /** The bridge tools of the Construct operator, which the client carries out. */
  readonly space_tools: boolean;
  /** Names or globs of its tools that only read, as the client calls them or as they are listed. */
  readonly read_tools: readonly string[];
  readonly timeout_ms?: number;
}

interface ReviewSettings {
  /** How long a call waits for the decision while a reviewer is attached, in milliseconds. */
  readonly wait_ms: number;
}

interface NotifySettings {
  /** The address that `ringfence notify` posts to; a host never does. */
  readonly webhook: string;
}

export type PackSettings = Readonly<Record<string, unknown>>;
export type Overrides = Readonly<Record<string, Override>>;
type Given<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** The options whose value has a structure, for a program: docs/configuration.md says what each member means. */
export interface StructuredSettings {
  /** Own profiles, and modes for the built-in ones. */
  readonly profiles?: Overrides | undefined;
  /** `tools` in a file. */
  readonly toolList?: ToolList | undefined;
  readonly clients?: Overrides | undefined;
  readonly agents?: Overrides | undefined;
  readonly providers?: Overrides | undefined;
  readonly skills?: Overrides | undefined;
  readonly rules?: readonly RuleText[] | undefined;
  readonly hooks?: readonly HookText[] | undefined;
  readonly secrets?: Given<SecretSettings> | undefined;
  readonly budgets?: Budgets | undefined;
  readonly review?: Given<ReviewSettings> | undefined;
  readonly notify?: Given<NotifySettings> | undefined;
  /** Tools that the client offers. */
  readonly bridge?: Given<BridgeSettings> | undefined;
  readonly commands?: CommandDeclarations | undefined;
  /** Folders with one command in each `NAME.yaml` or `NAME.json`, where no tool can write. */
  readonly commandFolders?: readonly string[] | undefined;
  /** Directories that are spaces or hold them, where no tool can write. */
  readonly spaces?: readonly string[] | undefined;
  readonly shell?: ShellSettings | undefined;
  /** Other MCP servers, by name. */
  readonly upstream?: UpstreamsConfig["servers"] | undefined;
  /** Hosts that the addresses of other servers may name. */
  readonly upstreamReach?: readonly string[] | undefined;
  /** `packs` in a file: the settings of each pack that is on, by its name. */
  readonly packSettings?: PackSettings | undefined;
  /** How connections leave this machine. */
  readonly network?: NetworkConfig | undefined;
}

/**
 * What the command line or a program says. Each member is a key of docs/configuration.md in camelCase, with the same
 * values and defaults; only `fence` is `off` unless a program asks for it.
 */
export interface RawConfig extends PlainSettings, StructuredSettings {
  /** The files that the values come from: no tool changes them. */
  readonly configFiles?: readonly string[] | undefined;
}

/** The structures that are the same once they are resolved. */
type Structures = {
  readonly [
    Name in "toolList" | "clients" | "agents" | "providers" | "skills" | "rules" | "hooks" | "budgets" | "commands"
  ]: NonNullable<StructuredSettings[Name]>;
};

/** What the host obeys: every value is there, checked and frozen. */
export interface Config extends Choices, Structures {
  readonly roots: readonly RootSpec[];
  readonly allowRootFs: boolean;
  /** The arguments of calls are kept whole. */
  readonly keepCalls: boolean;
  /** With every spelling of an absolute glob. */
  readonly deny: readonly string[];
  readonly stateDir: string;
  /** The file that was named on the command line. */
  readonly configFile?: string;
  readonly legacyEncoding?: LegacyEncoding;
  readonly strict: boolean;
  /** How much is kept for undo, and how long. */
  readonly undo: HistoryBounds;
  /** The room for text in an answer to a call that names no limit. */
  readonly answerBytes: number;
  /** 0: no call becomes a task. */
  readonly tasksAfterMs: number;
  /** How long a call waits for an attached reviewer; 0: calls do not wait. */
  readonly reviewWaitMs: number;
  /** What `ringfence notify` posts to; of a host's configuration it is no part. */
  readonly notifyWebhook?: string;
  /** Configuration files, and directories where they are looked for: no tool changes them. */
  readonly configFiles: readonly string[];
  /** Every link on the way to such a file or directory, and where it leads; protected like the files. */
  readonly configWay: readonly string[];
  /** Patterns of what searches and lists leave out, besides ignore files. */
  readonly ignore: readonly string[];
  /** Larger files are not read as text, searched or edited. Absent: what each tool can hold. */
  readonly maxFileBytes?: number;
  /** Directories that recursive tools skip unless asked. */
  readonly skip: readonly string[];
  readonly profile: Profile;
  readonly readOnly: boolean;
  readonly secrets: SecretSettings;
  readonly bridge: BridgeSettings;
  /** Absolute. */
  readonly spaces: readonly string[];
  /** Absent where it is not enabled. */
  readonly shell?: ShellSettings;
  /** Absent where there are none. */
  readonly upstreams?: UpstreamsConfig;
  /** What each pack that is on has been told; `loadPacks()` checks it. */
  readonly packSettings: PackSettings;
  readonly network: NetworkConfig;
}

/** Values by their keys in a file. */
export type FileValues = Readonly<Record<string, unknown>>;

/** Every row of the table, in its order. */
export function optionRows(): [key: string, option: Option][] {
  return Object.entries(OPTIONS);
}

/** The flag without its hyphens. */
export function flagName(key: string): string {
  return key === "roots" ? "root" : key.replaceAll("_", "-");
}

/** A program hands in `tools` and `packs` of its own, so what a file says of them has other names there. */
const OTHER_NAMES: Readonly<Record<string, string>> = { tools: "toolList", packs: "packSettings" };

export function settingName(key: string): string {
  if (Object.hasOwn(OTHER_NAMES, key)) return OTHER_NAMES[key] ?? key;
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function fileKey(name: string): string {
  const [other] = Object.entries(OTHER_NAMES).find(([, setting]) => setting === name) ?? [];
  if (other !== undefined) return other;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The values that were said, under their keys in a file. */
export function toFile(raw: RawConfig): FileValues {
  const entries = Object.entries(raw).filter(([name, value]) => isSaid(value) && name !== "config");
  return Object.fromEntries(entries.map(([name, value]) => [fileKey(name), value]));
}

/** A flag that was not given, and an empty list, are as if they were not there. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

export function fromFile(values: FileValues): RawConfig {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [settingName(key), value]));
}
