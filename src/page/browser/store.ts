/**
 * What the page knows and what is on it, in one object; whoever changes it says so, and the page is drawn again before the next
 * frame. Choices are made by the review model, as in the terminal, and are kept by the server after each.
 */
import { addComment, choose, dropComment, isOut, noChoices, noteSeen, unseen } from "../../review/index.ts";
import type { LaidLine, ReviewChoices, ReviewLayout } from "../../review/index.ts";
import type { ProposalImage, ReviewComment } from "../../calls/index.ts";
import type { PageAnswers, PageAskName, QueueItem } from "../protocol.ts";
import type { Outline } from "../outline.ts";
import { ask, AskFailure } from "./ask-server.ts";
import { touchGuard } from "./guard.ts";
import { createKeeper, idOf } from "./keep-choices.ts";
import { LaidBlocks, type BlockPlace } from "./laid-blocks.ts";
import {
  isOtherProblem,
  shownOf,
  type DecidedAnswer,
  type PageFile,
  type PageQuestion,
  type Shown,
  type ShownAnswer,
  type View,
} from "./shown.ts";

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
  images: readonly ProposalImage[] = [];
  readonly #blocks = new LaidBlocks(
    () => this.changed(),
    (thrown) => this.#fail(thrown),
  );
  /** The ids of proposals that were applied here together, of which the queue tells later. */
  readonly #decided: Set<string> = new Set();
  readonly #keeper = createKeeper((thrown) => this.#fail(thrown));
  /** Counts the questions whose answer of the server opens them. */
  #asking = 0;

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

  /**
   * @param before what the selection was made in
   * @param isOwn what ended was decided here, and said
   */
  takeQueue(queue: readonly QueueItem[], before: Store["queue"] = this.queue, isOwn = false): void {
    const isNew = queue.some(({ id }) => before?.some((one) => one.id === id) !== true);
    if (isNew) touchGuard();
    this.queue = queue;
    this.#keeper.forget((id) => !queue.some((one) => one.id === id));
    document.title = queue.length === 0 ? "ringfence review" : `(${queue.length}) ringfence review`;
    const isGone = this.selected !== undefined && !queue.some(({ id }) => id === this.selected);
    if (isGone && !this.isBusy) {
      if (!isOwn && !this.#decided.has(this.selected ?? ""))
        this.said = "The proposal that was shown was decided elsewhere, or has ended.";
      this.#selectAfter(before);
    } else if (this.selected === undefined && queue[0]) void this.select(queue[0].id);
    else if (this.shown && this.selected === this.shown.id && isOtherProblem(this.shown, queue, before))
      void this.select(this.shown.id);
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
    const { layout, choices } = this;
    try {
      // What is on its way to the disk is a part of what comes back.
      if (this.#keeper.isWaiting(id)) await this.settled();
      const { outline, draft, first } = await ask<ShownAnswer>("show", { id, layout });
      if (this.selected !== id) return;
      // The lines are wanted otherwise by now.
      if (layout !== this.layout) return await this.select(id);
      this.#show(outline);
      this.#blocks.putFirst({ label: outline.label, layout }, first);
      const isNewer = this.choices !== choices && this.choices.label === outline.label;
      this.choices = this.#keeper.unkept(outline.label) ?? (isNewer ? this.choices : draft);
      this.folded.clear();
      this.split.clear();
      this.mark = undefined;
      this.cursor = { file: 0, line: -1 };
      outline.files.forEach(({ folded }, at) => folded !== undefined && this.folded.add(at));
      void this.#fetchImages();
    } catch (thrown) {
      if (this.selected !== id) return;
      this.#fail(thrown);
    }
    touchGuard();
    this.changed();
  }

  /** What has no rows may be an image. */
  async #fetchImages(): Promise<void> {
    this.images = [];
    const { shown } = this;
    if (!shown || shown.isCall || !shown.files.some(({ model, hunks }) => model && hunks.length === 0)) return;
    await this.attempt(async () => {
      const { images } = await ask<PageAnswers["images"]>("images", { label: shown.label });
      if (this.shown?.label === shown.label) this.images = images;
    });
  }

  async setLayout(layout: ReviewLayout): Promise<void> {
    this.layout = layout;
    const { shown } = this;
    if (!shown) return;
    try {
      const { outline } = await ask<{ outline: Outline }>("outline", { label: shown.label, layout });
      if (this.shown === shown && this.layout === layout) this.#show(outline);
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.changed();
  }

  #show(outline: Outline): void {
    // What stands against a proposal stands before its files, so that each has another number.
    if (this.shown?.label === outline.label && this.shown.problem === outline.problem) this.#blocks.askAgain();
    else this.#blocks.clear();
    this.shown = shownOf(outline);
  }

  known(file: number, number: number): readonly LaidLine[] | undefined {
    return this.#blocks.known(this.#placeOf(file, number));
  }

  /** `undefined` until they are here; asking for them fetches them. */
  block(file: number, number: number): readonly LaidLine[] | undefined {
    return this.#blocks.get(this.#placeOf(file, number));
  }

  #placeOf(file: number, number: number): BlockPlace {
    return { label: this.shown?.label ?? "", layout: this.layout, file, number };
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
    this.#choose(dropComment(this.choices, at));
  }

  unseenCount(): number {
    const files = this.shown?.files.flatMap(({ model }) => model ?? []) ?? [];
    return this.shown?.isCall ? 0 : Object.values(unseen(this.choices, files)).flat().length;
  }

  /**
   * Asks what the server has an answer for, unless the person is elsewhere by then: before another question, proposal or view.
   * Of several that are under way only the last is asked.
   */
  async askAfter(work: () => Promise<PageQuestion | undefined>): Promise<void> {
    const { question, selected, view } = this;
    const asking = ++this.#asking;
    await this.attempt(async () => {
      const next = await work();
      const isSame = this.question?.kind === question?.kind && this.selected === selected && this.view === view;
      if (next && isSame && asking === this.#asking && !this.isBusy) this.ask(next);
    });
  }

  /** Keeps the page as it is when it fails, and says why. @returns the code of the failure */
  async attempt(work: () => Promise<void>): Promise<string | undefined> {
    try {
      await work();
    } catch (thrown) {
      this.#fail(thrown);
      return thrown instanceof AskFailure ? thrown.data.code : undefined;
    }
    this.changed();
    return undefined;
  }

  /** @param over the id of the proposal that is over when it was done */
  async decide(name: PageAskName, about: object, over?: string): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.ask(undefined);
    const before = this.queue;
    const { selected } = this;
    const failure = await this.attempt(async () => {
      await this.settled();
      const { said, applied = [] } = await ask<DecidedAnswer>(name, about);
      this.said = said;
      for (const label of applied) this.#decided.add(idOf(label));
      if (over !== undefined) this.#remove(before, over);
    });
    this.isBusy = false;
    // A key on its way was meant for what has just been answered, and not for what is still shown.
    touchGuard();
    // It is another one than before, or its files have changed: what is shown has to be what would be done.
    const isMoved = failure === "stale" || failure === "conflict";
    if (isMoved && selected !== undefined && this.selected === selected) await this.select(selected);
    if (this.queue) this.takeQueue(this.queue, before, true);
  }

  #remove(before: Store["queue"], id: string): void {
    this.queue = this.queue?.filter((one) => one.id !== id);
    if (this.selected === id) this.#selectAfter(before);
  }

  /** @returns whether all that was chosen is on the disk */
  async settled(): Promise<boolean> {
    return await this.#keeper.settled();
  }

  async load(name: "history" | "record" | "policy", about: object): Promise<void> {
    await this.attempt(async () => {
      const answer: never = await ask(name, about);
      this[name] = answer;
    });
  }

  #choose(choices: ReviewChoices): void {
    this.choices = choices;
    this.changed();
    this.#keeper.keep(choices);
  }

  #fail(thrown: unknown): void {
    const { hint = "" } = thrown instanceof AskFailure ? thrown.data : {};
    this.say(`${thrown instanceof Error ? thrown.message : String(thrown)}${hint === "" ? "" : ` ${hint}`}`);
  }
}
