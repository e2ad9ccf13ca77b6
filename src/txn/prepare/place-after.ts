/**
 * The place that a path means after the earlier changes of a set: name by name through the overlay, because a directory
 * on the way may have been made, moved or taken away by one of them. Links on the way are followed by the disk.
 *
 * The commit resolves every step again through the kernel; this only decides what is shown, and refuses early.
 */
import { Failure } from "../../base/index.ts";
import { quotable, type Located } from "../../scope/index.ts";
import { followLink, look } from "./look.ts";
import type { Sealing } from "./context.ts";

/** @throws Failure for a path through something that is no directory, out of the roots, or under a deny rule */
export function placeAfter(ctx: Sealing, asked: Located, verb: string): Located {
  const names = asked.rel === "" ? [] : asked.rel.split("/");
  let way: Way = { at: { ...asked, rel: "" }, isMissing: false };
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (name === "..") way = { at: parentOf(ctx, way, asked, verb), isMissing: false };
    else way = step(ctx, way, name, { asked, verb, isLast });
  }
  if (way.isMissing && names.includes("..")) throw missingOnTheWay(asked, verb);
  // A root has no place of its own: this is refused there, with the reason.
  if (way.at.rel === "" || ctx.scope.isAtop(way.at)) ctx.scope.place(way.at, verb)[Symbol.dispose]();
  return way.at;
}

interface Way {
  readonly at: Located;
  /** Nothing is there, so nothing is below. */
  readonly isMissing: boolean;
}

interface Walk {
  readonly asked: Located;
  readonly verb: string;
  readonly isLast: boolean;
}

function step(ctx: Sealing, way: Way, name: string, { asked, verb, isLast }: Walk): Way {
  const rel = way.at.rel === "" ? name : `${way.at.rel}/${name}`;
  const at = ctx.scope.innermost({ ...way.at, rel });
  if (ctx.scope.denies(at))
    throw new Failure(
      "denied",
      `Cannot ${verb} "${quotable(asked.asked)}": a deny rule of this host covers it`,
    );
  // A root inside another one is there as long as it is open, and is no link.
  if (at.rel === "") return { at, isMissing: false };
  if (way.isMissing || isLast || ctx.scope.isAtop(at)) return { at, isMissing: way.isMissing };
  const found = look(ctx, at, verb, {});
  if (found.before.kind === "absent") return { at, isMissing: true };
  if (found.before.kind === "directory") return { at, isMissing: false };
  if (found.before.kind !== "symlink") throw notDirectory(ctx, at, asked, verb);
  const real = followLink(ctx, at, found, verb, asked.asked);
  if (real.rel !== "" && !ctx.scope.isAtop(real) && look(ctx, real, verb, {}).before.kind !== "directory")
    throw notDirectory(ctx, real, asked, verb);
  return { at: real, isMissing: false };
}

/** Every directory on the way is where it really is, so its parent is the name before. */
function parentOf(ctx: Sealing, { at, isMissing }: Way, asked: Located, verb: string): Located {
  if (isMissing) throw missingOnTheWay(asked, verb);
  const { root, rel } = at.rel === "" ? inAskedRoot(ctx, at, asked) : at;
  if (rel === "")
    throw new Failure("outside_scope", `Cannot ${verb} "${quotable(asked.asked)}": it is outside the roots`);
  return ctx.scope.innermost({ ...at, root, rel: rel.slice(0, Math.max(0, rel.lastIndexOf("/"))) });
}

/** A root that was come to from another one, by the path that it has there. */
function inAskedRoot(ctx: Sealing, at: Located, { root }: Located): Located {
  const outer = `${root.handle.canonical}/`;
  const path = ctx.scope.absolute(at);
  return path.startsWith(outer) ? { ...at, root, rel: path.slice(outer.length) } : at;
}

function missingOnTheWay(asked: Located, verb: string): Failure {
  return new Failure(
    "not_found",
    `Cannot ${verb} "${quotable(asked.asked)}": a directory on the way is missing`,
  );
}

function notDirectory(ctx: Sealing, at: Located, asked: Located, verb: string): Failure {
  return new Failure(
    "not_found",
    `Cannot ${verb} "${quotable(asked.asked)}": "${ctx.scope.show(at)}" is not a directory`,
  );
}
