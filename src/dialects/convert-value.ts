/**
 * From a value in a dialect to our arguments, and back for the calls that our answers name. Going back is a guess that is
 * checked by going there again, so a conversion need not know when it does not apply.
 */
import * as z from "zod";
import { Failure, limits } from "../base/index.ts";
import { shellLine } from "../text/index.ts";
import type { Arguments, Parameter } from "./dialect-table.ts";

interface Conversion {
  /** What the dialect takes; absent: what we take. */
  readonly field?: z.ZodType;
  /** @param before what the parameters before it have come to */
  readonly toOurs: (value: unknown, to: string, before: Arguments) => Arguments;
  /** Absent: there is no way back, and the calls that our answers name say it in our names. */
  readonly toTheirs?: (ours: unknown, all: Arguments) => unknown;
}

type Name = NonNullable<Parameter["as"]> | "same";

const COUNT: z.ZodType = z.number().int().min(0);
const TEXTS = z.array(z.string());
const SOME_TEXTS: z.ZodType = TEXTS.min(1);
/** More lines than any file has: only the size of the answer bounds them. */
const ALL_LINES = 1_000_000_000;

const CONVERSIONS: Readonly<Record<Name, Conversion>> = {
  same: { toOurs: (value, to) => ({ [to]: value }), toTheirs: (ours) => ours },
  list: {
    field: z.string(),
    // An empty one names nothing.
    toOurs: (value, to) => (value === "" ? {} : { [to]: [value] }),
    toTheirs: (ours) => (Array.isArray(ours) && ours.length === 1 ? (ours[0] as unknown) : undefined),
  },
  seconds: {
    field: z
      .number()
      .min(0.001)
      .max(limits.MAX_COMMAND_MS / 1000),
    toOurs: (value, to) => ({ [to]: Math.round(Number(value) * 1000) }),
    toTheirs: (ours) => (typeof ours === "number" ? ours / 1000 : undefined),
  },
  zero_based: { field: COUNT, toOurs: (value, to) => ({ [to]: Number(value) + 1 }) },
  end_line: {
    field: z.number().int().min(1),
    toOurs: (value, to, { offset = 1 }) => ({ [to]: linesUpTo(Number(value), Number(offset)) }),
    toTheirs: (ours, { offset = 1 }) => (typeof ours === "number" ? Number(offset) + ours - 1 : undefined),
  },
  argv: {
    field: SOME_TEXTS,
    toOurs: (value, to) => ({ [to]: commandLine(value as readonly string[]) }),
    toTheirs: (ours) => (typeof ours === "string" ? ["bash", "-lc", ours] : undefined),
  },
  paths: {
    field: SOME_TEXTS,
    toOurs: each((path) => ({ path })),
    toTheirs: (ours) => (ours as readonly { readonly path: string }[]).map(({ path }) => path),
  },
  plain_paths: { field: SOME_TEXTS, toOurs: each((path) => ({ path: plainPath(path) })) },
  whole_paths: { field: SOME_TEXTS, toOurs: each((path) => ({ path, limit: ALL_LINES })) },
  head: { field: COUNT, toOurs: (value) => (value === 0 ? {} : { offset: 1, limit: value }) },
  tail: {
    field: COUNT,
    toOurs: (value, _to, { offset }) => (value === 0 ? {} : lastLines(Number(value), offset)),
  },
  dollar_and: {
    field: z.string(),
    toOurs: (value, to) => ({ [to]: String(value).replaceAll(/\$(?:\$|&)/g, (sign) => (sign === "$&" ? "$0" : sign)) }),
  },
  unless_zero: { field: COUNT, toOurs: (value, to) => (value === 0 ? {} : { [to]: value }), toTheirs: (ours) => ours },
  unless_empty: {
    field: z.string(),
    toOurs: (value, to) => (value === "" ? {} : { [to]: value }),
    toTheirs: (ours) => ours,
  },
  timeout: {
    field: COUNT,
    toOurs: (value, to) => (value === 0 ? {} : { [to]: Math.min(Number(value), limits.MAX_COMMAND_MS) }),
    toTheirs: (ours) => ours,
  },
  ready_pattern: { field: z.string(), toOurs: (value, to) => ({ [to]: { pattern: value, timeout_ms: READY_MS } }) },
  ready_timeout: {
    field: COUNT,
    // Without something to wait for there is no wait.
    toOurs: (value, to, { [to]: ready }) =>
      ready === undefined || value === 0
        ? {}
        : { [to]: { ...(ready as object), timeout_ms: Math.min(Number(value), limits.MAX_COMMAND_MS) } },
  },
  rounded_down: { toOurs: (value, to) => ({ [to]: Math.floor(Number(value)) }), toTheirs: (ours) => ours },
  anchored: { field: TEXTS, toOurs: each(anchor) },
  anywhere: { field: TEXTS, toOurs: each((glob) => (glob.includes("*") ? anchor(glob) : `**/${glob}`)) },
};

function each(convert: (text: string) => unknown): Conversion["toOurs"] {
  return (value, to) => ({ [to]: (value as readonly string[]).map((text) => convert(text)) });
}

