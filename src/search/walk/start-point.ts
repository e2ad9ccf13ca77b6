/**
 * Where a search starts: the caller's path with links resolved once, because the walk itself refuses links, and what the
 * caller names is meant even when it is one.
 */
import { Failure } from "../../base/index.ts";
import type { Located } from "../../scope/index.ts";
import type { SearchContext } from "../context.ts";

/** @throws Failure `not_found`, `outside_scope`, `denied`, `invalid_input` when it is not a directory */
export function startDirectory(ctx: SearchContext, path: string | undefined, verb: string): Located {
  const start = startAnywhere(ctx, path, verb);
  if (!start.isFile) return start.at;
  throw new Failure(
    "invalid_input",
    `Cannot ${verb} "${ctx.scope.show(start.at)}": it is a file, not a directory`,
    {
      hint: "Give the directory that holds it, or read the file.",
    },
  );
}

export function startAnywhere(
  ctx: SearchContext,
  path: string | undefined,
  verb: string,
): { at: Located; isFile: boolean } {
  const asked = ctx.scope.locate(path ?? ".", verb);
  const at = asked.rel === "" ? asked : ctx.scope.resolve(asked, verb);
  if (at.rel === "") {
    // A root that was removed or replaced is a failure, not an empty one.
    ctx.scope.openDirectory(at, verb)[Symbol.dispose]();
    return { at, isFile: false };
  }
  const opened = ctx.scope.tryDirectory(at);
  if (!opened) return { at: readableFile(ctx, at, verb), isFile: true };
  opened[Symbol.dispose]();
  return { at, isFile: false };
}

function readableFile(ctx: SearchContext, at: Located, verb: string): Located {
  ctx.scope.openFile(at, verb)[Symbol.dispose]();
  return at;
}
