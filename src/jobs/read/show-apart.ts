/**
 * A worker's way to have a picture decoded: by a process without files and without a network, which the host asks for it. A
 * large picture goes there in parts, because what is said to a process is a line of bounded length. Where the host has nothing
 * that could start such a process, the worker decodes it itself, with the same bounds.
 */
import { limits, newId } from "../../base/index.ts";
import type { PictureWanted, ShownPicture } from "../../pictures/index.ts";
import type { JobContext } from "../../pool/index.ts";

/** In base64 well below a line of the process, and little enough for the thread that passes it on. */
const PART_BYTES: number = Math.floor(limits.MAX_UPSTREAM_LINE_BYTES / 8);

export function showApart({ outside }: Pick<JobContext, "outside">) {
  return async (bytes: Uint8Array, wanted: PictureWanted): Promise<ShownPicture> => {
    const id = bytes.length > PART_BYTES ? newId("picture") : undefined;
    if (id !== undefined && !(await putParts(id, bytes, outside))) return await showHere(bytes, wanted);
    const sent = id === undefined ? { data: base64Of(bytes) } : { id };
    const shown = await outside("pictures.show", JSON.stringify({ ...sent, wanted }));
    return shown === undefined ? await showHere(bytes, wanted) : (JSON.parse(shown) as ShownPicture);
  };
}

async function showHere(bytes: Uint8Array, wanted: PictureWanted): Promise<ShownPicture> {
  return await (await import("../../pictures/index.ts")).showPicture(bytes, wanted);
}

/** @returns false where nobody takes them */
async function putParts(id: string, bytes: Uint8Array, outside: JobContext["outside"]): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const data = base64Of(bytes.subarray(at, at + PART_BYTES));
    if ((await outside("pictures.put", JSON.stringify({ id, at, data }))) === undefined) return false;
  }
  return true;
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
