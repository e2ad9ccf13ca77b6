/**
 * From what the person said to what the host obeys: raw -> resolved -> frozen. After this nothing reads flags again.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, limits } from "../base/index.ts";
import type { FenceMode } from "../fence/index.ts";
import { MODES, type Mode } from "../policy/index.ts";
import { isWholeSystem, type Containment, type RootSpec } from "../scope/index.ts";
import { isEncodingName, nearestNames, type LegacyEncoding } from "../text/index.ts";
import { defaultStateDir } from "./environment.ts";
import type { CommandsPart, RawCommands } from "./load-commands.ts";
import { absolute, parseRoot } from "./parse-root.ts";

/** As it came from the command line or from a program that uses the library. */
export interface RawConfig extends RawCommands {
  /** `DIR`, or `DIR:ro` for reading only. */
  readonly roots?: readonly string[];
  /** Allows a root that is the whole file system. */
  readonly allowRootFs?: boolean | undefined;
  readonly deny?: readonly string[];
  readonly stateDir?: string | undefined;
  readonly mode?: string | undefined;
  readonly results?: string | undefined;
  readonly containment?: string | undefined;
  readonly legacyEncoding?: string | undefined;
  /** Requests outside any MCP era are refused. */
  readonly strict?: boolean | undefined;
  /** When a change must name the content that it was made against: so far only `if_known`, the default. */
  readonly baseline?: string | undefined;
  /** full: what was answered survives a crash of the machine; fast: only the end of a process. Default full. */
  readonly durability?: string | undefined;
  /** The kernel fence: auto, require or off. Default off, because a program of one's own may need more than its roots. */
  readonly fence?: string | undefined;
}

export interface Config extends CommandsPart {
  readonly roots: readonly RootSpec[];
  readonly allowRootFs: boolean;
  readonly deny: readonly string[];
  readonly stateDir: string;
  readonly mode: Mode;
  readonly results: "text" | "structured";
  readonly containment: Containment;
  readonly legacyEncoding?: LegacyEncoding;
  readonly strict: boolean;
  readonly baseline: "if_known";
  readonly durability: "full" | "fast";
  readonly fence: FenceMode;
  /** Directories that recursive tools skip unless asked. */
  readonly skip: readonly string[];
}

/** @throws Failure `invalid_input` that names the flag, the value and what it takes */
export function resolveConfig(raw: RawConfig): Config {
  const roots = (raw.roots ?? []).map(parseRoot);
  if (roots.length === 0)
    throw new Failure("invalid_input", "Cannot start: no root was given", {
      hint: "Name the directories that the tools may reach: ringfence serve --root DIR, or --root DIR:ro for reading only.",
    });
  const settings = resolveSettings(raw);
  const whole = settings.allowRootFs ? undefined : roots.find(({ path }) => isWholeSystem(path));
  if (whole) throw wholeSystemFailure(whole.path);
  return Object.freeze({ ...settings, roots: Object.freeze(roots) });
}

function wholeSystemFailure(path: string): Failure {
  return new Failure(
    "invalid_input",
    `Cannot start: the root ${JSON.stringify(path)} is the whole file system`,
    {
      hint: "Give the directories that the tools need, or say --allow-root-fs if it must be all of it.",
    },
  );
}

/** The same without roots, for commands that work on the state folder alone. */
export function resolveSettings(raw: RawConfig): Config {
  const legacy = raw.legacyEncoding;
  if (legacy !== undefined && (!isEncodingName(legacy) || legacy.startsWith("utf-")))
    throw new Failure(
      "invalid_input",
      `Cannot start: --legacy-encoding ${JSON.stringify(legacy)} is not a code page that is known`,
    );
  return Object.freeze({
    roots: [],
    commands: raw.commands ?? {},
    ...(raw.shell?.enabled ? { shell: raw.shell } : {}),
    allowRootFs: raw.allowRootFs ?? false,
    deny: Object.freeze((raw.deny ?? []).map(parseDeny)),
    stateDir: canonical(absolute(raw.stateDir ?? defaultStateDir())),
    mode: oneOf("--mode", raw.mode ?? "default", MODES),
    results: oneOf("--results", raw.results ?? "text", ["text", "structured"] as const),
    containment: oneOf("--containment", raw.containment ?? "auto", ["auto", "handle", "portable"] as const),
    strict: raw.strict ?? false,
    durability: oneOf("--durability", raw.durability ?? "full", ["full", "fast"] as const),
    baseline: baselineOf(raw.baseline ?? "if_known"),
    fence: oneOf("--fence", raw.fence ?? "off", ["auto", "require", "off"] as const),
    skip: limits.SKIPPED_DIRECTORIES,
    ...(legacy === undefined ? {} : { legacyEncoding: legacy as LegacyEncoding }),
  });
}

/** The stricter form is refused, not taken for the weaker one. */
function baselineOf(value: string): "if_known" {
  if (value === "required")
    throw new Failure("unsupported", "Cannot start: --baseline=required is not part of this version", {
      hint: "With --baseline=if_known a change that gives if_hash is held to it.",
    });
  return oneOf("--baseline", value, ["if_known"] as const);
}

/** Slashes at the ends add nothing: a pattern is relative to each root and covers what is below a match. */
function parseDeny(glob: string): string {
  const bare = glob.replaceAll(/^\/+|\/+$/g, "");
  if (bare !== "" && !bare.startsWith("!")) return bare;
  throw new Failure(
    "invalid_input",
    `Cannot start: --deny ${JSON.stringify(glob)} would not deny what it names`,
    {
      hint: "Give a glob relative to the root, such as secrets or **/*.pem.",
    },
  );
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const [nearest] = nearestNames(value, allowed, 1);
  throw new Failure("invalid_input", `Cannot start: ${flag} cannot be ${JSON.stringify(value)}`, {
    hint: `It is one of ${allowed.join(", ")}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
  });
}

/** The state folder may not exist yet; links in what does exist are resolved, so that it can be hidden from tools. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(canonical(parent), basename(path));
  }
}
