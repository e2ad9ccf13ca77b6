/**
 * Calls in two phases for a program that dispatches them by messages: a change is answered with its proposal, and the same
 * call in the mode `apply` makes it. Which proposal that is, the host knows: whoever sends a call cannot put another change in
 * the place of what was shown.
 */
import type { CallResult, PendingProposal } from "./call-result.ts";
import type { FailureData } from "./failure.ts";
import type { AppliedProposal } from "./decided-proposals.ts";
import type { CallOptions, Proposals } from "./tool-host.ts";

/** One call as a dispatcher sends it. */
export interface HostCall {
  /** Comes back with the result. */
  readonly callId: string;
  /** The name of the tool, or an alias. */
  readonly tool: string;
  readonly input: unknown;
  /**
   * `auto` (default): a call that only reads runs, a change answers with its proposal. `apply`: makes the change that was
   * proposed for the same tool and input. A call that only reads runs in both.
   */
  readonly mode?: "auto" | "apply" | undefined;
}

/** What a call came to. Nothing is thrown: a call that failed is a result with `error`. */
export interface HostResult {
  readonly callId: string;
  readonly ok: boolean;
  /** What the tool answered, or of a change that was made what became of it. */
  readonly output?: unknown;
  /** The change waits for the same call in the mode `apply`. */
  readonly proposal?: HostProposal;
  /** `Cannot <verb> "<what>": <state>`, and the next move. */
  readonly error?: string;
  /** The error with its code, for programs. */
  readonly failure?: FailureData;
}

/** A proposal with what a person is to look at. */
export interface HostProposal extends PendingProposal {
  /** A unified diff, where the change has one. */
  readonly diff?: string;
}

export interface DispatchingHost {
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallResult>;
  readonly proposals: Pick<Proposals, "apply" | "get">;
}

/** The oldest is forgotten for one too many; its change can be dispatched anew. */
const MAX_WAITING = 1000;

export function createDispatch(host: DispatchingHost): (call: HostCall, options?: CallOptions) => Promise<HostResult> {
  /** Ids of proposals by tool and input. */
  const waiting = new Map<string, string>();

  const make = async (call: ReadCall, options: CallOptions | undefined): Promise<Outcome> => {
    const { tool, input, mode } = call;
    const key = JSON.stringify([tool, input], sortMembers);
    const proposed = mode === "apply" ? waiting.get(key) : undefined;
    if (proposed !== undefined) {
      waiting.delete(key);
      return { ok: true, output: appliedOutput(await host.proposals.apply(proposed, undefined, options)) };
    }
    const result = await host.callTool(tool, input, options);
    if (result.failure) return failed(result.failure);
    if (!result.proposal) return { ok: true, output: outputOf(result) };
    waiting.delete(key);
    waiting.set(key, result.proposal.id);
    const [oldest] = waiting.keys();
    if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
    const proposal = await withDiff(host, result.proposal, options);
    return mode === "auto" ? { ok: true, proposal } : { ...failed(notShown(tool)), proposal };
  };

  return async (given, options) => {
    const call = readCall(given);
    if ("wrong" in call) return { callId: call.callId, ...failed(call.wrong) };
    try {
      return { callId: call.callId, ...(await make(call, options)) };
    } catch (thrown) {
      return { callId: call.callId, ...failedBy(thrown) };
    }
  };
}

type Outcome = Omit<HostResult, "callId">;

interface ReadCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly mode: "auto" | "apply";
}

interface WrongCall {
  /** "" where the call gives none. */
  readonly callId: string;
  readonly wrong: FailureData;
}

/** A message may be anything. Its input is copied, so that what is proposed and what is called are the same. */
function readCall(given: unknown): ReadCall | WrongCall {
  let callId = "";
  try {
    const call = (given ?? {}) as Partial<Record<keyof HostCall, unknown>>;
    callId = (call.callId ?? "") as string;
    const { tool, input = {}, mode = "auto" } = call;
    if (typeof tool !== "string") return { callId, wrong: wrongCall("tool must be the name of a tool") };
    if (mode !== "auto" && mode !== "apply") return { callId, wrong: wrongCall('mode must be "auto" or "apply"') };
    const copy: unknown = JSON.parse(JSON.stringify(input));
    if (typeof copy !== "object" || copy === null || Array.isArray(copy))
      return { callId, wrong: wrongCall("input must be an object") };
    return { callId, tool, input: copy as ReadCall["input"], mode };
  } catch {
    return { callId, wrong: wrongCall("it must be plain data, as JSON has it") };
  }
}

function wrongCall(state: string): FailureData {
  return {
    code: "invalid_input",
    message: `Cannot dispatch the call: ${state}`,
    hint: 'A call is { callId, tool, input, mode }: the name of a tool, an object with its arguments, and "auto" or "apply".',
    retry: "changed",
  };
}

/** A store of messages may give the members of an object back in another order. */
function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function withDiff(
  host: DispatchingHost,
  proposal: PendingProposal,
  options: CallOptions | undefined,
): Promise<HostProposal> {
  const { files } = await host.proposals.get(proposal.id, options);
  const diff = files.flatMap((file) => file.diff ?? []).join("\n");
  return diff === "" ? proposal : { ...proposal, diff };
}

/** What a tool of plain functions returned, else all that is known of the change. */
function appliedOutput(applied: AppliedProposal): unknown {
  return "result" in applied ? applied.result : applied;
}

/** A tool of plain functions that returned no object has it under `result`, and as its text. */
function outputOf({ structured, text }: CallResult): unknown {
  const { result, ...more } = structured ?? { result: text };
  const shown = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  return Object.keys(more).length === 0 && shown === text ? result : structured;
}

function notShown(tool: string): FailureData {
  return {
    code: "needs_approval",
    message: `Cannot apply the call of "${tool}": this host has not proposed it yet`,
    hint: "Look at the proposal that comes with this answer, then send the same call in the mode apply again.",
    retry: "later",
  };
}

function failed(failure: FailureData): Outcome {
  return { ok: false, error: `${failure.message}. ${failure.hint}`.trimEnd(), failure };
}

function failedBy(thrown: unknown): Outcome {
  const data = (thrown as { readonly data?: FailureData } | null)?.data;
  if (data?.code !== undefined) return failed(data);
  return { ok: false, error: thrown instanceof Error ? thrown.message : String(thrown) };
}
