/**
 * What a host and its launcher say to each other: lines of JSON over connected sockets, each answer with the id of its
 * request. Nothing that the host says is trusted: the fence exists for the day when foreign code runs there. It names what
 * the configuration declared, and brings values.
 */
import type { ProgramFacts } from "../approval/index.ts";
import type { FailureData } from "../base/index.ts";
import type { FenceMode } from "../fence/index.ts";
import type { Narrowed } from "../scope/index.ts";
import type { ProcessAnswer, ProcessState, RunAnswer } from "./run-answers.ts";
import type { AskingSignal } from "./tree/processes.ts";
import type {
  CommandDeclarations,
  CommandInput,
  HookPrograms,
  PackProgram,
  ShellSettings,
  SpaceOrder,
  UpstreamsConfig,
} from "./declaration.ts";
import type { FilterAnswer, FilterDeclarations, FilterRequest } from "./filter/filter-protocol.ts";
import type { GitAnswer, GitFound, GitLook, GitRequest, GitUse } from "./git/git-protocol.ts";

/** How this program starts itself, and the variable that tells it what to be. */
export interface SelfStart {
  readonly command: readonly string[];
  readonly markName: string;
}

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
  /** The output that one answer shows. */
  readonly shownBytes: number;
  /** Has room whatever it is made of: more is kept whole, and one look in the background gives so much. Default: `shownBytes`. */
  readonly sureBytes?: number | undefined;
  /** Both streams are answered apart too. */
  readonly apart: boolean;
  /** Directories in which changes are not looked for. */
  readonly skip: readonly string[];
  readonly self: SelfStart;
  readonly upstream?: UpstreamsConfig | undefined;
  /** Directories that are spaces or hold them. */
  readonly spaces?: readonly string[] | undefined;
  /** The powers of packs that run in processes of their own. */
  readonly helpers?: HelpersConfig | undefined;
  /** The programs that packs speak to, by the names of the packs. */
  readonly packPrograms?: Readonly<Record<string, PackProgram>> | undefined;
  /** Absent where git is not offered. */
  readonly git?: GitUse | undefined;
  /** Programs of packs for one file each. */
  readonly filters?: FilterDeclarations | undefined;
  /** The way out of programs whose network is a list. Absent: they reach nothing but the addresses in it. */
  readonly broker?: BrokerProgram | undefined;
  /** For tests of the supervisor: Landlock leaves TCP alone, as in kernels whose Landlock does not govern it. */
  readonly supervisedOnly?: boolean | undefined;
}

/** This program again, as the broker of programs. */
export interface BrokerProgram {
  readonly command: readonly string[];
  /** Why it cannot be fenced, whatever the kernel offers. */
  readonly unfenced?: string | undefined;
  /** What the configuration says of the network. */
  readonly order: Readonly<Record<string, unknown>>;
}

/** This program again, for the code of one power: without files and programs, and without a network where it says so. */
export interface HelperPlan {
  readonly network: "none" | "internet";
  readonly memoryMb: number;
  /** Where it is not the program that knows the packs. */
  readonly command?: readonly string[] | undefined;
  /**
   * What it is told first, by the launcher and not by the host: in its texts `${NAME}` stands for a variable of the environment and
   * `${file:/PATH}` for the content of a file where no tool can write.
   */
  readonly order?: unknown;
}

export interface HelpersConfig {
  /** How the program that knows the packs is started, without arguments of its own. */
  readonly command: readonly string[];
  /** Why no helper can be fenced, whatever the kernel offers. */
  readonly unfenced?: string | undefined;
  /** By the names of the powers. */
  readonly plans: Readonly<Record<string, HelperPlan>>;
}

/** Narrowed roots can only become less. */
interface RunCommon extends Narrowed {
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly stdin?: string | undefined;
  /** A terminal of its own, also where its declaration does not say so. */
  readonly pty?: boolean | undefined;
  readonly held?: HeldToSkill | undefined;
}

/** What is left to a call of a skill. */
export interface HeldToSkill {
  /** Directories in `within` that are only for reading. */
  readonly onlyRead: readonly string[];
  /** Names of variables that look like secrets. */
  readonly secrets: readonly string[];
  /** Hosts that are left of the network which the program is declared to have. */
  readonly reach: readonly string[];
}

interface CommandRequest extends RunCommon {
  readonly kind: "command";
  readonly name: string;
  readonly input: CommandInput;
  /** Set for a tool of a space, which no declaration of the configuration has. */
  readonly space?: SpaceOrder | undefined;
}

export interface ShellRequest extends RunCommon {
  readonly kind: "shell";
  readonly command: string;
  /** The line was read as one that only reads: no variable may steer what it looks up. */
  readonly fixed?: boolean | undefined;
}

/** A program with its arguments, and no shell in between. */
interface ProgramRequest extends RunCommon {
  readonly kind: "program";
  readonly program: string;
  readonly args: readonly string[];
  /** As of a line that was read as one that only reads. */
  readonly fixed?: boolean | undefined;
}

