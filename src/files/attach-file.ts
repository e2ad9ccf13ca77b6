/**
 * A file for a person, whole: inline where it is small and of a kind that clients show, else kept for a day under an id that can
 * be read as a resource. What it is, its first bytes say. SVG and HTML are texts that can act, and are never sent as an image.
 */
import { Failure, sha256 } from "../base/index.ts";
import { sniffType, typeAsClaimed } from "../text/index.ts";
import type { FilesContext } from "./file-source.ts";
import { isShownImage, MAX_PICTURE_BYTES, showPicture } from "./read-media.ts";
import { readSent, refuseOtherType, SNIFF_BYTES, type SentBytes } from "./read-picture.ts";
import { holdsSecret } from "./screen-range.ts";

export interface AttachRequest extends SentBytes {
  /** What is larger is linked. */
  readonly maxInlineBytes: number;
  readonly filename?: string | undefined;
}

export interface Attachment {
  readonly path?: string;
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly hash: string;
  readonly kind: "image" | "audio" | "file";
  /** base64; absent where it is kept. */
  readonly data?: string;
  /** The id under which it is kept. */
  readonly kept?: string;
}

/** @throws Failure `invalid_input` for what is not what it was taken for, `denied` for a secret, `too_large`, and those of opening a file */
export async function attachFile(ctx: FilesContext, request: AttachRequest): Promise<Attachment> {
  const { path, name: found, bytes } = readSent(ctx, request, MAX_PICTURE_BYTES);
  const name = request.filename ?? (path === undefined ? "attachment" : found);
  const { mime: sniffed } = sniffType(bytes.subarray(0, SNIFF_BYTES), name);
  refuseOtherType(name, sniffed, request.mime_type);
  const mime = typeAsClaimed(sniffed, request.mime_type);
  const kind = await kindOf(ctx, mime, bytes);
  const about = { ...(path === undefined ? {} : { path }), name, mime, size: bytes.length, hash: sha256(bytes), kind };
  if (kind !== "file" && bytes.length <= request.maxInlineBytes) {
    refuseSecrets(ctx, name, bytes);
    return { ...about, data: bytes.toString("base64") };
  }
  if (!ctx.keep)
    throw new Failure("unsupported", `Cannot send "${name}": this host keeps nothing`, {
      hint: "Send a smaller file, or an image: these go into the answer.",
    });
  return { ...about, kept: ctx.keep(bytes) };
}

/** Bytes in an answer go past whoever replaces secrets in its text; those of a link are looked at when it is read. */
function refuseSecrets({ secrets }: FilesContext, name: string, bytes: Buffer): void {
  if (!secrets || !holdsSecret(bytes, secrets)) return;
  throw new Failure("denied", `Cannot send "${name}": its bytes hold a secret`, {
    hint: "Tell the user where the file is.",
  });
}

/** One broken image in a conversation makes model APIs refuse all of it, so an image is one that can be decoded. */
async function kindOf(ctx: FilesContext, mime: string, bytes: Buffer): Promise<Attachment["kind"]> {
  if (mime.startsWith("audio/")) return "audio";
  if (!isShownImage(mime)) return "file";
  try {
    await showPicture(ctx, bytes, { maxBytes: MAX_PROOF_BYTES, maxSide: 64 });
    return "image";
  } catch (thrown) {
    if (thrown instanceof Failure && ["invalid_input", "too_large", "unsupported"].includes(thrown.code)) return "file";
    throw thrown;
  }
}

/** A small picture is made only to see whether one can be. */
const MAX_PROOF_BYTES: number = 64 * 1024;
