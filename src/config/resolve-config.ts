/**
 * Resolves what a person said into what the host obeys: raw, resolved, frozen. After this nothing reads flags again.
 */
import { Failure, limits } from "../base/index.ts";
import type { DialectName } from "../dialects/index.ts";
import { checkRule, PROFILES, type Override, type Profile } from "../policy/index.ts";
import { isAddressRange, MAX_RANGES } from "../reach/index.ts";
import { isWholeSystem } from "../scope/index.ts";
import type { HistoryBounds } from "../state/index.ts";
import { isEncodingName, nearestNames, type LegacyEncoding } from "../text/index.ts";
import { absolute, canonical, namesOnTheWay, parseRoot, rootFilePath } from "./config-files.ts";
import { checkDeny, parseDeny } from "./deny-globs.ts";
import { defaultStateDir, expandHome } from "./environment.ts";
import { mapValues, wholeCommand, wholeHook, wholeServer } from "./home-paths.ts";
import { OPTIONS } from "./options.ts";
import { flagName, optionRows, settingName, type Choices, type Config, type RawConfig } from "./settings.ts";

/** The names of the dialects, in the order of the help. Their tables are loaded only when one is chosen. */
export const DIALECTS: readonly DialectName[] = OPTIONS.dialect.takes;

/** @throws Failure `invalid_input` that names the flag, the value and what it takes */
export function resolveConfig(raw: RawConfig): Config {
  const roots = (raw.roots ?? []).map(parseRoot);
  if (roots.length === 0)
    throw new Failure("invalid_input", "Cannot start: no root was given", {
      hint: "Name the directories that the tools may reach: --root DIR, or --root DIR:ro for reading only.",
    });
  const settings = resolveSettings(raw);
  const whole = settings.allowRootFs ? undefined : roots.find(({ path }) => isWholeSystem(path));
  if (whole)
    throw new Failure(
      "invalid_input",
      `Cannot start: the root ${JSON.stringify(whole.path)} is the whole file system`,
      { hint: "Give the directories that the tools need, or say --allow-root-fs if it must be all of it." },
    );
  checkDeny(raw.deny ?? [], roots);
  return Object.freeze({ ...settings, roots: Object.freeze(roots) });
}

/** Resolves a configuration without roots, for commands that work on the state folder alone. */
export function resolveSettings(raw: RawConfig): Config {
  const { clients = {}, agents = {}, providers = {}, skills = {}, rules = [], hooks = [], budgets = {} } = raw;
  const { except = [], redact = true, search_terms = "ask" } = raw.secrets ?? {};
  const { enabled = true, space_tools = false, read_tools = [], timeout_ms } = raw.bridge ?? {};
  const { upstream = {}, upstreamReach = [], commands = {} } = raw;
  const spaces = (raw.spaces ?? []).map((path) => canonical(absolute(path)));
  const choices = choicesOf(raw);
  for (const rule of rules) checkRule(rule);
  return Object.freeze({
    roots: [],
    ...choices,
    ...selectionOf(raw),
    clients,
    agents,
    providers,
    skills,
    rules,
    hooks: hooks.map(wholeHook),
    secrets: { except: except.map(expandHome), redact, search_terms },
    budgets,
    bridge: { enabled, space_tools, read_tools, ...(timeout_ms === undefined ? {} : { timeout_ms }) },
    commands: mapValues(commands, wholeCommand),
    spaces: Object.freeze(spaces),
    packSettings: raw.packSettings ?? {},
    network: networkOf(raw),
    ...(raw.shell && (raw.shell.enabled || raw.shell.programs?.length) ? { shell: raw.shell } : {}),
    ...(Object.keys(upstream).length === 0
      ? {}
      : { upstreams: { servers: mapValues(upstream, wholeServer), reach: upstreamReach } }),
    allowRootFs: raw.allowRootFs ?? false,
    keepCalls: raw.keepCalls ?? false,
    deny: Object.freeze([...new Set((raw.deny ?? []).flatMap(parseDeny))]),
    stateDir: stateDirOf(raw),
    ...(raw.config === undefined ? {} : { configFile: absolute(raw.config) }),
    strict: raw.strict ?? false,
    undo: undoOf(raw),
    answerBytes: answerBytesOf(raw),
    tasksAfterMs: tasksAfterOf(raw),
    reviewWaitMs: raw.review?.wait_ms ?? limits.REVIEW_WAIT_MS,
    ...(raw.notify?.webhook === undefined ? {} : { notifyWebhook: raw.notify.webhook }),
    ignore: Object.freeze((raw.ignore ?? []).map(parseIgnore)),
    skip: limits.SKIPPED_DIRECTORIES,
    // A space is read again behind the fence, and kept from tools like the files of the configuration.
    configFiles: Object.freeze([...(raw.configFiles ?? []).map(canonical), ...spaces]),
    configWay: Object.freeze(wayTo(raw)),
    ...legacyEncodingOf(raw),
    ...maxFileBytesOf(raw),
  });
}

