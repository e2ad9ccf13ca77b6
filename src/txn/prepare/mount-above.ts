/**
 * On which mount an object lies, or will lie: that of the nearest directory above it that is there. What a rename can
 * reach has the same one.
 */
import { mountOf, type Located, type Scope } from "../../scope/index.ts";

/** `undefined` when not even its root can be opened. */
export function mountAbove(scope: Scope, at: Located): string | undefined {
  for (let { rel } = at; rel !== "";) {
    rel = rel.slice(0, Math.max(0, rel.lastIndexOf("/")));
    using directory = scope.tryDirectory({ ...at, rel, mustBeDirectory: true });
    if (directory) return mountOf(directory);
  }
  return undefined;
}
