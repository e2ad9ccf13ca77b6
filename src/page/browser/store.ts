/**
 * What the page knows and what is on it, in one object; whoever changes it says so, and the page is drawn again before the next
 * frame. Choices are made by the review model, as in the terminal, and are kept by the server after each.
 */
import { addComment, choose, dropComment, isOut, noChoices, noteSeen, unseen } from "../../review/index.ts";
import type { LaidLine, ReviewChoices, ReviewLayout } from "../../review/index.ts";
import type { ProposalImage, ReviewComment } from "../../calls/index.ts";
import type { PageAnswers, PageAskName, QueueItem } from "../protocol.ts";
import { BLOCK_LINES, type Outline } from "../outline.ts";
import { ask, AskFailure } from "./ask-server.ts";
import { touchGuard } from "./guard.ts";
import { createKeeper } from "./keep-choices.ts";
import { shownOf, type PageQuestion, type Shown, type PageFile, type View } from "./shown.ts";

interface ShownAnswer {
  readonly outline: Outline;
  readonly draft: ReviewChoices;
  /** The first lines of its first file. */
  readonly first: readonly LaidLine[];
}

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
  readonly #blocks: Map<string, readonly LaidLine[]> = new Map();
  readonly #asked: Set<string> = new Set();
  /** Proposals that were decided here together, of which the queue tells later. */
  readonly #decided: Set<string> = new Set();
  readonly #keeper = createKeeper((thrown) => this.#fail(thrown));
  /** The code of the last failure of what was attempted last. */
  #failure: string | undefined;

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

  /** @param isOwn what ended was decided here, and said */
  takeQueue(queue: readonly QueueItem[], isOwn = false): void {
    const before = this.queue;
    const isNew = queue.some(({ id }) => before?.some((one) => one.id === id) !== true);
    if (isNew) touchGuard();
    this.queue = queue;
    document.title = queue.length === 0 ? "ringfence review" : `(${queue.length}) ringfence review`;
    const isGone = this.selected !== undefined && !queue.some(({ id }) => id === this.selected);
    if (isGone && !this.isBusy) {
      if (!isOwn && !this.#decided.has(this.selected ?? ""))
        this.said = "The proposal that was shown was decided elsewhere, or has ended.";
      this.#selectAfter(before);
    } else if (this.selected === undefined && queue[0]) void this.select(queue[0].id);
    else if (this.shown && this.#isOtherProblem(this.shown, queue, before)) void this.select(this.shown.id);
    this.changed();
  }

  /** The list says something else against what is shown than the page; a list that has not looked at its files says nothing. */
  #isOtherProblem({ id, problem }: Shown, queue: readonly QueueItem[], before: Store["queue"]): boolean {
    const now = queue.find((one) => one.id === id)?.problem;
    const had = before?.find((one) => one.id === id)?.problem;
    return this.selected === id && now !== problem && (now ?? had) !== undefined;
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
      const { outline, draft, first } = await ask<ShownAnswer>("show", {
        id,
        layout: this.layout,
      });
      if (this.selected !== id) return;
      this.#show(outline);
      for (let at = 0; at * BLOCK_LINES < first.length; at++)
        this.#blocks.set(
          `${outline.label} ${this.layout} 0 ${at}`,
          first.slice(at * BLOCK_LINES, (at + 1) * BLOCK_LINES),
        );
      this.choices = draft;
      this.folded.clear();
      this.split.clear();
      this.mark = undefined;
      this.cursor = { file: 0, line: -1 };
      outline.files.forEach(({ folded }, at) => folded !== undefined && this.folded.add(at));
      void this.#fetchImages();
    } catch (thrown) {
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
      const plain = this.#blocks.has(key)
        ? Promise.resolve()
        : ask<{ lines: readonly LaidLine[] }>("lines", { ...about, colors: false }).then(take);
      plain
        .then(async () => take(await ask("lines", { ...about, colors: true })))
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
    this.#choose(dropComment(this.choices, at));
  }

  unseenCount(): number {
    const files = this.shown?.files.flatMap(({ model }) => model ?? []) ?? [];
    return this.shown?.isCall ? 0 : Object.values(unseen(this.choices, files)).flat().length;
  }

  /** Keeps the page as it is when it fails, and says why. */
  async attempt(work: () => Promise<void>): Promise<void> {
    this.#failure = undefined;
    try {
      await work();
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.changed();
  }

  /** @param how `isOver`: the proposal that is shown is over when it was done. `labels`: of those that are decided together */
  async decide(
    name: PageAskName,
    about: object,
    { isOver, labels = [] }: { readonly isOver: boolean; readonly labels?: readonly string[] },
  ): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (const label of labels) this.#decided.add(label.slice(0, label.indexOf("@")));
    this.ask(undefined);
    const before = this.queue;
    const { selected } = this;
    await this.attempt(async () => {
      await this.settled();
      const { said } = await ask<{ readonly said: string }>(name, about);
      this.said = said;
      if (isOver) this.#remove(before, selected);
    });
    this.isBusy = false;
    // It is another one than before, or its files have changed: what is shown has to be what would be done.
    const isMoved = this.#failure === "stale" || this.#failure === "conflict";
    if (isMoved && selected !== undefined && this.selected === selected) await this.select(selected);
    if (this.queue) this.takeQueue(this.queue, true);
  }

  #remove(before: Store["queue"], id: string | undefined): void {
    this.queue = this.queue?.filter((one) => one.id !== id);
    if (this.selected === id) this.#selectAfter(before);
  }

  async settled(): Promise<void> {
    await this.#keeper.settled();
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
    const { hint = "", code } = thrown instanceof AskFailure ? thrown.data : {};
    this.#failure = code;
    this.say(`${thrown instanceof Error ? thrown.message : String(thrown)}${hint === "" ? "" : ` ${hint}`}`);
  }
}
