/**
 * Requests to an object store, signed by the broker, and what its answers mean as failures. No redirect is followed: a store
 * that sends on to another host is not the one that the configuration names.
 */
import { Failure } from "../../../base/index.ts";
import type { ContextOf, HttpAnswer, HttpRequest } from "../../../contract/index.ts";
import type { ListedObject, ListingRead } from "./listing.ts";
import type { listingsPower } from "./listing-power.ts";
import { encodeKey, encodeName } from "./object-key.ts";
import type { BucketPlace } from "./settings.ts";

export type Storing = Pick<ContextOf<"http" | typeof listingsPower>, "http" | "listings">;

export interface StoreRequest extends Pick<HttpRequest, "method" | "headers" | "body" | "maxBytes" | "timeoutMs"> {
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
}

/** `art/builds/a/b.txt`, as people and rules name it. */
export function nameObject({ alias, bucket }: BucketPlace, key?: string): string {
  return [alias, bucket, ...(key === undefined || key === "" ? [] : [key])].join("/");
}

/** What is sent for it. */
export function requestOf(place: BucketPlace, { key, query = {}, ...request }: StoreRequest): HttpRequest {
  const { store, alias, bucket } = place;
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeName(value)}`);
  return {
    ...request,
    url: `${urlOf(store.endpoint)}/${bucket}${key === undefined ? "" : `/${encodeKey(key)}`}${search.length > 0 ? `?${search.join("&")}` : ""}`,
    ...(store.credentials ? { credential: alias } : {}),
  };
}

function urlOf(endpoint: string): string {
  return endpoint.replace(/\/+$/, "");
}

/** @throws Failure for every status but those of success */
export async function askStore(ctx: Storing, place: BucketPlace, request: StoreRequest): Promise<HttpAnswer> {
  const answer = await ctx.http(requestOf(place, request));
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw await failureOf(ctx, place, request, answer);
}

/** As many bytes as a page of 1,000 keys of 1,024 bytes can have when each byte is three characters. */
const MAX_PAGE_BYTES: number = 4 * 1024 * 1024;

export interface PageAsk {
  readonly prefix: string;
  readonly delimiter?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** One page. What a store lists besides the prefix that it was asked for is left out and counted. */
export async function listPage(ctx: Storing, place: BucketPlace, ask: PageAsk): Promise<ListingRead> {
  const { prefix, delimiter, cursor, limit } = ask;
  const { body } = await askStore(ctx, place, {
    query: {
      "list-type": "2",
      "encoding-type": "url",
      "max-keys": String(limit),
      prefix,
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(cursor === undefined ? {} : { "continuation-token": cursor }),
    },
    maxBytes: MAX_PAGE_BYTES,
  });
  const page = await ctx.listings.read({ xml: Buffer.from(body).toString("base64") });
  if (page.error !== undefined)
    throw new Failure("command_failed", `Cannot list "${nameObject(place)}": the store answers with ${page.error}`, {
      hint: `Whoever runs this host can look at packs.objects.stores.${place.alias}, and at what the store logs.`,
    });
  const objects = page.objects.filter(({ key }) => key.startsWith(prefix)).slice(0, limit);
  const folders = page.folders.filter((folder) => folder.startsWith(prefix)).slice(0, limit);
  const left = page.left + page.objects.length + page.folders.length - objects.length - folders.length;
  return { ...page, objects, folders, left };
}

/** What is known of an object; `undefined` where there is none. */
export async function headObject(
  ctx: Storing,
  place: BucketPlace,
  key: string,
): Promise<Omit<ListedObject, "key"> | undefined> {
  const answer = await ctx.http(requestOf(place, { key, method: "HEAD" }));
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw await failureOf(ctx, place, { key, method: "HEAD" }, answer);
  const { headers } = answer;
  return {
    size: Number(headers["content-length"] ?? 0),
    modified: headers["last-modified"] ?? "",
    etag: etagOf(answer),
  };
}

export function etagOf({ headers }: HttpAnswer): string {
  return (headers["etag"] ?? "").replaceAll('"', "").slice(0, 200);
}

async function failureOf(
  ctx: Storing,
  place: BucketPlace,
  { key, method = "GET" }: StoreRequest,
  answer: HttpAnswer,
): Promise<Failure> {
  const { status } = answer;
  const word = await codeOf(ctx, answer);
  const verb = method === "PUT" ? "write" : key === undefined ? "list" : "read";
  const what = `Cannot ${verb} "${nameObject(place, key)}"`;
  const said = `the store answers with status ${status}${word === undefined ? "" : ` (${word})`}`;
  if (status === 404)
    return new Failure(
      "not_found",
      `${what}: ${word === "NoSuchBucket" ? "there is no such bucket" : "there is no such object"}`,
      {
        hint: "object_list shows what there is.",
      },
    );
  if (status === 401 || status === 403)
    return new Failure("denied", `${what}: ${said}`, {
      hint: `The credentials of packs.objects.stores.${place.alias}, its region or the rights of its key do not allow it.`,
    });
  if (status === 412) return new Failure("stale", `${what}: it is not the one that was seen`, { hint: "Begin anew." });
  if (status === 416) return new Failure("invalid_input", `${what}: the offset is past its end`);
  if (status === 429 || status === 503) return new Failure("busy", `${what}: ${said}`);
  if (status >= 300 && status < 400)
    return new Failure("command_failed", `${what}: the store sends on to another place, which is not followed`, {
      hint: `packs.objects.stores.${place.alias}.endpoint must be where the bucket is.`,
    });
  return new Failure("command_failed", `${what}: ${said}`, {
    hint: `Whoever runs this host can look at packs.objects.stores.${place.alias}, and at what the store logs.`,
  });
}

/** The code in the answer, which is the only word of it that is shown. */
async function codeOf({ listings }: Storing, { body }: HttpAnswer): Promise<string | undefined> {
  if (body.length === 0 || body.length > MAX_ERROR_BYTES) return undefined;
  const { error } = await listings.read({ xml: Buffer.from(body).toString("base64") });
  return error === "no listing" ? undefined : error;
}

const MAX_ERROR_BYTES = 65_536;
