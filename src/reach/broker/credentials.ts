/**
 * Credentials, put into a request where no tool sees it any more, and taken out of an answer that sends them back, as one that
 * shows the request to help its sender. A header of the caller never stands in the place of one of these.
 */
import type { Credential } from "../broker-order.ts";

interface Signable {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export async function addCredential(
  credential: Credential | undefined,
  { url, method, headers, body }: Signable,
): Promise<Record<string, string>> {
  const own = lowerCased(credential?.headers ?? {});
  // In a packed answer nobody would find it.
  const readable: Record<string, string> = secretsOf(credential).length === 0 ? {} : { "accept-encoding": "identity" };
  const plain = { ...lowerCased(headers), ...readable, ...own };
  if (!credential?.aws4) return plain;
  const { AwsV4Signer } = await import("aws4fetch");
  const bytes = body.length === 0 ? {} : { body: body.slice().buffer };
  // An object store encodes a path once, as the signer does for the service s3; `singleEncode` would leave it decoded.
  const signer = new AwsV4Signer({ ...credential.aws4, url: url.href, method, headers: plain, ...bytes });
  const signed = await signer.sign();
  return { ...plain, ...lowerCased(Object.fromEntries(signed.headers)) };
}

interface Answered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The answer with a placeholder wherever it has a secret of the credential.
 *
 * @returns `isWithheld` without the body, which is packed although a plain one was asked for
 */
export function withoutCredential<T extends Answered>(
  credential: Credential | undefined,
  answer: T,
): T & { readonly isWithheld?: true } {
  const secrets = secretsOf(credential);
  if (secrets.length > 0 && answer.body.length > 0 && isPacked(answer))
    return { ...withoutCredential(credential, { ...answer, body: new Uint8Array(0) }), isWithheld: true };
  const { buffer, byteOffset, length } = answer.body;
  const body = Buffer.from(buffer, byteOffset, length);
  const headers = Object.entries(answer.headers);
  const isIn = (secret: string): boolean =>
    body.includes(secret) || headers.some(([, value]) => value.includes(secret));
  if (!secrets.some(isIn)) return answer;
  return {
    ...answer,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, replaced(value, secrets)])),
    body: Buffer.from(replaced(body.toString("latin1"), secrets.map(asBytes)), "latin1"),
  };
}

/** In its content or on the way; pieces alone are put together by whoever receives them. */
function isPacked({ headers }: Answered): boolean {
  const said = `${headers["content-encoding"] ?? ""},${headers["transfer-encoding"] ?? ""}`;
  return !/^(?:\s|,|identity|chunked)*$/i.test(said);
}

/** As the host writes a secret that it has no number for. */
const PLACEHOLDER = "[secret:000000]";
/** Headers that prove something; the value of any other one may be an ordinary word. */
const PROVES = /auth|token|key|secret|cookie|password|session/;
/** A shorter one stands in many texts that do not quote it. */
const MIN_SECRET_CHARS = 8;

/** The values of its headers as servers quote them: whole, without the scheme, and what basic authentication packs. */
function secretsOf(credential: Credential | undefined): readonly string[] {
  const values = Object.entries(lowerCased(credential?.headers ?? {})).flatMap(([name, value]) => {
    if (!PROVES.test(name)) return [];
    const [, scheme = "", rest = value] = /^([a-z]+) +(.+)$/i.exec(value) ?? [];
    const [, password = ""] =
      scheme.toLowerCase() === "basic" ? (/:(.*)$/s.exec(Buffer.from(rest, "base64").toString("utf8")) ?? []) : [];
    return [rest, password];
  });
  return values.filter(({ length }) => length >= MIN_SECRET_CHARS);
}

function replaced(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, PLACEHOLDER), text);
}

/** A text as its bytes stand in a body that is read as latin1. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** A URL that holds its own permission for so long. */
export async function presign(
  credential: Credential,
  { url, method, seconds }: { readonly url: string; readonly method: string; readonly seconds: number },
): Promise<string> {
  if (!credential.aws4) return "";
  const { AwsV4Signer } = await import("aws4fetch");
  const until = new URL(url);
  until.searchParams.set("X-Amz-Expires", String(seconds));
  const signer = new AwsV4Signer({ ...credential.aws4, url: until.href, method, signQuery: true });
  return (await signer.sign()).url.href;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