/** @throws Failure `invalid_input` for an empty one, as a variable that is not set leaves it: it would be the current directory */
function stateDirOf({ stateDir = defaultStateDir() }: RawConfig): string {
  if (stateDir !== "") return canonical(absolute(stateDir));
  throw new Failure("invalid_input", "Cannot start: --state-dir is empty", {
    hint: "Give a directory, or leave it out for the usual one.",
  });
}

/** @throws Failure `invalid_input` for the first value that its option does not have */
function choicesOf(raw: RawConfig): Choices {
  const said: RawConfig = {
    ...raw,
    mode: modeOf(raw),
    // The texts of these dialects are made from our structured results.
    results: raw.dialect === "filesystem" || raw.dialect === "clarvis" ? "structured" : raw.results,
    gitignore: raw.gitignore ?? (raw.dialect === "clarvis" ? "everywhere" : undefined),
  };
  const choices = optionRows().flatMap(([key, { takes, default: builtin = "" }]): [string, string][] => {
    if (typeof takes === "string") return [];
    const name = settingName(key);
    const value = said[name as keyof Choices] ?? builtin;
    return [[name, oneOf(flagName(key), value, takes)]];
  });
  return Object.fromEntries(choices) as Choices;
}

/** @throws Failure `invalid_input` that names every value and the nearest one */
export function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const [nearest] = nearestNames(value, allowed, 1);
  throw new Failure("invalid_input", `Cannot start: --${flag} cannot be ${JSON.stringify(value)}`, {
    hint: `It is one of ${allowed.join(", ")}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
  });
}

/** @throws Failure `invalid_input` for a range or a path that is none */
function networkOf({ network = {} }: RawConfig): Config["network"] {
  const { ranges = [], ca } = network;
  if (ranges.length > MAX_RANGES)
    throw new Failure("invalid_input", `Cannot start: network.ranges has ${ranges.length} entries`, {
      hint: `At most ${MAX_RANGES} are taken.`,
    });
  const wrong = ranges.find((one) => !isAddressRange(one));
  if (wrong !== undefined)
    throw new Failure("invalid_input", `Cannot start: network.ranges has ${JSON.stringify(wrong)}`, {
      hint: "A range is written as 10.0.0.0/8 or fd00::/8.",
    });
  return Object.freeze({ ...network, ...(ca === undefined ? {} : { ca: absolute(expandHome(ca)) }) });
}

/** The mode that was given, else that of the profile. */
export function modeOf(raw: RawConfig): string {
  return raw.mode ?? ownProfile(raw)?.mode ?? OPTIONS.mode.default;
}

/** What holds where nobody has chosen one. */
export const DEFAULT_PROFILE: Profile = "full";

function ownProfile({ profile = DEFAULT_PROFILE, profiles = {} }: RawConfig): Override | undefined {
  return Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
}

function selectionOf(raw: RawConfig): Pick<Config, "profile" | "toolList" | "readOnly"> {
  const { profile = DEFAULT_PROFILE, toolList = {}, readOnly = false } = raw;
  const own = ownProfile(raw);
  if (!own) {
    const all = [...PROFILES, ...Object.keys(raw.profiles ?? {})];
    return { profile: oneOf("profile", profile, all) as Profile, toolList, readOnly };
  }
  const builtin = PROFILES.find((one) => one === profile);
  const list = own.tools ?? {};
  return {
    profile: own.profile ?? builtin ?? (list.allow ? "none" : "full"),
    toolList: {
      allow: [...(list.allow ?? []), ...(toolList.allow ?? [])],
      deny: [...(list.deny ?? []), ...(toolList.deny ?? [])],
    },
    readOnly: readOnly || own.read_only === true,
  };
}

function legacyEncodingOf({ legacyEncoding: name }: RawConfig): Pick<Config, "legacyEncoding"> {
  if (name === undefined) return {};
  if (isEncodingName(name) && !name.startsWith("utf-")) return { legacyEncoding: name as LegacyEncoding };
  throw new Failure(
    "invalid_input",
    `Cannot start: --legacy-encoding ${JSON.stringify(name)} is not a code page that is known`,
  );
}

function wayTo({ configFiles = [], roots = [] }: RawConfig): string[] {
  return [...new Set([...configFiles, ...roots.map(rootFilePath)].flatMap(namesOnTheWay))];
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
  const bytes = amountOf("answer-bytes", text, BYTES, wanted);
  if (bytes >= limits.MIN_ANSWER_BYTES && bytes <= limits.MAX_READ_BYTES) return bytes;
  throw notAnAmount("answer-bytes", text, wanted);
}

function maxFileBytesOf({ maxFileBytes: text }: RawConfig): Pick<Config, "maxFileBytes"> {
  if (text === undefined) return {};
  return { maxFileBytes: amountOf("max-file-bytes", text, BYTES, "bytes, or a number such as 500k or 50M") };
}

function undoOf({ undoMaxBytes: bytes, undoMaxAge: age }: RawConfig): HistoryBounds {
  const { MAX_UNDO_BYTES, UNDO_TTL_MS } = limits;
  const wantedBytes = "bytes, or a number such as 500M or 2G";
  const wantedAge = "a number of hours or days, such as 12h or 30d";
  return Object.freeze({
    maxBytes: bytes === undefined ? MAX_UNDO_BYTES : amountOf("undo-max-bytes", bytes, BYTES, wantedBytes),
    maxAgeMs: age === undefined ? UNDO_TTL_MS : amountOf("undo-max-age", age, AGES, wantedAge),
  });
}

type Units = Readonly<Record<string, number>>;

const BYTES: Units = { "": 1, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const AGES: Units = { h: 60 * 60 * 1000, d: 24 * 60 * 60 * 1000 };

function amountOf(flag: string, text: string, units: Units, wanted: string): number {
  const [, count, unit = ""] = /^(\d{1,9})([a-zA-Z]?)$/.exec(text) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (count !== undefined && size !== undefined) return Number(count) * size;
  throw notAnAmount(flag, text, wanted);
}

function notAnAmount(flag: string, text: string, wanted: string): Failure {
  return new Failure("invalid_input", `Cannot start: --${flag} cannot be ${JSON.stringify(text)}`, {
    hint: `It is ${wanted}.`,
  });
}

/** A pattern stands for itself, so nothing of an ignore file's other lines has a meaning here. */
function parseIgnore(glob: string): string {
  if (glob.trim() !== "" && !/^[!#]|[\r\n]/.test(glob)) return glob;
  throw new Failure("invalid_input", `Cannot start: --ignore ${JSON.stringify(glob)} would ignore nothing`, {
    hint: "Give a pattern of an ignore file, such as *.log or /generated/. What is left out cannot be taken back by !.",
  });
}
