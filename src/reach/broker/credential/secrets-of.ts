/**
 * What of a credential nobody but its server may see: the values of its headers as servers quote them.
 */
import type { Credential } from "../../broker-order.ts";

/** Headers that prove something; the value of any other one may be an ordinary word. */
const PROVES = /auth|token|key|secret|cookie|password|session/i;
/** A shorter one stands in many texts that do not quote it. */
const MIN_SECRET_CHARS = 8;

/** The values whole, without the scheme, and what basic authentication packs. */
export function secretsOf(credential: Credential | undefined): readonly string[] {
  const values = Object.entries(credential?.headers ?? {}).flatMap(([name, value]) => {
    if (!PROVES.test(name)) return [];
    const [, scheme = "", rest = value] = /^([a-z]+) +(.+)$/i.exec(value) ?? [];
    const [, password = ""] =
      scheme.toLowerCase() === "basic" ? (/:(.*)$/s.exec(Buffer.from(rest, "base64").toString("utf8")) ?? []) : [];
    return [rest, password];
  });
  return values.filter(({ length }) => length >= MIN_SECRET_CHARS);
}
