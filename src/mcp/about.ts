/**
 * What the two sides of a session say of themselves: the server the same in every revision; the client in the handshake
 * era in `initialize`, in the modern era in each request, as a script not at all.
 */
export interface About {
  /** An `Implementation` of the protocol. */
  readonly server: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly capabilities: Capabilities;
  /** A few lines for the model. */
  readonly instructions: string;
}

export type Capabilities = Readonly<Record<string, unknown>>;

/** Whether an object stands at this place: `declares(capabilities, "roots", "listChanged")` for its last member. */
export function declares(capabilities: Capabilities, ...path: readonly string[]): boolean {
  let at: unknown = capabilities;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Capabilities)[name];
  }
  return at === true || (typeof at === "object" && at !== null);
}

/** Forms are what `elicitation` means when it names no mode. */
export function canElicit(capabilities: Capabilities): boolean {
  return (
    declares(capabilities, "elicitation", "form") ||
    (declares(capabilities, "elicitation") && !declares(capabilities, "elicitation", "url"))
  );
}

/** The media type of a view, and what a client says that it shows: https://github.com/modelcontextprotocol/ext-apps */
export const VIEW_TYPE = "text/html;profile=mcp-app";

/** Whether the client shows views beside the answers of tools (MCP Apps). */
export function showsViews(capabilities: Capabilities): boolean {
  if (!declares(capabilities, "extensions", "io.modelcontextprotocol/ui")) return false;
  const { extensions } = capabilities as { extensions: Record<string, { mimeTypes?: unknown }> };
  const types = extensions["io.modelcontextprotocol/ui"]?.mimeTypes;
  return Array.isArray(types) && types.includes(VIEW_TYPE);
}

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
