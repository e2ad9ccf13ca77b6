/**
 * A path without links on its way is what it says: what was decided on its words need not be asked of the open object,
 * which costs two more calls to the system. Most paths are such.
 *
 * Only where the kernel refuses links itself; elsewhere the name of an object may differ from the one it was opened by.
 */
import type { Backend, Landed, Way } from "./backend.ts";

/** Empty names, `.` and `..`: not the path that is compared with rules. */
const INEXACT = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** `undefined` for a link on the way, and for whatever else keeps it from being opened: the long way says what. */
export function openExact(backend: Backend, way: Way, flags: number): Landed | undefined {
  if (backend.kind !== "handle" || INEXACT.test(way.rel)) return undefined;
  try {
    return backend.open({ ...way, links: "refuse" }, flags);
  } catch {
    return undefined;
  }
}
