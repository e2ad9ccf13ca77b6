/**
 * The objects below a prefix, read one after the other: what can be taken is, and what cannot is said by its name and its reason. A
 * store that lies (about sizes, hashes, keys, the end of its list) costs the object that it lies about, or ends the list.
 */
import { Failure } from "../../../base/index.ts";
import { visibleText } from "../../../text/index.ts";
import { getObject, type ObjectContent } from "./get-object.ts";
import type { ListedObject } from "./listing.ts";
import type { BucketPlace } from "./settings.ts";
import { listPage, nameObject, type Storing } from "./store-request.ts";

export interface Skipped {
  readonly key: string;
  readonly why: string;
}

export interface Collected {
  readonly taken: number;
  readonly skipped: readonly Skipped[];
  /** Why there may be more than was looked at. */
  readonly cut?: string | undefined;
}

export interface CollectAsk {
  readonly prefix: string;
  readonly maxObjects: number;
  readonly maxObjectBytes: number;
  /** What becomes of one. It adds to the change, or says why it does not. @param below what the key has behind the prefix */
  readonly take: (
    below: string,
    object: ObjectContent,
    key: string,
  ) => string | undefined | Promise<string | undefined>;
  /** Why one is not even read. */
  readonly refuse: (below: string, object: ListedObject) => string | undefined | Promise<string | undefined>;
}

/** All objects together have no more. */
const MAX_TOTAL_BYTES: number = 32 * 1024 * 1024;
const MAX_PAGES = 20;

/** @throws Failure for a store that does not answer as one, and for a caller who has left */
export async function collect(ctx: Storing, place: BucketPlace, ask: CollectAsk): Promise<Collected> {
  const { objects, left, cut } = await listAll(ctx, place, ask);
  const skipped: Skipped[] = [];
  let [taken, total] = [0, 0];
  for (const listed of objects) {
    const { key, size } = listed;
    const below = key.slice(ask.prefix.length).replace(/^\//, ask.prefix === "" || ask.prefix.endsWith("/") ? "/" : "");
    const why =
      (await ask.refuse(below, listed)) ??
      (size > ask.maxObjectBytes ? `it has ${size} bytes, and at most ${ask.maxObjectBytes} are taken` : undefined) ??
      (total + size > MAX_TOTAL_BYTES ? `all together would have more than ${MAX_TOTAL_BYTES} bytes` : undefined) ??
      (await takeOne(ctx, place, ask, { listed, below }));
    if (why === undefined) [taken, total] = [taken + 1, total + size];
    else skipped.push({ key: visibleText(key), why });
  }
  if (left > 0) skipped.push({ key: "", why: `${left} entries of the list cannot be read, or lie beside the prefix` });
  return { taken, skipped, ...(cut === undefined ? {} : { cut }) };
}

async function takeOne(
  ctx: Storing,
  place: BucketPlace,
  { take, maxObjectBytes: maxBytes }: CollectAsk,
  { listed, below }: { readonly listed: ListedObject; readonly below: string },
): Promise<string | undefined> {
  const { key, size, etag } = listed;
  try {
    return await take(below, await getObject(ctx, place, { key, size, etag, maxBytes: Math.max(1, maxBytes) }), key);
  } catch (thrown) {
    if (thrown instanceof Failure && OF_ONE.has(thrown.code)) return thrown.message;
    throw thrown;
  }
}

/** What is about this object, and not about the store. */
const OF_ONE: ReadonlySet<string> = new Set(
  "invalid_input not_found stale too_large command_failed unsupported".split(" "),
);

async function listAll(
  ctx: Storing,
  place: BucketPlace,
  { prefix, maxObjects }: CollectAsk,
): Promise<{ readonly objects: readonly ListedObject[]; readonly left: number; readonly cut?: string }> {
  const objects = new Map<string, ListedObject>();
  const seen = new Set<string>();
  let left = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const limit = Math.min(1000, maxObjects + 1 - objects.size);
    const page = await listPage(ctx, place, { prefix, cursor, limit });
    left += page.left;
    for (const one of page.objects) objects.set(one.key, one);
    if (objects.size > maxObjects)
      return {
        objects: [...objects.values()].slice(0, maxObjects),
        left,
        cut: `there are more than ${maxObjects} objects`,
      };
    const { next, isCut = false } = page;
    if (next === undefined && !isCut) return { objects: [...objects.values()], left };
    if (next === undefined || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return { objects: [...objects.values()], left, cut: `the store gives no end of the list of "${nameObject(place)}"` };
}
