/**
 * One line of a file: the head of a hunk, a row, or two rows side by side, with what can be chosen and said of it.
 */
import type { JSX } from "preact";
import type { LaidLine, LaidRow } from "../../../review/index.ts";
import { RowView } from "./row-view.tsx";
import { Said } from "./said-view.tsx";
import { observeEnd } from "../seen-hunks.ts";
import type { Store } from "../store.ts";
import type { PageFile } from "../shown.ts";

interface LineGiven {
  readonly store: Store;
  readonly file: PageFile;
  readonly fileAt: number;
  /** From 0. */
  readonly at: number;
  readonly line: LaidLine;
}

export function LineView({ store, file, fileAt, at, line }: LineGiven): JSX.Element {
  const id = `l${fileAt}-${at}`;
  const move = (): void => {
    store.cursor = { file: fileAt, line: at };
  };
  if ("hunk" in line) {
    const hunk = file.hunks.find(({ number }) => number === line.hunk);
    const places = hunk?.places ?? [];
    const left = places.filter((place) => store.isOut(file, place)).length;
    const isSplit = store.split.has(`${fileAt} ${line.hunk}`);
    return (
      <div class="hunk" id={id} tabIndex={-1} onClick={move}>
        {places.length > 0 && (
          <label>
            <input type="checkbox" checked={left < places.length} onClick={() => store.toggle(file, places)} /> in
          </label>
        )}
        <span>
          hunk {line.hunk} of {file.hunks.length}
          {places.length > 1 && `, ${places.length} places${isSplit ? ", each by itself" : ""}`}
          {left > 0 && `, ${left === places.length ? "left out" : `${left} left out`}`}
        </span>
      </div>
    );
  }
  const hunk = line.in;
  const next = file.hunks.find(({ number }) => number === hunk + 1);
  const isEnd = at === (next ? next.at : file.lines) - 1;
  const rows = "row" in line ? [line.row] : [line.left, line.right];
  const isOut = rows.some((row) => row?.place !== undefined && store.isOut(file, row.place));
  return (
    <>
      <div
        class={`line${isOut ? " out" : ""}`}
        id={id}
        tabIndex={-1}
        onClick={move}
        ref={isEnd ? (element) => observeEnd(element, () => store.noteSeen(file, [hunk])) : null}
      >
        {rows.map((row, side) => (
          <RowView key={side} row={row} isAlone={rows.length === 1} side={side} />
        ))}
      </div>
      <LineComments store={store} file={file} rows={rows} />
    </>
  );
}

function LineComments({
  store,
  file,
  rows,
}: {
  readonly store: Store;
  readonly file: PageFile;
  readonly rows: readonly (LaidRow | undefined)[];
}): JSX.Element {
  return (
    <>
      {store.choices.comments.map((comment, at) => {
        if (comment.path !== file.path || comment.line === undefined) return null;
        const isHere = rows.some((row, side) => {
          if (!row || row.isRest || (side === 1 && rows[0] === row)) return false;
          const number = comment.side === "before" ? row.old : row.new;
          return number === comment.line && (comment.side === "before") === (row.kind === "removed");
        });
        return isHere ? <Said key={at} text={comment.text} onRemove={() => store.removeComment(at)} /> : null;
      })}
    </>
  );
}
