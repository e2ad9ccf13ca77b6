/**
 * Paths below a root that do not exist for any tool: the operator's `--deny` globs and the state folder when it lies
 * inside a root. A pattern that matches a directory denies everything below it, and holds for paths that do not exist.
 *
 * Patterns match names that begin with a dot too, are relative to each root, and are compared without case, because a
 * file system may fold it. What would take too long to find out is denied.
 */
import { compilePattern, foldText } from "../pattern/index.ts";

export interface DenyRules {
  readonly active: boolean;
  /** Whether the path below the root (links resolved), or any directory above it, is denied. */
  denies(rel: string): boolean;
}

/** @param paths denied as they stand, with what lies below them */
export function createDenyRules(globs: readonly string[], paths: readonly string[] = []): DenyRules {
  if (globs.length === 0 && paths.length === 0) return { active: false, denies: () => false };
  const options = { dot: true, ignoreCase: true, whenTooLong: true };
  const patterns = globs.map((glob) => compilePattern(glob, options));
  const tops = paths.map((path) => `${foldText(path)}/`);
  return {
    active: true,
    denies: (rel) =>
      patterns.some((pattern) => pattern.matchesAtOrAbove(rel)) ||
      (tops.length > 0 && isBelow(`${foldText(rel)}/`, tops)),
  };
}

function isBelow(folded: string, tops: readonly string[]): boolean {
  return tops.some((top) => folded.startsWith(top));
}
