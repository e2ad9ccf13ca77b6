/**
 * A small object store of the tests: it keeps objects, checks every signature by a computation of its own (AWS Signature Version 4,
 * from the specification and not with the library that signs), and plays a store that lies in the buckets that are named so.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const ACCESS_KEY = "own/key+of=tests";
/** In the form of Amazon's, which the redactor knows. */
export const KNOWN_KEY: string = ["AKIA", "IOSFODNN7EXAMPLQ"].join("");
export const SECRET_KEY = "a-secret/with+signs=in.it";
export const REGION = "test-1";

export interface Stored {
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OwnStore extends AsyncDisposable {
  readonly endpoint: string;
  /** By bucket and key. */
  readonly objects: Map<string, Map<string, Stored>>;
  /** Every request as it came: `GET /bucket/key?query`. */
  readonly asked: string[];
  /** Answers that take the place of a bucket's own. */
  readonly plays: Map<string, Play>;
  /** A bucket with these objects. */
  readonly stock: (objects: Readonly<Record<string, string | Buffer>>, bucket?: string) => Map<string, Stored>;
  /** Everything, for the next test. */
  readonly forget: () => void;
}

export type Play = (request: IncomingMessage, url: URL, response: ServerResponse) => void;

export async function openOwnStore(): Promise<OwnStore> {
  const objects: OwnStore["objects"] = new Map();
  const plays: OwnStore["plays"] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push(`${request.method} ${request.url}`);
      const url = new URL(request.url ?? "/", "http://store.example");
      const [, bucket = "", ...names] = (request.url ?? "").split("?", 1)[0]?.split("/") ?? [];
      const play = plays.get(bucket);
      if (play) return play(request, url, response);
      const body = Buffer.concat(chunks);
      const problem = findProblem(request, url, body);
      if (problem !== undefined) return refuse(response, 403, problem);
      const inBucket = objects.get(bucket);
      if (!inBucket) return refuse(response, 404, "NoSuchBucket");
      if (names.length === 0 || names.join("") === "") return list(inBucket, bucket, url, response);
      answer(inBucket, decodeURIComponent(names.join("/")), request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    asked,
    plays,
    stock(given, bucket = "builds") {
      const kept = new Map(Object.entries(given).map(([key, body]) => [key, { body: Buffer.from(body as string) }]));
      objects.set(bucket, kept);
      return kept;
    },
    forget() {
      objects.clear();
      plays.clear();
      asked.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  bucket: Map<string, Stored>,
  key: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  if (method === "PUT") {
    if (headers["x-amz-content-sha256"] !== hex(body)) return refuse(response, 400, "XAmzContentSHA256Mismatch");
    const sha = headers["x-amz-meta-sha256"];
    bucket.set(key, { body, ...(typeof sha === "string" ? { headers: { "x-amz-meta-sha256": sha } } : {}) });
    response.writeHead(200, { etag: `"${md5(body)}"` }).end();
    return;
  }
  const stored = bucket.get(key);
  if (!stored) return refuse(response, 404, "NoSuchKey");
  const etag = stored.headers?.["etag"] ?? `"${md5(stored.body)}"`;
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag)
    return refuse(response, 412, "PreconditionFailed");
  const all = { "content-type": "text/plain", ...stored.headers, etag };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (from === undefined) {
    response
      .writeHead(200, { ...all, "content-length": stored.body.length })
      .end(method === "HEAD" ? undefined : stored.body);
    return;
  }
  const part = stored.body.subarray(Number(from), Number(to) + 1);
  if (part.length === 0) return refuse(response, 416, "InvalidRange");
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${stored.body.length}`;
  response.writeHead(206, { ...all, "content-range": range }).end(part);
}

function list(bucket: Map<string, Stored>, name: string, { searchParams: asked }: URL, response: ServerResponse): void {
  const [prefix, delimiter] = [asked.get("prefix") ?? "", asked.get("delimiter")];
  const after = Buffer.from(asked.get("continuation-token") ?? "", "base64").toString("utf8");
  const most = Number(asked.get("max-keys") ?? 1000);
  const folders = new Set<string>();
  const keys: string[] = [];
  for (const key of [...bucket.keys()].sort().filter((one) => one.startsWith(prefix) && one > after)) {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    if (end >= 0) folders.add(key.slice(0, end + 1));
    else keys.push(key);
  }
  const shown = keys.slice(0, most);
  const more = keys.length > shown.length;
  const contents = shown.map((key) => {
    const { body, headers } = bucket.get(key) ?? { body: Buffer.alloc(0) };
    const etag = headers?.["etag"] ?? `"${md5(body)}"`;
    return `<Contents><Key>${plus(key)}</Key><LastModified>2026-11-23T09:00:00.000Z</LastModified><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${body.length}</Size><Owner><ID>me</ID></Owner></Contents>`;
  });
  const prefixes = [...folders].map((folder) => `<CommonPrefixes><Prefix>${plus(folder)}</Prefix></CommonPrefixes>`);
  const next = `<NextContinuationToken>${Buffer.from(shown.at(-1) ?? "").toString("base64")}</NextContinuationToken>`;
  response.end(
    listing(
      `<Name>${name}</Name><IsTruncated>${more}</IsTruncated>${more ? next : ""}${contents.join("")}${prefixes.join("")}`,
    ),
  );
}

/** A page with encoded keys. */
export function listing(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>${inner}</ListBucketResult>`;
}

/** As S3 itself encodes a key: blanks become plus signs. */
export function plus(key: string): string {
  return encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/");
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`);
}

/** What is wrong with the signature, by the specification of Signature Version 4. */
function findProblem(
  { method = "", headers, url = "" }: IncomingMessage,
  { searchParams }: URL,
  body: Buffer,
): string | undefined {
  const isQuery = searchParams.has("X-Amz-Signature");
  const given = isQuery ? fromQuery(searchParams) : fromHeader(headers.authorization ?? "");
  if (!given) return "AccessDenied";
  const [id = "", day = "", region = "", service = ""] = splitCredential(given.credential);
  if (id !== ACCESS_KEY && id !== KNOWN_KEY) return "InvalidAccessKeyId";
  if (region !== REGION || service !== "s3") return "AuthorizationHeaderMalformed";
  const time = isQuery ? (searchParams.get("X-Amz-Date") ?? "") : String(headers["x-amz-date"]);
  const said = isQuery ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]);
  if (said !== "UNSIGNED-PAYLOAD" && said !== hex(body)) return "XAmzContentSHA256Mismatch";
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join("&");
  const lines = given.signed.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const path = (url.split("?", 1)[0] ?? "")
    .split("/")
    .map((name) => strict(decodeURIComponent(name)))
    .join("/");
  const canonical = [method, path, query, lines.join(""), given.signed, said].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, hex(Buffer.from(canonical))].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer>(
    (known, part) => createHmac("sha256", known).update(part).digest(),
    Buffer.from(`AWS4${SECRET_KEY}`),
  );
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  return signature === given.signature ? undefined : "SignatureDoesNotMatch";
}

interface Given {
  readonly credential: string;
  readonly signed: string;
  readonly signature: string;
}

function fromHeader(text: string): Given | undefined {
  const [, credential, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(text) ?? [];
  return credential === undefined || signed === undefined || signature === undefined
    ? undefined
    : { credential, signed, signature };
}

function fromQuery(asked: URLSearchParams): Given {
  return {
    credential: asked.get("X-Amz-Credential") ?? "",
    signed: asked.get("X-Amz-SignedHeaders") ?? "",
    signature: asked.get("X-Amz-Signature") ?? "",
  };
}

/** A key may have slashes in it; the four parts behind it have none. */
function splitCredential(credential: string): readonly string[] {
  const parts = credential.split("/");
  return [parts.slice(0, -4).join("/"), ...parts.slice(-4)];
}

function strict(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function md5(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("hex");
}

export function hex(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Answers every request in this way. */
export function answerWith(body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): Play {
  return (_request, _url, response) => void response.writeHead(status, headers).end(body);
}

/** An object in a list. */
export function entry(key: string, size: number | string = 1, etag: string = md5(Buffer.from("x"))): string {
  return `<Contents><Key>${plus(key)}</Key><Size>${size}</Size><ETag>&quot;${etag}&quot;</ETag></Contents>`;
}
