/**
 * What the page knows and what is on it, in one object; whoever changes it says so, and the page is drawn again before the next
 * frame. Choices are made by the review model, as in the terminal, and are kept by the server after each.
 */
import { addComment, choose, isOut, noChoices, noteSeen, unseen } from "../../review/index.ts";
import type { LaidLine, ReviewChoices, ReviewLayout } from "../../review/index.ts";
import type { ReviewComment } from "../../calls/index.ts";
import type { PageAnswers, QueueItem } from "../protocol.ts";
import type { Outline } from "../outline.ts";
import { ask, AskFailure } from "./ask-server.ts";
import { touchGuard } from "./guard.ts";
import { createKeeper } from "./keep-choices.ts";
import { shownOf, type PageQuestion, type Shown, type PageFile, type View } from "./shown.ts";

/** Lines that are fetched together. */
export const BLOCK_LINES = 100;

export class Store {
  readonly #draw: () => void;
  view: View = "review";
  queue: readonly QueueItem[] | undefined;
  selected: string | undefined;
  shown: Shown | undefined;
  choices: ReviewChoices = noChoices("");
  layout: ReviewLayout = "unified";
  wraps = false;
  question: PageQuestion | undefined;
  /** The text that was looked for last. */
  wanted = "";
  said = "";
  lastTransaction: string | undefined;
  isOver = false;
  isBusy = false;
  readonly folded: Set<number> = new Set();
  readonly split: Set<string> = new Set();
  /** A line of a file, or -1 for its bar. */
  cursor: { readonly file: number; readonly line: number } = { file: 0, line: -1 };
  /** Where a range of lines begins. */
  mark: Store["cursor"] | undefined;
  history: PageAnswers["history"] | undefined;
  record: PageAnswers["record"] | undefined;
  policy: PageAnswers["policy"] | undefined;
  readonly #blocks: Map<string, readonly LaidLine[]> = new Map();
  readonly #asked: Set<string> = new Set();
  readonly #keep = createKeeper((thrown) => this.#fail(thrown));

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  changed(): void {
    this.#draw();
  }

  say(text: string): void {
    this.said = text;
    this.changed();
  }

  ask(question: PageQuestion | undefined): void {
    this.question = question;
    touchGuard();
    this.changed();
  }

  takeQueue(queue: readonly QueueItem[]): void {
    const before = this.queue;
    this.queue = queue;
    document.title = queue.length === 0 ? "ringfence review" : `(${queue.length}) ringfence review`;
    const isGone = this.selected !== undefined && !queue.some(({ id }) => id === this.selected);
    const problem = queue.find(({ id }) => id === this.selected)?.problem;
    if (isGone && !this.isBusy) {
      this.said = "The proposal that was shown has ended.";
      this.#selectAfter(before);
    } else if (this.selected === undefined && queue[0]) void this.select(queue[0].id);
    else if (this.shown && problem !== this.shown.problem && problem !== undefined) void this.select(this.shown.id);
    this.changed();
  }

