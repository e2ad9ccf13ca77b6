/**
 * Where a path leads, for comparing places. What may be reached is decided by the scope, where a path is opened.
 */
import { realpathSync } from "node:fs";

/** Without links; the path itself where it leads nowhere. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
