/**
 * The code behind the power `pictures`. Pictures that come in parts are kept until they are shown, few at a time: whoever sends
 * parts and never asks loses the oldest.
 */
import { Failure, limits } from "../../base/index.ts";
import type { PowerHandlers } from "../../contract/index.ts";
import { refuseBeginning, showPicture } from "../../pictures/index.ts";
import type { Pictures } from "./pictures.ts";

/** The workers of a host send one each. */
const MAX_BEGUN: number = limits.MAX_WORKERS;

const begun: Map<string, Buffer[]> = new Map();

export const handlers: PowerHandlers<Pictures> = {
  put({ id, at, data }) {
    const parts = at === 0 ? [] : begun.get(id);
    const bytes = parts?.reduce((sum, part) => sum + part.length, 0);
    if (!parts || bytes !== at) throw lost();
    const part = Buffer.from(data, "base64");
    if (at === 0) refuseBeginning(part);
    if (bytes + part.length > limits.MAX_EDIT_FILE_BYTES)
      throw new Failure("too_large", `Cannot show the picture: it is over ${limits.MAX_EDIT_FILE_BYTES} bytes`);
    parts.push(part);
    begun.set(id, parts);
    const [oldest] = begun.keys();
    if (begun.size > MAX_BEGUN && oldest !== undefined) begun.delete(oldest);
    return { bytes: bytes + part.length };
  },
  async show({ id, data, wanted }) {
    const parts = id === undefined ? undefined : begun.get(id);
    if (id !== undefined) begun.delete(id);
    if (!parts && data === undefined) throw lost();
    return await showPicture(parts ? Buffer.concat(parts) : Buffer.from(data ?? "", "base64"), wanted);
  },
};

function lost(): Failure {
  return new Failure("command_failed", "Cannot show the picture: a part of it did not arrive", {
    hint: "Call again.",
    retry: "later",
  });
}
