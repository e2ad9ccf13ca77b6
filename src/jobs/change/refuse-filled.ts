/**
 * Directories that an undo takes away must be empty by then: what a transaction made goes, what came into it stays. Known
 * before anything is done, so that a dry run says the same as the undo itself.
 */
import { Failure } from "../../base/index.ts";
import { type Scope } from "../../scope/index.ts";
import { readDirectory } from "../../sys/index.ts";
import { locatedFrom, type RootPath, type PreparedStep, type TransactionRecord } from "../../txn/index.ts";

/** @param steps of the undo. @throws Failure `conflict` for a directory that would not be empty */
export function refuseFilled(record: TransactionRecord, steps: readonly PreparedStep[], scope: Scope): void {
  const removed = steps.filter((step) => step.op === "remove_directory");
  // Directories that were only made for a file stay when something else is in them, but not in one that has to go.
  const asked = removed.filter((step) => !isByTheWay(step)).map(({ at }) => at);
  const inside = removed
    .filter((step) => isByTheWay(step) && asked.some((directory) => isBelow(step.at, directory)))
    .map(({ at }) => at);
  const taken = steps.flatMap((step) => {
    if (step.op === "move") return [step.from];
    return step.op === "remove" || step.op === "remove_directory" ? [step.at] : [];
  });
  const gone = new Set(taken.map(keyOf));
  for (const directory of [...asked, ...inside]) {
    const left = entriesOf(scope, directory).find(
      (name) => !gone.has(keyOf({ root: directory.root, rel: `${directory.rel}/${name}` })),
    );
    if (left === undefined) continue;
    const shown = scope.show(locatedFrom(scope, directory));
    throw new Failure(
      "conflict",
      `Cannot undo ${record.transaction}: "${left}" has come into the directory "${shown}", which would go`,
      { hint: "Move it to another place first, or leave the change as it is." },
    );
  }
}

function isByTheWay(step: PreparedStep): boolean {
  return "made" in step;
}

/** The names in a directory. One that is elsewhere now is looked at when its turn comes. */
function entriesOf(scope: Scope, path: RootPath): string[] {
  using directory = scope.tryDirectory(locatedFrom(scope, path));
  return directory ? [...readDirectory(directory)].map(({ name }) => name) : [];
}

function isBelow(path: RootPath, directory: RootPath): boolean {
  return path.root === directory.root && path.rel.startsWith(`${directory.rel}/`);
}

function keyOf({ root, rel }: RootPath): string {
  return `${root}\0${rel}`;
}
