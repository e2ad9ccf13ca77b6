/**
 * What a resource holds, as the worker answers it: the same reading as the tool's, under the same scope, rules and
 * redaction, in the form of `resources/read`; the files of a directory, for `resources/list`. And the marks by which a
 * change of it is noticed, which are taken from the opened file without reading it.
 */
import { type AnswerBounds, answerBytes, Failure, limits } from "../../base/index.ts";
import { type ReadContext, type ReadFacts, resultFacts } from "../../contract/index.ts";
import { holdsSecret } from "../../files/index.ts";
import { redactPart, type Redactor } from "../../policy/index.ts";
import { ResultText } from "../../pool/index.ts";
import { continuedUri, parseResourceUri, readName, rootUri, showName, spillUri } from "../../scope/index.ts";
import type { From, Scope } from "../../scope/index.ts";
import type { ListEntry } from "../../search/index.ts";
import { SpillStore } from "../../state/index.ts";
import { sniffType } from "../../text/index.ts";
import { isOpen, type Ruling } from "../ruled-scopes.ts";

export interface ResourceInput {
  /** One that `parseResourceUri` takes. */
  readonly uri: string;
  /** The resource as a path, in the form that tools take. */
  readonly path: string;
}

interface Contents {
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Ways {
  readonly ctx: ReadContext;
  readonly stateDir: string;
  readonly redact: Redactor | undefined;
  readonly bounds: AnswerBounds;
}

type Read = readonly [contents: Contents, facts: string];

/** A line is cut only where the whole part is. */
const WHOLE = { limit: 1_000_000_000, maxLineBytes: limits.MAX_READ_BYTES };
const KEY = "dev.ringfence";

/** @throws Failure as the tool does */
export async function readResource({ uri, path }: ResourceInput, ways: Ways): Promise<ResultText<ReadFacts>> {
  const address = parseResourceUri(uri);
  if (!address) throw new Error(`no address: ${uri}`);
  const { from } = address;
  const [contents, facts] =
    address.kind === "spill"
      ? readSpill(address.id, from, ways)
      : address.kind === "directory"
        ? await readListing(rootUri(address.root, address.rel), path, from, ways)
        : await readContent({ uri, path }, from, ways);
  return new ResultText(`"contents":${JSON.stringify([{ uri, ...contents }])}`, facts);
}

async function readContent({ uri, path }: ResourceInput, { offset = 1 }: From, ways: Ways): Promise<Read> {
  const { ctx, redact } = ways;
  const file = await ctx.files.read({ path, offset: Math.max(1, offset), ...WHOLE });
  if (file.kind !== "text") return await readBytes({ uri, path }, offset, mimeOf(file), ways);
  const found = redact?.(file.text) ?? { text: file.text, count: 0 };
  const meta = {
    ...(file.hash === undefined ? {} : { [`${KEY}/hash`]: file.hash }),
    ...(file.next === undefined ? {} : { [`${KEY}/next`]: continuedUri(uri, { offset: file.next.offset }) }),
    ...(file.cut_lines ? { [`${KEY}/cutLines`]: file.cut_lines } : {}),
    ...(found.count > 0 ? { [`${KEY}/secrets`]: found.count } : {}),
  };
  // What was shown in part is not known as a whole.
  const isWhole = !file.truncated && offset <= 1 && !file.cut_lines && file.hash !== undefined;
  const read = isWhole ? [{ path: file.path, hash: file.hash }] : [];
  const facts = resultFacts({ text: "", structured: {}, truncated: file.truncated, read });
  return [{ mimeType: "text/plain", text: found.text, ...withMeta(meta) }, facts];
}

function mimeOf(file: object): string {
  return "mime" in file ? String(file.mime) : "application/octet-stream";
}

/** Bytes cannot be given in part: with a secret in them they are refused, as the tool refuses them. */
async function readBytes(
  { uri, path }: ResourceInput,
  offset: number,
  mimeType: string,
  { ctx, redact }: Ways,
): Promise<Read> {
  const file = await ctx.files.read({
    path,
    offset: Math.max(1, offset),
    limit: limits.MAX_READ_BYTES,
    encoding: "base64",
  });
  if (file.kind !== "base64") throw new Error(`bytes were asked for, and it is ${file.kind}`);
  if (redact && redact(Buffer.from(file.data, "base64").toString("latin1")).count > 0)
    throw new Failure("denied", `Cannot read "${file.path}": its bytes hold a secret`);
  const meta = file.next ? { [`${KEY}/next`]: continuedUri(uri, { offset: file.next.offset }) } : {};
  const facts = resultFacts({ text: "", structured: {}, truncated: file.truncated });
  return [{ mimeType, blob: file.data, ...withMeta(meta) }, facts];
}

async function readListing(uri: string, path: string, { cursor }: From, ways: Ways): Promise<Read> {
  const list = await ways.ctx.search.list({
    path,
    limit: limits.MAX_LIST_ENTRIES,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const base = uri.endsWith("/") ? uri : `${uri}/`;
  const entries = list.entries.map((entry) => {
    const leaf = addressed(lastName(entry.path));
    return { uri: `${base}${leaf}${entry.type === "directory" ? "/" : ""}`, ...entry };
  });
  const text = JSON.stringify({ entries, totals: list.totals });
  const next = list.next?.["cursor"];
  const meta = typeof next !== "string" ? {} : { [`${KEY}/next`]: continuedUri(base, { cursor: next }) };
  const shown = ways.redact?.(text).text ?? text;
  const facts = resultFacts({ text: "", structured: {}, truncated: list.truncated });
  return [{ mimeType: "application/json", text: shown, ...withMeta(meta) }, facts];
}

function lastName(path: string): string {
  return (readName(path) ?? path).split("/").at(-1) ?? "";
}

function addressed(name: string): string {
  return rootUri(0, name).slice("ringfence://root/0/".length);
}

export interface FirstFilesInput extends ResourceInput {
  /** The tool that would read them. */
  readonly of: Ruling;
  readonly most: number;
}

/** The files of one directory, as `resources/list` has them. A directory that cannot be listed has none. */
export async function firstFiles(
  { uri, path, of, most }: FirstFilesInput,
  ctx: ReadContext,
  scopeOf: (ruling: Ruling) => Scope,
): Promise<readonly { readonly uri: string; readonly name: string }[]> {
  const scope = scopeOf(of);
  const entries = await entriesOf(path, ctx);
  const files = entries.filter((entry) => entry.type === "file" && isOpen(scope, entry.path)).slice(0, most);
  return files.map((entry) => {
    const name = lastName(entry.path);
    return { uri: `${uri}${addressed(name)}`, name: showName(name), size: entry.size };
  });
}

async function entriesOf(path: string, { search }: ReadContext): Promise<readonly ListEntry[]> {
  try {
    return (await search.list({ path, hidden: false, limit: limits.MAX_LIST_ENTRIES })).entries;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "cancelled" || thrown.code === "timed_out") throw thrown;
    return [];
  }
}

function withMeta(meta: Readonly<Record<string, unknown>>): Pick<Contents, "_meta"> {
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

function readSpill(id: string, { offset = 0 }: From, { stateDir, redact, bounds }: Ways): Read {
  const store = new SpillStore(stateDir);
  const { bytes, size } = store.read(id, offset, answerBytes(bounds, limits.MAX_TEXT_BYTES));
  const { mime, kind } = sniffType(store.read(id, 0, SNIFF_BYTES).bytes, "");
  if (kind !== "text") return readBlob({ id, offset, bytes, size }, mime, { store, redact });
  const kept = offset + bytes.length < size ? wholeCharacters(bytes) : bytes;
  const next = offset + kept.length;
  const isCut = next < size && kept.length > 0;
  const meta = isCut ? { [`${KEY}/next`]: continuedUri(spillUri(id), { offset: next }) } : {};
  const text = withoutSecrets(redact, store, { id, offset, bytes: kept });
  const facts = resultFacts({ text: "", structured: {}, truncated: isCut });
  return [{ mimeType: "text/plain", text, ...withMeta(meta) }, facts];
}

/** What is no text is given as bytes, and refused where a secret stands in them or begins or ends there. */
function readBlob(
  { id, offset, bytes, size }: Part & { readonly size: number },
  mimeType: string,
  { store, redact }: { readonly store: SpillStore; readonly redact: Redactor | undefined },
): Read {
  const from = Math.max(0, offset - AROUND_BYTES);
  const around = redact ? store.read(id, from, offset - from + bytes.length + AROUND_BYTES).bytes : bytes;
  if (redact && holdsSecret(Buffer.from(around), { redact }))
    throw new Failure("denied", `Cannot read "${id}": its bytes hold a secret`);
  const next = offset + bytes.length;
  const isCut = next < size && bytes.length > 0;
  const meta = isCut ? { [`${KEY}/next`]: continuedUri(spillUri(id), { offset: next }) } : {};
  const facts = resultFacts({ text: "", structured: {}, truncated: isCut });
  return [{ mimeType, blob: Buffer.from(bytes).toString("base64"), ...withMeta(meta) }, facts];
}

/** Every signature that is known lies within this. */
const SNIFF_BYTES = 4096;

interface Part {
  readonly id: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** What a program has put out is kept as it came; what is read of it is redacted like everything that is read. */
function withoutSecrets(redact: Redactor | undefined, store: SpillStore, { id, offset, bytes }: Part): string {
  const part = Buffer.from(bytes).toString();
  if (!redact) return part;
  const from = Math.max(0, offset - AROUND_BYTES);
  const textAt = (at: number, length: number): string => Buffer.from(store.read(id, at, length).bytes).toString();
  const after = textAt(offset + bytes.length, AROUND_BYTES);
  return redactPart(redact, textAt(from, offset - from), part, after);
}

/** Without a character that the end cuts in two. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  // The first byte of the last character goes too: it is complete only with what follows, or begins the next part.
  return end > 1 ? bytes.subarray(0, end - 1) : bytes;
}

/** One mark for each path; "" for what is not there, or may not be looked at. */
export function takeMarks(resources: readonly ResourceInput[], scope: Scope, stateDir: string): readonly string[] {
  return resources.map(({ uri, path }) => {
    try {
      const address = parseResourceUri(uri);
      if (address?.kind === "spill") return String(new SpillStore(stateDir).read(address.id, 0, 0).size);
      using file = scope.openFile(scope.locate(path, "watch"), "watch");
      const { dev, ino, size, mtimeNs } = file.stat;
      // Not the time of the inode: keeping the old content for undo changes it before anything else happens.
      return [dev, ino, size, mtimeNs].join(":");
    } catch (thrown) {
      if (thrown instanceof Failure) return "";
      throw thrown;
    }
  });
}

/** Longer than any token that is known by its form. */
const AROUND_BYTES = 16_384;
