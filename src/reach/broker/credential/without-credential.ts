/**
 * An answer without the credential of its request, which servers send back that show a request to help its sender.
 */
import type { Credential } from "../../broker-order.ts";
import { formsOf, withoutQuoted } from "./quoted-secrets.ts";
import { secretsOf } from "./secrets-of.ts";

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
  if (secrets.length === 0) return answer;
  if (answer.body.length > 0 && isPacked(answer))
    return { ...withoutCredential(credential, { ...answer, body: new Uint8Array(0) }), isWithheld: true };
  const forms = secrets.flatMap((secret) => formsOf(secret, asBytes));
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, withoutQuoted(value, forms)] as const),
  );
  const body = Buffer.from(withoutQuoted(latin1Of(answer.body), forms), "latin1");
  return {
    ...answer,
    headers,
    body: body.includes(0) ? inEitherOrder(body, secrets) : body,
  };
}

/** In its content or on the way; pieces alone are put together by whoever receives them. */
function isPacked({ headers }: Answered): boolean {
  const said = `${headers["content-encoding"] ?? ""},${headers["transfer-encoding"] ?? ""}`;
  return !/^(?:\s|,|identity|chunked)*$/i.test(said);
}

/** UTF-16, which has a NUL beside each sign of ASCII. */
function inEitherOrder(bytes: Buffer, secrets: readonly string[]): Buffer {
  const forms = secrets.flatMap((secret) => formsOf(secret, (signs) => signs));
  const withoutUtf16 = (body: Buffer): Buffer => {
    const text = withoutQuoted(body.toString("utf16le"), forms);
    return Buffer.concat([Buffer.from(text, "utf16le"), body.subarray(evenLength(body))]);
  };
  return swapped(withoutUtf16(swapped(withoutUtf16(bytes))));
}

/** A byte at the end that has no second one stays as it is. */
function swapped(bytes: Buffer): Buffer {
  const even = Buffer.from(bytes.subarray(0, evenLength(bytes))).swap16();
  return Buffer.concat([even, bytes.subarray(even.length)]);
}

function evenLength({ length }: Buffer): number {
  return length - (length % 2);
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

/** A text as its bytes stand in a body that is read as latin1. */
function asBytes(text: string): string {
  return latin1Of(Buffer.from(text, "utf8"));
}
