/**
 * Which directories the roots are, so that another one at the path of a root is not taken for it: also when the machine was
 * started again since, and its devices have other numbers.
 */
import { statSync } from "node:fs";
import { fsName, type Scope } from "../../scope/index.ts";
import type { Identity } from "./plan.ts";

export interface RootIdentity extends Identity {
  /** When it was made; "0" where the file system does not know. */
  readonly born: string;
}

export function rootIdentities(scope: Scope): RootIdentity[] {
  return scope.roots.map(({ handle: { dev, ino, path } }) => {
    const born = String(statSync(fsName(`${path}/.`), { bigint: true }).birthtimeNs);
    return { dev: String(dev), ino: String(ino), born };
  });
}

/** What they were, and what they are now. */
export function areSameRoots(was: readonly RootIdentity[], now: readonly RootIdentity[]): boolean {
  return was.length === now.length && was.every((one, at) => isSameRoot(one, now[at]));
}

/** The lines of a journal with the numbers that the devices of the roots have now. */
export function withDevicesOf<T>(
  records: readonly T[],
  was: readonly RootIdentity[],
  now: readonly RootIdentity[],
): readonly T[] {
  const numbers = new Map(was.map(({ dev }, at) => [dev, now[at]?.dev ?? dev]));
  if ([...numbers].every(([old, number]) => old === number)) return records;
  // Text in a string has its quotes escaped, so this is always a member.
  const text = JSON.stringify(records).replaceAll(
    /"dev":"(\d+)"/g,
    (_member, dev: string) => `"dev":"${numbers.get(dev) ?? dev}"`,
  );
  return JSON.parse(text) as T[];
}

function isSameRoot(was: RootIdentity, now: RootIdentity | undefined): boolean {
  if (!now || was.ino !== now.ino) return false;
  return was.dev === now.dev || (was.born === now.born && was.born !== "0");
}
