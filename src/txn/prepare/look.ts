/**
 * What stands at a place after the earlier changes of the set: `inspect`, through the overlay. What is found there by an
 * earlier change `follows`; what that was made from on the disk is relied on, and checked before the first step.
 *
 * Invariant: links are followed on the disk only where the set has changed nothing that a link could lead through.
 */
import { Failure, sha256 } from "../../base/index.ts";
import { errnoOf, quotable, type Located } from "../../scope/index.ts";
import { inspect, type Inspected, type InspectOptions } from "../inspect.ts";
import type { Mergeable, OverlayEntry, Standing } from "./overlay.ts";
import type { Before, Reliance } from "../model.ts";
import { sealedPath, type Sealing } from "./context.ts";
import { sizeOnly } from "../fingerprint.ts";

export interface Looked extends Inspected {
  /** An earlier change of the set has made it so. */
  readonly follows?: true;
  readonly relies?: readonly Reliance[];
  /** Where the object lies on the disk; absent for what only the set has made. */
  readonly origin?: Located;
  readonly merge?: Mergeable;
}

export type LookOptions = Omit<InspectOptions, "cancel">;

/** @param at a place without links on its way */
export function look(ctx: Sealing, at: Located, verb: string, options: LookOptions): Looked {
  const entry = ctx.overlay.nearest(at);
  if (entry) return lookThrough(ctx, entry, at, verb, options);
  const found = inspect(ctx.scope, at, verb, { cancel: ctx.cancel, ...options });
  const isChangedBelow = found.before.kind === "directory" && ctx.overlay.below(at).length > 0;
  if (!isChangedBelow) return { ...found, origin: at };
  const relies = options.deep ? [{ at: sealedPath(at), before: found.before }] : [];
  return { ...found, origin: at, follows: true, relies };
}

/** The standing of a place of its own, for what moves or is copied with it. */
export function standingOf({ origin, stat, before }: Looked, own: Standing | undefined): Standing {
  if (!origin) return own ?? { kind: "absent" };
  return {
    kind: "disk",
    from: origin,
    isCopy: stat === undefined,
    ...(before.kind === "file" ? { mode: before.mode } : {}),
  };
}

/** The same in the place of a file that it replaces as a copy: that keeps what it has besides its content. */
export function standingOver(standing: Standing, replaced: Before): Standing {
  if (replaced.kind !== "file") return standing;
  const { mode } = replaced;
  if (standing.kind === "disk" && standing.mode !== undefined) return { ...standing, mode };
  return standing.kind === "file" && standing.before.kind === "file"
    ? { ...standing, before: { ...standing.before, mode } }
    : standing;
}

function lookThrough(
  ctx: Sealing,
  { at: above, standing }: OverlayEntry,
  at: Located,
  verb: string,
  options: LookOptions,
): Looked {
  const rest = ctx.scope.absolute(at).slice(ctx.scope.absolute(above).length);
  switch (standing.kind) {
    case "absent":
      return ABSENT;
    case "directory":
      if (rest === "") return { before: NEW_DIRECTORY, follows: true };
      // Whichever file comes first makes the directory, so this one needs no earlier step.
      return standing.isImplied ? { before: { kind: "absent" } } : ABSENT;
    case "file": {
      if (rest !== "") return ABSENT;
      refuseTooLarge(ctx, standing.bytes, at, verb, options);
      const { bytes, before, merge } = standing;
      return { before, bytes, follows: true, ...(merge ? { merge } : {}) };
    }
    case "disk": {
      const origin = ctx.scope.innermost({ ...standing.from, rel: standing.from.rel + rest });
      const { stat, ...found } = inspect(ctx.scope, origin, verb, { cancel: ctx.cancel, ...options });
      const relies = isRelied(found.before) ? [{ at: sealedPath(origin), before: found.before }] : [];
      // The inode of a copy is another one than that of its origin; so is that of what was moved to another mount.
      const before = withMode(sizeOnly(found.before), rest === "" ? standing.mode : undefined);
      return {
        ...found,
        before,
        ...(stat && !standing.isCopy ? { stat } : {}),
        origin,
        follows: true,
        relies,
      };
    }
  }
}

function withMode(before: Before, mode: number | undefined): Before {
  return before.kind === "file" && mode !== undefined ? { ...before, mode } : before;
}

const ABSENT: Looked = { before: { kind: "absent" }, follows: true };
const NEW_DIRECTORY: Before = { kind: "directory", hash: "", size: 0, mode: 0o755, links: 0 };

/** A directory that was only looked at in passing has no hash that could differ. */
function isRelied(before: Before): boolean {
  return before.kind === "absent" || before.kind !== "directory" || before.hash !== "";
}

function refuseTooLarge(
  ctx: Sealing,
  bytes: Uint8Array,
  at: Located,
  verb: string,
  { maxBytes }: LookOptions,
): void {
  if (maxBytes === undefined || bytes.length <= maxBytes) return;
  throw new Failure(
    "too_large",
    `Cannot ${verb} "${ctx.scope.show(at)}": it has ${bytes.length} bytes, and ${maxBytes} is the most that can be held`,
  );
}

/** What a file will be once its new content stands there. */
export function beforeOf(bytes: Uint8Array, old: Before, mode: number | undefined): Before {
  const kept = old.kind === "file" ? old.mode : 0o644;
  return { kind: "file", hash: sha256(bytes), size: bytes.length, mode: mode ?? kept, links: 1 };
}

/**
 * The object behind a link, by the disk.
 * @throws Failure `denied` for a link that leads nowhere, and where the set has changed what links lead through
 */
export function followLink(ctx: Sealing, at: Located, link: Looked, verb: string, path: string): Located {
  if (link.follows || ctx.overlay.hasDisplaced) throw unsafeLink(ctx, at, verb, path);
  let real: Located;
  try {
    real = ctx.scope.innermost(ctx.scope.resolve(at, verb));
  } catch (thrown) {
    const missing = thrown instanceof Failure ? thrown.code === "not_found" : errnoOf(thrown) === "ENOENT";
    if (!missing) throw thrown;
    throw danglingLink(verb, path);
  }
  // An operation has put a link where the file was that this one leads to.
  const isLinkNow = ctx.overlay.nearest(real) && look(ctx, real, verb, {}).before.kind === "symlink";
  if (isLinkNow) throw unsafeLink(ctx, at, verb, path);
  return real;
}

function unsafeLink(ctx: Sealing, at: Located, verb: string, path: string): Failure {
  return new Failure(
    "denied",
    `Cannot ${verb} "${quotable(path)}": it leads through the link "${ctx.scope.show(at)}", and an earlier operation moved, made or removed a link or a directory`,
    { hint: "Give the path without the link, or make these changes one after the other.", retry: "changed" },
  );
}

export function danglingLink(verb: string, path: string): Failure {
  return new Failure(
    "denied",
    `Cannot ${verb} "${quotable(path)}": it is a link to something that does not exist`,
    { hint: "Delete the link first, or create the file that it points to.", retry: "changed" },
  );
}
