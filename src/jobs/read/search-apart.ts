/**
 * A search in a process of its own: the worker's side, which starts it and gives it the roots that the host holds, and the
 * process's side, which searches once and ends. Whatever a pattern does in there, the process can be killed.
 */
import { readFileSync, writeSync } from "node:fs";
import {
  createCancel,
  Failure,
  failureFromData,
  monotonicMs,
  type AnswerBounds,
  type FailureData,
} from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { FIRST_APART_FD, runApart } from "../../proc/index.ts";
import { grep, type GrepOptions } from "../../search/index.ts";
import { openScope } from "../ruled-scopes.ts";
import { createRuledScopes, type Ruling } from "../ruled-scopes.ts";
import type { WorkerConfig } from "../worker-config.ts";

interface ApartRequest {
  readonly config: WorkerConfig;
  /** The rules that the search is held to, as the worker is. */
  readonly ruling?: Ruling | undefined;
  readonly options: GrepOptions;
  readonly bounds: AnswerBounds;
  readonly leftMs: number;
}

/** `text` is the answer as JSON. */
type ApartReply = { readonly text: string } | { readonly failure: FailureData } | { readonly bug: string };

/** `undefined` where this host may start nothing: then the worker searches itself. */
export function searchApart(
  { apart, ...config }: WorkerConfig,
  ruling: Ruling | undefined,
  { cancel, deadlineMs }: JobContext,
  bounds: AnswerBounds,
): ((options: string) => Promise<string>) | undefined {
  if (!apart) return undefined;
  return async (options) => {
    const fds = config.rootFds;
    // What it finds is redacted here; it need not know how.
    const { redactionKey: _key, ...policy } = config.policy;
    const request: ApartRequest = {
      config: { ...config, policy, rootFds: fds.map((_, at) => FIRST_APART_FD + at) },
      ruling,
      options: JSON.parse(options) as GrepOptions,
      bounds,
      leftMs: deadlineMs - monotonicMs(),
    };
    const output = await runApart(apart, { input: JSON.stringify(request), fds, cancel });
    const reply = JSON.parse(output) as ApartReply;
    if ("failure" in reply) throw failureFromData(reply.failure);
    if ("bug" in reply) throw new Error(reply.bug);
    return reply.text;
  };
}

/** The whole life of the process. @param parent without which it ends */
export async function serveSearchApart(parent: number): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(await replyTo(readFileSync(0, "utf8"), parent)), "utf8");
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch {
    // Nobody waits for it any more.
  }
}

async function replyTo(input: string, parent: number): Promise<ApartReply> {
  try {
    const { config, ruling, options, bounds, leftMs } = JSON.parse(input) as ApartRequest;
    const cancel = createCancel(monotonicMs() + leftMs, () => process.ppid !== parent);
    using scope = ruling ? createRuledScopes(config)(ruling) : openScope(config.scope, config.rootFds);
    const ctx = { scope, cancel, progress: () => {}, skip: config.skip, bounds };
    return { text: JSON.stringify(await grep(ctx, options)) };
  } catch (thrown) {
    if (thrown instanceof Failure) return { failure: thrown.data };
    return { bug: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
