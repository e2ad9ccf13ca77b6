/**
 * What a file that is moved or copied makes of the one that it replaces, as a diff for whoever approves it. Nobody has asked to read
 * either of them, so an answer to a caller has no such diff.
 */
import { limits } from "../../base/index.ts";
import type { FileChange } from "../../approval/index.ts";
import { describeContent } from "./describe.ts";
import { inspect } from "../inspect.ts";
import { shownTarget } from "./part.ts";
import type { Sealing } from "./context.ts";
import type { Target } from "./target.ts";

export function replacedDiff(
  source: Target,
  target: Target,
  ctx: Sealing,
): Pick<FileChange, "replaced_diff"> {
  if (!ctx.forPeople || source.before.kind !== "file" || target.before.kind !== "file") return {};
  const [before, after] = [target, source].map((one) => contentOf(one, ctx));
  if (!before || !after) return {};
  const { legacyEncoding: legacy, diffContext: context } = ctx;
  const shown = shownTarget(target, ctx);
  const { diff } = describeContent(shown, before, after, { legacy, context, maxBytes: Infinity });
  return diff === undefined ? {} : { replaced_diff: diff };
}

/** What cannot be read is named all the same. */
function contentOf({ at, origin }: Target, ctx: Sealing): Uint8Array | undefined {
  const standing = origin ? undefined : ctx.overlay.nearest(at)?.standing;
  if (standing?.kind === "file") return standing.bytes;
  try {
    const options = { cancel: ctx.cancel, maxBytes: limits.MAX_EDIT_FILE_BYTES };
    return inspect(ctx.scope, origin ?? at, "show", options).bytes;
  } catch {
    return undefined;
  }
}
