/**
 * One tool call on its way through the host.
 */
import type { Failure, StopSignal } from "../base/index.ts";
import type { RequestContext } from "../mcp/index.ts";
import type { RequestId } from "../wire/index.ts";

export interface Call {
  /** The name that the caller used; an alias is fine. */
  readonly name: string;
  readonly arguments: unknown;
  /** Why they cannot be read, when they came in a dialect. */
  readonly problem?: Failure | undefined;
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
