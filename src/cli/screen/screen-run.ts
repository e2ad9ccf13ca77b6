/**
 * A review while it runs on a full screen: keys and news come in, a state goes round, rows go out. What is on the screen is noted
 * as seen, and every change of a choice is on disk before the next key.
 *
 * Invariant: one wish at a time, and nothing is decided while one is carried out.
 */
import { CLOCK, failureText, nowMs, reportBug, toFailure } from "../../base/index.ts";
import type { ListedProposal } from "../../calls/index.ts";
import { groupQueue, noteSeen, queueOrder } from "../../review/index.ts";
import type { ReviewDesk } from "../review/review-desk.ts";
import { drawScreen, windowSize } from "./draw/draw-screen.ts";
import { noteShown } from "./draw/line-window.ts";
import { DecisionGuard } from "./keys/decision-guard.ts";
import { isDeciding, pressKey } from "./keys/press-key.ts";
import type { KeyPress } from "./keys/terminal-keys.ts";
import {
  listedOf,
  openProposal,
  told,
  type OpenProposal,
  type ScreenState,
  type ScreenWish,
  type StateChange,
} from "./screen-state.ts";

export interface ScreenRunOptions {
  readonly desk: ReviewDesk;
  readonly state: ScreenState;
  readonly draw: (rows: readonly string[]) => void;
  /** @returns what changes of the state. @throws Failure for what could not be done */
  readonly carryOut: (wish: ScreenWish, state: ScreenState) => Promise<StateChange>;
  /** The review ends when nothing waits. */
  readonly once: boolean;
}

/** Ages and the time that is left move on. */
const TICK_MS = 1000;

export class ScreenRun implements Disposable {
  readonly #options: ScreenRunOptions;
  readonly #guard: DecisionGuard = new DecisionGuard(CLOCK, () => this.#draw());
  readonly #over: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #listening: Disposable;
  readonly #ticking: ReturnType<typeof setInterval>;
  #state: ScreenState;
  #listed: ListedProposal | undefined;
  /** What is on disk of the proposal on the screen. */
  #kept: Pick<OpenProposal, "choices" | "at"> | undefined;
  #wishes = 0;

  constructor(options: ScreenRunOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#listening = options.desk.onLook(() => void this.refresh());
    this.#ticking = setInterval(() => this.#draw(), TICK_MS);
  }

  /** Ends when the reader leaves, and with `once` when nothing waits. */
  async over(): Promise<void> {
    await this.#over.promise;
  }

  leave(): void {
    this.#over.resolve();
  }

  press(keys: readonly KeyPress[]): void {
    for (const pressed of keys) {
      const key = this.#meant(pressed);
      if (key.name === "blur") continue;
      // The eyes were elsewhere until now.
      if (key.name === "focus") this.#guard.arm();
      else this.#guard.take(key, isDeciding(this.#state, key.name), (mayDecide) => this.#press(key, mayDecide));
    }
  }

