/**
 * For callers whose tools know plain files and nothing else: a change of a directory or through a link is refused before it
 * is prepared. Ours takes a directory for what can be moved and deleted, and a link for the file that it leads to.
 */
import { Failure } from "../../base/index.ts";
import type { Change, ChangeSet } from "../model.ts";
import { refusal, type PrepareContext } from "./context.ts";

/** @throws Failure `invalid_input` for a directory or a link */
export function refuseOthersThanFiles({ changes }: ChangeSet, context: Pick<PrepareContext, "scope">): void {
  for (const change of changes)
    for (const [verb, path] of placesOf(change)) {
      const stat = lookAt(path, verb, context);
      if (stat?.isSymbolicLink()) throw refusal("invalid_input", verb, path, "it is a link (symlink)", { hint: LINK });
      if (stat?.isDirectory()) throw refusal("invalid_input", verb, path, "it is a directory", { hint: DIRECTORY });
    }
}

const LINK = "Only plain files are changed: give the path that the link leads to.";
const DIRECTORY = "Only plain files are changed. A command line can do more.";

function placesOf(change: Change): readonly (readonly [verb: string, path: string])[] {
  switch (change.op) {
    case "move":
    case "copy":
      return [
        [change.op, change.source],
        [`${change.op} to`, change.destination],
      ];
    case "write":
    case "edit":
    case "append":
    case "delete":
      return [[change.op, change.path]];
    case "replace":
      return change.named === undefined ? [] : [["replace in", change.named]];
    case "create_directory":
    case "patch":
    // Notes are plain files whatever the manner.
    case "note":
    case "forget":
      return [];
  }
}

/** What cannot be looked at is said by the change itself. */
function lookAt(path: string, verb: string, { scope }: Pick<PrepareContext, "scope">) {
  try {
    return scope.lstat(scope.locate(path, verb), verb);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
