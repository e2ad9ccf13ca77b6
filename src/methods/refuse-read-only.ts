/**
 * What a host that only reads has no tool for, none of its methods does either: its state folder may hold the changes and the
 * proposals of a host that could write. Whatever changes files of the roots, or lets another host change them, asks here first.
 */
import { Failure } from "../base/index.ts";
import type { Services } from "../pipeline/index.ts";

/** @param what completes "Cannot ...". @throws Failure `denied` */
export function refuseReadOnly({ config }: Services, what: string): void {
  if (!config.readOnly) return;
  throw new Failure("denied", `Cannot ${what}: this host only reads (read_only)`, {
    hint: "A host that may write can do it: one without --read-only, and without read_only in its configuration.",
  });
}
