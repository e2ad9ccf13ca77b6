/**
 * The hunks and the mode that a patch has for one file, placed on the file as it is after the changes before.
 */
import { limits } from "../../base/index.ts";
import { applyHunks, type Hunk } from "../../text/index.ts";
import { encodeOrFail } from "./new-content.ts";
import { hunkFailure } from "./patch-failure.ts";
import { noteThere } from "./patch-repeated.ts";
import { refuseObject, sealBytes, unchanged } from "./put.ts";
import { existingText, refuseStale, SAME_TEXT } from "./content.ts";
import type { SealedPart } from "./part.ts";
import type { Before } from "../model.ts";
import type { Sealing } from "./context.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";

/** A part, and whether it shows that the patch was applied before. */
export interface PatchedPart extends SealedPart {
  readonly isEvidence?: boolean;
}

interface HunksOf {
  readonly file: { readonly hunks: readonly Hunk[]; readonly mode?: "100644" | "100755" };
  readonly path: string;
  readonly ifHash: string | undefined;
}

/** @throws Failure with every hunk that has no place */
export function sealHunks({ file, path, ifHash }: HunksOf, ctx: Sealing): PatchedPart {
  if (file.hunks.length === 0) return sealModeOnly(file.mode, path, ifHash, ctx);
  const target = existingText({ path, ifHash }, ctx, "patch");
  const { text, encoding } = target.decoded;
  const result = applyHunks(text, file.hunks);
  if (result.kind === "failed") throw hunkFailure(path, result.hunks);
  const mode = modeOf(file.mode, target.before);
  const isSame = result.kind === "unchanged";
  const isEvidence = isSame ? result.reason === "already_applied" : result.isPartly === true;
  if (isSame && mode === undefined)
    return isEvidence ? { ...noteThere(target, ctx), isEvidence } : unchanged(target, ctx, SAME_TEXT);
  const bytes = isSame ? bytesOf(target) : encodeOrFail(result.text, encoding, path, "patch");
  const part = sealBytes(target, bytes, ctx, { operation: "edit", mode });
  const tolerances = isSame ? [] : result.tolerances;
  return {
    ...part,
    warnings: [...tolerances, ...part.warnings],
    tolerant: tolerances.length > 0,
    isEvidence,
  };
}

function sealModeOnly(
  wanted: "100644" | "100755" | undefined,
  path: string,
  ifHash: string | undefined,
  ctx: Sealing,
): SealedPart {
  const target = findTarget(ctx, path, "patch", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  refuseMissing(ctx, target, path, "patch");
  refuseObject(target, "patch", ctx);
  refuseStale(target, ifHash, path, "patch");
  const mode = modeOf(wanted, target.before);
  return sealBytes(target, bytesOf(target), ctx, { operation: "edit", mode });
}

function bytesOf(target: Target): Uint8Array {
  return target.bytes ?? new Uint8Array();
}

/** Who may read it may then execute it; `undefined` when the file is so already. */
function modeOf(wanted: "100644" | "100755" | undefined, before: Before): number | undefined {
  if (wanted === undefined || before.kind !== "file") return undefined;
  const mode = wanted === "100755" ? executable(before) : before.mode & ~0o111;
  return mode === before.mode ? undefined : mode;
}

export function executable(before: Before): number {
  return before.kind === "file" ? before.mode | ((before.mode & 0o444) >> 2) : 0o755;
}
