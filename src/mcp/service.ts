/**
 * What a session speaks for: the methods behind the protocol core, whatever they are. The host is one.
 */
import type { Request } from "../wire/index.ts";
import type { About } from "./about.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { LogLevel } from "./client-facts.ts";
import type { RequestContext } from "./request-context.ts";

export interface Service {
  readonly about: About;
  /** Requests of neither era are refused. */
  readonly strict: boolean;
  /** What a handshake client hears that did not say; default: warnings and worse. */
  readonly logLevel?: LogLevel;
  /** The methods that `answer` takes. */
  readonly methods: Pick<ReadonlySet<string>, "has">;
  /** The result as JSON text. @throws RpcError */
  answer(request: Request, context: RequestContext): string | Promise<string>;
  /** How long a call may take before it becomes a task, for clients that know tasks; `undefined`: it never does. */
  taskAfterMs(request: Request): number | undefined;
  /**
   * A subscription of the modern era wants to hear of these resources. Those that it will, which `unwatch` ends; what
   * changes is told with `Announcer.resourceUpdated`.
   */
  watch?(uris: readonly string[], request: Request, context: RequestContext): Promise<readonly string[]>;
  unwatch?(uris: readonly string[]): void;
  /** A client shook hands. It may do so again. */
  greeted?(client: ClientFacts): void;
  /** A notification that is not the core's. */
  notice?(method: string): void;
  /** Nothing more comes in, and so no answer to what the service asked. */
  endInput?(): void;
}
