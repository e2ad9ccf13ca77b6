/**
 * The content of an object as a store sends it, held to what the store said of it: the hash that its ETag is where that is one, the
 * SHA-256 that was stored with it, and the object that was listed.
 *
 * Usual mistake: to take every ETag for an MD5. That of an object in parts has a dash, and an encrypted one only looks like it.
 */
import { Failure, md5, sha256 } from "../../../base/index.ts";
import type { HttpAnswer } from "../../../contract/index.ts";
import { charsetOf } from "./object-text.ts";
import type { BucketPlace } from "./settings.ts";
import { askStore, etagOf, nameObject, type Storing } from "./store-request.ts";

/** The header under which objects that were written here have their SHA-256. */
export const SHA_HEADER = "x-amz-meta-sha256";

export interface ObjectContent {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly etag: string;
  readonly type: string;
  /** The encoding that the store says its text has. */
  readonly charset: string | undefined;
}

interface GetAsk {
  readonly key: string;
  readonly maxBytes: number;
  /** As a listing has it: another object in its place fails as `stale`. */
  readonly etag?: string | undefined;
  readonly size?: number | undefined;
}

/** The whole object. @throws Failure `too_large`, `stale`, `command_failed` for content that is not what the store says */
export async function getObject(
  ctx: Storing,
  place: BucketPlace,
  { key, maxBytes, etag, size }: GetAsk,
): Promise<ObjectContent> {
  const headers: Readonly<Record<string, string>> =
    etag === undefined || etag === "" ? {} : { "if-match": `"${etag}"` };
  const answer = await askStore(ctx, place, { key, maxBytes, headers, timeoutMs: 60_000 });
  const { body } = answer;
  if (size !== undefined && body.length !== size)
    throw notThat(place, key, `it was listed with ${size} bytes, and ${body.length} came`);
  const said = { etag: etagOf(answer), type: typeOf(answer), charset: charsetOf(answer) };
  return { bytes: body, sha256: checkContent(place, key, answer), ...said };
}

export function typeOf({ headers }: HttpAnswer): string {
  const said = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80}$/.test(said) ? said : "";
}

/** @returns its SHA-256 */
function checkContent(place: BucketPlace, key: string, answer: HttpAnswer): string {
  const { body, headers } = answer;
  const etag = etagOf(answer).toLowerCase();
  const encryption = headers["x-amz-server-side-encryption"] ?? "AES256";
  const isPlain = encryption === "AES256" && headers["x-amz-server-side-encryption-customer-algorithm"] === undefined;
  if (isPlain && /^[0-9a-f]{32}$/.test(etag) && md5(body) !== etag)
    throw notThat(place, key, "its MD5 is not the ETag that the store gives it");
  const own = sha256(body);
  const said = headers[SHA_HEADER]?.toLowerCase() ?? own;
  if (/^[0-9a-f]{64}$/.test(said) && said !== own)
    throw notThat(place, key, "its SHA-256 is not the one that was stored with it");
  return own;
}

function notThat(place: BucketPlace, key: string, why: string): Failure {
  return new Failure("command_failed", `Cannot use "${nameObject(place, key)}": ${why}`, {
    hint: "Read it again; if it stays so, the store has to be looked at.",
    retry: "later",
  });
}
