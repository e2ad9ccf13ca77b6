/**
 * One tool call on its way through the host: what it asks for (`Call`), what the policy says of it (`Assessed`), and what
 * is carried out (`Work`). Every type that two steps share is here, so that no step imports another one for a type.
 */
import type { Failure, StopSignal } from "../base/index.ts";
import type { Tool } from "../contract/index.ts";
import type { ResourceInput } from "../jobs/index.ts";
import type { Outcome, RequestContext } from "../mcp/index.ts";
import type { AskedCall, Decision, Mode, SkillPermissions, Target, ToolFacts } from "../policy/index.ts";
import type { PlaceInOrder } from "../session/index.ts";
import type { ChangeManner } from "../txn/index.ts";
import type { RequestId } from "../wire/index.ts";

/** A job that a worker does in place of the tool: the same files under the same rules, answered in another form. */
type OtherJob = (
  | { readonly name: "resource"; readonly input: ResourceInput }
  | { readonly name: "watch"; readonly input: { readonly resources: readonly ResourceInput[] } }
) & {
  /** Told under which policy the job is done, as soon as it may be done. */
  readonly begun?: ((under: CallPolicy) => void) | undefined;
};

export interface Call {
  /** The name that the caller used; an alias is fine. */
  readonly name: string;
  readonly arguments: unknown;
  /** Default: the tool of that name. */
  readonly tool?: Tool | undefined;
  readonly job?: OtherJob | undefined;
  /** Why the arguments cannot be read, when they came in a dialect. */
  readonly problem?: Failure | undefined;
  /** The name is ours, and the dialect lists the tool under these or not at all: there is no such tool. */
  readonly unlisted?: readonly string[] | undefined;
  /** How many arguments were put right on the way from a dialect. */
  readonly repaired?: number | undefined;
  /** The answer in the dialect of the caller, as it is sent. Default: as it is. */
  readonly sent?: ((outcome: Outcome) => Outcome) | undefined;
  /** The change is only tried out: nothing of it is kept, nobody is asked. */
  readonly isDryRun?: boolean | undefined;
  /** How its changes are made, when it came in a dialect that makes them in another way. */
  readonly manner?: ChangeManner | undefined;
  /** The caller's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: StopSignal;
  /** The request's id, for the record and for `apply` by request. */
  readonly request?: RequestId;
  /** Who asked, and how to ask back; a command of the shell has none. */
  readonly context?: RequestContext;
  /** Where its content came from, of a call with which the answer to another one goes on. */
  readonly from?: string | undefined;
  /** The host ends with the answer, so no call can wait for a person after it. */
  readonly isLast?: boolean | undefined;
  /** How the record names a command that makes the call for itself, where there is no client. */
  readonly by?: string;
  /** The call's place in the order, taken at the door. Default: the call arrives when it is dispatched. */
  readonly turn?: PlaceInOrder | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined;
}

/** A call with the tool that was found for it, and its arguments as that tool reads them. */
export interface ReadCall {
  readonly call: Call;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Who asked, and how the caller hears of progress. */
export type Caller = Pick<Call, "signal" | "onProgress" | "context" | "turn">;

/** What the policy says of a call. */
export interface Assessed {
  readonly decision: Decision;
  readonly facts: ToolFacts;
  readonly mode: Mode;
  /** What the call touches, as its tool says; the order of calls is kept by it. `all`: nobody knows. */
  readonly targets: readonly Target[] | "all";
  readonly changes: boolean;
  /** The call as data, for what is allowed exactly. */
  readonly asked?: AskedCall | undefined;
  /** The other tools whose changes the call makes: rules and hooks about them hold for it. */
  readonly parts?: readonly ToolFacts[] | undefined;
  /** The arguments that a hook put in the place of the caller's, and which hook. */
  readonly modified?: { readonly by: string; readonly input: unknown } | undefined;
  /** Rules that a person granted for this call alone. */
  readonly granted?: readonly string[];
  /** What the skill of the call may use. */
  readonly skill?: SkillPermissions | undefined;
}

/** The part of it that the jobs of a call are bound by. */
export type CallPolicy = Pick<Assessed, "facts" | "mode" | "granted" | "skill">;

/** A call that may be carried out, or proposed. */
export interface Work extends Assessed, ReadCall {
  readonly record: CallRecord;
}

/** One call on record. */
export interface CallRecord {
  /** The id of its first line; "" when that could not be written. */
  readonly id: string;
  readonly startMs: number;
  /** For how long a person was asked, which is not the call's own time. */
  askedMs: number;
  /** How many of its arguments were put right before they were read. */
  repaired: number;
  /** Hash of the files that it changed or would change, where calls are kept. */
  changed?: string;
}

/** What a stored call came to, when its proposal was applied. */
export interface Executed {
  readonly result: unknown;
  /** The answer as the result of a tool, in JSON text. */
  readonly members: string;
}
