/**
 * Every message that leaves the host, held against the published schema of the revision that it belongs to: results by
 * the method that they answer, requests and notifications by their own. Problems are gathered, because a test must not
 * fail within the code that it tests; `assertNone` throws them.
 *
 * Usual mistake: to check a result as `Result`, which everything is.
 */
import { definitionOf, schemaProblem, type Version } from "./published-schemas.ts";

/** What is checked is whatever came: each member may be missing. */
interface Checked {
  readonly jsonrpc?: string | undefined;
  readonly id?: unknown;
  readonly method?: string | undefined;
  readonly params?: { readonly _meta?: unknown } | undefined;
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly code: number } | undefined;
}

const MODERN = "2026-07-28";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const MAX_SHOWN = 3;

interface Asked {
  readonly method: string;
  readonly version: Version;
}

export class MessageCheck {
  readonly #asked: Map<unknown, Asked> = new Map();
  readonly #problems: string[] = [];
  /** The version that the handshake agreed on; scripts get the newest shapes of that era. */
  #version: Version = "2025-11-25";
  #shookHands = false;

  /** A line that goes to the host, whatever it is. */
  sent(line: string): void {
    let message: Checked | null;
    try {
      message = JSON.parse(line) as Checked | null;
    } catch {
      return;
    }
    if (typeof message?.method !== "string" || message.id === undefined) return;
    const isModern = metaOf(message)[VERSION_KEY] !== undefined;
    this.#asked.set(message.id, { method: message.method, version: isModern ? MODERN : this.#version });
    if (message.method === "initialize") this.#shookHands = true;
  }

  came(message: Checked): void {
    if (message.jsonrpc !== "2.0") this.#note("jsonrpc is not 2.0", message);
    if (message.method !== undefined) this.#checkCall(message, message.method);
    else if (message.error === undefined) this.#checkResult(message);
    else this.#checkError(message, message.error.code);
  }

  assertNone(): void {
    if (this.#problems.length > 0)
      throw new Error(`messages are not as published:\n${this.#problems.slice(0, MAX_SHOWN).join("\n")}`);
  }

  #checkCall(message: Checked, method: string): void {
    const isModern = metaOf(message)["io.modelcontextprotocol/subscriptionId"] !== undefined;
    if (message.id !== undefined && !this.#shookHands)
      this.#note("a request to a client that did not shake hands", message);
    this.#check(isModern ? MODERN : this.#version, definitionOf(method), message);
  }

  #checkResult(message: Checked): void {
    const asked = this.#asked.get(message.id);
    if (!asked) return this.#note("a result that nobody asked for", message);
    const { method, version } = asked;
    if (method === "initialize") this.#version = message.result?.["protocolVersion"] as Version;
    const kind = message.result?.["resultType"];
    if (version === MODERN && kind === undefined) this.#note("a modern result without resultType", message);
    if (version !== MODERN && kind !== undefined) this.#note("a resultType in the handshake era", message);
    const definition =
      kind === "input_required"
        ? "InputRequiredResult"
        : kind === "task"
          ? "CreateTaskResult"
          : definitionOf(method, "result");
    this.#check(version, definition, message.result, message);
    if (definition === "GetTaskResult" && message.result?.["status"] === "completed")
      this.#check(MODERN, "CallToolResult", message.result["result"], message);
  }

  #checkError(message: Checked, code: number): void {
    const version = this.#asked.get(message.id)?.version ?? this.#version;
    const isUnread = message.id === null && (code === -32700 || code === -32600);
    const isReserved = code >= -32099 && code <= -32000 && ![-32020, -32021, -32022].includes(code);
    if (isReserved) this.#note("a code that is not ours to use", message);
    // JSON-RPC wants null where MCP leaves the id out.
    const { id: _, ...withoutId } = message;
    const definition = version >= "2025-11-25" ? "JSONRPCErrorResponse" : "JSONRPCError";
    if (!isUnread) this.#check(version, definition, message);
    else if (version >= "2025-11-25") this.#check(version, definition, withoutId);
  }

  #check(version: Version, definition: string, value: unknown, whole: unknown = value): void {
    const problem = schemaProblem(version, definition, value);
    if (problem !== undefined) this.#note(`${definition} of ${version}: ${problem}`, whole);
  }

  #note(what: string, message: unknown): void {
    this.#problems.push(`${what}: ${JSON.stringify(message).slice(0, 600)}`);
  }
}

function metaOf({ params }: Checked): Readonly<Record<string, unknown>> {
  return (params?._meta ?? {}) as Readonly<Record<string, unknown>>;
}
