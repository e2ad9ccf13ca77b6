/**
 * What is under way and on record without an end: calls, and proposals that are being carried out. Each ends once: when it
 * is done, or with the host, by a signal or because the client is gone.
 *
 * Usual mistake: to leave the second to the call itself. A tool that does not stop would have no end on record, and one
 * that stops late would have two, the second after the host's own.
 */
import type { AuditFields, AuditLog } from "../audit/index.ts";

export class OpenCalls {
  readonly #open: Map<object, () => AuditFields> = new Map();

  get count(): number {
    return this.#open.size;
  }

  /** @param fields by which its end is known on record */
  begin(one: object, fields: () => AuditFields): void {
    this.#open.set(one, fields);
  }

  /** @returns whether it had no end so far */
  end(one: object): boolean {
    return this.#open.delete(one);
  }

  /** Nobody will answer them any more. */
  endAll(audit: AuditLog): void {
    for (const fields of this.#open.values()) audit.record("failed", { ...fields(), code: "cancelled" });
    this.#open.clear();
  }
}
