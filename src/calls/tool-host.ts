/**
 * What a host offers to a program, alike for one in this process (`createHost`) and one behind a pipe (`connect`). Tools are
 * for the model; everything else here is for the program that runs it, and no model can call it.
 */
import type { CallResult, ListedProposal, PendingProposal } from "./call-result.ts";
import type { HostCall, HostResult } from "./dispatch.ts";
import type { EventStream } from "./events.ts";
import type {
  AppliedProposal,
  ChangedFile,
  FailedProposal,
  ProposalParts,
  RejectedProposal,
} from "./decided-proposals.ts";
import type { ToolArguments, ToolName, ToolResults } from "../../types/tools.d.ts";

/** How far a call has come; sent only while it takes long. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What any single request may say. */
export interface CallOptions {
  /** Gives the call up: it is stopped, and fails with `cancelled`. A change that was already made stays. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; then the same with `timed_out`. Default: only the limits of the host. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  /** `_meta` of the call, as `{"dev.ringfence/mode": "plan"}` or `{"dev.ringfence/idempotencyKey": "..."}`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool as the model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a built-in tool answered, when it did not fail. */
export interface ToolAnswer<N extends ToolName> extends Omit<CallResult, "structured"> {
  readonly isError: false;
  readonly failure: undefined;
  readonly structured: ToolResults[N];
}

/** A proposal with its diffs. */
export interface ProposalWithFiles extends PendingProposal {
  readonly digest: string;
  /** Every operation in a line. */
  readonly operations: readonly string[];
  /** Why it cannot be applied now. */
  readonly problem?: string;
  /** One page of all that there is to see, the first when none was asked for. */
  readonly text: string;
  readonly page: number;
  readonly pages: number;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly files: readonly ChangedFile[];
}

/** The changes that wait for approval. */
export interface Proposals {
  /**
   * Oldest first. @param options `check`: also how many lines change and what can still be applied, which looks at the
   * files
   */
  list(options?: CallOptions & { readonly check?: boolean }): Promise<readonly ListedProposal[]>;
  /** @param id or `ID@DIGEST`, which fails with `conflict` for anything else than that */
  get(id: string, options?: CallOptions & { readonly page?: number }): Promise<ProposalWithFiles>;
  /**
   * Fails with `stale`, and the new diff in `details.diff`, when the files are no longer what was shown; with
   * `conflict`, when it would do something else.
   * @param id alone for what this host has proposed; `ID@DIGEST` for what was looked at
   */
  apply(id: string, parts?: ProposalParts, options?: CallOptions): Promise<AppliedProposal>;
  /** One after the other; a failure among them stops none. */
  applyAll(ids: readonly string[], options?: CallOptions): Promise<readonly (AppliedProposal | FailedProposal)[]>;
  /** @param reason is shown to whoever asks for the same again */
  reject(id: string, reason?: string, options?: CallOptions): Promise<RejectedProposal>;
}

/** A change that was made. */
export interface Transaction {
  readonly transaction: string;
  /** ISO 8601 */
  readonly at: string;
  readonly tool: string;
  readonly summary: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly bytes: number;
  /** The proposal that was applied. */
  readonly proposal?: string;
  readonly undoes?: string;
  readonly undone_by?: string;
  /** The change was reverted after a crash, and somebody else's bytes stood in the way. */
  readonly conflict?: true;
  readonly left?: readonly string[];
  /** Why it cannot be undone now; only when that was asked for. */
  readonly cannot_undo?: string;
}

/** What an undo did, or would do. */
export interface Undone {
  readonly transaction: string;
  readonly summary: string;
  readonly canUndo: boolean;
  /** Why not. */
  readonly error?: string;
  /** Only after a dry run. */
  readonly diff?: string;
  readonly files: readonly { readonly path: string; readonly operation: string; readonly source?: string }[];
  readonly insertions: number;
  readonly deletions: number;
  /** The transaction that the undo itself is. */
  readonly undo?: string;
  /** Without an id: newer ones that cannot be undone. */
  readonly skipped?: readonly {
    readonly transaction: string;
    readonly summary: string;
    readonly error: string;
  }[];
}

/** The changes that were made. */
export interface ChangeHistory {
  /** Newest first. @param check also whether each can be undone, which looks at its files */
  list(check?: boolean, options?: CallOptions): Promise<readonly Transaction[]>;
  /** @param transaction default: the last that can be undone */
  undo(transaction?: string, options?: CallOptions & { readonly dryRun?: boolean }): Promise<Undone>;
}

/** Why a call is decided as it is. */
export interface Explanation {
  readonly tool: string;
  readonly mode: string;
  readonly decision: {
    readonly type: "allow" | "ask" | "deny";
    readonly reason: string;
    /** Where the rule stands: `mode`, a file and line, or a grant. */
    readonly source: string;
    readonly rule: string;
    /** R0 to R5. */
    readonly risk: string;
    /** For `ask`: the narrowest rule that would settle it. */
    readonly suggested_rule?: string;
    /** The suggestion settles it only as a grant, and not as a rule of the configuration. */
    readonly only_as_grant?: true;
  };
  readonly paths: readonly string[] | "all";
  /** URLs, hosts, records, objects and command lines that it touches besides. */
  readonly targets?: readonly string[];
  /** What would have to be different. */
  readonly change: string;
  /** Arguments that were not given: required ones, and others that could change the decision. */
  readonly missing?: readonly { readonly name: string; readonly required: boolean; readonly could_change: boolean }[];
  /** Programs, and the guard of the program, that may make the decision stricter when the call is made; they are not asked here. */
  readonly asked_before?: readonly string[];
}

/** What a person has allowed. */
export interface Grant {
  readonly id: string;
  /** As `write_file(notes/**)`. */
  readonly rule: string;
  /** The roots of the host for which it was given; it holds in no others. */
  readonly roots: readonly string[];
  /** ISO 8601 */
  readonly at: string;
  readonly remembered: boolean;
  /** ISO 8601: it holds no more from then on. */
  readonly until?: string;
  /** The session in which alone it holds, as the record names it. */
  readonly session?: string;
}

/** What a rule would have allowed among the last questions on record. */
export interface RuleCoverage {
  /** How many questions were looked at. */
  readonly asked: number;
  readonly allowed: readonly AskedBefore[];
}

/** One question of the record. */
export interface AskedBefore {
  /** ISO 8601 */
  readonly at: string;
  readonly tool: string;
  /** Paths, and what else it would have touched. */
  readonly targets: readonly string[];
}

/** What a person has allowed beyond the configuration. */
export interface Grants {
  list(options?: CallOptions): Promise<readonly Grant[]>;
  /** For this host, or remembered for hosts with the same roots. */
  add(rule: string, options?: CallOptions & { readonly remember?: boolean }): Promise<Grant>;
  revoke(id: string, options?: CallOptions): Promise<{ readonly id: string; readonly status: "revoked" }>;
}

/** A host, wherever it runs. Closed by `await using` or `close()`. */
export interface ToolHost extends AsyncDisposable {
  /** In the order of the host, all of them. */
  listTools(options?: CallOptions): Promise<readonly ToolDescription[]>;
  /**
   * Any tool, by the name that it is listed with or an alias. What fails in the tool is an answer with `isError`, because a
   * model is to read it; only a tool that there is not, a call that was given up and a host that is gone are thrown.
   */
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallResult>;
  /**
   * A built-in tool, with the types of its arguments and of its structured result. Every failure is thrown.
   *
   * @example const { structured } = await host.call("read_file", { path: "report.txt" });
   */
  call<N extends ToolName>(name: N, args: ToolArguments[N], options?: CallOptions): Promise<ToolAnswer<N>>;
  /**
   * A call in two phases, for a program that gets its calls as messages: a change answers with its proposal, and the same call
   * in the mode `apply` makes it.
   *
   * @example
   * const call = { callId: "1", tool: "write_file", input: { path: "a.txt", content: "a" } };
   * const { proposal } = await host.dispatch(call);
   * if (proposal) await host.dispatch({ ...call, callId: "2", mode: "apply" });
   */
  dispatch(call: HostCall, options?: CallOptions): Promise<HostResult>;
  readonly proposals: Proposals;
  readonly history: ChangeHistory;
  readonly grants: Grants;
  /** Why a call would be decided as it would; nothing runs. */
  explain(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Explanation>;
  /**
   * What goes on record from now on, redacted.
   *
   * @param options `signal` ends the stream
   * @example for await (const { event, tool } of await host.events()) console.log(event, tool);
   */
  events(options?: Pick<CallOptions, "signal">): Promise<EventStream>;
  /** What a `resource_link` of an answer leads to, as the content blocks of `resources/read`. */
  readResource(uri: string, options?: CallOptions): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * A host in this process gives up the calls under way; one behind a pipe may answer them, for as long as its grace. A
   * change under way is finished or taken back. Again: the same promise.
   */
  close(): Promise<void>;
}
