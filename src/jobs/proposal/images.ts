/**
 * The images that a proposal makes or replaces, for a surface that can show them: the bytes that would be written, and those that
 * the proposal builds on. What an image is, its first bytes say, and never its name; SVG is no image here, because it can
 * refer to others and run scripts.
 *
 * Old bytes are believed only when they have the hash that the proposal builds on, whether they were kept or are on the disk.
 */
import { parseLabel } from "../../approval/index.ts";
import type { ImageBytes, ProposalImage } from "../../calls/index.ts";
import { sha256 } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { sniffType } from "../../text/index.ts";
import { locatedFrom } from "../../txn/index.ts";
import type { ChangeBench } from "../change/change-bench.ts";
import { bytesAt, oldOf } from "./compare.ts";
import { contentsOf, hashesOf, readable, stepsOf } from "./preview.ts";
import { otherDigest } from "./refuse.ts";
import { digestOf, madeIn } from "./proposal.ts";

/** The largest image; a browser shows it as text of a third more. */
const MAX_IMAGE_BYTES: number = 4 * 1024 * 1024;
/** What all images of a proposal may have; those come first that stand first. */
const MAX_ALL_BYTES: number = 16 * 1024 * 1024;
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const HEAD_BYTES = 4096;

/** @throws Failure `conflict` for another digest */
export function imagesOfProposal(
  { id: given }: { readonly id: string },
  bench: ChangeBench,
  job: JobContext,
): readonly ProposalImage[] {
  const { id, digest } = parseLabel(given);
  const proposal = bench.store.get(id);
  return readable(proposal, () => {
    const content = contentsOf(proposal, bench);
    if (digest !== undefined && digestOf(proposal, hashesOf(content)) !== digest) throw otherDigest(id, digest, bench);
    const scope = bench.scopeOf(madeIn(proposal));
    let left = MAX_ALL_BYTES;
    const shown = (bytes: Uint8Array | undefined): ImageBytes | undefined => {
      const image = bytes && bytes.length <= left ? imageOf(bytes) : undefined;
      if (bytes && image) left -= bytes.length;
      return image;
    };
    return stepsOf(proposal).flatMap((step, index): ProposalImage[] => {
      if (step.follows || (step.op !== "put" && step.op !== "remove") || step.before.kind === "directory") return [];
      const { before: was } = step;
      const kept = step.op === "put" ? oldOf(proposal, step, index, bench) : undefined;
      const onDisk = (): Uint8Array | undefined => {
        const bytes = was.kind === "file" && was.size <= MAX_IMAGE_BYTES ? bytesAt(step, scope, job) : undefined;
        return bytes && was.kind === "file" && sha256(bytes) === was.hash ? bytes : undefined;
      };
      const [before, after] = [shown(kept ?? onDisk()), step.op === "put" ? shown(content(step.content)) : undefined];
      if (!before && !after) return [];
      const path = scope.show(locatedFrom(scope, step.at));
      return [{ path, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
    });
  });
}

function imageOf(bytes: Uint8Array): ImageBytes | undefined {
  if (bytes.length > MAX_IMAGE_BYTES) return undefined;
  const { mime } = sniffType(bytes.subarray(0, HEAD_BYTES), "");
  if (!IMAGE_TYPES.has(mime)) return undefined;
  return { type: mime, size: bytes.length, base64: Buffer.from(bytes).toString("base64") };
}
