/**
 * The contracts of the powers that a tool gets; where the code of each runs is in `own-powers.ts`. A tool that uses a power
 * which it does not name in `needs`, and which its effect does not bring, does not compile. The same functions serve a tool that runs in a worker and one that runs in a consumer's own program.
 */
import type { Cancel, Failure } from "../base/index.ts";
import type { attachFile, diffFiles, hashFiles, readFile, readFiles, readPicture, statPath } from "../files/index.ts";
import type { ListedNotes, MemoryHits, MemoryQuestion, NoteAsked, NoteRead, NotesAsked } from "../memory/index.ts";
import type { Effect } from "../policy/index.ts";
import type { Power } from "./power.ts";
import type { HttpApi } from "../reach/index.ts";
import type { DeletedSession, KeptData, ListedSessions } from "../recorded/index.ts";
import type {
  FilterAnswer,
  FilterRequest,
  GitAnswer,
  GitFound,
  GitRequest,
  LauncherCalls,
  RunAnswer,
  RunDescription,
  RunRequest,
} from "../proc/index.ts";
import type { diskUsage, findReplacements, glob, grep, listDirectory, tree } from "../search/index.ts";

/** A function of `files` or `search` without its context. */
type Bound<F> = F extends (ctx: never, options: infer O) => infer R ? (options: O) => Promise<Awaited<R>> : never;

/** Reading single files. Paths are the caller's; failures are `Failure`. */
export interface FilesApi {
  /** One page, as long as an answer may be: `truncated`, `cut_lines` and `next` say what is not in it. */
  readonly read: Bound<typeof readFile>;
  readonly readMany: Bound<typeof readFiles>;
  readonly stat: Bound<typeof statPath>;
  readonly hash: Bound<typeof hashFiles>;
  readonly diff: Bound<typeof diffFiles>;
  /** A picture by its path or as it was sent, written anew for whoever looks at it. */
  readonly picture: Bound<typeof readPicture>;
  /** A file for a person, whole: inline, or kept to be linked. */
  readonly attach: Bound<typeof attachFile>;
}

/** Walking and searching. */
export interface SearchApi {
  readonly list: Bound<typeof listDirectory>;
  readonly tree: Bound<typeof tree>;
  readonly usage: Bound<typeof diskUsage>;
  readonly glob: Bound<typeof glob>;
  readonly grep: Bound<typeof grep>;
  /** What a replacement would put where. Nothing is written. */
  readonly replacements: Bound<typeof findReplacements>;
}

/** What the host is, for `system_info` and for tools that adapt to it. */
export interface HostFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: string;
  readonly mode: string;
  readonly results: "text" | "structured";
  /** Bytes of text in the answer to a call that names no limit. */
  readonly answerBytes: number;
  /** full: what was answered survives a crash of the machine; fast: it may not. */
  readonly durability: "full" | "fast";
  readonly roots: readonly { readonly path: string; readonly access: "read-only" | "read-write" }[];
  /** What the roots of the client leave of the roots, as directories; absent: all of them. */
  readonly within?: readonly string[];
  /** Which roots those close, what the client offered, and the key against it, in words. */
  readonly narrowed?: string;
  readonly containment: "handle" | "portable";
  /** `kernel (...)` or `handles only`. */
  readonly fence: string;
}

/** What every tool has, whatever it needs. */
export interface CallContext {
  readonly facts: HostFacts;
  /** Long work asks it often and stops. */
  readonly cancel: Cancel;
  /** @param what words for a person; of `bytes ...` and `entries ...` the amount is put into them: `1.6 of 64 GB hashed` */
  readonly progress: (done: number, total: number | undefined, what: string) => void;
}

/** The powers of a tool that reads, and of one that plans changes. */
export interface ReadContext extends CallContext {
  readonly files: FilesApi;
  readonly search: SearchApi;
  /** @throws Failure `denied` for a name that the tool did not declare */
  readonly secret: (name: string) => string;
}

/** Showing something to the person at the desktop. */
export interface DesktopApi {
  /** Opens with the system's default application. @throws Failure `unsupported` where there is no desktop */
  readonly open: (path: string) => Promise<void>;
  /** Shows it selected in the file manager. */
  readonly reveal: (path: string) => Promise<void>;
}

/** The powers of a tool that shows something: those of reading, and the desktop. */
export interface ShowContext extends ReadContext {
  readonly desktop: DesktopApi;
}

/** Starting programs, by the launcher outside the fence. @throws Failure */
export interface CommandsApi {
  /** What would be run, without running it. */
  readonly describe: (request: RunRequest) => Promise<RunDescription>;
  /** Ends with the call. */
  readonly run: (request: RunRequest) => Promise<RunAnswer>;
  readonly start: Asked<"start">;
  readonly output: Asked<"output">;
  readonly list: Asked<"list">;
  readonly stop: Asked<"stop">;
}

/** The notes of the memory. @throws Failure */
export interface MemoryApi {
  readonly read: (ask: NoteAsked) => Promise<NoteRead>;
  readonly list: (ask: NotesAsked) => Promise<ListedNotes>;
  readonly search: (ask: MemoryQuestion) => Promise<MemoryHits>;
}

/** The program of a pack, behind a fence of its own and with the pack's list as its network. */
export interface ProgramApi {
  /** Starts it. It goes on after the call, until it is closed, ends by itself, or the host goes. @throws Failure `unsupported` */
  readonly open: (on: ProgramEvents) => ProgramLink;
  /** Why it may not ask for a URL by itself: its host is not in reach, or a rule keeps the tool from it. `undefined`: it may. */
  readonly refuses: (url: string) => string | undefined;
}

export interface ProgramEvents {
  readonly onMessage: (text: string) => void;
  /** Called once, with what a call that needs it fails with. */
  readonly onEnd: (failure: Failure) => void;
}

