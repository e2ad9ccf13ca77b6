/**
 * Takes back what `init` has put into the files of clients. Where nobody has changed them since, the transaction is undone and
 * the files are what they were, byte by byte. Else what was put in is taken out, and what others wrote stays.
 */
import { Failure } from "../../base/index.ts";
import { takeOut } from "../../clients/index.ts";
import type { RawConfig } from "../../config/index.ts";
import { SetupStore, type SetupNote } from "../../state/index.ts";
import { askHost, openWritingHost } from "../open-host.ts";
import { askYes, messages, print } from "../print.ts";
import { readClientFile } from "./client-places.ts";
import { commitFiles, openFilesHost, type FileToCommit } from "./commit-files.ts";
import { showFile } from "./show-plan.ts";

export interface UndoRequest {
  readonly raw: RawConfig;
  /** All, when there is none. */
  readonly clients: readonly string[];
  readonly isAgreed: boolean;
  readonly dryRun: boolean;
}

/** @returns whether everything that was asked for was taken back. @throws Failure */
export async function undoInit({ raw, clients, isAgreed, dryRun }: UndoRequest): Promise<boolean> {
  using host = await openWritingHost(raw);
  const store = new SetupStore(host.config.stateDir);
  const notes = store.list().filter(({ client }) => clients.length === 0 || clients.includes(client));
  if (notes.length === 0) {
    messages().info(
      `ringfence init has written nothing that could be taken back, by the notes in ${host.config.stateDir}.`,
    );
    return true;
  }
  let isWhole = true;
  for (const note of notes.toReversed()) {
    const params = { transaction: note.transaction };
    const dry = await tryUndo(async () => await askHost(host, "ringfence/history/undo", { ...params, dry_run: true }));
    if (dry?.diff !== undefined && dry.canUndo) {
      print(dry.diff);
      if (dryRun || !(isAgreed || (await askYes(`Take back what was set up for ${note.client}?`)))) continue;
      await askHost(host, "ringfence/history/undo", params);
      print(`Taken back: the files of ${note.client} are what they were.`);
    } else {
      const done = await takeOutOf(raw, note, { isAgreed, dryRun });
      if (done === "kept") continue;
      if (done === "unclear") {
        isWhole = false;
        continue;
      }
    }
    store.remove(note.transaction);
  }
  return isWhole;
}

async function tryUndo<T>(undo: () => Promise<T>): Promise<T | undefined> {
  try {
    return await undo();
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

async function takeOutOf(
  raw: RawConfig,
  note: SetupNote,
  { isAgreed, dryRun }: Pick<UndoRequest, "isAgreed" | "dryRun">,
): Promise<"done" | "kept" | "unclear"> {
  const files = note.files.map(withoutPieces);
  const unclear = files.flatMap((file) => ("lines" in file ? [file] : []));
  for (const { path, lines } of unclear)
    messages().warn(`Cannot take it out of "${path}": it was changed since. By hand, take out:\n${lines}`);
  if (unclear.length > 0) return "unclear";
  const changed = files.flatMap((file) => ("lines" in file || file.before === undefined ? [] : [file]));
  for (const file of changed) showFile(file);
  if (dryRun) return "kept";
  if (!isAgreed && !(await askYes(`Take out what was set up for ${note.client}, and leave the rest?`))) return "kept";
  if (changed.length > 0) {
    const paths = changed.map(({ path }) => path);
    using host = await openFilesHost(raw, paths);
    await commitFiles(host, changed);
  }
  print(`Taken out: ${note.client}. What others wrote into the files since stays.`);
  return "done";
}

/** What is left of the file; or, where that is not clear, what a person has to take out. */
function withoutPieces({
  path,
  isNew,
  pieces,
}: SetupNote["files"][number]): FileToCommit | { path: string; lines: string } {
  const before = readClientFile(path);
  // Whoever removed the file has taken it out.
  if (before === undefined) return { path, before, after: undefined };
  const left = takeOut(new TextDecoder("utf-8", { ignoreBOM: true }).decode(before), pieces);
  if (left === undefined) return { path, lines: pieces.map(({ inserted }) => inserted.trim()).join("\n") };
  return { path, before, after: isNew && left.trim() === "" ? undefined : left };
}
