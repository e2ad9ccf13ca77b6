/**
 * Real trees in temporary directories for the tests of search, and a context to search them with.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { limits, NEVER_CANCELLED, type Cancel } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import type { SearchContext } from "../../src/search/index.ts";

/** Content by path; `{ link }` is a symbolic link, `null` an empty directory. */
export type TreeSpec = Readonly<Record<string, string | Uint8Array | { readonly link: string } | null>>;

export interface Tree extends Disposable {
  readonly path: string;
  readonly ctx: SearchContext;
  readonly withCancel: (cancel: Cancel) => SearchContext;
}

/** @param folder in which it is made */
export function makeTree(spec: TreeSpec, deny: readonly string[] = [], folder: string = tmpdir()): Tree {
  const path = mkdtempSync(join(folder, "ringfence-search-"));
  plant(path, spec);
  const scope = new Scope({ roots: [{ path, readOnly: true }], deny });
  const withCancel = (cancel: Cancel): SearchContext => ({
    scope,
    cancel,
    progress: () => {},
    skip: limits.SKIPPED_DIRECTORIES,
  });
  return {
    path,
    ctx: withCancel(NEVER_CANCELLED),
    withCancel,
    [Symbol.dispose]() {
      scope[Symbol.dispose]();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export function plant(path: string, spec: TreeSpec): void {
  for (const [name, content] of Object.entries(spec)) {
    const at = join(path, name);
    mkdirSync(content === null ? at : dirname(at), { recursive: true });
    if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(at, content);
    else if (content !== null) symlinkSync(content.link, at);
  }
}

/** The failure code of what the function throws. */
export async function codeOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
  }
}

/** Answers of all pages, following `next` as a client does (wire names are those of the options used in tests). */
export async function allPages<Answer extends { next?: Record<string, unknown> }>(
  ask: (cursor: string | undefined) => Answer | Promise<Answer>,
  most = 10_000,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    pages.push(page);
    cursor = page.next === undefined ? undefined : String(page.next["cursor"]);
  } while (cursor !== undefined && pages.length < most);
  return pages;
}