export interface ProgramLink {
  /** Says one message to it, also before it runs. */
  readonly say: (text: string) => void;
  /** Ends it, with all that it started. */
  readonly close: () => void;
}

/** What is on record of earlier runs of hosts on this state folder. @throws Failure `not_found`, `busy` for one that runs */
export interface SessionsApi {
  /** The newest first. */
  readonly list: (ask: { readonly limit: number }) => Promise<ListedSessions>;
  /** What one that has ended keeps besides the record. */
  readonly kept: (ask: { readonly id: string }) => Promise<KeptData>;
  readonly delete: (ask: { readonly id: string }) => Promise<DeletedSession>;
}

type Asked<A extends keyof LauncherCalls> = (ask: LauncherCalls[A]["ask"]) => Promise<LauncherCalls[A]["answer"]>;

/**
 * git, started by the launcher behind a fence of its own, with a configuration that runs nothing. Paths in its output are
 * names as this program holds them: a byte that is not UTF-8 is a lone surrogate. @throws Failure
 */
export interface GitApi {
  /** The repository of a path, which need not be there any more. */
  readonly find: (path: string) => Promise<GitFound>;
  readonly run: (ask: Pick<GitRequest, "path" | "args" | "writes" | "max_bytes">) => Promise<GitAnswer>;
  /** Which of these absolute paths are closed to the tool: by rules, as secrets, or because they lie outside. */
  readonly closed: (paths: readonly string[], writes?: boolean) => Promise<ReadonlySet<string>>;
  /** An absolute path as callers may give it. */
  readonly show: (path: string) => string;
}

/**
 * Programs that the configuration of the pack names for one file, started by the launcher without the roots and without a
 * network. @throws Failure
 */
export interface FiltersApi {
  readonly run: (
    ask: Omit<FilterRequest, "within" | "offered">,
    onProgress?: (line: string, step: { readonly name: string; readonly input_bytes: number }) => void,
  ) => Promise<FilterAnswer>;
}

export interface RunContext extends ReadContext {
  readonly commands: CommandsApi;
}

/** What a tool that is carried out elsewhere is called with. */
export interface RemoteContext {
  /** Aborted when the caller leaves and when the time is over; the other side is told then. */
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number | undefined, what: string) => void;
  /** The request that the call came with; only the host knows what that is. */
  readonly caller?: unknown;
  /** What is left for it. */
  readonly timeoutMs: number;
}

/** What the functions of a local tool are given. */
export interface LocalToolContext {
  /** Absolute paths of the roots. */
  readonly roots: string[];
  /**
   * The canonical absolute path, with links followed. What does not exist yet is named below its deepest ancestor that does.
   *
   * @throws Failure for anything that escapes the roots
   */
  resolvePath(path: string): Promise<string>;
  /** A secret that the tool named. @throws Failure `denied` for any other */
  secret(name: string): string;
  readonly signal: AbortSignal;
}

/** What a person is asked to approve. */
export interface LocalProposal {
  summary: string;
  diff?: string;
  /** Hashed when the proposal is made, and again before `execute`. */
  paths: string[];
  /** Bytes that will be written, when known. */
  bytes?: number;
}

/** What became of proposals of this process. */
export interface ReviewsApi {
  /** Ends when one of them is decided, or after so long. @param ids default: all that this process has made */
  readonly wait: (ask: {
    readonly ids?: readonly string[] | undefined;
    readonly waitMs: number;
  }) => Promise<readonly ReviewNews[]>;
}

/** What is known of one proposal. */
export interface ReviewNews {
  readonly id: string;
  readonly status: "waiting" | "applied" | "rejected" | "expired" | "failed";
  /** The whole of it for a model. */
  readonly text: string;
}

/**
 * Replaces the secrets of a text by their placeholders, as in every answer: for a tool that cuts a text before it answers, because
 * half a secret looks like nothing. Where the host replaces none, the text stays as it is.
 *
 * @param around what stands before and behind the text: what begins or ends there is replaced too
 */
export type HideSecrets = (
  text: string,
  around?: { readonly before: string; readonly after: string },
) => { readonly text: string; readonly count: number };

/** The powers of the host, by the names under which tools need them. */
export interface Powers extends LocalToolContext {
  readonly files: FilesApi;
  readonly search: SearchApi;
  readonly desktop: DesktopApi;
  readonly commands: CommandsApi;
  readonly git: GitApi;
  /** Requests inside the reach of the pack of the tool; nobody else has any. */
  readonly http: HttpApi;
  readonly program: ProgramApi;
  readonly remote: RemoteContext;
  readonly reviews: ReviewsApi;
  readonly sessions: SessionsApi;
  readonly memory: MemoryApi;
  readonly filters: FiltersApi;
  readonly hideSecrets: HideSecrets;
}

/**
 * The effect of a tool that needs these: only a tool that runs programs is decided on as one, and only one that shows something
 * or leaves the machine may use the desktop. The registry holds every tool to it when the host starts.
 */
export type EffectOf<N extends Need> = "commands" extends N ? "run" : "desktop" extends N ? "reach" | "show" : Effect;

/** What a tool needs: a power of the host by its name, or one that its pack brings. */
export type Need = string | Power;

/** The context of a tool that needs these. */
export type ContextOf<N extends Need> = CallContext & {
  readonly [One in N as NameOfNeed<One>]: One extends keyof Powers
    ? Powers[One]
    : One extends { readonly api?: infer Api }
      ? NonNullable<Api>
      : UntypedPower;
};

/** A power of a pack that is known by its name alone. */
type UntypedPower = Readonly<Record<string, (ask: object) => Promise<unknown>>>;

type NameOfNeed<N extends Need> = N extends string ? N : N extends Power ? N["name"] : never;
