/**
 * Which backend holds the scope: openat2 where the kernel offers it, else the portable one. The choice is made once a
 * thread and reported by `doctor` and `system_info`.
 */
import { Failure } from "../../base/index.ts";
import { loadOpenat2, type Openat2 } from "../../sys/index.ts";
import type { Backend, Landed, Way } from "./backend.ts";
import { createHandleBackend } from "./handle-backend.ts";
import { createPortableBackend } from "./portable-backend.ts";

/** `auto` takes the handle backend where it works; `portable` is for tests of the other platforms' way. */
export type Containment = "auto" | "handle" | "portable";

let openat2: Openat2 | undefined | "unknown" = "unknown";

/** @throws Failure `unsupported` when `handle` is asked and the system cannot */
export function chooseBackend(containment: Containment): Backend {
  if (containment === "portable") return createPortableBackend();
  if (openat2 === "unknown") openat2 = loadOpenat2();
  if (openat2) return createHandleBackend(openat2);
  if (containment === "auto") return createPortableBackend();
  throw new Failure("unsupported", "Cannot hold paths by handle: this system has no openat2", {
    hint: "Leave --containment out to use the portable way, whose gaps SECURITY.md lists.",
  });
}

/** Empty names, `.` and `..`: not the path that is compared with rules. */
const INEXACT = /(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * Opens a path that has no link on its way: such a path is what it says, so what was decided on its words need not be asked
 * of the open object, which costs two more system calls. Most paths are such. Only the handle backend can tell: elsewhere
 * the name of an object may differ from the one it was opened by.
 *
 * @returns `undefined` for a link on the way, and for whatever else keeps it from being opened: the long way says what
 */
export function openExact(backend: Backend, way: Way, flags: number): Landed | undefined {
  if (backend.kind !== "handle" || INEXACT.test(way.rel)) return undefined;
  try {
    return backend.open({ ...way, links: "refuse" }, flags);
  } catch {
    return undefined;
  }
}
