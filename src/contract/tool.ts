/**
 * What a tool is. A tool has no powers of its own: it gets them in its context, and only those that it needs, or that
 * its effect names. A changing tool does not write, it returns a change set, and the host turns that into a proposal or
 * a transaction; so scope, policy, proposals, undo and the record cannot be forgotten by a tool.
 */
import type * as z from "zod";
import type { ChangeSet } from "../txn/index.ts";
import type { RunRequest } from "../proc/index.ts";
import type { Effect, Risk, Target } from "../policy/index.ts";
import type { ContextOf, EffectOf, LocalProposal, Need, ReadContext, RunContext, ShowContext } from "./context.ts";
import type { RemoteResult } from "./remote/remote-result.ts";
import type { ToolResult } from "./result.ts";
import type { ToolInput } from "./wire-schema.ts";

type Awaitable<T> = T | Promise<T>;

/** What a tool says about itself, whatever its arguments are. */
interface ToolTraits {
  /** snake_case, `^[a-z][a-z0-9_]{0,30}$`. */
  readonly name: string;
  readonly title: string;
  /** What a model needs to know to use it well, under 2 KB. */
  readonly summary: string;
  /** Other names for it; dots and colons are allowed here. */
  readonly aliases?: readonly string[];
  /** Other names for parameters, beyond those that every tool accepts. */
  readonly parameterAliases?: Readonly<Record<string, string>>;
  /** Nearly every task needs it: a client that shows a model names only, and loads tools on demand, is asked to load it. */
  readonly core?: boolean;
  /** Repeating the call changes nothing more. */
  readonly idempotent?: boolean;
  /** Milliseconds one call may take. Default 60,000. */
  readonly timeoutMs?: number;
  /** Names of secrets it may read through `ctx.secret`; without them the tool is hidden. */
  readonly secrets?: readonly string[];
  /** What it is about when that is no file, for example `memory`: the configuration means it by `group:memory`. */
  readonly group?: string;
  /** The tool works on the notes of the memory, whose folder no other tool has in its scope. */
  readonly remembers?: true;
  /** A call may send something to an address of the configuration, whatever its effect. */
  readonly sends?: boolean;
  /** Profiles that it is in whatever its effect. */
  readonly profiles?: readonly string[];
  /** A call waits for people, and later calls need not wait for it. */
  readonly waits?: true;
}

/** What tools of every effect have. */
export interface ToolBase<S extends z.ZodObject> extends ToolTraits {
  /** Every property described; a strict object. */
  readonly input: S;
  /** The shape of the structured result. */
  readonly output: z.ZodObject;
  /** What one call would touch. A target without a kind is a path. */
  access(input: z.output<S>): readonly Target[];
  /** Without names a tool has the powers of its effect. */
  readonly needs?: undefined;
}

/** Reads inside the roots; runs at once unless a rule says otherwise. */
export interface ReadTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly effect: "read";
  /**
   * Searches and hashes: they leave a worker free for short calls. `bulk` reads files of any size, and lets searches go
   * first.
   */
  readonly long?: boolean | "bulk";
  /**
   * The tool cuts its text to the room that its context has, and names the call that goes on: it may be run again with
   * less.
   */
  readonly pages?: boolean;
  /** Tells whether the text of the answer is the file's own, so that it can be kept to compare with. */
  isFileText?(input: z.output<S>): boolean;
  /** The answer also says what the other MCP servers do. */
  readonly tellsParts?: boolean;
  run(input: z.output<S>, ctx: ReadContext): Awaitable<ToolResult>;
}

/** One of several changes of a call, under the tool that would make it alone. */
export interface ChangePart {
  /** From the outermost in, without the tool that is called: its name, and the others it has. */
  readonly tools: readonly PartTool[];
  readonly access: readonly Target[];
}

interface PartTool {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  readonly removes?: boolean | undefined;
  /**
   * The part stands in a text that the tool takes whole, so it is not a call of its own: only what is denied is missing
   * there.
   */
  readonly isSection?: true;
}

