/**
 * One file of a proposal, in blocks of lines of which only those near the screen are in the page: a diff of twenty thousand
 * lines costs as much as one of two hundred. Heights of blocks that are away are what they were, or a guess.
 */
import { Component, type JSX } from "preact";
import type { LaidLine, ReviewChoices, ReviewLayout } from "../../../review/index.ts";
import { LineView } from "./line-view.tsx";
import { Pictures } from "./pictures-view.tsx";
import { Comments } from "./said-view.tsx";
import { BLOCK_LINES, FIRST_BLOCKS } from "../../outline.ts";
import type { Store } from "../store.ts";
import type { PageFile } from "../shown.ts";

interface FileGiven {
  readonly store: Store;
  readonly at: number;
  readonly file: PageFile;
  readonly choices: ReviewChoices;
  readonly layout: ReviewLayout;
  readonly wraps: boolean;
  readonly isFolded: boolean;
}

export function FileView({ store, at, file, layout, wraps, isFolded }: FileGiven): JSX.Element {
  const isOut = store.isOut(file);
  const blocks = Math.ceil(file.lines / BLOCK_LINES);
  return (
    <section class={`file${isOut ? " out" : ""}`} aria-label={file.shown || file.line}>
      <div class="bar" id={`f${at}`} tabIndex={-1}>
        {file.model && !store.shown?.isCall && (
          <label>
            <input type="checkbox" checked={!isOut} onClick={() => store.toggle(file)} /> in
          </label>
        )}
        <h3>{file.line}</h3>
        {file.model && (
          <small>
            +{file.added} −{file.removed}
            {file.hunks.length > 0 && (store.hasSeen(file) ? " · shown" : " · not all shown")}
          </small>
        )}
        {file.lines > 0 && (
          <button type="button" aria-expanded={!isFolded} onClick={() => toggleFold(store, at)}>
            {isFolded ? `Unfold ${file.lines} lines${file.folded === undefined ? "" : ` of ${file.folded}`}` : "Fold"}
          </button>
        )}
        {file.path !== undefined && (
          <button
            type="button"
            onClick={() => store.ask({ kind: "comment", about: { path: file.path }, where: file.shown })}
          >
            Comment…
          </button>
        )}
      </div>
      {file.path !== undefined && <Comments store={store} path={file.path} />}
      <Pictures images={store.images} path={file.path} />
      {!isFolded && file.lines > 0 && (
        <div class={`lines ${layout}${wraps ? " wraps" : ""}`} tabIndex={-1}>
          {Array.from({ length: blocks }, (_, number) => (
            <Block
              key={`${layout} ${number}`}
              store={store}
              file={file}
              at={at}
              number={number}
              choices={store.choices}
              lines={store.known(at, number)}
              wraps={wraps}
              splits={store.split.size}
            />
          ))}
        </div>
      )}
    </section>
  );
}

export function toggleFold(store: Store, at: number): void {
  if (!store.folded.delete(at)) store.folded.add(at);
  store.changed();
}

interface BlockGiven {
  readonly store: Store;
  readonly file: PageFile;
  readonly at: number;
  readonly number: number;
  readonly choices: ReviewChoices;
  readonly lines: ReturnType<Store["known"]>;
  readonly wraps: boolean;
  readonly splits: number;
}

const LINE_PX = 20;
/** Far enough ahead that scrolling meets no gap; what is near and not on the screen is drawn too, at the cost of keys. */
const NEAR = "400px 0px";

class Block extends Component<BlockGiven, { readonly isNear: boolean }> {
  override state: { readonly isNear: boolean } = { isNear: this.props.at === 0 && this.props.number < FIRST_BLOCKS };
  #element: HTMLDivElement | null = null;
  #height = 0;
  #observer: IntersectionObserver | undefined;

  override componentDidMount(): void {
    this.#observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting && this.state.isNear) this.#height = entry.boundingClientRect.height;
        if (entry.isIntersecting !== this.state.isNear) this.setState({ isNear: entry.isIntersecting });
      },
      { root: document.getElementById("proposal"), rootMargin: NEAR },
    );
    if (this.#element) this.#observer.observe(this.#element);
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
  }

  override shouldComponentUpdate(next: BlockGiven, state: { readonly isNear: boolean }): boolean {
    const { lines, choices, wraps, file, splits } = this.props;
    if (state.isNear !== this.state.isNear) return true;
    const isSame =
      next.lines === lines &&
      next.choices === choices &&
      next.wraps === wraps &&
      next.file === file &&
      next.splits === splits;
    return state.isNear && !isSame;
  }

  override render(): JSX.Element {
    const { store, file, at, number } = this.props;
    const from = number * BLOCK_LINES;
    const count = Math.min(BLOCK_LINES, file.lines - from);
    const isHeld = store.cursor.file === at && Math.floor(store.cursor.line / BLOCK_LINES) === number;
    const lines = this.state.isNear || isHeld ? store.block(at, number) : undefined;
    return (
      <div
        class="block"
        id={`b${at}-${number}`}
        ref={(element) => {
          this.#element = element;
        }}
        style={lines ? {} : { height: `${this.#height || count * LINE_PX}px` }}
      >
        {lines?.map((line, index) => (
          <LineView
            key={from + index}
            store={store}
            file={file}
            fileAt={at}
            at={from + index}
            line={line}
            comments={store.choices.comments}
            state={stateOf(line, { store, file, at })}
          />
        ))}
      </div>
    );
  }
}

/** What of the choices a line shows: a line whose state is the same is not drawn again. */
function stateOf(line: LaidLine, { store, file, at }: Pick<BlockGiven, "store" | "file" | "at">): string {
  if ("hunk" in line) {
    const places = file.hunks.find(({ number }) => number === line.hunk)?.places ?? [];
    const left = places.filter((place) => store.isOut(file, place)).length;
    return `${left} ${store.split.has(`${at} ${line.hunk}`) ? "split" : ""}`;
  }
  const rows = "row" in line ? [line.row] : [line.left, line.right];
  return rows.some((row) => row?.place !== undefined && store.isOut(file, row.place)) ? "out" : "";
}
