/**
 * `object_share`: an address that lets whoever has it read an object for a while, of a file that is put into the store for it or of
 * an object that is there. The address is a key, so a person sees every one before it is made, and no record has it.
 */
import * as z from "zod";
import { Failure, isoTime, nowMs, sha256 } from "../../base/index.ts";
import { defineTool, type LocalProposal, type Tool, type ToolResult } from "../../contract/index.ts";
import { listingsPower } from "./store/listing-power.ts";
import { keyField, objectTarget, placeFields, type PlaceAsked } from "./object-fields.ts";
import { remember } from "./put.ts";
import { findBucket, type BucketPlace, type ObjectsSettings } from "./store/settings.ts";
import { headObject, nameObject, requestOf } from "./store/store-request.ts";
import { sendUpload, showUpload, type Uploading } from "./upload.ts";

const USUAL_SECONDS = 900;
const MAX_SECONDS = 86_400;

interface ShareInput extends PlaceAsked {
  readonly path?: string | undefined;
  readonly key?: string | undefined;
  readonly expires_s?: number | undefined;
}

export function createObjectShare(settings: ObjectsSettings): Tool {
  const shown = new Map<string, string>();
  return defineTool({
    name: "object_share",
    title: "Share an object",
    summary:
      "Makes an address with which anybody can read an object for some minutes: of a file of a root (path), which is written to the store first, or of an object that is there (key). A person sees every one first.",
    effect: "reach",
    group: "objects",
    needs: ["http", "files", listingsPower],
    asked: "always",
    rechecks: true,
    destructive: true,
    timeoutMs: 120_000,
    input: () =>
      z.strictObject({
        path: z.string().min(1).optional().describe("A file. Relative to the first root, or absolute inside a root."),
        key: keyField(
          "The key of the object; of a file the one that it gets. Default: shared/ and the name of the file.",
        ).optional(),
        ...placeFields(),
        expires_s: z
          .number()
          .int()
          .min(1)
          .max(MAX_SECONDS)
          .optional()
          .describe(`Seconds for which the address works. Default ${USUAL_SECONDS}, at most ${MAX_SECONDS}.`),
      }),
    output: () => z.looseObject({ url: z.string(), expires: z.string(), key: z.string(), store: z.string() }),
    access: (input) => [
      ...(input.path === undefined ? [] : [{ path: input.path, mode: "read" } as const]),
      // An address gives away what it is of, which is more than reading it.
      objectTarget(findBucket(settings, input), keyOf(input), "write"),
    ],
    async preview(input, ctx) {
      const place = findBucket(settings, input);
      const said = await showShare(ctx, place, input);
      if (said.sha256 !== undefined) remember(shown, JSON.stringify(input), said.sha256);
      return said.proposal;
    },
    run: async (input, ctx) => await share(ctx, findBucket(settings, input), input, shown.get(JSON.stringify(input))),
  });
}

/** What a person is shown, and the hash of the file that is shown. */
async function showShare(
  ctx: Uploading,
  place: BucketPlace,
  input: ShareInput,
): Promise<{ readonly proposal: LocalProposal; readonly sha256?: string }> {
  const { path, expires_s = USUAL_SECONDS } = input;
  const key = keyOf(input);
  const name = nameObject(place, key);
  const lasts = `the address works for ${expires_s} seconds, for whoever has it`;
  if (path === undefined) {
    const there = await headObject(ctx, place, key);
    if (!there) throw notThere(name);
    const lines = [`object: ${name} at ${place.store.endpoint}`, `bytes: ${there.size}`, `etag: ${there.etag}`, lasts];
    const summary = `Share ${name} by an address, which cannot be undone`;
    return { proposal: { summary, diff: lines.join("\n"), paths: [] } };
  }
  const { sha256: hash, lines } = await showUpload(ctx, { place, path, key });
  const summary = `Write the file "${path}" to ${name} and share it by an address, which cannot be undone`;
  return { proposal: { summary, diff: [...lines, lasts].join("\n"), paths: [] }, sha256: hash };
}

async function share(
  ctx: Uploading,
  place: BucketPlace,
  input: ShareInput,
  shown: string | undefined,
): Promise<ToolResult> {
  const { path, expires_s: seconds = USUAL_SECONDS } = input;
  const key = keyOf(input);
  const name = nameObject(place, key);
  const { url, credential } = requestOf(place, { key });
  if (credential === undefined)
    throw new Failure("unsupported", `Cannot share "${name}": the store has no credentials to sign with`, {
      hint: `Whoever runs this host can name them in packs.objects.stores.${place.alias}.credentials.`,
    });
  const sent = path === undefined ? {} : await sendUpload(ctx, { place, path, key }, shown);
  const signed = await ctx.http.presign({ url, method: "GET", credential, seconds });
  const expires = isoTime(nowMs() + seconds * 1000);
  const facts = { url: signed, url_sha256: sha256(signed), expires, key, store: place.alias, bucket: place.bucket };
  return {
    text: `${signed}\n\nWhoever has this address can read ${name} until ${expires}.`,
    structured: { ...facts, ...sent },
    isForCaller: true,
  };
}

function keyOf({ path, key }: ShareInput): string {
  if (key !== undefined) return key;
  if (path === undefined) throw new Failure("invalid_input", 'Cannot call "object_share": give path or key');
  return `shared/${path.slice(path.lastIndexOf("/") + 1)}`;
}

function notThere(name: string): Failure {
  return new Failure("not_found", `Cannot share "${name}": there is no such object`, {
    hint: "object_list shows what there is.",
  });
}
