/**
 * What a transaction will do, in the form that the journal keeps: every act, every name that is used on the way, and
 * which roots it is about.
 */
import { sha256 } from "../../base/index.ts";
import { planActs, type Act } from "./plan.ts";
import type { Disk } from "./disk.ts";
import type { KnownDirectory } from "./held-places.ts";
import type { About, AnswerToKeep, JournalBegin } from "../records.ts";
import { hashOfKept } from "../inspect.ts";
import { mountAbove } from "../prepare/mount-above.ts";
import { rootIdentities } from "./root-identity.ts";
import type { Sealed } from "../model.ts";
import { missingParents, type Contents } from "./stage.ts";
import { locatedFrom } from "../prepare/target.ts";

export interface Plan {
  readonly contents: Contents;
  /** What repeats of the call are answered with. */
  readonly answer: AnswerToKeep | undefined;
  /** In which it works, as long as it knows them. */
  readonly directories: readonly KnownDirectory[];
}

export function planTransaction(
  disk: Disk,
  sealed: Sealed,
  about: About,
  { contents, answer, directories }: Plan,
): JournalBegin {
  const acts = planActs(sealed.steps, disk.transaction, {
    hashOf: (content) => sha256(contents(content)),
    hashOfKept: (from, name) => hashOfKept(disk.history.objectOf(from, name)),
    isAcross: (from, at) =>
      mountAbove(disk.scope, locatedFrom(disk.scope, from)) !==
      mountAbove(disk.scope, locatedFrom(disk.scope, at)),
  });
  const parents = missingParents(
    disk,
    acts.filter(({ late }) => !late),
  );
  return {
    kind: "begin",
    about: { ...about, files: about.files.map(withoutDiff) },
    steps: sealed.steps,
    acts,
    parents,
    directories,
    roots: rootIdentities(disk.scope),
    isSingle: acts.length === 1 && parents.length === 0 && isAtomic(acts[0]),
    ...(answer ? { answer } : {}),
  };
}

/** Done by one call of the system: a crash leaves it done or not done, without a journal on the disk. */
function isAtomic(act: Act | undefined): boolean {
  return act !== undefined && act.act !== "rewrite" && !(act.act === "move" && (act.across || act.replaces));
}

/** Diffs are for people who decide; the history can make them again. */
function withoutDiff<T extends { readonly diff?: string }>(file: T): T {
  const { diff: _diff, ...rest } = file;
  return rest as T;
}
