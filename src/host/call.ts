/**
 * One tool call on its way through the host.
 */
import type { Failure, StopSignal } from "../base/index.ts";
import type { AnyTool } from "../contract/index.ts";
import type { RequestContext } from "../mcp/index.ts";
import type { RequestId } from "../wire/index.ts";
import type { Under } from "./ruled-job.ts";

/** What a worker does in place of the tool: the same files under the same rules, in another form. */
interface OtherJob {
  readonly name: "resource" | "watch";
  readonly input: string;
  /** Told under what it is done, once it may be done. */
  readonly begun?: ((under: Under) => void) | undefined;
}

export interface Call {
  /** The name that the caller used; an alias is fine. */
  readonly name: string;
  readonly arguments: unknown;
  /** Default: the one of that name. */
  readonly tool?: AnyTool | undefined;
  readonly job?: OtherJob | undefined;
  /** Why they cannot be read, when they came in a dialect. */
  readonly problem?: Failure | undefined;
  /** How many of them were put right on the way from a dialect. */
  readonly repaired?: number | undefined;
  /** A change is only tried out: nothing is kept of it, nobody is asked. */
  readonly isDryRun?: boolean | undefined;
  /** The caller's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: StopSignal;
  /** The request's id, for the record and for `apply` by request. */
  readonly request?: RequestId;
  /** Who asked, and how to ask back; a command of the shell has none. */
  readonly context?: RequestContext;
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined;
}