/** @param ours our field; `undefined` for a parameter that has no effect */
export function fieldOf(parameter: Parameter, ours: z.ZodType | undefined): z.ZodType {
  const { as = "same", choose, named, members, type = "string" } = parameter;
  if (choose) return choiceOf(Object.keys(choose));
  if (named) return z.string().meta({ enum: [...named] });
  if (members) return listOf(members, ours);
  if (as === "rounded_down") return anyNumber(ours);
  return CONVERSIONS[as].field ?? ours ?? UNUSED[type];
}

/** Within the bounds of ours, and not only whole. */
function anyNumber(ours: z.ZodType | undefined): z.ZodType {
  if (!(ours instanceof z.ZodNumber)) throw new Error("only a number is rounded down");
  const { minValue, maxValue } = ours;
  const least = isBound(minValue) ? z.number().min(minValue) : z.number();
  return isBound(maxValue) ? least.max(maxValue) : least;
}

/** Whole numbers have bounds of the language itself, which a schema need not name. */
function isBound(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** How long Clarvis waits unless it is told. */
const READY_MS = 30_000;

const UNUSED: Readonly<Record<NonNullable<Parameter["type"]>, z.ZodType>> = {
  string: z.string(),
  boolean: z.boolean(),
  count: COUNT,
};

export function toOurs(parameter: Parameter, value: unknown, before: Arguments): Arguments {
  const { as = "same", choose, members, to } = parameter;
  if (choose) return choose[String(value)] ?? {};
  if (to === undefined) return {};
  if (members)
    return {
      [to]: (value as readonly Arguments[]).map((one) => renamed(one, (name) => members[name]?.to ?? name)),
    };
  return CONVERSIONS[as].toOurs(value, to, before);
}

/** The value in the dialect; `undefined` when it need not be given, or cannot. */
export function toTheirs(parameter: Parameter, ours: Arguments): unknown {
  const { as = "same", choose, members, to } = parameter;
  if (choose) {
    const chosen = Object.entries(choose).find(([, meant]) => isPartOf(meant, ours));
    return chosen && (chosen[0] === "true" ? true : chosen[0] === "false" ? false : chosen[0]);
  }
  if (to === undefined || ours[to] === undefined) return undefined;
  if (members) {
    const names = new Map(Object.entries(members).map(([name, member]) => [member.to, name]));
    return (ours[to] as readonly Arguments[]).map((one) => renamed(one, (name) => names.get(name) ?? name));
  }
  return CONVERSIONS[as].toTheirs?.(ours[to], ours);
}

function choiceOf(values: readonly string[]): z.ZodType {
  return values.every((value) => value === "true" || value === "false")
    ? z.boolean()
    : z.enum(values as [string, ...string[]]);
}

function listOf(members: NonNullable<Parameter["members"]>, ours: z.ZodType | undefined): z.ZodType {
  const item = ours instanceof z.ZodArray ? ours.element : undefined;
  if (!(item instanceof z.ZodObject)) throw new Error("only a list of objects has members");
  const shape = item.shape as Readonly<Record<string, z.ZodType>>;
  const fields = Object.entries(members).map(([name, { to, description, default: usual }]) => {
    const field = shape[to];
    if (!field) throw new Error(`there is no member ${to}`);
    const described = field.describe(description);
    return [name, usual === undefined ? described : described.meta({ default: usual })] as const;
  });
  return z.array(z.strictObject(Object.fromEntries(fields))).min(1);
}

function renamed(value: Arguments, rename: (name: string) => string): Arguments {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), member]));
}

function isPartOf(part: Arguments, whole: Arguments): boolean {
  const entries = Object.entries(part);
  return entries.length > 0 && entries.every(([name, value]) => whole[name] === value);
}

/** @throws Failure `invalid_input` */
function linesUpTo(last: number, first: number): number {
  if (last >= first) return last - first + 1;
  throw new Failure("invalid_input", `Cannot read up to line ${last}: it comes before the first line, ${first}`);
}

/** @throws Failure `invalid_input` */
function lastLines(count: number, offset: unknown): Arguments {
  if (offset === undefined) return { offset: -count, limit: count };
  throw new Failure("invalid_input", "Cannot read the beginning and the end at once", {
    hint: "Give head or tail.",
  });
}

/** The line of a shell that is given one; otherwise the words, each quoted. */
function commandLine(words: readonly string[]): string {
  const [program = "", flag = "", line] = words;
  if (/^(?:\/\S*\/)?(?:ba|z)?sh$/.test(program) && /^-l?c$/.test(flag) && line !== undefined && words.length === 3)
    return line;
  return shellLine(words);
}

/** @throws Failure `invalid_input` for a pattern */
function plainPath(path: string): string {
  if (!/[*?]/.test(path)) return path;
  throw new Failure("invalid_input", `Cannot read "${path}": it is a pattern, and only paths are read here`, {
    hint: "Find the files with glob first, and give their paths.",
  });
}

/** Anchors a glob at the start of the search, because ours matches at any depth without a slash. */
function anchor(glob: string): string {
  return glob.startsWith("**/") || glob.startsWith("/") ? glob : `/${glob}`;
}
