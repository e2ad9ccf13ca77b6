/**
 * Which backend holds the scope: openat2 where the kernel offers it, else the portable one. The choice is made once a
 * thread and reported by `doctor` and `system_info`.
 */
import { Failure } from "../base/index.ts";
import type { Backend } from "./backend.ts";
import { createHandleBackend } from "./handle-backend.ts";
import { loadOpenat2, type Openat2 } from "./openat2.ts";
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
