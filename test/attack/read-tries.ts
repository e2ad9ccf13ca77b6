/**
 * The attacks of this folder as data: `configurations.json` says what a host is started with, and every line of a
 * `*.jsonl` is one try against it, with what must hold. A line is checked when it is read, because a misspelt key would
 * hold for ever.
 *
 * In every string `$T` stands for the folder of the try below the root, `$R` for the root, `$V` for a second root, `$L`
 * for a root that is only read, `$O` for a folder outside, `$S` for the state folder and `$ID` and `$DIGEST` for the
 * last proposal.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

type Call = readonly [name: string, given: Readonly<Record<string, unknown>>];

export interface Try {
  readonly area: string;
  readonly what: string;
  readonly configuration: string;
  /** Below `$T` unless they begin with a sign of a folder; a value that begins with `-> ` is a link, with `= ` a hard link. */
  readonly files: Readonly<Record<string, string>>;
  /** A tool, a method (`ringfence/...`) or something the test does (`@write`, `@tamper`), with its arguments. */
  readonly calls: readonly Call[];
  readonly holds: {
    /** What became of the last call. `kept` is anything but `done`. */
    readonly outcome: "denied" | "asked" | "refused" | "kept" | "done" | "any";
    /** Files below `$T` may change; without it nothing there may. */
    readonly changes: boolean;
    /** In no answer of the try. The word CANARY is in no answer of any. */
    readonly hidden: readonly string[];
    /** In the last answer. */
    readonly shown: readonly string[];
    /** What files below `$T` may hold afterwards. */
    readonly leaves: Readonly<Record<string, readonly string[]>>;
    /** Part of no command line of a process afterwards. */
    readonly gone?: string | undefined;
  };
  /** A program without which it is left out. */
  readonly needs?: string | undefined;
  /** SECURITY.md says that it is not held. */
  readonly known?: true | undefined;
}

export interface Configuration {
  readonly args: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** Where that file is written, and the name under which the host is given it. */
  readonly written_at: string;
  readonly given_as?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly needs?: "fence" | undefined;
}

const filesSchema = z.record(z.string(), z.string()).default({});

const trySchema: z.ZodType<Try> = z.strictObject({
  area: z.string(),
  what: z.string(),
  configuration: z.string(),
  files: filesSchema,
  calls: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])).min(1),
  holds: z.strictObject({
    outcome: z.enum(["denied", "asked", "refused", "kept", "done", "any"]),
    changes: z.boolean().default(false),
    hidden: z.array(z.string()).default([]),
    shown: z.array(z.string()).default([]),
    leaves: z.record(z.string(), z.array(z.string())).default({}),
    gone: z.string().optional(),
  }),
  needs: z.string().optional(),
  known: z.literal(true).optional(),
});

const configurationSchema: z.ZodType<Configuration> = z.strictObject({
  args: z.array(z.string()).default([]),
  config: z.record(z.string(), z.unknown()).default({}),
  written_at: z.string().default("$P/config.json"),
  given_as: z.string().optional(),
  files: filesSchema,
  needs: z.literal("fence").optional(),
});

const folder: string = import.meta.dir;

export function readTries(): Try[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .flatMap((line, at) => (line.trim() === "" ? [] : [parseLine(line, `${name}:${at + 1}`)])),
  );
}

export function isPlayed({ known, needs }: Try): boolean {
  return known !== true && (needs === undefined || existsSync(needs));
}

export function readConfigurations(): Readonly<Record<string, Configuration>> {
  const text = readFileSync(join(folder, "configurations.json"), "utf8");
  return z.record(z.string(), configurationSchema).parse(JSON.parse(text));
}

function parseLine(line: string, where: string): Try {
  try {
    return trySchema.parse(JSON.parse(line));
  } catch (thrown) {
    throw new Error(`Cannot read the try ${where}: ${String(thrown)}`, { cause: thrown });
  }
}