  /** The one that stood behind it, else the first. */
  #selectAfter(before: readonly QueueItem[] = []): void {
    const at = before.findIndex(({ id }) => id === this.selected);
    const next = before.slice(at + 1).find(({ id }) => this.queue?.some((one) => one.id === id)) ?? this.queue?.[0];
    this.selected = undefined;
    this.shown = undefined;
    this.question = undefined;
    touchGuard();
    if (next) void this.select(next.id);
  }

  async select(id: string): Promise<void> {
    this.selected = id;
    touchGuard();
    this.changed();
    try {
      const { outline, draft } = await ask<{ outline: Outline; draft: ReviewChoices }>("show", {
        id,
        layout: this.layout,
      });
      if (this.selected !== id) return;
      this.#show(outline);
      this.choices = draft;
      this.folded.clear();
      this.split.clear();
      this.mark = undefined;
      this.cursor = { file: 0, line: -1 };
      outline.files.forEach(({ isGenerated }, at) => isGenerated && this.folded.add(at));
    } catch (thrown) {
      this.#fail(thrown);
    }
    touchGuard();
    this.changed();
  }

  async setLayout(layout: ReviewLayout): Promise<void> {
    this.layout = layout;
    if (!this.shown) return;
    try {
      const { outline } = await ask<{ outline: Outline }>("outline", { label: this.shown.label, layout });
      this.#show(outline);
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.changed();
  }

  #show(outline: Outline): void {
    if (this.shown?.label !== outline.label) this.#blocks.clear();
    this.#asked.clear();
    this.shown = shownOf(outline);
  }

  known(file: number, number: number): readonly LaidLine[] | undefined {
    return this.#blocks.get(`${this.shown?.label} ${this.layout} ${file} ${number}`);
  }

  /** `undefined` until they are here; asking for them fetches them, first plain and then with colours. */
  block(file: number, number: number): readonly LaidLine[] | undefined {
    const { label = "" } = this.shown ?? {};
    const key = `${label} ${this.layout} ${file} ${number}`;
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      const about = { label, file, from: number * BLOCK_LINES, count: BLOCK_LINES, layout: this.layout };
      const take = ({ lines }: { readonly lines: readonly LaidLine[] }): void => {
        this.#blocks.set(key, lines);
        this.changed();
      };
      const isKnown = this.#blocks.has(key);
      const plain = isKnown
        ? Promise.resolve()
        : ask<{ lines: readonly LaidLine[] }>("lines", { ...about, colors: false }).then(take);
      plain
        .then(async () => (isKnown ? undefined : take(await ask("lines", { ...about, colors: true }))))
        .catch((thrown: unknown) => this.#fail(thrown));
    }
    return this.#blocks.get(key);
  }

  toggle(file: PageFile, places?: readonly string[]): void {
    const { model } = file;
    if (!model || this.shown?.isCall) return;
    const all = places ?? model.hunks.flatMap((hunk) => hunk.places);
    const isIn =
      all.length === 0 ? !isOut(this.choices, model) : all.some((place) => !isOut(this.choices, model, place));
    this.#choose(choose(this.choices, model, !isIn, places));
  }

  isOut({ model }: PageFile, place?: string): boolean {
    return model !== undefined && isOut(this.choices, model, place);
  }

  noteSeen({ model }: PageFile, hunks: readonly number[]): void {
    if (!model) return;
    const noted = noteSeen(this.choices, model, hunks);
    if (noted !== this.choices) this.#choose(noted);
  }

  hasSeen({ path, hunks }: PageFile): boolean {
    const seen = path !== undefined && Object.hasOwn(this.choices.seen, path) ? this.choices.seen[path] : undefined;
    return hunks.every(({ number }) => seen?.includes(number) === true);
  }

  comment(comment: ReviewComment): void {
    this.#choose(addComment(this.choices, comment));
  }

  removeComment(at: number): void {
    this.#choose({ ...this.choices, comments: this.choices.comments.filter((_, index) => index !== at) });
  }

  unseenCount(): number {
    const files = this.shown?.files.flatMap(({ model }) => model ?? []) ?? [];
    return this.shown?.isCall ? 0 : Object.values(unseen(this.choices, files)).flat().length;
  }

  /** @param isTold the person knows that parts were never on the screen */
  async apply(isTold = false): Promise<void> {
    const { shown } = this;
    if (!shown || this.isBusy) return;
    const count = this.unseenCount();
    if (count > 0 && !isTold) return this.ask({ kind: "unseen", count });
    await this.#decide("apply", { label: shown.label, choices: this.choices, unseen: isTold });
  }

  async reject(reason: string): Promise<void> {
    const { shown } = this;
    if (!shown || this.isBusy) return;
    await this.#decide("reject", { label: shown.label, reason, comments: this.choices.comments });
  }

  async undo(transaction: string): Promise<void> {
    await this.#decide("undo", { transaction, dryRun: false });
    this.history = undefined;
    if (this.view === "history") await this.load("history", {});
  }

  async explain(): Promise<void> {
    if (!this.shown) return;
    try {
      const { text } = await ask<{ text: string }>("sheet", { label: this.shown.label });
      this.ask({ kind: "explain", text });
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Goes round: behind the last match comes the first. @returns where it is */
  async find(text: string): Promise<Store["cursor"] | undefined> {
    const { label = "" } = this.shown ?? {};
    const { found } = await ask<{ found?: Store["cursor"] }>("find", {
      label,
      text,
      layout: this.layout,
      ...this.cursor,
    });
    if (found) this.folded.delete(found.file);
    return found;
  }

  async askUndo(transaction: string): Promise<void> {
    try {
      const { said, diff = "" } = await ask<PageAnswers["undo"]>("undo", { transaction, dryRun: true });
      this.ask({ kind: "undo", transaction, summary: said, diff });
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #decide(name: "apply" | "reject" | "undo", about: object): Promise<void> {
    this.isBusy = true;
    this.ask(undefined);
    const before = this.queue;
    try {
      const { said, transaction } = await ask<PageAnswers["apply"]>(name, about);
      this.said = said;
      if (name !== "undo") {
        this.lastTransaction = transaction;
        this.queue = this.queue?.filter(({ id }) => id !== this.selected);
        this.#selectAfter(before);
      } else this.lastTransaction = undefined;
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.isBusy = false;
    this.changed();
  }

  async load(name: "history" | "record" | "policy", about: object): Promise<void> {
    try {
      const answer: never = await ask(name, about);
      this[name] = answer;
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.changed();
  }

  #choose(choices: ReviewChoices): void {
    this.choices = choices;
    this.changed();
    this.#keep(choices);
  }

  #fail(thrown: unknown): void {
    const { hint = "" } = thrown instanceof AskFailure ? thrown.data : {};
    this.say(`${thrown instanceof Error ? thrown.message : String(thrown)}${hint === "" ? "" : ` ${hint}`}`);
  }
}
