/**
 * Writes the four kinds of JSON-RPC 2.0 line, without the newline. A result comes as JSON text and is spliced in, so
 * that a large answer is serialised once, where it was made; it must be one JSON value without a raw newline, and that
 * is not checked here (the writer refuses newlines).
 */
import type { RequestId } from "./message.ts";

/** @example resultLine(1, '{"ok":true}') // '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}' */
export function resultLine(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${idJson(id)},"result":${resultJson}}`;
}

/** `id` is null when the line it answers had none that could be read. `data` is left out when undefined. */
export function errorLine(id: RequestId | null, code: number, message: string, data?: unknown): string {
  return `{"jsonrpc":"2.0","id":${idJson(id)},"error":${JSON.stringify({ code, message, data })}}`;
}

/** `params` is left out when undefined. */
export function notificationLine(method: string, params?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** `params` is left out when undefined. */
export function requestLine(
  id: RequestId,
  method: string,
  params?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function idJson(id: RequestId | null): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}
