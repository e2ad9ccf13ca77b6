/**
 * The methods of a `ToolHost` over anything that answers requests: a pipe to a process, or a host in this one. One
 * implementation, so that both offer the same and mean the same.
 */
import type { MethodParams } from "../../types/tools.d.ts";
import {
  type CallResult,
  type ComparedFile,
  type ListedProposal,
  type PendingProposal,
  type ProposalImage,
  readResult,
} from "./call-result.ts";
import { createDispatch } from "./dispatch.ts";
import { type Listen, openEventStream } from "./events.ts";
import type { AppliedProposal, FailedProposal, PassedProposal, RejectedProposal } from "./decided-proposals.ts";
import type { FailureData } from "./failure.ts";
import type {
  CallOptions,
  CallProgress,
  Explanation,
  Grant,
  ProposalWithFiles,
  RuleCoverage,
  ToolAnswer,
  ToolDescription,
  ToolHost,
  Transaction,
  Undone,
} from "./tool-host.ts";

type Params = Readonly<Record<string, unknown>>;

/** Whatever answers. */
export interface Transport {
  /** @throws what `fail` makes, for a method that failed and when it was stopped */
  request(method: string, params: Params, how: RequestHow): Promise<unknown>;
  listen(...listener: Parameters<Listen>): ReturnType<Listen>;
  /** The error that callers of this transport catch. */
  fail(data: FailureData): Error;
}

export interface RequestHow {
  readonly stop: Stop;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
}

/**
 * @param close closes the transport
 * @param limitMs of every request that says nothing else
 */
