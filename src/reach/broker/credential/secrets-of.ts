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
    const [, scheme = "", rest = value] = /^([\w-]+) +(.+)$/.exec(value) ?? [];
    return [rest, ...(scheme.toLowerCase() === "basic" ? basicSecrets(rest) : namedValues(rest))];
  });
  return values.filter(({ length }) => length >= MIN_SECRET_CHARS);
}

/** The password; a key that stands alone is the user. */
function basicSecrets(packed: string): readonly string[] {
  const [, user = "", password = ""] = /^(.*?):(.*)$/s.exec(Buffer.from(packed, "base64").toString("utf8")) ?? [];
  return [password === "" ? user : password];
}

/** What servers take apart: `a=1; b=2` of a cookie, `token="x", realm="y"` of a header. Ordinary words are left. */
function namedValues(text: string): readonly string[] {
  const values = [...text.matchAll(/[\w.-]+="?([^\s",;]+)"?/g)].map(([, value = ""]) => value);
  return values.filter((value) => /\d|[A-Z].*[A-Z]/.test(value));
}
