/**
 * One line of a file: the head of a hunk, a row, or two rows side by side, with what can be chosen and said of it.
 */
import { Component, type JSX } from "preact";
import type { ReviewComment } from "../../../calls/index.ts";
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
  readonly comments: readonly ReviewComment[];
  /** What it shows of the choices. */
  readonly state: string;
}

export class LineView extends Component<LineGiven> {
  override shouldComponentUpdate({ line, state, comments, file }: LineGiven): boolean {
    const { props } = this;
    return line !== props.line || state !== props.state || comments !== props.comments || file !== props.file;
  }

  override render(): JSX.Element {
    const { line } = this.props;
    return "hunk" in line ? <HunkHead {...this.props} hunkNumber={line.hunk} /> : <Rows {...this.props} line={line} />;
  }
}

function moveHere({ store, fileAt: file, at: line }: LineGiven): void {
  store.cursor = { file, line };
}

function HunkHead(given: LineGiven & { readonly hunkNumber: number }): JSX.Element {
  const { store, file, fileAt, at, hunkNumber } = given;
  const places = file.hunks.find(({ number }) => number === hunkNumber)?.places ?? [];
  const left = places.filter((place) => store.isOut(file, place)).length;
  const isSplit = store.split.has(`${fileAt} ${hunkNumber}`);
  return (
    <div class="hunk" id={`l${fileAt}-${at}`} tabIndex={-1} onClick={() => moveHere(given)}>
      {places.length > 0 && (
        <label>
          <input type="checkbox" checked={left < places.length} onClick={() => store.toggle(file, places)} /> in
        </label>
      )}
      <span>
        hunk {hunkNumber} of {file.hunks.length}
        {places.length > 1 && `, ${places.length} places${isSplit ? ", each by itself" : ""}`}
        {left > 0 && `, ${left === places.length ? "left out" : `${left} left out`}`}
      </span>
    </div>
  );
}

function Rows(given: LineGiven & { readonly line: Exclude<LaidLine, { readonly hunk: number }> }): JSX.Element {
  const { store, file, fileAt, at, line, state, comments } = given;
  const hunk = line.in;
  const next = file.hunks.find(({ number }) => number === hunk + 1);
  const isEnd = at === (next ? next.at : file.lines) - 1;
  const rows = "row" in line ? [line.row] : [line.left, line.right];
  return (
    <>
      <div
        class={`line${state === "out" ? " out" : ""}`}
        id={`l${fileAt}-${at}`}
        tabIndex={-1}
        onClick={() => moveHere(given)}
        ref={isEnd ? (element) => observeEnd(element, () => store.noteSeen(file, [hunk])) : null}
      >
        {rows.map((row, side) => (
          <RowView key={side} row={row} isAlone={rows.length === 1} side={side} />
        ))}
      </div>
      {comments.length > 0 && <LineComments store={store} file={file} rows={rows} />}
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
          return number === (comment.to ?? comment.line) && (comment.side === "before") === (row.kind === "removed");
        });
        return isHere ? <Said key={at} text={comment.text} onRemove={() => store.removeComment(at)} /> : null;
      })}
    </>
  );
}