export type RunRequest = CommandRequest | ShellRequest | ProgramRequest;

export interface HookRequest {
  readonly kind: "hook";
  readonly index: number;
  readonly when: "before" | "after" | "run";
  readonly stdin: string;
}

/** By its id, or by the number of its process. */
export interface NamedProcess {
  readonly id?: string | undefined;
  readonly pid?: number | undefined;
}

/** What a program is asked to end with; SIGKILL asks nothing. */
export type StopSignalName = AskingSignal | "SIGKILL";

export interface OutputQuery extends NamedProcess {
  /** In bytes of the whole output. Default: where the last one ended. */
  readonly offset?: number | undefined;
  readonly max_bytes?: number | undefined;
  /** A text that is waited for in what comes, until the time is over. */
  readonly wait_for?: string | undefined;
  readonly wait_ms?: number | undefined;
  /** An expression: only the lines that have it. */
  readonly match?: string | undefined;
}

export interface ReadyWhen {
  readonly text?: string | undefined;
  /** An expression that a line has. */
  readonly pattern?: string | undefined;
  /** A port of this machine that accepts connections. */
  readonly port?: number | undefined;
  readonly timeout_ms?: number | undefined;
}

/** What can be asked, and the answer to each. */
export interface LauncherCalls {
  readonly open: { readonly ask: { readonly path: string }; readonly answer: Record<string, never> };
  readonly reveal: { readonly ask: { readonly path: string }; readonly answer: Record<string, never> };
  /** Which commands and filters there are, by name: the program, or why there is none. */
  readonly commands: { readonly ask: object; readonly answer: CommandsView };
  readonly describe: { readonly ask: RunRequest; readonly answer: RunDescription };
  readonly run: { readonly ask: RunRequest; readonly answer: RunAnswer };
  readonly start: {
    readonly ask: RunRequest & { readonly ready_when?: ReadyWhen | undefined };
    readonly answer: ProcessAnswer;
  };
  readonly output: { readonly ask: OutputQuery; readonly answer: ProcessAnswer };
  readonly hook: { readonly ask: HookRequest; readonly answer: { readonly text: string } };
  readonly git: { readonly ask: GitRequest; readonly answer: GitAnswer };
  readonly git_find: { readonly ask: GitLook; readonly answer: GitFound };
  readonly filter: { readonly ask: FilterRequest; readonly answer: FilterAnswer };
  readonly list: { readonly ask: NamedProcess; readonly answer: { readonly processes: readonly ProcessState[] } };
  readonly stop: {
    readonly ask: NamedProcess & {
      readonly signal?: StopSignalName | undefined;
      readonly grace_ms?: number | undefined;
    };
    readonly answer: ProcessAnswer;
  };
  /** The connections of programs, a line each when it has ended, for as long as the host is there. */
  readonly connections: { readonly ask: Record<string, never>; readonly answer: Record<string, never> };
  /** Another MCP server, the helper of a power, or the program of a pack, until it ends. Lines go both ways meanwhile. */
  readonly connect: {
    readonly ask: { readonly server: string } | { readonly helper: string } | { readonly program: string };
    readonly answer: UpstreamEnd;
  };
}

export interface UpstreamEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Why it was ended before it ended by itself. */
  readonly stopped_by?: "cancelled" | "flood" | "long_line" | "memory" | "not_reading";
  /** The server's last words on standard error. */
  readonly errors: string;
}

export type LauncherAction = keyof LauncherCalls;

export interface CommandsView {
  readonly programs: FoundPrograms;
  readonly filters: FoundPrograms;
}

type FoundPrograms = Readonly<Record<string, { readonly path: string } | { readonly missing: string }>>;

/** As it would be started. What is other in each start (its temporary folder) has a name instead. */
export type RunDescription = Omit<ProgramFacts, "kept">;

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

export interface RunProgress {
  /** The step of a filter that runs, and the size of the file that it got. */
  readonly step?: { readonly name: string; readonly input_bytes: number };
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
  readonly progress?: RunProgress;
  /** A server runs, with this fence around it; then each line that it says. */
  readonly started?: string;
  readonly line?: string;
}

/** The first line to a helper: the code of which power it is to load, and what the configuration says of the pack. */
export interface HelperOrder {
  readonly power: string;
  readonly settings: unknown;
}

/** The order that the launcher gives by itself (`HelperPlan`); the host gives none then. */
export type HelperStart = Pick<HelperOrder, "power"> & Partial<HelperOrder>;

export type HelperRequest =
  | { readonly id: number; readonly call: string; readonly ask: unknown; readonly answerBytes: number }
  | { readonly id: number; readonly cancel: true };

export interface HelperAnswer extends Pick<LaunchAnswer, "id" | "failure" | "answer"> {
  /** What nobody expected: where it happened. */
  readonly bug?: string;
}
