/**
 * What a pack is: tools that belong together, the powers that they need, what the configuration says of them, and whether
 * they would work on this machine. Everything about a pack is declared, so `tools/list` starts nothing; the code behind its
 * powers is imported with their first call.
 *
 * A pack is off until the configuration has its name under `packs`; only the built-in ones are always on.
 */
import type * as z from "zod";
import type { FilterDeclarations, PackProgram } from "../proc/index.ts";
import type { PackNetwork } from "../reach/index.ts";
import type { Power } from "./power.ts";
import type { Tool } from "./tool.ts";

/** What a start has to know of a pack; the tools are loaded later. */
export interface PackPlan<Settings> {
  /** The key under `packs` in the configuration: snake_case, `^[a-z][a-z0-9_]{0,30}$`. */
  readonly name: string;
  readonly title: string;
  readonly powers?: readonly PlannedPower[];
  /** What may stand under its name in the configuration: a strict object, or its keys one by one. */
  readonly config: PackConfig<Settings>;
  /** Programs that its tools have run on one file each, through the power `filters`, by names of their own. */
  filters?(settings: Settings): FilterDeclarations;
  /** What its tools may reach with `ctx.http`, from its settings. Without it they reach nothing. */
  network?(settings: Settings): PackNetwork | undefined;
  /** Absolute paths outside of the roots that the workers read for it, from its settings. */
  reads?(settings: Settings): readonly string[];
  /** A program of this machine that its tools speak to (`ctx.program`), from its settings. Its network is what `network` lists. */
  program?(settings: Settings): Omit<PackProgram, "reach"> | undefined;
}

/** Schemas of classic zod or of `zod/mini`: the second are what a start loads faster. */
export type PackConfig<Settings> = z.core.$ZodType<Settings> | SettingsByKey<Settings>;

/**
 * The settings of a pack, key by key. A start makes the schemas of the keys that its configuration has: all of them can take
 * longer than the rest of what a start does for the pack.
 */
export interface SettingsByKey<Settings> {
  /** Makes the schema of a key. That it may be left out, and what holds then, is said by `usual`. */
  readonly keys: { readonly [Key in keyof Settings]-?: () => z.core.$ZodType<Exclude<Settings[Key], undefined>> };
  /** The keys that may be left out, each with what holds then. A key that is not here must be there. */
  readonly usual: Partial<Settings>;
  /**
   * Reads the simplest form of a key, to what its schema would read it to: making schemas is the longest part of a start with a
   * pack. `undefined`, or no function: the schema reads the value.
   */
  readonly simple?: { readonly [Key in keyof Settings]?: (given: unknown) => Settings[Key] | undefined };
  /** What is wrong with keys that do not go together, in words for a person. */
  problem?(settings: Settings): string | undefined;
}

/** Where the code of a power runs, and in how much memory. */
export type PlannedPower = Pick<Power, "name" | "runsIn" | "memoryMb">;

/** A pack as `definePack` takes it. */
export interface PackGiven<Settings> extends PackPlan<Settings> {
  /** In the order of `tools/list`. As a function, where they depend on the configuration. */
  readonly tools: readonly Tool[] | ((settings: Settings) => readonly Tool[]);
  readonly powers?: readonly Power[];
  /** Lines for `doctor` and `system_info` that say what works. @throws Failure for what does not */
  readonly doctor?: (settings: Settings) => readonly string[] | Promise<readonly string[]>;
}

/** A pack as a host keeps it: the type of its configuration is known only to itself. */
export interface Pack extends Omit<
  PackGiven<unknown>,
  "tools" | "filters" | "doctor" | "network" | "program" | "reads"
> {
  tools(settings: unknown): readonly Tool[];
  filters(settings: unknown): FilterDeclarations;
  doctor(settings: unknown): readonly string[] | Promise<readonly string[]>;
  network(settings: unknown): PackNetwork | undefined;
  program(settings: unknown): PackProgram | undefined;
  reads(settings: unknown): readonly string[];
}

/** A pack of one host, with what its configuration says of it. */
export interface ConfiguredPack {
  readonly pack: Pack;
  readonly isOn: boolean;
  /** Checked by the schema of the pack; nothing for one that is off. */
  readonly settings: unknown;
}

/** The packs of one start. Whoever needs no tool of theirs does not load them. */
export interface PackSource {
  /** What the configuration says of those that are on, by name. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** All that there are, also those that are off. */
  load(): Promise<readonly ConfiguredPack[]>;
}

/**
 * Declares a pack for `runHost({ packs: [...] })`.
 *
 * @example
 * const greetings = definePack({
 *   name: "greetings",
 *   title: "Greetings",
 *   tools: [shout],
 *   config: z.strictObject({ loud: z.boolean().default(true) }),
 *   doctor: ({ loud }) => [loud ? "greets loudly" : "greets"],
 * });
 */
export function definePack<Settings>(given: PackGiven<Settings>): Pack {
  const { tools, doctor } = given;
  return {
    ...given,
    tools: (settings) => (typeof tools === "function" ? tools(settings as Settings) : tools),
    filters: (settings) => given.filters?.(settings as Settings) ?? {},
    doctor: (settings) => doctor?.(settings as Settings) ?? [],
    network: (settings) => given.network?.(settings as Settings),
    program(settings) {
      const declared = given.program?.(settings as Settings);
      return declared && { ...declared, reach: given.network?.(settings as Settings)?.reach ?? [] };
    },
    reads: (settings) => given.reads?.(settings as Settings) ?? [],
  };
}
