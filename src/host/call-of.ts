/**
 * The call that a request makes: what it asks for, with what is known of who sent it.
 */
import type { RequestContext } from "../mcp/index.ts";
import type { Request } from "../wire/index.ts";
import type { Call } from "./call.ts";

export function callOf(
  { id, params }: Request,
  context: RequestContext,
  what: Pick<Call, "name" | "arguments" | "job" | "tool">,
): Call {
  const meta = params["_meta"];
  const { signal, onProgress } = context;
  const known = typeof meta === "object" && meta !== null ? (meta as Call["meta"]) : {};
  return { ...what, meta: known, signal, request: id, context, onProgress };
}
