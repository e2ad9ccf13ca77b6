/**
 * From what the person said to what the host obeys: raw -> resolved -> frozen. After this nothing reads flags again.
 */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, limits } from "../base/index.ts";
import type { DialectName } from "../dialects/index.ts";
import type { FenceMode } from "../fence/index.ts";
import { MODES, type Mode } from "../policy/index.ts";
import { isWholeSystem, type Containment, type RootSpec } from "../scope/index.ts";
import type { HistoryBounds } from "../state/index.ts";
import { isEncodingName, type LegacyEncoding } from "../text/index.ts";
import { rootFilePath } from "./config-files.ts";
import { defaultStateDir } from "./environment.ts";
import type { CommandsPart, RawCommands } from "./load-commands.ts";
import { namesOnTheWay } from "./names-on-the-way.ts";
import { oneOf } from "./one-of.ts";
import { absolute, parseRoot } from "./parse-root.ts";
import { modeOf, policyOf } from "./resolve-policy.ts";
import type { PolicyConfig, PolicySettings } from "./settings.ts";

/** As it came from the command line or from a program that uses the library. */
export interface RawConfig extends PolicySettings, RawCommands {
  /** `DIR`, or `DIR:ro` for reading only. */
  readonly roots?: readonly string[];
  /** Allows a root that is the whole file system. */
  readonly allowRootFs?: boolean | undefined;
  readonly deny?: readonly string[];
  readonly stateDir?: string | undefined;
  readonly mode?: string | undefined;
  readonly results?: string | undefined;
  readonly containment?: string | undefined;
  /** Under which names the tools are presented. Default ringfence: their own. */
  readonly dialect?: string | undefined;
  readonly legacyEncoding?: string | undefined;
  /** narrow: the roots that a client offers narrow those of the host; ignore: it is not asked for them. Default narrow. */
  readonly clientRoots?: string | undefined;
  /** Requests outside any MCP era are refused. */
  readonly strict?: boolean | undefined;
  /** required: an existing file is changed only if it was read or its hash is given. Default if_known. */
  readonly baseline?: string | undefined;
  /** full: what was answered survives a crash of the machine; fast: only the end of a process. Default full. */
  readonly durability?: string | undefined;
  /** Of what is kept for undo at most: bytes, or as 500M or 2G. Default 1G. */
  readonly undoMaxBytes?: string | undefined;
  /** How long it is kept: as 12h or 30d. Default 7d. */
  readonly undoMaxAge?: string | undefined;
  /** Of one answer where its call names no limit: bytes, or as 64k or 1M. Default 32k. */
  readonly answerBytes?: string | undefined;
  /** A call that takes longer becomes a task, for clients that know tasks; 0: never. Default 10000. */
  readonly tasksAfterMs?: number | undefined;
  /** The kernel fence: auto, require or off. Default off, because a program of one's own may need more than its roots. */
  readonly fence?: string | undefined;
  /** A configuration file besides those of the machine and the user; for the command line. */
  readonly config?: string | undefined;
  /** The files that the values come from: no tool changes them. */
  readonly configFiles?: readonly string[] | undefined;
}

export interface Config extends PolicyConfig, CommandsPart {
  readonly roots: readonly RootSpec[];
  readonly allowRootFs: boolean;
  readonly deny: readonly string[];
  readonly stateDir: string;
  /** The one that was named on the command line. */
  readonly configFile?: string;
  readonly mode: Mode;
  readonly results: "text" | "structured";
  readonly containment: Containment;
  readonly dialect: DialectName;
  readonly legacyEncoding?: LegacyEncoding;
  readonly clientRoots: "narrow" | "ignore";
  readonly strict: boolean;
  readonly baseline: "required" | "if_known";
  readonly durability: "full" | "fast";
  /** What is kept for undo at most. */
  readonly undo: HistoryBounds;
  /** Of text, in an answer to a call that names no limit. */
  readonly answerBytes: number;
  /** 0: no call becomes a task. */
  readonly tasksAfterMs: number;
  readonly fence: FenceMode;
  /** Configuration files, and directories where they are looked for: no tool changes them. */
  readonly configFiles: readonly string[];
  /** Every link on the way to them, or to where one would be looked for, and where it leads: as much theirs. */
  readonly configWay: readonly string[];
  /** Directories that recursive tools skip unless asked. */
  readonly skip: readonly string[];
}