/** Plans changes, which the host proposes or makes. */
export interface ChangeTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly effect: "change";
  /** The tool can take something away, and not only add. */
  readonly destructive?: boolean;
  /** Taking away is all that it does, so every call of it costs R4. */
  readonly removes?: boolean;
  /**
   * The parts of a call that makes several changes. Each is decided under its own name too; together they access what
   * the call does.
   */
  parts?(input: z.output<S>): readonly ChangePart[];
  /** The tools whose changes it makes. */
  readonly operations?: readonly Pick<ChangeTool, "name" | "aliases" | "effect">[];
  /** As clients see it where some of its operations are off; `undefined` when none is. */
  offering?(isOff: (tool: Pick<ChangeTool, "name" | "aliases" | "effect">) => boolean): Offering | undefined;
  plan(input: z.output<S>, ctx: ReadContext): Awaitable<ChangeSet>;
}

/** What a list shows in the place of the tool's own. */
export interface Offering {
  readonly summary: string;
  readonly input: z.ZodObject;
}

/** What one call of a tool would start. */
export interface StartOfProgram {
  readonly request: RunRequest;
  /** How much it could cost. */
  readonly risk: Risk;
  /** The tool that starts just this: rules about it hold for every tool that can start the same. */
  readonly as: string;
  /** The program goes on when the call has been answered. */
  readonly isBackground?: boolean | undefined;
}

/** Starts programs that the configuration declares. */
export interface RunTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly effect: "run";
  /** The declared command that the tool is for. */
  readonly command?: string;
  /** Absent for a tool whose calls start nothing. */
  starts?(input: z.output<S>): StartOfProgram;
  run(input: z.output<S>, ctx: RunContext): Awaitable<ToolResult>;
}

/** Has the powers that it names, and no others. */
export interface PoweredTool<S extends z.ZodObject, N extends Need> extends Omit<ToolBase<S>, "needs"> {
  readonly effect: EffectOf<N>;
  /** The members of its context beside those that every context has: names of powers, and powers of its pack. */
  readonly needs: readonly N[];
  /** What a call costs at least, where its targets do not say all that it does. */
  readonly risk?: Risk;
  /** The tool can take something away, and not only add. */
  readonly destructive?: boolean;
  /** What one call would start; without it `ctx.commands` only tells about programs. */
  starts?(input: z.output<S>): StartOfProgram;
  /**
   * `proposal`: a call that a person is asked about is stored and made once it is applied, also where its effect would ask for a
   * permission. `always`: so is every call, whatever rules and the mode allow.
   */
  readonly asked?: "proposal" | "always";
  /** What a person is asked to approve where the call is stored, and made later. */
  preview?(input: z.output<S>, ctx: ContextOf<N>): Awaitable<LocalProposal>;
  /** `preview` is made once more before each call is made: it refuses, and what a person has approved must still be it. */
  readonly rechecks?: true;
  run(input: z.output<S>, ctx: ContextOf<N>): Awaitable<ToolResult>;
}

/** Plans changes with the powers that it names: what it writes comes from elsewhere. */
export interface PoweredChangeTool<S extends z.ZodObject, N extends Need> extends Omit<
  ChangeTool<S>,
  "needs" | "plan"
> {
  readonly needs: readonly N[];
  plan(input: z.output<S>, ctx: ContextOf<N>): Awaitable<ChangeSet>;
}

/** Shows something on the desktop, or has another program of the person do so. A tool that reaches the network needs `http`. */
export interface ActTool<S extends z.ZodObject = z.ZodObject> extends ToolBase<S> {
  readonly effect: "reach" | "show";
  run(input: z.output<S>, ctx: ShowContext): Awaitable<ToolResult>;
}

/**
 * A tool as a host keeps it, whoever wrote it: the types of its input and of its powers are known only to itself. It has either
 * `plan`, which returns a change set, or `run`, which returns an answer.
 */
