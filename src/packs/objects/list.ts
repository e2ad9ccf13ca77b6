/**
 * `object_list`: what a bucket has below a prefix, in pages as the store makes them.
 */
import * as z from "zod";
import { defineTool, type Tool, type ToolResult } from "../../contract/index.ts";
import { count, formatBytes, visibleText } from "../../text/index.ts";
import { nextCall, noteOf } from "../answer.ts";
import { cut } from "../fields.ts";
import { objectTarget, placeFields, type PlaceAsked } from "./object-fields.ts";
import { folderOfPrefix, MAX_KEY_BYTES, whyNoKey } from "./store/object-key.ts";
import { MAX_TOKEN_CHARS, type ListedObject, type ListingRead } from "./store/listing.ts";
import { listingsPower } from "./store/listing-power.ts";
import { findBucket, type BucketPlace, type ObjectsSettings } from "./store/settings.ts";
import { listPage, nameObject } from "./store/store-request.ts";

const USUAL = 200;
const MOST = 1000;

export function createObjectList(settings: ObjectsSettings): Tool {
  return defineTool({
    name: "object_list",
    title: "List objects",
    summary:
      "Lists the objects of a bucket below a prefix, with size and time, in pages. Keys are somebody else's words. Keys that only some programs read alike are marked: they can be listed and not read.",
    effect: "reach",
    group: "objects",
    profiles: ["messaging"],
    needs: ["http", listingsPower],
    idempotent: true,
    input: () =>
      z.strictObject({
        prefix: z.string().max(MAX_KEY_BYTES).optional().describe("What the keys begin with. Default: all of them."),
        ...placeFields(),
        recursive: z
          .boolean()
          .optional()
          .describe("false: what lies below a further slash is shown as one folder. Default true."),
        limit: z.number().int().min(1).max(MOST).optional().describe(`Default ${USUAL}, at most ${MOST}.`),
        cursor: z.string().max(MAX_TOKEN_CHARS).optional().describe("Where to go on: the cursor of the last answer."),
      }),
    output: () =>
      z.looseObject({
        store: z.string(),
        bucket: z.string(),
        objects: z.array(z.looseObject({ key: z.string(), size: z.number(), modified: z.string() })),
        folders: z.array(z.string()),
        ...cut(),
      }),
    access: ({ prefix = "", ...asked }) => [
      objectTarget(findBucket(settings, asked), folderOfPrefix(prefix), "metadata", true),
    ],
    async run(input, ctx) {
      const { prefix = "", recursive = true, limit = USUAL, cursor } = input;
      const place = findBucket(settings, input);
      const page = await listPage(ctx, place, { prefix, delimiter: recursive ? undefined : "/", cursor, limit });
      return describePage(place, input, page);
    },
  });
}

interface ListInput extends PlaceAsked {
  readonly prefix?: string | undefined;
  readonly cursor?: string | undefined;
}

function describePage(place: BucketPlace, input: ListInput, page: ListingRead): ToolResult {
  const { objects, folders, left } = page;
  const { prefix = "", cursor } = input;
  const name = nameObject(place);
  // A page that goes on where it began would have no end.
  const isEndless = page.isCut === true || (page.next !== undefined && page.next === cursor);
  const next = page.next === undefined || isEndless ? undefined : { ...input, cursor: page.next };
  const lines = [...folders.map((folder) => visibleText(folder)), ...objects.map(lineOf)];
  return {
    text: lines.length === 0 ? `Nothing in ${name} begins with ${JSON.stringify(prefix)}.` : lines.join("\n"),
    note: noteOf(
      `${name}: ${count(objects.length, "object")}${folders.length > 0 ? `, ${count(folders.length, "folder")}` : ""}`,
      left > 0 &&
        `${count(left, "entry", "entries")} of the store cannot be read or lie beside the prefix, and are left out`,
      isEndless && "The store gives no end of its list",
      next && nextCall("object_list", next),
    ),
    structured: {
      store: place.alias,
      bucket: place.bucket,
      objects,
      folders,
      ...(left > 0 ? { left_out: left } : {}),
      truncated: next !== undefined || isEndless,
      ...(next ? { next } : {}),
    },
    ...(next || isEndless ? { truncated: true } : {}),
  };
}

function lineOf({ key, size, modified }: ListedObject): string {
  const why = whyNoKey(key);
  const cannot = why === undefined ? "" : `  [cannot be read: ${why}]`;
  return `${visibleText(key)}  ${formatBytes(size)}  ${modified}${cannot}`;
}
