/**
 * `object_ingest`: the text of one object becomes an entry of a note.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { changeResult } from "../fields.ts";
import { getObject } from "./store/get-object.ts";
import { listingsPower } from "./store/listing-power.ts";
import { noteText } from "./note-text.ts";
import { keyField, objectTarget, placeFields } from "./object-fields.ts";
import { findBucket, type ObjectsSettings } from "./store/settings.ts";
import { nameObject } from "./store/store-request.ts";

export const USUAL_NAMESPACE = "global/knowledge";
export const MAX_CHARS = 100_000;
/** A larger object is not read for the part of it that becomes an entry. */
export const MAX_TEXT_BYTES: number = 8 * 1024 * 1024;

export function createObjectIngest(settings: ObjectsSettings): Tool {
  return defineTool({
    name: "object_ingest",
    title: "Take an object into memory",
    summary:
      "Reads the text of an object and writes it into a note of the memory, behind a line that says where it is from. What it says stays somebody else's words.",
    effect: "change",
    group: "objects",
    profiles: ["messaging"],
    remembers: true,
    needs: ["http", listingsPower],
    parameterAliases: { object_key: "key" },
    destructive: true,
    input: () =>
      z.strictObject({
        key: keyField("The key of the object."),
        ...placeFields(),
        namespace: z.string().min(1).max(600).optional().describe(`The note. Default ${USUAL_NAMESPACE}.`),
        mode: z.enum(["append", "replace"]).optional().describe("Default append. replace: the whole note anew."),
        max_chars: z.number().int().min(1).max(MAX_CHARS).optional().describe(`Default and most: ${MAX_CHARS}.`),
        force: z.boolean().optional().describe("true: what is no text is taken as far as it can be read."),
      }),
    output: changeResult,
    access: ({ key, namespace = USUAL_NAMESPACE, ...asked }) => [
      objectTarget(findBucket(settings, asked), key, "read"),
      { kind: "record", store: "memory", key: namespace, mode: "write" },
    ],
    async plan(input, ctx) {
      const {
        key,
        namespace = USUAL_NAMESPACE,
        mode = "append",
        max_chars: maxChars = MAX_CHARS,
        force = false,
      } = input;
      const place = findBucket(settings, input);
      const object = await getObject(ctx, place, { key, maxBytes: MAX_TEXT_BYTES });
      const name = nameObject(place, key);
      const content = noteText(name, key, object, { maxChars, force });
      const data = { key, store: place.alias, bucket: place.bucket, etag: object.etag, sha256: object.sha256 };
      return { changes: [{ op: "note", namespace, content, mode }], told: { notes: [], data } };
    },
  });
}