/** @throws Failure `invalid_input` that names the flag, the value and what it takes */
export function resolveConfig(raw: RawConfig): Config {
  const roots = (raw.roots ?? []).map(parseRoot);
  if (roots.length === 0)
    throw new Failure("invalid_input", "Cannot start: no root was given", {
      hint: "Name the directories that the tools may reach: --root DIR, or --root DIR:ro for reading only.",
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
  const dialect = oneOf("--dialect", raw.dialect ?? "ringfence", DIALECTS);
  return Object.freeze({
    roots: [],
    commands: raw.commands ?? {},
    ...(raw.shell?.enabled ? { shell: raw.shell } : {}),
    ...upstreamsOf(raw),
    allowRootFs: raw.allowRootFs ?? false,
    deny: Object.freeze((raw.deny ?? []).map(parseDeny)),
    stateDir: canonical(absolute(raw.stateDir ?? defaultStateDir())),
    ...(raw.config === undefined ? {} : { configFile: absolute(raw.config) }),
    mode: oneOf("--mode", modeOf(raw), MODES),
    dialect,
    results: oneOf("--results", resultsOf(raw, dialect), ["text", "structured"] as const),
    containment: oneOf("--containment", raw.containment ?? "auto", ["auto", "handle", "portable"] as const),
    clientRoots: oneOf("--client-roots", raw.clientRoots ?? "narrow", ["narrow", "ignore"] as const),
    strict: raw.strict ?? false,
    durability: oneOf("--durability", raw.durability ?? "full", ["full", "fast"] as const),
    baseline: oneOf("--baseline", raw.baseline ?? "if_known", ["required", "if_known"] as const),
    undo: undoOf(raw),
    answerBytes: answerBytesOf(raw),
    tasksAfterMs: tasksAfterOf(raw),
    fence: oneOf("--fence", raw.fence ?? "off", ["auto", "require", "off"] as const),
    skip: limits.SKIPPED_DIRECTORIES,
    configFiles: Object.freeze((raw.configFiles ?? []).map(canonical)),
    configWay: Object.freeze(wayTo(raw)),
    ...policyOf(raw),
    ...(legacy === undefined ? {} : { legacyEncoding: legacy as LegacyEncoding }),
  });
}

function wayTo({ configFiles = [], roots = [] }: RawConfig): string[] {
  return [...new Set([...configFiles, ...roots.map(rootFilePath)].flatMap(namesOnTheWay))];
}

/** In the order of the help. Their tables are loaded only when one is chosen. */
export const DIALECTS: readonly DialectName[] = [
  "ringfence",
  "claude",
  "codex",
  "gemini",
  "filesystem",
  "flynn",
  "flynn-plain",
  "construct",
  "clarvis",
];

/** The reference server's results are always structured too, and its texts are made from ours. */
function resultsOf({ results }: RawConfig, dialect: DialectName): string {
  return dialect === "filesystem" ? "structured" : (results ?? "text");
}

function upstreamsOf({ upstream = {}, upstreamReach = [] }: RawConfig): Pick<Config, "upstreams"> {
  if (Object.keys(upstream).length === 0) return {};
  return { upstreams: { servers: upstream, reach: upstreamReach } };
}

/** A timer takes no more than 2^31 - 1 milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function tasksAfterOf({ tasksAfterMs: given = limits.TASKS_AFTER_MS }: RawConfig): number {
  if (Number.isInteger(given) && given >= 0 && given <= MAX_TIMER_MS) return given;
  throw new Failure("invalid_input", `Cannot start: --tasks-after-ms cannot be ${given}`, {
    hint: "It is a number of milliseconds, such as 10000; 0 means that no call becomes a task.",
  });
}

function answerBytesOf({ answerBytes: text }: RawConfig): number {
  if (text === undefined) return limits.DEFAULT_ANSWER_BYTES;
  const wanted = "bytes, or a number such as 64k or 1M: 1k at least and 1M at most";
  const bytes = amountOf("--answer-bytes", text, BYTES, wanted);
  if (bytes >= limits.MIN_ANSWER_BYTES && bytes <= limits.MAX_READ_BYTES) return bytes;
  throw notAnAmount("--answer-bytes", text, wanted);
}

function undoOf({ undoMaxBytes: bytes, undoMaxAge: age }: RawConfig): HistoryBounds {
  return Object.freeze({
    maxBytes:
      bytes === undefined
        ? limits.MAX_UNDO_BYTES
        : amountOf("--undo-max-bytes", bytes, BYTES, "bytes, or a number such as 500M or 2G"),
    maxAgeMs:
      age === undefined
        ? limits.UNDO_TTL_MS
        : amountOf("--undo-max-age", age, AGES, "a number of hours or days, such as 12h or 30d"),
  });
}

const BYTES: Readonly<Record<string, number>> = { "": 1, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const AGES: Readonly<Record<string, number>> = { h: 60 * 60 * 1000, d: 24 * 60 * 60 * 1000 };

function amountOf(
  flag: string,
  text: string,
  units: Readonly<Record<string, number>>,
  wanted: string,
): number {
  const [, count, unit = ""] = /^(\d{1,9})([a-zA-Z]?)$/.exec(text) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (count !== undefined && size !== undefined) return Number(count) * size;
  throw notAnAmount(flag, text, wanted);
}

function notAnAmount(flag: string, text: string, wanted: string): Failure {
  return new Failure("invalid_input", `Cannot start: ${flag} cannot be ${JSON.stringify(text)}`, {
    hint: `It is ${wanted}.`,
  });
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

/** The state folder may not exist yet; links in what does exist are resolved, so that it can be hidden from tools. */
function canonical(path: string): string {
  const parent = dirname(path);
  try {
    // A failure that is thrown and caught costs more than the question.
    if (existsSync(path)) return realpathSync(path);
  } catch {
    // It has gone since.
  }
  return parent === path ? path : join(canonical(parent), basename(path));
}
