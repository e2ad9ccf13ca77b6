/**
 * The connections that keepers of programs have announced, by the port that they come from. A port serves one connection; one that
 * never comes is forgotten, so that nobody else who gets the port later is taken for the program.
 */
import { REGISTER_WAIT_MS, type ProgramConnection } from "../broker-protocol.ts";

/** A registration is written when the connection is there, so whatever comes later is another one. */
const KEPT_MS: number = REGISTER_WAIT_MS * 4;
const MAX_WAITING = 1024;

interface Waiting {
  readonly connection: ProgramConnection;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class RegisteredPorts {
  readonly #registered = new Map<number, Waiting>();
  readonly #asked = new Map<number, (connection: ProgramConnection | undefined) => void>();

  register(connection: ProgramConnection): void {
    const { port } = connection;
    const asked = this.#asked.get(port);
    if (asked) {
      asked(connection);
      return;
    }
    this.#forget(port);
    const timer = setTimeout(() => this.#forget(port), KEPT_MS);
    timer.unref();
    this.#registered.set(port, { connection, timer });
  }

  /** @returns the registration of this port, now or within a second; `undefined` for a port of somebody else */
  async take(port: number): Promise<ProgramConnection | undefined> {
    const known = this.#registered.get(port);
    if (known) {
      this.#forget(port);
      return known.connection;
    }
    if (this.#asked.size >= MAX_WAITING || this.#asked.has(port)) return undefined;
    const found = Promise.withResolvers<ProgramConnection | undefined>();
    const timer = setTimeout(() => found.resolve(undefined), REGISTER_WAIT_MS);
    this.#asked.set(port, found.resolve);
    const connection = await found.promise;
    clearTimeout(timer);
    this.#asked.delete(port);
    return connection;
  }

  #forget(port: number): void {
    clearTimeout(this.#registered.get(port)?.timer);
    this.#registered.delete(port);
  }
}
