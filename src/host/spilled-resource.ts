/**
 * Outputs that were too large for one result, as resources: `ringfence://spill/ID`, in parts of at most a megabyte by
 * `?offset=BYTES`. They are linked from the result that they were cut from, and listed nowhere: whoever has an id was
 * given it.
 */
import { Failure, limits } from "../base/index.ts";
import { SpillStore } from "../state/index.ts";
import { RPC, RpcError } from "../wire/index.ts";
import type { Host } from "./host.ts";
import { AROUND_BYTES, redactPart } from "./redact-part.ts";

type Members = Readonly<Record<string, unknown>>;

const URI = /^ringfence:\/\/spill\/([\w-]{1,100})(?:\?offset=(\d{1,15}))?$/;

export function spilledTemplate(): Members {
  return {
    uriTemplate: "ringfence://spill/{id}{?offset}",
    name: "spilled output",
    description:
      "The whole of an output that was cut; its id is in the link of that result. Offset in bytes.",
    mimeType: "text/plain",
  };
}

export function listSpilled(): readonly Members[] {
  return [];
}

/** Keeps the text. @returns the content block that links to it */
export function linkSpilled(host: Host, text: string, name: string): Members {
  const id = new SpillStore(host.config.stateDir).put(text);
  return {
    type: "resource_link",
    uri: `ringfence://spill/${id}`,
    name,
    description: "The whole output",
    mimeType: "text/plain",
    size: Buffer.byteLength(text),
  };
}

/** The contents of `resources/read`. @throws RpcError -32602, the protocol's code for a resource that is not there */
export function readSpilled(host: Host, uri: unknown): Members {
  const match = typeof uri === "string" ? URI.exec(uri) : null;
  if (typeof uri !== "string" || !match) throw notThere(uri);
  const [, id = "", from = "0"] = match;
  const offset = Number(from);
  try {
    const store = new SpillStore(host.config.stateDir);
    const { bytes, size } = store.read(id, offset, limits.MAX_TEXT_BYTES);
    const kept = offset + bytes.length < size ? wholeCharacters(bytes) : bytes;
    const next = offset + kept.length;
    const more =
      next < size ? { _meta: { "dev.ringfence/next": `ringfence://spill/${id}?offset=${next}` } } : {};
    return { uri, mimeType: "text/plain", text: withoutSecrets(host, store, id, offset, kept), ...more };
  } catch (thrown) {
    if (thrown instanceof Failure) throw notThere(uri);
    throw thrown;
  }
}

/** What a program has put out is kept as it came; what is read of it is redacted like everything that is read. */
function withoutSecrets(
  host: Host,
  store: SpillStore,
  id: string,
  offset: number,
  bytes: Uint8Array,
): string {
  const part = Buffer.from(bytes).toString();
  const { redactor } = host;
  if (!redactor) return part;
  const from = Math.max(0, offset - AROUND_BYTES);
  const textAt = (at: number, length: number): string =>
    Buffer.from(store.read(id, at, length).bytes).toString();
  const after = textAt(offset + bytes.length, AROUND_BYTES);
  return redactPart(redactor, textAt(from, offset - from), part, after);
}

/** Without a character that the end cuts in two. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  // The first byte of the last character goes too: it is complete only with what follows, or begins the next part.
  return end > 1 ? bytes.subarray(0, end - 1) : bytes;
}

function notThere(uri: unknown): RpcError {
  const shown = typeof uri === "string" ? uri.slice(0, 200) : String(uri);
  return new RpcError(RPC.invalidParams, `there is no resource ${JSON.stringify(shown)}`, { uri: shown });
}
