/**
 * One line of a file: the head of a hunk, a row, or two rows side by side. What a row shows is made of pieces that the server
 * has computed, each a text node; signs and colours are classes, and everything that a colour says a sign says too.
 */
import type { JSX } from "preact";
import type { LaidLine, LaidRow } from "../../../review/index.ts";
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

const SIGNS = { same: " ", removed: "−", added: "+" } as const;

function RowView({
  row,
  isAlone,
  side,
}: {
  readonly row: LaidRow | undefined;
  readonly isAlone: boolean;
  readonly side: number;
}): JSX.Element {
  if (!row) return <div class="row none" />;
  const { kind, old, new: now, pieces, isRest, isUnended } = row;
  const [before, after] = isRest ? ["", ""] : [String(old ?? ""), String(now ?? "")];
  return (
    <div class={`row ${kind}`}>
      {(isAlone || side === 0) && <span class="number">{before}</span>}
      {(isAlone || side === 1) && <span class="number">{after}</span>}
      <span class="sign">{isRest ? "↪" : SIGNS[kind]}</span>
      <code>
        {pieces.map((piece, at) => {
          const token = "token" in piece ? ` ${String(piece.token)}` : "";
          if (piece.kind === "plain" && token === "") return piece.text;
          const isTab = piece.text === "\t";
          return (
            <span key={at} class={`${isTab ? "tab" : piece.kind}${token}`}>
              {piece.text}
            </span>
          );
        })}
        {isUnended && <span class="sign"> (the file ends here, without a line feed)</span>}
      </code>
    </div>
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
          return number === (comment.to ?? comment.line) && (comment.side === "before") === (row.kind === "removed");
        });
        return isHere ? <Said key={at} text={comment.text} onRemove={() => store.removeComment(at)} /> : null;
      })}
    </>
  );
}
