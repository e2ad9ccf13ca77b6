/**
 * A file of a root on its way to a store: what a person is shown of it, and that exactly this is sent. Its bytes are read through the
 * scope, where secrets are refused, and leave only with the hash that was shown.
 */
import { Failure, md5, sha256 } from "../../base/index.ts";
import type { ContextOf, FilesApi } from "../../contract/index.ts";
import { formatBytes } from "../../text/index.ts";
import { SHA_HEADER } from "./store/get-object.ts";
import type { listingsPower } from "./store/listing-power.ts";
import type { BucketPlace } from "./store/settings.ts";
import { askStore, etagOf, headObject, nameObject, requestOf, type StoreRequest } from "./store/store-request.ts";

export type Uploading = ContextOf<"http" | "files" | typeof listingsPower>;

export interface Upload {
  readonly place: BucketPlace;
  readonly path: string;
  readonly key: string;
}

/** What is sent at most: one request holds it. */
const MAX_FILE_BYTES: number = 64 * 1024 * 1024;
const PIECE_BYTES: number = 512 * 1024;

/** Lines that say all of it, and the hash that is sent or nothing is. */
export async function showUpload(
  ctx: Uploading,
  { place, path, key }: Upload,
): Promise<{ readonly sha256: string; readonly lines: readonly string[] }> {
  const bytes = await readBytes(ctx, path);
  await ctx.http.check(requestOf(place, putRequest(key, bytes)));
  const there = await headObject(ctx, place, key);
  const hash = sha256(bytes);
  return {
    sha256: hash,
    lines: [
      `file: ${path}`,
      `bytes: ${bytes.length} (${formatBytes(bytes.length)})`,
      `sha256: ${hash}`,
      `to: ${nameObject(place, key)} at ${place.store.endpoint}`,
      there ? `in the place of an object of ${there.size} bytes (etag ${there.etag})` : "nothing is there yet",
    ],
  };
}

/** @throws Failure `stale` for another content than was shown, `command_failed` for a store that has something else now */
export async function sendUpload(
  ctx: Uploading,
  { place, path, key }: Upload,
  shown: string | undefined,
): Promise<{ readonly bytes: number; readonly sha256: string; readonly etag: string }> {
  const bytes = await readBytes(ctx, path);
  const hash = sha256(bytes);
  if (shown !== undefined && shown !== hash)
    throw new Failure("stale", `Cannot send "${path}": it has another content than was shown`);
  const answer = await askStore(ctx, place, putRequest(key, bytes));
  const etag = etagOf(answer);
  const isEncrypted = (answer.headers["x-amz-server-side-encryption"] ?? "AES256") !== "AES256";
  if (!isEncrypted && /^[0-9a-f]{32}$/.test(etag) && etag !== md5(bytes))
    throw new Failure(
      "command_failed",
      `Cannot trust "${nameObject(place, key)}": the store has other bytes than were sent`,
      { hint: "Send it again; if it stays so, the store has to be looked at." },
    );
  return { bytes: bytes.length, sha256: hash, etag };
}

/** The store refuses bytes that do not have the hash. */
function putRequest(key: string, bytes: Uint8Array): StoreRequest {
  const hash = sha256(bytes);
  return {
    key,
    method: "PUT",
    body: bytes,
    headers: {
      "content-type": "application/octet-stream",
      "x-amz-content-sha256": hash,
      [SHA_HEADER]: hash,
    },
    timeoutMs: 60_000,
  };
}

/** @throws Failure `too_large`, `stale` for a file that changes meanwhile, `denied` for one with a secret in it */
async function readBytes({ files }: { readonly files: FilesApi }, path: string): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let [at, size, mark] = [0, Infinity, ""];
  while (at < size) {
    const part = await files.read({
      path,
      encoding: "base64",
      offset: at + 1,
      limit: PIECE_BYTES,
      maxBytes: PIECE_BYTES * 2,
    });
    if (part.kind !== "base64")
      throw new Failure("unsupported", `Cannot send "${path}": it is no file with bytes`, { hint: "Name a file." });
    const now = part.hash ?? part.version ?? "";
    if (mark !== "" && mark !== now)
      throw new Failure("stale", `Cannot send "${path}": it changes while it is read`, { retry: "later" });
    if (part.size > MAX_FILE_BYTES)
      throw new Failure("too_large", `Cannot send "${path}": it has ${formatBytes(part.size)}`, {
        hint: `At most ${formatBytes(MAX_FILE_BYTES)} are sent.`,
      });
    const piece = Buffer.from(part.data, "base64");
    if (piece.length === 0 && part.size > 0)
      throw new Failure("stale", `Cannot send "${path}": it ends while it is read`);
    [size, mark] = [part.size, now];
    at += piece.length;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
