/**
 * The namespaces of the memory by name, with their sizes and times. One that rules close to the tool is not there.
 */
import { isoTime } from "../base/index.ts";
import type { FilesContext } from "../files/index.ts";
import { walkNotes } from "./walk-notes.ts";

export interface NotesAsked {
  /** What the names begin with. */
  readonly prefix?: string | undefined;
  readonly limit?: number | undefined;
  /** The name after which to go on. */
  readonly after?: string | undefined;
}

export interface ListedNotes {
  readonly namespaces: readonly { readonly namespace: string; readonly size: number; readonly mtime: string }[];
  readonly total: number;
  /** The memory has more notes than are looked at: some of them are in no page. */
  readonly isCut: boolean;
  readonly next?: NotesAsked;
}

const USUAL = 200;

export function listNotes({ scope, cancel }: FilesContext, asked: NotesAsked): ListedNotes {
  const { prefix = "", limit = USUAL, after = "" } = asked;
  const { notes, isCut } = walkNotes(scope, cancel);
  const found = notes
    .filter(({ namespace }) => namespace.startsWith(prefix))
    .sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  const rest = found.filter(({ namespace }) => namespace > after);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    namespaces: shown.map(({ namespace, size, mtimeMs }) => ({ namespace, size, mtime: isoTime(Math.trunc(mtimeMs)) })),
    total: found.length,
    isCut,
    ...(last && rest.length > shown.length ? { next: { ...asked, after: last.namespace } } : {}),
  };
}
