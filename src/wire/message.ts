/**
 * One JSON text becomes one JSON-RPC 2.0 message, or the error that answers it. Only the envelope is judged here; what a
 * method means is for the layers above.
 *
 * Nothing is copied or merged out of the parsed object: `JSON.parse` makes an own property of `__proto__`, and that stays
 * harmless as long as nobody passes it through `Object.assign` or a deep merge.
 *
 * Usual mistake: answering a malformed *response*. Two peers that do so answer each other for ever; see `isResponse`.
 */
import { isObject } from "../base/index.ts";
import type { RpcProblem } from "../calls/index.ts";

export type RequestId = string | number;

export interface Request {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface Notification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface Response {
  readonly kind: "response";
  readonly id: RequestId;
  /** Exactly one of `result` and `error` is there. */
  readonly result?: unknown;
  readonly error?: RpcProblem;
}

export type Message = Request | Notification | Response;

export interface Malformed extends RpcProblem {
  readonly kind: "malformed";
  /** The id to answer with; null when the message has none that is valid. */
  readonly id: RequestId | null;
  /** Set when this was meant as a response: JSON-RPC answers requests only, so it is dropped, not answered. */
  readonly isResponse?: true;
}

/** The codes of JSON-RPC 2.0, section 5.1. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** An error of JSON-RPC itself, answered as `error`. Whatever a tool can expect is a `Failure` instead. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** The error for parameters that the method does not take. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(RPC.invalidParams, message, data);
}

/** In UTF-16 code units. Ids are kept for every call in flight and echoed, so they must not be a way to fill memory. */
const MAX_ID_LENGTH = 256;

/**
 * Reads one line.
 *
 * @example parseMessage('{"jsonrpc":"2.0","method":"ping"}') // {kind: "notification", method: "ping", params: {}}
 */
export function parseMessage(text: string): Message | Malformed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed(
      null,
      RPC.parseError,
      "Cannot parse the line: it is not valid JSON. Send one whole JSON object on each line.",
    );
  }
  if (Array.isArray(value)) return refuse(null, "batches are not supported, send one object per line");
  if (!isObject(value)) return refuse(null, "it must be an object");
  return messageFromObject(value);
}

/** A string of at most 256 characters or a safe integer: what can be echoed without loss. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}

function messageFromObject(object: Record<string, unknown>): Message | Malformed {
  const { jsonrpc, id, method, params } = object;
  const validId = isRequestId(id) ? id : null;
  const hasMethod = method !== undefined;
  if (!hasMethod && (object["result"] !== undefined || object["error"] !== undefined)) {
    return responseFromObject(object, validId);
  }
  if (jsonrpc !== "2.0") return refuse(validId, '"jsonrpc" must be "2.0"');
  if (id !== undefined && validId === null) {
    return refuse(null, `"id" must be a safe integer or a string of at most ${MAX_ID_LENGTH} characters`);
  }
  if (typeof method !== "string") return refuse(validId, '"method" must be a string');
  if (params !== undefined && !isObject(params)) return refuse(validId, '"params" must be an object');
  if (validId === null) return { kind: "notification", method, params: params ?? {} };
  return { kind: "request", id: validId, method, params: params ?? {} };
}

function responseFromObject(object: Record<string, unknown>, id: RequestId | null): Message | Malformed {
  const { jsonrpc, result, error } = object;
  const refuseResponse = (state: string): Malformed => ({ ...refuse(id, state), isResponse: true });
  if (jsonrpc !== "2.0") return refuseResponse('"jsonrpc" must be "2.0"');
  if (id === null) return refuseResponse('a response must have the "id" of its request');
  if (error === undefined) return { kind: "response", id, result };
  if (result !== undefined) return refuseResponse('a response has "result" or "error", not both');
  if (!isErrorObject(error)) return refuseResponse('"error" must have an integer "code" and a string "message"');
  return { kind: "response", id, error };
}

function isErrorObject(value: unknown): value is RpcProblem {
  return isObject(value) && Number.isSafeInteger(value["code"]) && typeof value["message"] === "string";
}

function refuse(id: RequestId | null, state: string): Malformed {
  return malformed(id, RPC.invalidRequest, `Cannot use the message: ${state}`);
}

function malformed(id: RequestId | null, code: number, message: string): Malformed {
  return { kind: "malformed", id, code, message };
}

/** @example resultLine(1, '{"ok":true}') // '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}' */
export function resultLine(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${idJson(id)},"result":${resultJson}}`;
}

/** `id` is null when the line it answers had none that could be read. `data` is left out when undefined. */
export function errorLine(id: RequestId | null, { code, message, data }: RpcProblem): string {
  return `{"jsonrpc":"2.0","id":${idJson(id)},"error":${JSON.stringify({ code, message, data })}}`;
}

/** `params` is left out when undefined. */
export function notificationLine(method: string, params?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** `params` is left out when undefined. */
export function requestLine(id: RequestId, method: string, params?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function idJson(id: RequestId | null): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}