export function createToolHost(transport: Transport, close: () => Promise<void>, limitMs?: number): ToolHost {
  const ask = async <T>(method: string, params: Params, options: CallOptions = {}): Promise<T> => {
    const { meta, onProgress, signal, timeoutMs = limitMs } = options;
    const stop = openStop({ signal, timeoutMs });
    try {
      const given = meta === undefined ? params : { ...params, _meta: meta };
      return (await transport.request(method, given, { stop, onProgress })) as T;
    } finally {
      stop.end();
    }
  };
  const callTool = async (name: string, args: Params = {}, options?: CallOptions): Promise<CallResult> =>
    readResult(await ask("tools/call", { name, arguments: args }, options));

  const methods = createMethods(ask);
  return {
    listTools: async (options) => await listTools(ask, options),
    callTool,
    dispatch: createDispatch({ callTool, proposals: methods.proposals }),
    call: async (name, args, options) => {
      const result = await callTool(name, args as unknown as Params, options);
      if (result.failure) throw transport.fail(result.failure);
      if (result.structured === undefined) throw transport.fail(unstructured(name));
      return result as ToolAnswer<typeof name>;
    },
    ...methods,
    events: async ({ signal } = {}) => {
      const stream = openEventStream((...listener) => transport.listen(...listener), signal);
      try {
        await ask("ringfence/events/subscribe", {}, { signal });
      } catch (thrown) {
        await stream.return();
        throw thrown;
      }
      return stream;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Ask = <T>(method: string, params: Params, options?: CallOptions) => Promise<T>;

function createMethods(ask: Ask): Pick<ToolHost, "proposals" | "history" | "grants" | "explain" | "readResource"> {
  const call = async <Name extends MethodName>(
    name: Name,
    params: MethodParams[Name],
    options?: CallOptions,
  ): Promise<MethodResults[Name]> => await ask(name, defined(params), options);
  return {
    proposals: {
      list: async ({ check, ...options } = {}) =>
        (await call("ringfence/proposals/list", { check }, options)).proposals,
      get: async (id, { page, ...options } = {}) => await call("ringfence/proposals/get", { id, page }, options),
      apply: async (id, parts, options) =>
        (await call("ringfence/proposals/apply", { id, ...parts }, options)) as AppliedProposal,
      applyAll: async (ids, options) => {
        if (ids.length === 0) return [];
        const answer = await call("ringfence/proposals/apply", { ids }, options);
        return (answer as { readonly results: readonly (AppliedProposal | FailedProposal)[] }).results;
      },
      reject: async (id, reason, options) => await call("ringfence/proposals/reject", { id, reason }, options),
    },
    history: {
      list: async (check, options) => (await call("ringfence/history/list", { check }, options)).transactions,
      undo: async (transaction, { dryRun, ...options } = {}) =>
        await call("ringfence/history/undo", { transaction, dry_run: dryRun }, options),
    },
    grants: {
      list: async (options) => (await call("ringfence/grants/list", {}, options)).grants,
      add: async (rule, { remember, ...options } = {}) =>
        (await call("ringfence/grants/add", { rule, remember }, options)).grant,
      revoke: async (id, options) => await call("ringfence/grants/revoke", { id }, options),
    },
    explain: async (name, args = {}, options) =>
      await call("ringfence/policy/explain", { name, arguments: args }, options),
    readResource: async (uri, options) =>
      (await ask<{ contents: Awaited<ReturnType<ToolHost["readResource"]>> }>("resources/read", { uri }, options))
        .contents,
  };
}

async function listTools(ask: Ask, options: CallOptions | undefined): Promise<readonly ToolDescription[]> {
  const tools: ToolDescription[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask<{ tools: readonly ToolDescription[]; nextCursor?: string }>(
      "tools/list",
      defined({ cursor }),
      options,
    );
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** Absent is not the same as `undefined` for a host in this process. */
function defined(params: object): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

function unstructured(name: string): FailureData {
  return {
    code: "unsupported",
    message: `Cannot give the structured result of "${name}": this host answers with text alone`,
    hint: 'Start it with results: "structured", or use callTool.',
    retry: "never",
  };
}

export interface Stop {
  readonly reason: "cancelled" | "timed_out" | undefined;
  /** At once when it has happened already. */
  onStop(listener: (reason: "cancelled" | "timed_out") => void): void;
  end(): void;
}

export function openStop({ signal, timeoutMs }: CallOptions): Stop {
  const listeners: ((reason: "cancelled" | "timed_out") => void)[] = [];
  let reason: Stop["reason"];
  const stop = (why: "cancelled" | "timed_out"): void => {
    if (reason !== undefined) return;
    reason = why;
    for (const listener of listeners) listener(why);
  };
  const onAbort = (): void => stop("cancelled");
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timed_out"), timeoutMs);
  // A timeout of 0 expires at once; a timer would let the call work for a millisecond.
  if (timeoutMs !== undefined && timeoutMs <= 0) stop("timed_out");
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    get reason() {
      return reason;
    },
    onStop(listener) {
      if (reason === undefined) listeners.push(listener);
      else listener(reason);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** By the name of a method: what it answers. The host is checked against these types where it defines a method. */
export interface MethodResults {
  readonly "ringfence/proposals/list": { readonly proposals: readonly ListedProposal[] };
  readonly "ringfence/proposals/get": ProposalWithFiles;
  readonly "ringfence/proposals/diff": { readonly diff: string; readonly next?: number };
  readonly "ringfence/proposals/text": { readonly text: string };
  readonly "ringfence/proposals/edit": PendingProposal;
  readonly "ringfence/proposals/compare": { readonly files: readonly ComparedFile[] };
  readonly "ringfence/proposals/images": { readonly images: readonly ProposalImage[] };
  readonly "ringfence/proposals/apply":
    | AppliedProposal
    | { readonly results: readonly (AppliedProposal | FailedProposal)[] };
  readonly "ringfence/proposals/approve": PassedProposal;
  readonly "ringfence/proposals/reject": RejectedProposal;
  readonly "ringfence/history/list": { readonly transactions: readonly Transaction[] };
  readonly "ringfence/history/undo": Undone;
  readonly "ringfence/policy/explain": Explanation;
  readonly "ringfence/grants/list": { readonly grants: readonly Grant[] };
  readonly "ringfence/grants/add": { readonly grant: Grant };
  readonly "ringfence/grants/preview": RuleCoverage;
  readonly "ringfence/grants/revoke": { readonly id: string; readonly status: "revoked" };
  readonly "ringfence/bridge/offer": BridgeState;
  readonly "ringfence/bridge/tools": BridgeState;
  readonly "ringfence/spaces/list": { readonly spaces: readonly SpaceState[] };
  readonly "ringfence/spaces/reload": ChangedToolNames;
  readonly "ringfence/spaces/load": ChangedToolNames;
  readonly "ringfence/spaces/unload": ChangedToolNames;
  readonly "ringfence/events/subscribe": { readonly subscribed: true };
}

/** What became of the tools that a client offers. */
interface BridgeState {
  readonly tools: readonly { readonly name: string; readonly aliases: readonly string[]; readonly offered: string }[];
  readonly refused: readonly { readonly offered: string; readonly why: string }[];
  /** No offer is taken any more, because the tools were listed. */
  readonly fixed: boolean;
}

/** A space as the host knows it; the id is empty for one that is left out. */
interface SpaceState {
  readonly id: string;
  readonly folder: string;
  /** How many of its tools are offered. */
  readonly offered: number;
  readonly waiting: readonly string[];
  readonly problems: readonly string[];
  readonly loaded: boolean;
}

interface ChangedToolNames {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

export type MethodName = keyof MethodParams & keyof MethodResults;
