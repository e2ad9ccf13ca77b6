/**
 * Files with several names in one change set. A set is prepared place by place: what one change writes in place by one name
 * of a file, the next would not find under another. And what is displaced is kept as a second name of it, into which that
 * writing goes too, so that no undo could bring the old content back. Such a set is refused while it is prepared.
 */
import type { BigIntStats } from "node:fs";
import { Failure } from "../base/index.ts";
import { type Located, quotable, type Scope } from "../scope/index.ts";

/** One of the names of a file that has several, as the disk has it before the set. */
export interface SharedName {
  readonly inode: string;
  readonly absolute: string;
  readonly shown: string;
}

/** @returns nothing for what has one name only */
export function sharedNames(scope: Scope, at: Located | undefined, stat: BigIntStats | undefined): SharedName[] {
  if (!at || !stat?.isFile() || stat.nlink < 2n) return [];
  return [{ inode: `${stat.dev}:${stat.ino}`, absolute: scope.absolute(at), shown: scope.show(at) }];
}

interface SharedUse {
  readonly names: readonly SharedName[];
  readonly inPlace: boolean;
}

export interface SharedFiles {
  /** @throws Failure `conflict` where another name of a file is in use, and one of the two is written in place */
  refuse(use: SharedUse, verb: string, shown: string): void;
  note(use: SharedUse): void;
}

export function createSharedFiles(): SharedFiles {
  const names = new Map<string, Map<string, SharedName>>();
  const written = new Map<string, SharedName>();
  return {
    refuse(use, verb, shown) {
      for (const { inode, absolute, shown: own } of use.names) {
        const inTheWay = use.inPlace ? [...(names.get(inode)?.values() ?? [])] : [written.get(inode)];
        const other = inTheWay.find((one) => one && one.absolute !== absolute);
        if (!other) continue;
        const both = `"${quotable(own)}" and "${quotable(other.shown)}" are names of one file`;
        throw new Failure(
          "conflict",
          `Cannot ${verb} "${quotable(shown)}": ${both}, which one of the operations writes in place`,
          { hint: "Nothing was changed. Make the two changes in two calls." },
        );
      }
    },
    note(use) {
      for (const name of use.names) {
        const { inode, absolute } = name;
        names.set(inode, (names.get(inode) ?? new Map<string, SharedName>()).set(absolute, name));
        if (use.inPlace) written.set(inode, name);
      }
    },
  };
}
