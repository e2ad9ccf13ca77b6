/**
 * The scoper without a host: where a path leads, if that is inside the roots. For a program that opens files by itself and
 * wants to be held to the same rule as the tools.
 */
import { resolveNew, Scope } from "../scope/index.ts";

/**
 * The canonical absolute path, with links followed. A relative path begins at the first root. What does not exist yet is
 * named below its deepest ancestor that does.
 *
 * The path is checked at this moment: another process can move things before you open it. A tool that reads through its
 * context has no such gap.
 *
 * @param roots directories, relative ones from the working directory of the process
 * @throws Failure `outside_scope` for what leads out of the roots, `not_found` for a root that does not exist, for a link that
 *   leads nowhere, and below a file
 * @example await resolveWithinRoots("notes/new.txt", ["/srv/project"]); // "/srv/project/notes/new.txt"
 */
export async function resolveWithinRoots(path: string, roots: readonly string[]): Promise<string> {
  using scope = new Scope({ roots: roots.map((root) => ({ path: root, readOnly: false })) });
  return await Promise.resolve(scope.absolute(resolveNew(scope, scope.locate(path, "resolve"), "resolve")));
}
