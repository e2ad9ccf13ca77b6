/**
 * What the host asks of a broker and what it is answered, as JSON on a pipe. Bodies are base64, in pieces of `PIECE_BYTES`.
 */
import type { Credential } from "./broker-order.ts";
import type { ExchangeProblem } from "./broker/exchange.ts";

/** One piece of a body: a line of the pipe holds it, as base64, with room for the rest. */
export const PIECE_BYTES: number = 4 * 1024 * 1024;

export interface ExchangeAsk {
  /** Whose reach holds. */
  readonly pack: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** All of the body, or else `handle` of what was put. */
  readonly body?: string | undefined;
  readonly handle?: string | undefined;
  readonly credential?: string | undefined;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface BodyPiece {
  /** Absent for the first piece. */
  readonly handle?: string | undefined;
  /** Bytes of the body before this piece. */
  readonly at: number;
  readonly data: string;
}

export interface SignAsk {
  readonly pack: string;
  readonly credential: string;
  readonly url: string;
  readonly method: string;
  readonly seconds: number;
}

export interface SignSaid {
  /** "" where there is no such credential for this host. */
  readonly url: string;
  /** Why the credential cannot be used. */
  readonly unusable?: Credential["unusable"];
}

/** What is known of the connection, for the record. */
interface ExchangeFacts {
  /** "" where none was dialled. */
  readonly address: string;
  readonly ms: number;
}

export type ExchangeSaid =
  | (ExchangeFacts & {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** The handle of the rest of the body. */
      readonly more?: string | undefined;
      /** The body is left out: it is packed, and the credential of the request cannot be looked for in it. */
      readonly isWithheld?: true | undefined;
      /** Bytes of the bodies. */
      readonly up: number;
      readonly down: number;
    })
  | (ExchangeFacts & {
      readonly problem: ExchangeProblem | "denied" | "exposed" | "busy" | "full" | "timed_out" | "credential";
      /** What the owner of a credential can do, where that is the problem. */
      readonly hint?: string | undefined;
      /** The address is that of `network.proxy`. */
      readonly isProxied?: true | undefined;
      /** For the record and not for the caller, unless the problem is a credential: then it is the message. */
      readonly why: string;
    });
