/**
 * A question that stands before everything else: what to say, why not, whether to go on. The browser keeps the focus in it and
 * closes it with Escape, which decides nothing; what decides is a button of its own, or `y` where that is the question.
 */
import type { JSX } from "preact";
import { apply, find, reject, undo } from "../decide.ts";
import { BatchQuestion } from "./batch-question.tsx";
import { DecideButton } from "./decide-button.tsx";
import { RuleQuestion } from "./rule-question.tsx";
import { mayDecide } from "../guard.ts";
import { KEYS } from "../keys.ts";
import { moveTo } from "../moves.ts";
import type { Store } from "../store.ts";
import type { PageQuestion } from "../shown.ts";

interface DialogGiven<Kind extends PageQuestion["kind"] = PageQuestion["kind"]> {
  readonly store: Store;
  readonly question: Extract<PageQuestion, { readonly kind: Kind }>;
}

const TITLES: Readonly<Record<PageQuestion["kind"], string>> = {
  comment: "Comment",
  reject: "Reject",
  unseen: "Not all of it was on the screen",
  undo: "Undo",
  batch: "Apply together?",
  rule: "Always allow?",
  explain: "All that it does",
  find: "Find",
  help: "Keys",
};

export function QuestionDialog({ store, question }: DialogGiven): JSX.Element {
  const { kind } = question;
  return (
    <dialog
      aria-labelledby="question"
      ref={(element) => {
        if (element && !element.open) element.showModal();
      }}
      onClose={() => store.question === question && store.ask(undefined)}
    >
      <h2 id="question">{TITLES[kind]}</h2>
      {kind === "comment" && <CommentQuestion store={store} question={question} />}
      {kind === "reject" && <RejectQuestion store={store} />}
      {kind === "unseen" && <UnseenQuestion store={store} question={question} />}
      {kind === "undo" && <UndoQuestion store={store} question={question} />}
      {kind === "batch" && <BatchQuestion store={store} batch={question.batch} />}
      {kind === "rule" && <RuleQuestion store={store} id={question.id} sheet={question.sheet} />}
      {kind === "explain" && (
        <pre tabIndex={0} aria-label="All that it does">
          {question.text}
        </pre>
      )}
      {kind === "find" && <FindQuestion store={store} />}
      {kind === "help" && <Help />}
      {(kind === "help" || kind === "explain") && <Close store={store} name="Close" />}
    </dialog>
  );
}

function Close({ store, name = "Back" }: { readonly store: Store; readonly name?: string }): JSX.Element {
  return (
    <button type="button" onClick={() => store.ask(undefined)}>
      {name} <kbd>Esc</kbd>
    </button>
  );
}

const MAX_COMMENT_CHARS = 4000;
const MAX_REASON_CHARS = 1000;

function CommentQuestion({ store, question: { about, where } }: DialogGiven<"comment">): JSX.Element {
  const say = (): void => {
    const text = textOf("comment");
    if (text !== "") store.comment({ ...about, text });
    store.ask(undefined);
  };
  return (
    <>
      <label for="comment">What do you say about {where}? The agent reads it with your decision.</label>
      <textarea id="comment" maxLength={MAX_COMMENT_CHARS} onKeyDown={(event) => isDone(event) && say()} />
      <button type="button" onClick={say}>
        Comment <kbd>Ctrl Enter</kbd>
      </button>
      <Close store={store} />
    </>
  );
}

/** To say something is no decision. */
function isDone(event: KeyboardEvent): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey);
}

function RejectQuestion({ store }: { readonly store: Store }): JSX.Element {
  return (
    <>
      <label for="reason">Why? The agent reads it; nothing written says nothing.</label>
      <textarea id="reason" maxLength={MAX_REASON_CHARS} />
      <DecideButton class="reject" onDecide={() => void reject(store, textOf("reason"))}>
        Reject all of it <kbd>Tab Space</kbd>
      </DecideButton>
      <Close store={store} />
    </>
  );
}

function textOf(id: string): string {
  return (document.getElementById(id) as HTMLTextAreaElement | HTMLInputElement | null)?.value.trim() ?? "";
}

function UnseenQuestion({ store, question: { count } }: DialogGiven<"unseen">): JSX.Element {
  const applyAll = (): void => void apply(store, true);
  return (
    <div onKeyDown={(event) => event.key === "y" && mayDecide(event) && applyAll()}>
      <p>
        {count === 1 ? "One hunk that would be applied was" : `${count} hunks that would be applied were`} never on the
        screen to the end.
      </p>
      <Close store={store} name="Look at it" />
      <DecideButton class="apply" onDecide={applyAll}>
        Apply all the same <kbd>y</kbd>
      </DecideButton>
    </div>
  );
}

function UndoQuestion({ store, question: { transaction, summary, diff } }: DialogGiven<"undo">): JSX.Element {
  const takeBack = (): void => void undo(store, transaction);
  return (
    <div onKeyDown={(event) => event.key === "y" && mayDecide(event) && takeBack()}>
      <p>{summary}</p>
      <pre tabIndex={0} aria-label="What the undo does">
        {diff}
      </pre>
      <Close store={store} />
      <DecideButton class="apply" onDecide={takeBack}>
        Undo it <kbd>y</kbd>
      </DecideButton>
    </div>
  );
}

function FindQuestion({ store }: { readonly store: Store }): JSX.Element {
  const findNext = async (): Promise<void> => {
    const text = textOf("find");
    const { question, shown } = store;
    const found = text === "" ? undefined : await find(store, text).catch(() => undefined);
    if (store.question !== question || store.shown !== shown) return;
    store.say(found ? "" : `"${text}" is nowhere in it.`);
    if (!found) return;
    store.ask(undefined);
    moveTo(store, found.file, found.line);
  };
  return (
    <>
      <label for="find">The next line that has this text</label>
      <input
        id="find"
        type="text"
        value={store.wanted}
        onInput={(event) => (store.wanted = event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && void findNext()}
      />
      <button type="button" onClick={() => void findNext()}>
        Find <kbd>Enter</kbd>
      </button>
      <Close store={store} />
    </>
  );
}

function Help(): JSX.Element {
  return (
    <>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        Escape and Enter decide nothing. For 400 milliseconds after something else is shown, no key and no click
        decides.
      </p>
    </>
  );
}
