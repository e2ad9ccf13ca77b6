/**
 * What is said of an object that a change takes, replaces or makes: its kind, size, mode, and where a link leads.
 */
import { readlinkSync } from "node:fs";
import type { ObjectFacts } from "../../approval/index.ts";
import { nameFromBytes, type Located, type Scope } from "../../scope/index.ts";
import type { Looked } from "./look.ts";
import type { Before } from "../model.ts";

/** @returns nothing for what is not there */
export function factsOf(before: Before): ObjectFacts | undefined {
  if (before.kind === "absent") return undefined;
  const { kind, size, mode } = before;
  return { kind, mode, ...(kind === "file" ? { size } : {}) };
}

/** With what lies in a directory, and where a link leads. @param inside of a directory */
export function lookedFacts(
  { before, origin }: Looked,
  scope: Scope,
  inside: { readonly entries: number; readonly bytes: number },
): ObjectFacts | undefined {
  const facts = factsOf(before);
  if (facts?.kind === "directory") return { ...facts, entries: inside.entries, size: inside.bytes };
  if (facts?.kind !== "symlink" || !origin) return facts;
  const target = targetOf(scope, origin);
  return target === undefined ? facts : { ...facts, target };
}

/** As the system makes it for this process. */
export function newFileMode(): number {
  return 0o666 & ~process.umask();
}

export function newDirectory(): ObjectFacts {
  return { kind: "directory", mode: 0o777 & ~process.umask() };
}

function targetOf(scope: Scope, at: Located): string | undefined {
  try {
    using place = scope.place(at, "look at");
    return nameFromBytes(readlinkSync(place.entry, { encoding: "buffer" }));
  } catch {
    // It was replaced meanwhile, which applying it will say.
    return undefined;
  }
}
