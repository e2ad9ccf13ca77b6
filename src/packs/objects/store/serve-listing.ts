/**
 * The code of the power `listings`: a page of a list (the second version of the request), or an error of a store, without a tree. Every element is looked at
 * once, entities of a document type mean nothing, and what is nested deeper than such an answer can be is passed over.
 *
 * Usual mistake: to believe the answer. Sizes, tokens and keys are whatever somebody wrote there; who uses them checks them.
 */
import { Parser } from "htmlparser2";
import type { PowerHandlers } from "../../../contract/index.ts";
import { MAX_KEY_CHARS, MAX_TOKEN_CHARS, type ListedObject, type Listings, type ListingRead } from "./listing.ts";

export const handlers: PowerHandlers<Listings> = {
  read: ({ xml }) => readListing(Buffer.from(xml, "base64").toString("utf8")),
};

const MAX_ENTRIES = 1000;
/** `ListBucketResult/Contents/Owner/ID` */
const MAX_DEPTH = 8;
const MAX_TEXT = 8192;

type Fields = Record<string, string>;

function readListing(xml: string): ListingRead {
  const reading = { objects: [] as ListedObject[], folders: [] as string[], left: 0 };
  const top: Fields = {};
  const path: string[] = [];
  let [depth, text] = [0, ""];
  let entry: Fields = {};
  const parser = new Parser(
    {
      onopentag(name) {
        if (++depth > MAX_DEPTH) return;
        path.push(name.slice(0, 60));
        text = "";
        if (depth === 2) entry = {};
      },
      ontext(more) {
        if (depth <= MAX_DEPTH && text.length < MAX_TEXT) text += more.slice(0, MAX_TEXT);
      },
      onclosetag() {
        if (depth-- > MAX_DEPTH) return;
        const name = path.pop() ?? "";
        if (depth === 1 && name === "Contents") addObject(reading, entry);
        else if (depth === 1 && name === "CommonPrefixes") addFolder(reading, entry["Prefix"]);
        else if (depth === 1) top[name] = text;
        else if (depth === 2) entry[name] = text;
        else if (depth === 0) top[":"] = name;
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  const isEncoded = top["EncodingType"] === "url";
  const plain = (key: string): string => (isEncoded ? decoded(key) : key);
  if (top[":"] === "Error") return { error: wordOf(top["Code"]), ...EMPTY };
  if (top[":"] !== "ListBucketResult") return { error: "no listing", ...EMPTY };
  const objects = reading.objects.map((one) => ({ ...one, key: plain(one.key) })).filter(hasKey);
  const isLast = top["IsTruncated"]?.trim() !== "true";
  const { NextContinuationToken: next = "" } = top;
  return {
    objects,
    folders: reading.folders.map(plain).filter((folder) => folder.length <= MAX_KEY_CHARS),
    ...(isLast ? {} : next === "" || next.length > MAX_TOKEN_CHARS ? { isCut: true } : { next }),
    left: reading.left + reading.objects.length - objects.length,
  };
}

const EMPTY = { objects: [], folders: [], left: 0 };

function addObject(reading: { objects: ListedObject[]; left: number }, fields: Fields): void {
  const { Key: key, Size: size = "", LastModified: modified = "", ETag: etag = "" } = fields;
  const isSize = /^\d{1,15}$/.test(size);
  if (key === undefined || !isSize || reading.objects.length >= MAX_ENTRIES) reading.left++;
  else
    reading.objects.push({
      key,
      size: Number(size),
      modified: /^[\dTZ:.+-]{1,40}$/.test(modified) ? modified : "",
      etag: etag
        .replaceAll('"', "")
        .replaceAll(/[^\x21-\x7e]/g, "")
        .slice(0, 200),
    });
}

function addFolder(reading: { folders: string[]; left: number }, prefix: string | undefined): void {
  if (prefix === undefined || reading.folders.length >= MAX_ENTRIES) reading.left++;
  else reading.folders.push(prefix);
}

function hasKey({ key }: ListedObject): boolean {
  return key.length <= MAX_KEY_CHARS;
}

/** Some stores write a blank as `+`. What cannot be decoded is what it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", "%20"));
  } catch {
    return key;
  }
}

function wordOf(code = ""): string {
  return code.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 60) || "unknown";
}