export interface Tool extends ToolTraits {
  readonly effect: Effect;
  readonly input: ToolInput;
  readonly output?: z.ZodObject;
  /** `all`: nobody knows what a call touches. */
  access(input: never): readonly Target[] | "all";
  readonly needs?: readonly Need[] | undefined;
  plan?(input: never, ctx: never): Awaitable<ChangeSet>;
  run?(input: never, ctx: never): Awaitable<ToolResult | RemoteResult>;
  preview?(input: never, ctx: never): Awaitable<LocalProposal>;

  /** The tool does its own work, which the host cannot follow. */
  readonly local?: boolean;
  /** What its schema did not say, and was put in, in words for whoever wrote the tool. */
  readonly completed?: readonly string[];
  /** Who carries the calls out, for people, what the tool is called there, and names that only rules have for it. */
  readonly owner?: { readonly name: string; readonly tool: string; readonly ruledAs?: readonly string[] };
  /** What a call costs at least, where nobody knows what it touches. */
  readonly risk?: Risk;
  readonly rechecks?: true;
  readonly asked?: "proposal" | "always";
  readonly destructive?: boolean;
  readonly removes?: boolean;

  readonly long?: boolean | "bulk";
  readonly pages?: boolean;
  isFileText?(input: never): boolean;
  readonly tellsParts?: boolean;

  parts?(input: never): readonly ChangePart[];
  readonly operations?: readonly Pick<Tool, "name" | "aliases" | "effect">[];
  offering?(isOff: (tool: Pick<Tool, "name" | "aliases" | "effect">) => boolean): Offering | undefined;

  readonly command?: string;
  starts?(input: never): StartOfProgram;
}

/**
 * Declares a tool; register it with `runHost({ tools: [...] })`.
 *
 * @example
 * const countLines = defineTool({
 *   name: "count_lines",
 *   title: "Count lines",
 *   summary: "Counts the lines of a text file.",
 *   effect: "read",
 *   input: z.strictObject({ path: z.string().describe("The file") }),
 *   output: z.object({ lines: z.number() }),
 *   access: ({ path }) => [{ path, mode: "read" }],
 *   async run({ path }, ctx) {
 *     const file = await ctx.files.read({ path });
 *     const lines = file.kind === "text" ? file.total_lines : 0;
 *     return { text: `${lines} lines`, structured: { lines } };
 *   },
 * });
 */
export function defineTool<S extends z.ZodObject, const N extends Need>(
  tool: ToolDeclaration<PoweredTool<S, N>, S>,
): Tool;
export function defineTool<S extends z.ZodObject, const N extends Need>(
  tool: ToolDeclaration<PoweredChangeTool<S, N>, S>,
): Tool;
export function defineTool<S extends z.ZodObject>(tool: ToolDeclaration<ReadTool<S>, S>): ReadTool;
export function defineTool<S extends z.ZodObject>(tool: ToolDeclaration<ChangeTool<S>, S>): ChangeTool;
export function defineTool<S extends z.ZodObject>(tool: ToolDeclaration<RunTool<S>, S>): RunTool;
export function defineTool<S extends z.ZodObject>(tool: ToolDeclaration<ActTool<S>, S>): ActTool;
export function defineTool(tool: object): object {
  const { input, output } = tool as ToolDeclaration<ToolBase<z.ZodObject>, z.ZodObject>;
  // In place, because a copy would lose what an instance of a class inherits.
  if (typeof input === "function") Object.defineProperty(tool, "input", madeOnce(input));
  if (typeof output === "function") Object.defineProperty(tool, "output", madeOnce(output));
  return tool;
}

/**
 * A tool as it is declared: its schemas may be functions, which are called when the schema is first looked at. Most processes
 * need those of one tool.
 */
export type ToolDeclaration<T, S> = Omit<T, "input" | "output"> & {
  readonly input: S | (() => S);
  readonly output: z.ZodObject | (() => z.ZodObject);
};

function madeOnce(make: () => z.ZodObject): PropertyDescriptor {
  let made: z.ZodObject | undefined;
  return { enumerable: true, configurable: true, get: () => (made ??= make()) };
}
