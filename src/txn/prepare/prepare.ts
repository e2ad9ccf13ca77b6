/**
 * A change set in, exact bytes and preconditions out. Everything is decided here; applying only checks and writes. The
 * changes are prepared in order, each on what the ones before it have made, and the set is whole or nothing.
 */
import { summarise, type Operation } from "../../approval/index.ts";
import { Failure } from "../../base/index.ts";
import { formatBytes } from "../../text/index.ts";
import { locatedFrom, type Change, type ChangeSet, type PreparedChanges, type PreparedStep } from "../model.ts";
import { prepareAppend, prepareEdit, prepareWrite } from "./content.ts";
import { createOverlay, refusal, type PrepareContext, type PreparedPart, type Preparing } from "./context.ts";
import { prepareInTurn } from "./edit-in-turn.ts";
import { refuseOthersThanFiles } from "./only-files.ts";
import { prepareForget, prepareNote } from "./note.ts";
import { preparePatch } from "./patch.ts";
import { prepareReplace } from "./replace.ts";
import { prepareCreateDirectory, prepareDelete, prepareRelocate } from "./tree.ts";

/** @throws Failure of any change; in a counted set it says which one, also in `details.operation` */
export function prepareChanges(set: ChangeSet, context: PrepareContext): PreparedChanges {
  const drafts: Uint8Array[] = [];
  const ctx: Preparing = {
    ...context,
    overlay: createOverlay(context.scope),
    keep: (bytes) => drafts.push(bytes) - 1,
    manner: set.manner,
  };
  if (set.manner?.onlyFiles) refuseOthersThanFiles(set, context);
  const parts: PreparedPart[] = [];
  for (const [index, change] of set.changes.entries()) {
    try {
      for (const part of prepareOne(change, ctx)) {
        if (change.op !== "note" && change.op !== "forget") refuseNotes(part, ctx);
        addPart(parts, { ...part, tools: toolsOf(change, part, set.operations?.[index]) });
      }
    } catch (thrown) {
      throw numbered(thrown, set, index);
    }
  }
  const steps = keepContents(parts, drafts, context);
  const files = parts.map((part) => part.file);
  return {
    summary: summarise(files),
    files,
    steps,
    facts: parts.flatMap((part) => part.steps.map(() => ({ tree: part.tree, tools: part.tools }))),
    warnings: [...(set.told?.notes ?? []), ...warningsOf(parts)],
    ...(set.told ? { data: set.told.data } : {}),
    bytes: files.reduce((sum, file) => sum + (file.hash === undefined ? 0 : (file.size_after ?? 0)), 0),
    ...(parts.some((part) => part.tolerant) ? { tolerant: true } : {}),
  };
}

/** Marks of the host are worth nothing in a note that is written as a file. @throws Failure `denied` */
function refuseNotes({ steps, file }: PreparedPart, { scope }: Preparing): void {
  if (steps.some(({ at }) => locatedFrom(scope, at).root.isMemory))
    throw refusal("denied", "write", file.path, "it lies in the memory, whose notes are no files to other changes");
}

/** A section of a patch or a replacement counts as a call of the tool that does the same; an operation, as one of its own. */
function toolsOf(change: Change, { file }: PreparedPart, operation: string | undefined): readonly string[] {
  const section = change.op === "patch" || change.op === "replace" ? SECTION[file.operation] : undefined;
  return [operation, section].filter((name) => name !== undefined);
}

const SECTION: Readonly<Partial<Record<Operation, string>>> = {
  create: "write_file",
  overwrite: "write_file",
  edit: "edit_file",
  append: "edit_file",
  move: "move",
  copy: "copy",
  delete: "delete",
};

/** Lazy where there are several parts, because each must be recorded before the next one is prepared. */
function prepareOne(change: Change, ctx: Preparing): Iterable<PreparedPart> {
  switch (change.op) {
    case "write":
      return [prepareWrite(change, ctx)];
    case "edit":
      return [ctx.manner?.inTurn ? prepareInTurn(change, ctx) : prepareEdit(change, ctx)];
    case "append":
      return [prepareAppend(change, ctx)];
    case "create_directory":
      return [prepareCreateDirectory(change, ctx)];
    case "move":
    case "copy":
      return [prepareRelocate(change, ctx)];
    case "delete":
      return [prepareDelete(change, ctx)];
    case "patch":
      return preparePatch(change, ctx);
    case "replace":
      return [prepareReplace(change, ctx)];
    case "note":
      return [prepareNote(change, ctx)];
    case "forget":
      return [prepareForget(change, ctx)];
  }
}

/** Adds a part with the directories that have to be made before it, in the place of the part that it replaces. */
export function addPart(parts: PreparedPart[], part: PreparedPart): void {
  for (const parent of part.parents ?? []) addPart(parts, parent);
  const earlier = part.replaces === undefined ? undefined : parts[part.replaces];
  const number = part.replaces ?? parts.length;
  parts[number] = earlier ? joined(earlier, part) : part;
  part.record?.(number);
}

/** Both parts become one, which says what either of them says. */
function joined(earlier: PreparedPart, part: PreparedPart): PreparedPart {
  const tolerant = earlier.tolerant === true || part.tolerant === true;
  // The later part no longer counts directories that the earlier one makes.
  const { makes } = earlier.file;
  return {
    ...part,
    file: makes === undefined || part.steps.length === 0 ? part.file : { ...part.file, makes },
    warnings: [...earlier.warnings, ...part.warnings],
    tools: [...new Set([...(earlier.tools ?? []), ...(part.tools ?? [])])],
    ...(tolerant ? { tolerant } : {}),
  };
}

/** Among several files a warning says which one it is about. */
export function warningsOf(parts: readonly PreparedPart[]): string[] {
  return parts.flatMap(({ file, warnings }) =>
    parts.length === 1 ? warnings : warnings.map((warning) => `${file.path}: ${warning}`),
  );
}

/** The new content of all changes together is held in memory, and kept with the proposal. */
const MAX_SET_BYTES: number = 256 * 1024 * 1024;

/** Keeps the contents of the remaining steps, in order, and none that was merged away. */
function keepContents(
  parts: readonly PreparedPart[],
  drafts: readonly Uint8Array[],
  context: PrepareContext,
): PreparedStep[] {
  let total = 0;
  return parts.flatMap((part) =>
    part.steps.map((step) => {
      if (step.op !== "put") return step;
      const bytes = drafts[step.content] ?? new Uint8Array();
      total += bytes.length;
      if (total > MAX_SET_BYTES)
        throw new Failure(
          "too_large",
          `Cannot make these changes as one: together they write more than ${formatBytes(MAX_SET_BYTES)}`,
          { hint: "Make them in several calls." },
        );
      return { ...step, content: context.keep(bytes) };
    }),
  );
}

function numbered(thrown: unknown, { operations }: ChangeSet, index: number): unknown {
  if (!operations || !(thrown instanceof Failure)) return thrown;
  const { code, message, ...more } = thrown.data;
  const state = message.charAt(0).toLowerCase() + message.slice(1);
  return new Failure(code, `Cannot change the files: operation ${index + 1} (${operations[index] ?? "?"}): ${state}`, {
    ...more,
    details: { ...more.details, operation: index + 1 },
  });
}
