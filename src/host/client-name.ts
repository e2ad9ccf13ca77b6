/**
 * The name that the client of a call gives itself, as the record and the list of proposals hold it. Nothing is decided by it there.
 */
import type { Call } from "./call.ts";

const MAX_CHARS = 100;

/** A script has no name, and a client need not give one. */
export function clientName({ context }: Pick<Call, "context">): { readonly client?: string } {
  const name = context?.client.name;
  return name === undefined ? {} : { client: name.slice(0, MAX_CHARS) };
}
