/**
 * Completes an id from its beginning, as people type it: `p_6Dk` is enough where no other id begins so. A whole id, and a text
 * that is no id, are returned as they are and left to whoever looks them up.
 *
 * Usual mistake: to take the beginning of an id for proof that somebody has seen what it names. That is what the digest is for.
 */
import { Failure } from "../base/index.ts";

export interface KnownId {
  readonly id: string;
  /** A line that says which one this is. */
  readonly what: string;
}

const ID_CHARS = "p_".length + 22;
/** How many ids are named; further ones are only counted. */
const MAX_NAMED = 20;

/** @param known all that there are; looked for only when `given` is the beginning of an id. @throws Failure `ambiguous` */
export async function wholeId(given: string, known: () => Promise<readonly KnownId[]>): Promise<string> {
  if (given.length >= ID_CHARS || !/^[a-z]_[\w-]/.test(given)) return given;
  const found = (await known()).filter(({ id }) => id.startsWith(given));
  const [first, ...others] = found;
  if (!first) return given;
  if (others.length === 0) return first.id;
  const named = found.slice(0, MAX_NAMED).map(({ id, what }) => `\n  ${id}  ${what}`);
  const left = found.length - named.length;
  throw new Failure("ambiguous", `Cannot tell which one "${given}" is: ${found.length} ids begin so`, {
    hint: `Give more of the one that you mean:${named.join("")}${left > 0 ? `\n  and ${left} more` : ""}`,
    candidates: found.map(({ id }) => id),
  });
}