  /** With the keys of a person's own, the key that it stands for. */
  #meant(key: KeyPress): KeyPress {
    const { mode, keymap } = this.#state;
    if (mode.kind !== "read") return key;
    const name = key.name === "space" ? " " : key.name;
    return { ...key, name: keymap.get(name) ?? key.name };
  }

  change(change: StateChange): void {
    this.#set({ ...this.#state, ...(typeof change === "function" ? change(this.#state) : change) });
  }

  /** Looks at what waits now. */
  async refresh(): Promise<void> {
    try {
      const proposals = await this.#options.desk.list();
      this.#takeList(proposals);
      if (this.#options.once && proposals.length === 0) this.leave();
      await this.#load();
      while (!this.#isBusy && (await this.#options.desk.checkSome())) this.#takeList(await this.#options.desk.list());
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #takeList(proposals: readonly ListedProposal[]): void {
    const { order: before, selected, message } = this.#state;
    const listed = listedOf({ ...this.#state, proposals });
    const order = queueOrder(groupQueue(listed, nowMs())).map(({ id }) => id);
    if (order.some((id) => !before.includes(id))) this.#guard.arm();
    const waits = proposals.some(({ id }) => id === selected);
    const isThere = selected !== undefined && order.includes(selected);
    const at = Math.max(0, Math.min(order.length - 1, before.indexOf(selected ?? "")));
    const next = isThere ? selected : order[at];
    const isEndedElsewhere = selected !== undefined && !waits && !this.#isBusy && !message;
    const open = next === selected ? this.#state.open : undefined;
    const state = { ...this.#state, proposals, order, selected: next, open };
    this.#set(
      isEndedElsewhere ? told(state, "The proposal that you were at was decided elsewhere, or expired.") : state,
    );
  }

  /** Opens the proposal that the reader is at, and again when it was stored anew. */
  async #load(): Promise<void> {
    const { selected, open } = this.#state;
    if (selected === undefined) return;
    const listed = this.#state.proposals.find(({ id }) => id === selected);
    if (open?.review.id === selected && (listed === this.#listed || isSameButLines(listed, this.#listed))) {
      this.#listed = listed;
      return;
    }
    this.#listed = listed;
    try {
      const review = await this.#options.desk.load(selected);
      if (this.#state.selected === selected) this.#show(openProposal(review, this.#options.desk.draft(review)));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #show(open: OpenProposal): void {
    const before = this.#state.open;
    // Two looks may have asked for it; the reader has begun with the first.
    if (before?.review.label === open.review.label && before.review.problem === open.review.problem) return;
    this.#guard.arm();
    const isOther = before?.review.id === open.review.id && before.review.label !== open.review.label;
    const state = { ...this.#state, open };
    this.#set(isOther ? told(state, "It is another proposal than before: somebody wrote it anew.", true) : state);
  }

  #press(key: KeyPress, mayDecide: boolean): void {
    const before = this.#state;
    if (this.#isBusy && isDeciding(before, key.name)) return;
    const { state, wish } = pressKey(before, { ...key, mayDecide }, windowSize(before));
    // What stands there now was not there when the key was meant.
    if (state.mode.kind !== before.mode.kind || state.selected !== before.selected) this.#guard.arm();
    this.#set(state.selected === before.selected ? state : { ...state, open: undefined });
    if (state.filter !== before.filter) this.#takeList(state.proposals);
    if (this.#state.selected !== before.selected) void this.#load();
    if (wish?.kind === "leave") this.leave();
    else if (wish) void this.#grant(wish);
  }

  get #isBusy(): boolean {
    return this.#wishes > 0;
  }

  async #grant(wish: ScreenWish): Promise<void> {
    this.#wishes++;
    try {
      const change = await this.#options.carryOut(wish, this.#state);
      if (isStillWanted(wish, this.#state)) this.change(change);
    } catch (thrown) {
      this.#fail(thrown);
      // What stands in the way is shown with the proposal.
      this.#listed = undefined;
    } finally {
      this.#wishes--;
      this.#guard.arm();
    }
    await this.refresh();
  }

  #fail(thrown: unknown): void {
    const { data } = toFailure(thrown, () => reportBug(thrown));
    this.#set(told(this.#state, failureText(data).split("\n")[0] ?? "", true));
  }

  #set(state: ScreenState): void {
    this.#state = state;
    this.#draw();
    const { open } = this.#state;
    if (open && (open.choices !== this.#kept?.choices || open.at !== this.#kept.at)) this.#keep(open);
  }

  #draw(): void {
    const isGuarded = this.#guard.isArmed || this.#isBusy;
    const drawn = drawScreen({ ...this.#state, isGuarded }, nowMs());
    const { open } = this.#state;
    if (open) {
      let { choices } = open;
      for (const { hunk, file } of noteShown(open, drawn.window)) choices = noteSeen(choices, file, [hunk.number]);
      this.#state = { ...this.#state, open: { ...open, top: drawn.top ?? open.top, choices } };
    }
    this.#options.draw(drawn.rows);
  }

  #keep({ review, choices, at }: OpenProposal): void {
    // One that was decided meanwhile has no draft any more.
    if (this.#isBusy || !this.#state.order.includes(review.id)) return;
    this.#kept = { choices, at };
    this.#options.desk.keep(review, { ...choices, scroll: at.line });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
    this.#listening[Symbol.dispose]();
    this.#guard[Symbol.dispose]();
  }
}

/** Only its lines were counted meanwhile. */
function isSameButLines(a: ListedProposal | undefined, b: ListedProposal | undefined): boolean {
  return (
    a !== undefined && b !== undefined && a.createdAt === b.createdAt && a.change === b.change && a.bytes === b.bytes
  );
}

/** What was looked up about a rule is of no use when the sheet has another one by then. */
function isStillWanted(wish: ScreenWish, { mode }: ScreenState): boolean {
  return wish.kind !== "cover" || (mode.kind === "rule" && mode.sheet === wish.sheet);
}
