/**
 * What a host and its launcher say to each other: lines of JSON over connected sockets, each answer with the id of its
 * request. Nothing that the host says is trusted: the fence exists for the day when foreign code runs there. It names what
 * the configuration declared, and brings values.
 */
import type { ProgramFacts } from "../approval/index.ts";
import type { FailureData } from "../base/index.ts";
import type { FenceMode } from "../fence/index.ts";
import type { Narrowed } from "../scope/index.ts";
import type { CommandDeclarations, CommandInput, HookPrograms, ShellSettings } from "./declaration.ts";
import type { DescribedOutput } from "./describe-output.ts";
import type { RunEnd, StoppedBy } from "./run-program.ts";
import type { SelfStart } from "./spawn-program.ts";
import type { TrackedChanges } from "./track-changes.ts";
import type { UpstreamsConfig } from "./upstream-declaration.ts";

/** A copy of what the host may reach. The only line that is believed: it was written before the host read anything. */
export interface LauncherConfig {
  readonly roots: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly deny: readonly string[];
  /** Absolute directories that no tool may see. */
  readonly hidden: readonly string[];
  readonly containment: "auto" | "handle" | "portable";
  /** Absent where nothing is declared: then only the desktop's openers are started. */
  readonly commands?: CommandsConfig;
}

export interface CommandsConfig {
  readonly declarations: CommandDeclarations;
  readonly shell?: ShellSettings | undefined;
  /** Asked for by their place in this list. */
  readonly hooks: readonly HookPrograms[];
  readonly fence: FenceMode;
  readonly stateDir: string;
  /** Of output, in one answer. */
  readonly shownBytes: number;
  /** Directories in which changes are not looked for. */
  readonly skip: readonly string[];
  readonly self: SelfStart;
  /** Other MCP servers. */
  readonly upstream?: UpstreamsConfig | undefined;
}

/** Narrowed roots can only become less. */
interface RunCommon extends Narrowed {
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly stdin?: string | undefined;
  /** A terminal of its own, also where its declaration does not say so. */
  readonly pty?: boolean | undefined;
}

export type RunRequest = RunCommon &
  (
    | { readonly kind: "command"; readonly name: string; readonly input: CommandInput }
    | {
        readonly kind: "shell";
        readonly command: string;
        /** It was read as a line that only reads: no variable may steer what it looks up. */
        readonly fixed?: boolean | undefined;
      }
  );

/** One program of a hook, given a text. */
export interface HookRequest {
  readonly kind: "hook";
  readonly index: number;
  readonly when: "before" | "after";
  readonly stdin: string;
}

export interface OutputQuery {
  readonly id: string;
  /** In bytes of the whole output. Default: where the last one ended. */
  readonly offset?: number | undefined;
  readonly max_bytes?: number | undefined;
  /** A text that is waited for in what comes, until the time is over. */
  readonly wait_for?: string | undefined;
  readonly wait_ms?: number | undefined;
}

export interface ReadyWhen {
  /** A text in the output. */
  readonly text?: string | undefined;
  /** A port of this machine that accepts connections. */
  readonly port?: number | undefined;
  readonly timeout_ms?: number | undefined;
}

/** What can be asked, and the answer to each. */
export interface LauncherCalls {
  readonly open: { readonly ask: { readonly path: string }; readonly answer: Record<string, never> };
  readonly reveal: { readonly ask: { readonly path: string }; readonly answer: Record<string, never> };
  /** Which commands there are, by name: the program, or why there is none. */
  readonly commands: { readonly ask: object; readonly answer: CommandsView };
  /** What would be run, for a person. */
  readonly describe: { readonly ask: RunRequest; readonly answer: RunDescription };
  readonly run: { readonly ask: RunRequest; readonly answer: RunAnswer };
  readonly start: {
    readonly ask: RunRequest & { readonly ready_when?: ReadyWhen | undefined };
    readonly answer: ProcessAnswer;
  };
  readonly output: { readonly ask: OutputQuery; readonly answer: ProcessAnswer };
  readonly hook: { readonly ask: HookRequest; readonly answer: { readonly text: string } };
  readonly list: { readonly ask: object; readonly answer: { readonly processes: readonly ProcessState[] } };
  readonly stop: {
    readonly ask: { readonly id: string; readonly grace_ms?: number | undefined };
    readonly answer: ProcessAnswer;
  };
  /** Another MCP server, until it ends. Lines go both ways meanwhile. */
  readonly connect: { readonly ask: { readonly server: string }; readonly answer: UpstreamEnd };
}

export interface UpstreamEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Why it was ended before it ended by itself. */
  readonly stopped_by?: "cancelled" | "flood" | "long_line" | "not_reading";
  /** Its last words on standard error. */
  readonly errors: string;
}

export type LauncherAction = keyof LauncherCalls;

export interface CommandsView {
  readonly programs: Readonly<Record<string, { readonly path: string } | { readonly missing: string }>>;
}

/** As it would be started. What is other in each start (its temporary folder) has a name instead. */
export type RunDescription = Omit<ProgramFacts, "kept">;

export interface RunAnswer extends Omit<RunEnd, "output"> {
  readonly output: DescribedOutput;
  readonly fence: string;
  readonly cwd: string;
  /** Absent for a command that changes nothing. */
  readonly files?: TrackedChanges | "untracked";
  /** Of what its declaration had kept, and it changed: added by the host. */
  readonly undo?: { readonly transaction: string; readonly files: readonly string[] };
}

export interface ProcessState {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly status: "running" | "ended";
  /** ISO 8601. */
  readonly started: string;
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  readonly stopped_by?: StoppedBy;
  readonly total_bytes: number;
  readonly processes: number;
  readonly cpu_ms: number;
  readonly memory_bytes: number;
}

export interface ProcessAnswer extends ProcessState {
  /** Of its output, from `offset`. */
  readonly text: string;
  readonly offset: number;
  readonly next_offset: number;
  /** Of `wait_for` or `ready_when`: whether it came. */
  readonly found?: boolean;
  readonly fence?: string;
}

export type LaunchRequest = {
  readonly [A in LauncherAction]: {
    readonly id: number;
    readonly action: A;
    readonly ask: LauncherCalls[A]["ask"];
  };
}[LauncherAction];

/** Ends what a request began. It has no answer of its own. */
export interface CancelRequest {
  readonly id: number;
  readonly action: "cancel";
}

export interface Progress {
  /** Of output so far. */
  readonly bytes: number;
  /** The last line of it that says something, bounded; "" when there is none. */
  readonly line: string;
}

/** A line to the server that a request has connected to. */
export interface SayRequest {
  readonly id: number;
  readonly action: "say";
  readonly text: string;
}

export interface LaunchAnswer {
  readonly id: number;
  readonly failure?: FailureData;
  readonly answer?: unknown;
  /** The answer is still to come. */
  readonly progress?: Progress;
  /** Of a server: that it runs, with the fence around it, and a line that it said. */
  readonly started?: string;
  readonly line?: string;
}

/** Of one line. A path may have 4096 bytes, and each may need six as JSON; a text on standard input is the longest. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

export function encodeLine(
  message: LauncherConfig | LaunchRequest | CancelRequest | SayRequest | LaunchAnswer,
): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
}
