/**
 * Credentials, put into a request where no tool sees it any more. A header of the caller never stands in the place of one of these.
 */
import type { Credential } from "../../broker-order.ts";
import { secretsOf } from "./secrets-of.ts";

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
