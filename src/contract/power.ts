/**
 * What a power is: functions that a tool gets in its context and cannot have in any other way, and the place where the code
 * behind them runs. The place decides what that code can reach, so whoever parses hostile bytes has neither files nor sockets,
 * and whoever has sockets has no files.
 *
 * Usual mistake: to do such work in the tool itself. A tool of a pack runs in the host's own thread, which every call needs.
 */
import type * as z from "zod";

/**
 * worker: a reading thread, inside the host's fence. change: the one thread that writes. sandbox: a process without files,
 * network or programs. net: a process with sockets and no files but those that names and TLS need. program: a program in its
 * own fence, started by the launcher. host: the host's own thread.
 */
export type PowerPlace = "worker" | "change" | "sandbox" | "net" | "program" | "host";

/** The places that are processes of their own, in which any pack may run code. */
export type HelperPlace = Extract<PowerPlace, "sandbox" | "net">;

/** What a function of a power is given beside its question. */
export interface PowerJob {
  /** What the configuration says of the pack, checked by its schema, as JSON. */
  readonly settings: unknown;
  /** Aborted when the caller leaves and when the time is over. A helper that goes on is killed after a second. */
  readonly signal: AbortSignal;
}

type Asks<F> = F extends (ask: infer Ask) => unknown ? Ask : never;
type Answers<F> = F extends (ask: never) => Promise<infer Answer> ? Answer : never;

/** What crosses the border of a process is held to a schema on the other side, in both directions. */
export type PowerSchemas<Api> = {
  readonly [Name in keyof Api]: readonly [ask: z.ZodType<Asks<Api[Name]>>, answer: z.ZodType<Answers<Api[Name]>>];
};

/** The code of a power, as the module that `serve` imports exports it under the name `handlers`. */
export type PowerHandlers<Api> = {
  readonly [Name in keyof Api]: (
    ask: Asks<Api[Name]>,
    job: PowerJob,
  ) => Answers<Api[Name]> | Promise<Answers<Api[Name]>>;
};

interface PowerBase {
  /** The name under which a context has it. */
  readonly name: string;
  readonly runsIn: PowerPlace;
}

/** A power whose code a pack brings. @typeParam Api its functions, each with one argument and a promise */
export interface PackPower<Name extends string = string, Api = Readonly<Record<string, never>>> extends PowerBase {
  readonly name: Name;
  readonly runsIn: HelperPlace | "host";
  readonly calls: PowerSchemas<Api>;
  /** Never there: it tells the types of a tool that needs the power. */
  readonly api?: Api;
  /** Imports the code, where it runs and not before it is needed. */
  serve(): Promise<{ readonly handlers: PowerHandlers<Api> }>;
  /** Milliseconds that one call may take. Default 30,000. */
  readonly timeoutMs?: number;
  /** Bytes of one answer as JSON. Default 1 MiB, at most 8. */
  readonly answerBytes?: number;
  /** Megabytes of memory that its process may have. Default 1024. */
  readonly memoryMb?: number;
}

/** A power that the host serves itself, whose types the compiler checks on both sides. */
export interface OwnPower<Name extends string, Api> extends PowerBase {
  readonly name: Name;
  readonly runsIn: Exclude<PowerPlace, HelperPlace>;
  readonly calls: { readonly [Function in keyof Api]: OwnCall };
}

/** How a function that the host serves itself is run. */
export interface OwnCall {
  /** The job leaves a worker free for short ones. `bulk` lets searches go first. */
  readonly long?: boolean | "bulk";
}

/** A power of any pack, with its types forgotten. */
export interface Power extends PowerBase {
  readonly calls: Readonly<Record<string, OwnCall | readonly [ask: z.ZodType, answer: z.ZodType]>>;
  readonly timeoutMs?: number;
  readonly answerBytes?: number;
  readonly memoryMb?: number;
  serve?(): Promise<{ readonly handlers: object }>;
}

/** A power with code, with its types forgotten. */
export interface AnyPackPower extends Power {
  readonly calls: Readonly<Record<string, readonly [ask: z.ZodType, answer: z.ZodType]>>;
  serve(): Promise<{ readonly handlers: object }>;
}

/**
 * Declares a power. It only types its argument; `definePack` names it among the powers of a pack.
 *
 * @example
 * interface Outlines {
 *   of(ask: { text: string }): Promise<{ headings: string[] }>;
 * }
 * const outlines = definePower<"outlines", Outlines>({
 *   name: "outlines",
 *   runsIn: "sandbox",
 *   calls: { of: [z.strictObject({ text: z.string() }), z.strictObject({ headings: z.array(z.string()) })] },
 *   serve: async () => ({
 *     handlers: { of: ({ text }) => ({ headings: text.split("\n").filter((line) => line.startsWith("#")) }) },
 *   }),
 * });
 */
export function definePower<Name extends string, Api>(power: PackPower<Name, Api>): PackPower<Name, Api>;
export function definePower<Name extends string, Api>(power: OwnPower<Name, Api>): OwnPower<Name, Api>;
export function definePower(power: object): object {
  return power;
}

/** Whether the code of a power comes with its pack. */
export function isPackPower(power: Power): power is AnyPackPower {
  return power.serve !== undefined;
}
