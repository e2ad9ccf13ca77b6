/**
 * The digest that stands behind a proposal's id: of all that would be done, in one form. JSON with the members of every
 * object sorted by name and without spaces, as UTF-8; of its SHA-256 the first 160 bits, in hexadecimal digits.
 *
 * It has to hold against whoever can write both what is shown and what is done, so it is as long as no two texts can be
 * found for.
 */
import { sha256 } from "../base/index.ts";

const DIGEST_CHARS = 40;

export function canonicalDigest(value: unknown): string {
  return sha256(canonical(value)).slice(0, DIGEST_CHARS);
}

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

export interface NamedProposal {
  readonly id: string;
  readonly digest?: string;
}

/** @param given `ID` or `ID@DIGEST`. A digest of another form is one that nothing has. */
export function parseLabel(given: string): NamedProposal {
  const at = given.indexOf("@");
  return at === -1 ? { id: given } : { id: given.slice(0, at), digest: given.slice(at + 1) };
}

export function labelOf({ id, digest }: Required<NamedProposal>): string {
  return `${id}@${digest}`;
}
