/**
 * The frame of the page: where to go, what waits beside what is shown, what was said last, and the question that comes first.
 */
import type { JSX } from "preact";
import { HistoryView, PolicyView } from "./views/other-views.tsx";
import { ProposalView } from "./views/proposal-view.tsx";
import { QuestionDialog } from "./views/question-dialog.tsx";
import { QueueView } from "./views/queue-view.tsx";
import { RecordView } from "./views/record-view.tsx";
import { goTo } from "./moves.ts";
import type { Store } from "./store.ts";
import type { View } from "./shown.ts";

const VIEWS: readonly (readonly [View, string])[] = [
  ["review", "Review"],
  ["history", "History"],
  ["record", "Record"],
  ["policy", "Policy"],
];

export function App({ store }: { readonly store: Store }): JSX.Element {
  if (store.isOver)
    return (
      <main class="alone">
        <h1>This review is over</h1>
        <p>
          Start another one with <code>ringfence review --web</code>, and open the address that it prints.
        </p>
      </main>
    );
  return (
    <>
      <header class="top">
        <h1>ringfence</h1>
        <nav aria-label="Views">
          {VIEWS.map(([view, name]) => (
            <button
              type="button"
              key={view}
              aria-current={store.view === view ? "page" : undefined}
              onClick={() => goTo(store, view)}
            >
              {view === "review" && store.queue ? `${name} (${store.queue.length})` : name}
            </button>
          ))}
        </nav>
        <button type="button" onClick={() => store.ask({ kind: "help" })}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      {store.view === "review" ? (
        <div class="review">
          <QueueView store={store} queue={store.queue} selected={store.selected} />
          <ProposalView store={store} />
        </div>
      ) : (
        <main class="other" tabIndex={0}>
          {store.view === "history" && <HistoryView store={store} />}
          {store.view === "record" && <RecordView record={store.record} />}
          {store.view === "policy" && <PolicyView policy={store.policy} />}
        </main>
      )}
      <div class="said-last" role="status">
        {store.said}
      </div>
      {store.question && <QuestionDialog store={store} question={store.question} />}
    </>
  );
}
