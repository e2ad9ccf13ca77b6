/**
 * `object_put`: a file of a root becomes an object. It leaves the machine, so a person sees what, where to and in the place of what.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { path as pathField } from "../fields.ts";
import { listingsPower } from "./store/listing-power.ts";
import { keyField, objectTarget, placeFields } from "./object-fields.ts";
import { findBucket, type ObjectsSettings } from "./store/settings.ts";
import { nameObject } from "./store/store-request.ts";
import { sendUpload, showUpload } from "./upload.ts";

export function createObjectPut(settings: ObjectsSettings): Tool {
  /** The content that was shown last for a call. */
  const shown = new Map<string, string>();
  return defineTool({
    name: "object_put",
    title: "Put a file into a store",
    summary:
      "Writes a file of a root to a bucket as an object. It leaves this machine, so a person sees it first; nothing undoes it. At most 64 MB, without secrets.",
    effect: "reach",
    group: "objects",
    needs: ["http", "files", listingsPower],
    asked: "always",
    rechecks: true,
    destructive: true,
    timeoutMs: 120_000,
    input: () =>
      z.strictObject({ path: pathField("The file"), key: keyField("The key that it gets."), ...placeFields() }),
    output: () =>
      z.looseObject({ key: z.string(), store: z.string(), bucket: z.string(), bytes: z.number(), sha256: z.string() }),
    access: ({ path, key, ...asked }) => [
      { path, mode: "read" },
      objectTarget(findBucket(settings, asked), key, "write"),
    ],
    async preview(input, ctx) {
      const { path, key } = input;
      const place = findBucket(settings, input);
      const { sha256, lines } = await showUpload(ctx, { place, path, key });
      remember(shown, JSON.stringify(input), sha256);
      return {
        summary: `Write the file "${path}" to ${nameObject(place, key)}, which cannot be undone`,
        diff: lines.join("\n"),
        paths: [],
      };
    },
    async run(input, ctx) {
      const { path, key } = input;
      const place = findBucket(settings, input);
      const sent = await sendUpload(ctx, { place, path, key }, shown.get(JSON.stringify(input)));
      return {
        text: `Wrote ${sent.bytes} bytes of "${path}" to ${nameObject(place, key)} (sha256 ${sent.sha256}).`,
        structured: { key, store: place.alias, bucket: place.bucket, ...sent },
      };
    },
  });
}

/** Proposals that wait at once are fewer. */
const MAX_SHOWN = 1000;

export function remember(shown: Map<string, string>, call: string, hash: string): void {
  if (shown.size >= MAX_SHOWN) shown.clear();
  shown.set(call, hash);
}
