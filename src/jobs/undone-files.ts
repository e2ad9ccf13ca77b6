/**
 * What an undo does to each file, in the words of the operations: a created file is deleted, a deleted one created.
 */
import type { FileChange, Operation } from "../approval/index.ts";

export interface UndoneFile {
  /** Absolute; of a move, where it goes back to. */
  readonly path: string;
  readonly operation: Operation;
  /** Of a move: where it goes back from. */
  readonly source?: string;
}

const INVERSE: Readonly<Record<Operation, Operation>> = {
  create: "delete",
  create_directory: "delete",
  copy: "delete",
  delete: "create",
  overwrite: "overwrite",
  edit: "edit",
  append: "edit",
  move: "move",
  none: "none",
};

/** The file as the note of the undo has it. */
export function undoneFile(file: FileChange): FileChange {
  const { operation, path, source, size_before: before } = file;
  if (operation === "move" && source !== undefined) return { ...file, path: source, source: path };
  // A copy over something else brings that back.
  const isOver = operation === "copy" && before !== undefined;
  return { ...file, operation: isOver ? "overwrite" : INVERSE[operation] };
}

/** Last first, as it is done. */
export function undoneFiles(files: readonly FileChange[]): UndoneFile[] {
  return files
    .map(undoneFile)
    .reverse()
    .map(({ operation, path, absolute, source }) =>
      source === undefined || operation !== "move"
        ? { path: absolute, operation }
        : { path, operation, source },
    );
}
