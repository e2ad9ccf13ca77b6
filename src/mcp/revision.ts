/**
 * One protocol revision, as the rest of the program needs it: how a result is wrapped and which methods it has. What a
 * revision lacks is simply absent from its list.
 */
import type { Outcome } from "./outcome.ts";

export interface Revision {
  readonly name: "handshake" | "modern" | "script";
  /** The methods that the protocol core answers itself. */
  readonly methods: ReadonlySet<string>;
  /** Methods of a service that this revision does not have. */
  readonly without: ReadonlySet<string>;
  /** The result of a tool call, as JSON text. `ttlMs`: of a resource, how long it may be kept. */
  callResult(outcome: Outcome, ttlMs?: number): string;
  /** Any other result. `cacheable`: it is the same for everybody while the process lives; a number: for so many ms. */
  result(value: Readonly<Record<string, unknown>>, cacheable?: boolean | number): string;
}
