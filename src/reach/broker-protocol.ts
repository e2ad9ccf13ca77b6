/**
 * What is said to the broker, and by it: lines of JSON on its standard input and output. Its input is one pipe that the
 * launcher and the keepers of programs write to, each line in one write of at most `MAX_BROKER_LINE_BYTES`, so that lines of
 * several writers do not mix.
 *
 * Invariant: a connection from a source port that nobody registered is reset. The registration is written after the kernel
 * has made the connection, because only then is its port known, so it may be read later than the connection is accepted: the
 * broker waits for it, `REGISTER_WAIT_MS` at most, and reads no byte of the connection before.
 */

/** What Linux writes into a pipe as a whole. */
export const MAX_BROKER_LINE_BYTES = 4096;
/** The registration is on its way already when the connection is accepted; on a busy machine that takes a while. */
export const REGISTER_WAIT_MS = 1000;

export type BrokerWord =
  /** What the configuration says of the network, for the broker alone. Said first, and again to one that was started anew. */
  | { readonly order: Readonly<Record<string, unknown>> }
  /**
   * Entries are added to the list of this number, from 1 on. Said before the first registration that names it, and again to a
   * broker that was started anew: an entry may come twice.
   */
  | { readonly lists: Readonly<Record<string, readonly string[]>> }
  /** The next connection from this port of 127.0.0.1 is this program's, and is served by that list. */
  | { readonly register: ProgramConnection };

export interface ProgramConnection {
  readonly port: number;
  /** For the record: `cmd_npm`, `hook 1`, `upstream github`, `shell`. */
  readonly program: string;
  readonly list: number;
}

/** The first line of its output: where programs find it, on 127.0.0.1. */
export interface BrokerReady {
  readonly ready: { readonly port: number };
}
