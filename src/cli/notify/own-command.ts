/**
 * How this program is started again, by a service or in another window: the executable by its absolute path, and from source the
 * runtime with the entry point.
 */
import { BUILD } from "../../config/index.ts";

export function ownCommand(): readonly string[] {
  return BUILD.target === "source" ? [process.execPath, Bun.main] : [process.execPath];
}
