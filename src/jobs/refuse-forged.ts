/**
 * Whether a stored proposal does what it shows. The state folder can be written by a host that was taken over, and what a
 * person approved are the paths and hashes in `files`; so nothing else may be touched, and no other content be written.
 */
import { Failure, sha256 } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { placeNames, type Sealed } from "../txn/index.ts";

/** @throws Failure `conflict` */
export function refuseForged(
  id: string,
  sealed: Sealed,
  scope: Scope,
  content: (index: number) => Uint8Array,
): void {
  const shown = new Set(
    sealed.files.flatMap(({ path, absolute, source }) => [path, absolute, source ?? absolute]),
  );
  for (const step of sealed.steps) {
    for (const names of placeNames(scope, step))
      if (!names.some((name) => shown.has(name)))
        throw forged(id, `it touches "${names[0]}", which it does not show`);
    if (step.op !== "put") continue;
    const [names = []] = placeNames(scope, step);
    const hash = sha256(content(step.content));
    if (
      !sealed.files.some(
        (file) => file.hash === hash && (names.includes(file.path) || names.includes(file.absolute)),
      )
    )
      throw forged(id, `the content for "${names[0]}" is not what it shows`);
  }
}

function forged(id: string, why: string): Failure {
  return new Failure("conflict", `Cannot apply the proposal "${id}": ${why}`, {
    hint: "Somebody has changed it in the state folder. Reject it, and find out who.",
  });
}
