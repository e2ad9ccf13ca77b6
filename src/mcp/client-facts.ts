/**
 * What is known of the client that sent one request: in the handshake era from `initialize`, in the modern era from the
 * request itself, of a script nothing.
 */
import type { Capabilities } from "./about.ts";

export interface ClientFacts {
  /** As it calls itself, in `clientInfo`. */
  readonly name: string | undefined;
  /** The protocol revision that it speaks; "" for a script. */
  readonly version: string;
  readonly capabilities: Capabilities;
  /** The least that it wants to hear of; `undefined`: nothing. */
  readonly logLevel: LogLevel | undefined;
}

export const SCRIPT: ClientFacts = { name: undefined, version: "", capabilities: {}, logLevel: undefined };

export const PREFIX = "io.modelcontextprotocol/";
export const TASKS: string = `${PREFIX}tasks`;

/** What a request says of its client, whose `_meta` was checked. */
export function modernClient(meta: Readonly<Record<string, unknown>>): ClientFacts {
  const level = meta[`${PREFIX}logLevel`];
  return {
    name: nameOf(meta[`${PREFIX}clientInfo`]),
    version: meta[`${PREFIX}protocolVersion`] as string,
    capabilities: meta[`${PREFIX}clientCapabilities`] as Capabilities,
    logLevel: isLogLevel(level) ? level : undefined,
  };
}

/** The name in an `Implementation`, which is unchecked. */
export function nameOf(info: unknown): string | undefined {
  const name = typeof info === "object" && info !== null && "name" in info ? info.name : undefined;
  return typeof name === "string" ? name : undefined;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header; `undefined` for anything else. */
export function traceOf(meta: Readonly<Record<string, unknown>>): string | undefined {
  const trace = meta["traceparent"];
  return typeof trace === "string" && /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(trace) ? trace : undefined;
}

export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

const LEVELS: readonly string[] = "debug info notice warning error critical alert emergency".split(" ");

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === "string" && LEVELS.includes(value);
}

/** Whether who listens from `least` on hears of `level`. */
export function isHeard(level: LogLevel, least: LogLevel | undefined): boolean {
  return least !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
